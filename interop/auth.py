"""Goes through the whole authorization flow with the official Python client, without a person.

argv[1] is the URL of the server. One line of JSON a step goes to standard output.
"""

import json
import sys
from urllib.parse import parse_qs, urlparse

import anyio
import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

REDIRECT = "http://127.0.0.1:1/callback"


def say(**step):
    print(json.dumps(step), flush=True)


class Storage:
    """Keeps everything in memory."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens
        say(step="token", scope=tokens.scope)

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Browser:
    """One request, whose answer sends it back."""

    async def visit(self, address):
        asked = {name: values[0] for name, values in parse_qs(urlparse(address).query).items()}
        say(
            step="authorize",
            resource=asked.get("resource"),
            method=asked.get("code_challenge_method"),
            scope=asked.get("scope"),
        )
        async with httpx2.AsyncClient() as http:
            answer = await http.get(address)
        query = parse_qs(urlparse(answer.headers["location"]).query)
        self.back = {name: values[0] for name, values in query.items()}

    async def callback(self):
        return AuthorizationCodeResult(
            code=self.back["code"], state=self.back.get("state"), iss=self.back.get("iss")
        )


async def main():
    url, browser = sys.argv[1], Browser()
    metadata = OAuthClientMetadata(
        client_name="interop-python",
        redirect_uris=[REDIRECT],
        grant_types=["authorization_code"],
        response_types=["code"],
        token_endpoint_auth_method="none",
    )
    provider = OAuthClientProvider(url, metadata, Storage(), browser.visit, browser.callback)
    async with httpx2.AsyncClient(auth=provider) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode="auto") as client:
            if client.protocol_version != "2026-07-28":
                raise RuntimeError(f"settled on {client.protocol_version}")
            for name, arguments in [("whoami", {}), ("publish", {"note": "x"})]:
                result = await client.call_tool(name, arguments)
                say(step=name, text=result.content[0].text)


anyio.run(main)
