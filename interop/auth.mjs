// Goes through the whole authorization flow with the official TypeScript client, without a person.
//
// argv[2] is the URL of the server. One line of JSON a step goes to standard output.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";

const url = new URL(process.argv[2]);
const say = (step) => process.stdout.write(JSON.stringify(step) + "\n");

// Keeps everything in memory; "the browser" is one request whose answer sends it back.
class Provider {
  redirectUrl = "http://127.0.0.1:1/callback";
  clientMetadata = {
    client_name: "interop-typescript",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.held;
  }
  saveTokens(tokens) {
    this.held = tokens;
    say({ step: "token", scope: tokens.scope });
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  async redirectToAuthorization(address) {
    const asked = address.searchParams;
    say({ step: "authorize", resource: asked.get("resource"), method: asked.get("code_challenge_method"), scope: asked.get("scope") });
    const answer = await fetch(address, { redirect: "manual" });
    this.callback = new URL(answer.headers.get("location")).searchParams;
  }
}

const provider = new Provider();
const transport = () => new StreamableHTTPClientTransport(url, { authProvider: provider });
const connect = async (through) => {
  const client = new Client(
    { name: "interop-typescript", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(through);
  return client;
};

// Whatever asks for a person is done once more when the person has answered.
const finished = async (through, work) => {
  try {
    return await work(through);
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await through.finishAuth(provider.callback);
    return null;
  }
};

const first = transport();
let client = await finished(first, connect);
let through = first;
if (client === null) {
  through = transport();
  client = await connect(through);
}
const call = async (name, args) => {
  const work = () => client.callTool({ name, arguments: args });
  const result = (await finished(through, work)) ?? (await work());
  say({ step: name, text: result.content[0].text });
};
await call("whoami", {});
await call("publish", { note: "x" });
await client.close();
