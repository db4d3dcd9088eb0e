// Drives a server with an official TypeScript client: one JSON request a line in, one reply a line out.
//
// argv[2] is {"library": PACKAGE, "protocol": VERSION} with "url": URL or "command": PROGRAM, "args": [...].
// A request is {"method": METHOD, "params": {...}}; a reply is {"result": ...} or {"error": {"code", "message"}}.
// What the server says of its own accord, and what it asks, is kept and told by "interop/seen".
import { createInterface } from "node:readline";

const STATELESS = "2026-07-28";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

const target = JSON.parse(process.argv[2]);
const isStateless = target.protocol === STATELESS;
const seen = [];
let wake = () => {};

function saw(method, params) {
  seen.push({ method, params });
  wake();
}

// What the user, the model and the file system of this client say when asked.
const answers = {
  "elicitation/create": ({ requestedSchema }) => {
    const asked = requestedSchema?.properties ?? {};
    const given = Object.keys(asked).map((name) => [name, `${name} of ada`]);
    return { action: "accept", content: Object.fromEntries(given) };
  },
  "sampling/createMessage": () => ({
    role: "assistant",
    model: "a model",
    content: { type: "text", text: "the answer of a model" },
  }),
  "roots/list": () => ({ roots: [{ uri: "file:///one" }, { uri: "file:///two" }] }),
};

const capabilities = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
const identity = { name: "interop-typescript", version: "1.0.0" };

// The two generations of the library differ in how a handler is named.
async function client() {
  if (target.library === "@modelcontextprotocol/sdk") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const types = await import("@modelcontextprotocol/sdk/types.js");
    const schemas = {
      "elicitation/create": types.ElicitRequestSchema,
      "sampling/createMessage": types.CreateMessageRequestSchema,
      "roots/list": types.ListRootsRequestSchema,
    };
    const client = new Client(identity, { capabilities });
    return { client, name: (method) => schemas[method], StreamableHTTPClientTransport, StdioClientTransport };
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const mode = isStateless ? { pin: target.protocol } : "legacy";
  const client = new Client(identity, { capabilities, versionNegotiation: { mode } });
  return { client, name: (method) => method, StreamableHTTPClientTransport, StdioClientTransport };
}

const library = await client();
const driven = library.client;
for (const [method, reply] of Object.entries(answers)) {
  driven.setRequestHandler(library.name(method), async ({ params }) => {
    saw(method, params ?? {});
    return reply(params ?? {});
  });
}
driven.fallbackNotificationHandler = async ({ method, params }) => saw(method, params ?? {});

const transport = target.url
  ? new library.StreamableHTTPClientTransport(new URL(target.url))
  : new library.StdioClientTransport({ command: target.command, args: target.args });

let level;
let listener;

async function until(method) {
  const end = Date.now() + 10_000;
  while (!seen.some((event) => event.method === method) && Date.now() < end) {
    await new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, 100);
    });
  }
}

const methods = {
  "interop/opened": async () => ({
    protocolVersion: driven.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion,
    serverInfo: driven.getServerVersion(),
    capabilities: driven.getServerCapabilities(),
  }),
  "interop/seen": async ({ until: method }) => {
    if (method) {
      await until(method);
    }
    return { events: seen.splice(0) };
  },
  "server/discover": async () => {
    return { ...driven.getDiscoverResult(), protocolVersion: driven.getNegotiatedProtocolVersion() };
  },
  "tools/list": (params) => driven.listTools(params),
  "tools/call": (params) => {
    const call = isStateless && level ? { ...params, _meta: { [LOG_LEVEL]: level } } : params;
    const options = { onprogress: (progress) => saw("notifications/progress", progress) };
    return target.library === "@modelcontextprotocol/sdk"
      ? driven.callTool(call, undefined, options)
      : driven.callTool(call, options);
  },
  "logging/setLevel": (params) => {
    level = params.level;
    return isStateless ? {} : driven.setLoggingLevel(params.level);
  },
  "resources/subscribe": async ({ uri }) => {
    if (!isStateless) {
      return driven.subscribeResource({ uri });
    }
    listener = await driven.listen({ resourceSubscriptions: [uri], toolsListChanged: true });
    return {};
  },
  "resources/unsubscribe": async ({ uri }) => {
    if (!isStateless) {
      return driven.unsubscribeResource({ uri });
    }
    await listener.close();
    listener = await driven.listen({ toolsListChanged: true });
    return {};
  },
  "resources/list": (params) => driven.listResources(params),
  "resources/templates/list": (params) => driven.listResourceTemplates(params),
  "resources/read": (params) => driven.readResource(params),
  "prompts/list": (params) => driven.listPrompts(params),
  "prompts/get": (params) => driven.getPrompt(params),
  "completion/complete": (params) => driven.complete(params),
};

let connected = false;

async function answer(line) {
  try {
    if (!connected) {
      await driven.connect(transport);
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
await driven.close();
