// A host that is a web page: the official bridge between our page, in a sandbox, and our server.
// What happened lies in `window.happened`, where the driver reads it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const { server, sandbox, tool } = JSON.parse(document.getElementById("setup").textContent);
const happened = { calls: [], sizes: [], read: null, tool: null, initialized: false };
window.happened = happened;

const client = new Client(
  { name: "aqueduct-apps", version: "1.0.0" },
  { capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(server)));

const listed = (await client.listTools()).tools.find((one) => one.name === tool);
happened.tool = listed;
const uri = listed._meta.ui.resourceUri;
const read = await client.readResource({ uri });
happened.read = read;
const [page] = read.contents;

// The sandbox is a page of another origin, as the specification asks of a host on the web.
const frame = document.createElement("iframe");
frame.sandbox = "allow-scripts allow-same-origin";
frame.style = "width: 100%; height: 640px; border: 0";
const ready = new Promise((resolve) => {
  addEventListener("message", function listen({ source, data }) {
    if (source !== frame.contentWindow || data?.method !== "ui/notifications/sandbox-proxy-ready") return;
    removeEventListener("message", listen);
    resolve();
  });
});
frame.src = sandbox;
document.body.append(frame);
await ready;

const bridge = new AppBridge(
  client,
  { name: "aqueduct-apps", version: "1.0.0" },
  { serverTools: {}, serverResources: {}, logging: {} },
  {
    hostContext: {
      theme: "light",
      displayMode: "inline",
      styles: { variables: { "--color-background-primary": "rgb(250, 246, 240)" } },
    },
  },
);
bridge.onsizechange = ({ width, height }) => { happened.sizes.push({ width, height }); };
bridge.oninitialized = () => { happened.initialized = true; };
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
// After connecting, when the bridge has put its own handler there.
bridge.oncalltool = async (params) => {
  const result = await client.callTool(params);
  happened.calls.push({ name: params.name, arguments: params.arguments, isError: result.isError === true });
  return result;
};
await bridge.sendSandboxResourceReady({ html: page.text, csp: page._meta?.ui?.csp });

// As when a model has called the tool.
window.showResult = async (args) => {
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(await client.callTool({ name: tool, arguments: args }));
};
