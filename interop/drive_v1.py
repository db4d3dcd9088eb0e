"""Drives a server with version 1 of the official Python client; see talk.py for the lines.

argv[1] is {"protocol": VERSION} with "url": URL or "command": PROGRAM, "args": [...].
"""

import json
import sys
from contextlib import AsyncExitStack

import anyio
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

import talk


def reference(ref):
    if ref["type"] == "ref/prompt":
        return types.PromptReference(type="ref/prompt", name=ref["name"])
    return types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])


def methods(session, opened, seen):
    async def told(_):
        return opened

    return {
        "interop/opened": told,
        "interop/seen": seen.tell,
        "tools/list": lambda params: session.list_tools(),
        "tools/call": lambda params: session.call_tool(
            params["name"], params.get("arguments"), progress_callback=talk.progressed
        ),
        "logging/setLevel": lambda params: session.set_logging_level(params["level"]),
        "resources/subscribe": lambda params: session.subscribe_resource(AnyUrl(params["uri"])),
        "resources/unsubscribe": lambda params: session.unsubscribe_resource(AnyUrl(params["uri"])),
        "resources/list": lambda params: session.list_resources(),
        "resources/templates/list": lambda params: session.list_resource_templates(),
        "resources/read": lambda params: session.read_resource(AnyUrl(params["uri"])),
        "prompts/list": lambda params: session.list_prompts(),
        "prompts/get": lambda params: session.get_prompt(params["name"], params.get("arguments")),
        "completion/complete": lambda params: session.complete(
            reference(params["ref"]), params["argument"]
        ),
    }


async def main():
    target = json.loads(sys.argv[1])
    seen = talk.Seen()
    async with AsyncExitStack() as stack:
        if "url" in target:
            transport = streamable_http_client(target["url"])
        else:
            transport = stdio_client(
                StdioServerParameters(command=target["command"], args=target["args"])
            )
        read, write, *_ = await stack.enter_async_context(transport)
        answers = talk.callbacks(types, seen)
        session = ClientSession(read, write, message_handler=seen.message, **answers)
        await stack.enter_async_context(session)
        opened = await session.initialize()
        if opened.protocolVersion != target["protocol"]:
            raise RuntimeError(f"settled on {opened.protocolVersion}, not {target['protocol']}")
        await talk.serve(methods(session, opened, seen), McpError)


anyio.run(main)
