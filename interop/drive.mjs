// Drives a server with the official TypeScript client: one JSON request a line in, one reply a line out.
//
// argv[2] is {"protocol": VERSION, "url": URL} or {"protocol": VERSION, "command": PROGRAM, "args": [...]}.
// A request is {"method": METHOD, "params": {...}}; a reply is {"result": ...} or {"error": {"code", "message"}}.
import { createInterface } from "node:readline";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const target = JSON.parse(process.argv[2]);

const client = new Client(
  { name: "interop-typescript", version: "1.0.0" },
  { versionNegotiation: { mode: { pin: target.protocol } } },
);

const methods = {
  "server/discover": async () => {
    return { ...client.getDiscoverResult(), protocolVersion: client.getNegotiatedProtocolVersion() };
  },
  "tools/list": (params) => client.listTools(params),
  "tools/call": (params) => client.callTool(params),
  "resources/list": (params) => client.listResources(params),
  "resources/templates/list": (params) => client.listResourceTemplates(params),
  "resources/read": (params) => client.readResource(params),
  "prompts/list": (params) => client.listPrompts(params),
  "prompts/get": (params) => client.getPrompt(params),
  "completion/complete": (params) => client.complete(params),
};

const transport = target.url
  ? new StreamableHTTPClientTransport(new URL(target.url))
  : new StdioClientTransport({ command: target.command, args: target.args });

let connected = false;

async function answer(line) {
  try {
    if (!connected) {
      await client.connect(transport);
      connected = true;
    }
    const { method, params } = JSON.parse(line);
    return { result: await methods[method](params) };
  } catch (error) {
    return { error: { code: error.code ?? null, message: String(error.stack ?? error) } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await answer(line)) + "\n");
}
await client.close();
