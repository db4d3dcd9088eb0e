// Shows the memory's board in a browser, inside of a host on the official bridge, and uses it as a
// person would. One line a step on standard output; anything wrong ends it with a failure.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";

const [assets, browserPath, server, hostPort, picture] = process.argv.slice(2);
/** Where the path that programs are looked for has it; a path of its own stays what it is. */
const executablePath = [browserPath, ...process.env.PATH.split(delimiter).map((one) => join(one, browserPath))]
  .find((one) => isAbsolute(one) && existsSync(one));
const PATIENCE = 30_000;
const TOOL = "board";
/** What a page without a word about origins is held to (SEP-1865, Host Behavior). */
const POLICY = [
  "default-src 'none'", "script-src 'self' 'unsafe-inline'", "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:", "media-src 'self' data:", "connect-src 'none'", "object-src 'none'",
].join("; ");

const bundle = await build({
  stdin: {
    contents: await readFile(join(assets, "host.mjs"), "utf8"),
    resolveDir: dirname(process.argv[1]),
    sourcefile: "host.mjs",
  },
  bundle: true, format: "esm", platform: "browser", write: false, logLevel: "error",
});
const sandboxHtml = await readFile(join(assets, "sandbox.html"), "utf8");

/** Serves on loopback, `port` 0 for a free one. */
const serve = (port, answer) => new Promise((resolve, reject) => {
  const listening = createServer((request, response) => {
    const [type, body, headers = {}] = answer(request.url);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type, ...headers });
    response.end(body);
  });
  listening.once("error", reject);
  listening.listen(port, "127.0.0.1", () => resolve(listening));
});

const sandbox = await serve(0, () =>
  ["text/html", sandboxHtml, { "content-security-policy": POLICY }]);
const setup = JSON.stringify({ server, tool: TOOL, sandbox: `http://127.0.0.1:${sandbox.address().port}/` });
const host = await serve(Number(hostPort), (url) => {
  if (url === "/host.js") return ["text/javascript", bundle.outputFiles[0].text];
  if (url !== "/") return ["text/plain", undefined];
  return ["text/html", `<!doctype html><meta charset="utf-8"><title>Host</title>
<script type="application/json" id="setup">${setup}</script><script type="module" src="/host.js"></script><body></body>`];
});

const browser = await puppeteer.launch({
  executablePath, headless: "shell",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const faults = [];
const outside = [];
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 760, height: 680 });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
  const known = [server, `http://127.0.0.1:${hostPort}`, `http://127.0.0.1:${sandbox.address().port}`];
  page.on("request", (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && !known.some((one) => url.startsWith(one))) outside.push(url);
  });
  await page.goto(`http://127.0.0.1:${hostPort}/`);
  const happened = () => page.evaluate(() => window.happened);
  const until = async (what, holds) => {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const value = await holds().catch(() => undefined);
      if (value) return value;
      if (Date.now() > end) throw new Error(`never: ${what}; ${faults.join("; ")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const step = (name) => console.log(`ok ${name}`);

  const board = await until("the page in its frame", async () => {
    const frames = page.frames().filter((frame) => frame.parentFrame()?.parentFrame());
    return (await frames[0]?.$("#search")) ? frames[0] : undefined;
  });
  const texts = () => board.$$eval("#notes .text", (all) => all.map((one) => one.textContent));
  const state = () => board.$eval("#state", (one) => one.textContent);
  const calls = async (name) => (await happened()).calls.filter((call) => call.name === name);
  const press = async (label) => board.evaluate((label) => {
    const found = [...document.querySelectorAll("button")].find((one) => one.textContent === label);
    found.click();
  }, label);
  const fill = (selector, text) => board.$eval(selector, (one, text) => { one.value = text; }, text);

  const { tool, read } = await happened();
  assert.equal(tool._meta["ui/resourceUri"], tool._meta.ui.resourceUri);
  assert.equal(read.contents[0].mimeType, "text/html;profile=mcp-app");
  step("the tool names the page, and the page is read");

  await until("three notes", async () => (await texts()).length === 3);
  assert.deepEqual((await calls("recall"))[0].arguments, { query: "", limit: 20, offset: 0 });
  assert.match(await state(), /^3 of 3 notes$/);
  assert.ok((await texts()).includes("<b onclick=\"x\">Bold</b> is the name of a boat."));
  assert.equal(await board.$("#notes b"), null);
  step("it calls recall through the host and shows the notes as text");

  const colour = await board.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(colour, "rgb(250, 246, 240)");
  assert.ok((await happened()).sizes.length > 0);
  step("it wears the host's colours and tells its size");

  await fill("#query", "tea");
  await press("Search");
  await until("one hit", async () => (await texts()).length === 1);
  assert.deepEqual(await texts(), ["The user prefers tea."]);
  step("it searches");

  await press("Edit");
  await until("an editor", () => board.$("textarea"));
  await fill("textarea", "The user prefers green tea.");
  await press("Save");
  await until("the new text", async () => (await texts())[0] === "The user prefers green tea.");
  assert.equal((await calls("update")).length, 1);
  step("it edits");

  await writeFile(picture, await page.screenshot({ fullPage: true }));
  step(`a picture lies at ${picture}`);

  await fill("#query", "");
  await press("New note");
  await until("an editor", () => board.$("textarea"));
  await fill("textarea", "Written on the board.");
  await fill("li input", "board, new");
  await press("Save");
  await until("four notes", async () => (await texts()).includes("Written on the board."));
  assert.deepEqual((await calls("remember"))[0].arguments.tags, ["board", "new"]);
  step("it remembers");

  await fill("#query", "Written");
  await press("Search");
  await until("it alone", async () => (await texts()).length === 1);
  await press("Forget");
  assert.equal((await calls("forget")).length, 0);
  await press("Forget for good?");
  await until("nothing", async () => (await state()).startsWith("Nothing is remembered"));
  step("it forgets at the second press");

  await press("New note");
  await until("an editor", () => board.$("textarea"));
  await press("Save");
  await until("a refusal", () => board.$("#state.failed"));
  assert.ok((await state()).length > 10);
  step("what the server refuses is told");

  await page.evaluate((args) => window.showResult(args), { query: "boat" });
  await until("the model's result", async () => (await texts()).length === 1 && /boat/.test((await texts())[0]));
  assert.equal(await board.$eval("#query", (one) => one.value), "boat");
  step("it shows what the model asked for");

  assert.deepEqual([faults, outside], [[], []]);
  const reach = await board.evaluate(() => fetch("https://example.com/").then(() => "reached", () => "refused"));
  assert.equal(reach, "refused");
  step("it reaches nothing outside, and nothing was wrong in the browser");
} finally {
  await browser.close();
  host.close();
  sandbox.close();
}
