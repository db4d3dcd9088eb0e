"""Drives a server with the official Python client: one JSON request a line in, one reply a line out.

argv[1] is {"protocol": VERSION, "url": URL} or {"protocol": VERSION, "command": PROGRAM, "args": [...]}.
A request is {"method": METHOD, "params": {...}}; a reply is {"result": ...} or {"error": {"code", "message"}}.
"""

import json
import sys
import traceback

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters


def reference(ref):
    if ref["type"] == "ref/prompt":
        return types.PromptReference(type="ref/prompt", name=ref["name"])
    return types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])


async def discover(client, _):
    result = await client.session.discover()
    return {**dump(result), "protocolVersion": client.protocol_version}


METHODS = {
    "server/discover": discover,
    "tools/list": lambda client, params: client.list_tools(cursor=params.get("cursor")),
    "tools/call": lambda client, params: client.call_tool(params["name"], params.get("arguments")),
    "resources/list": lambda client, params: client.list_resources(cursor=params.get("cursor")),
    "resources/templates/list": lambda client, params: client.list_resource_templates(
        cursor=params.get("cursor")
    ),
    "resources/read": lambda client, params: client.read_resource(params["uri"]),
    "prompts/list": lambda client, params: client.list_prompts(cursor=params.get("cursor")),
    "prompts/get": lambda client, params: client.get_prompt(
        params["name"], params.get("arguments")
    ),
    "completion/complete": lambda client, params: client.complete(
        reference(params["ref"]), params["argument"]
    ),
}


def dump(result):
    if isinstance(result, dict):
        return result
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


async def answer(client, line):
    try:
        request = json.loads(line)
        result = await METHODS[request["method"]](client, request.get("params") or {})
        return {"result": dump(result)}
    except MCPError as error:
        return {"error": {"code": error.error.code, "message": error.error.message}}
    except Exception:
        return {"error": {"code": None, "message": traceback.format_exc()}}


async def main():
    target = json.loads(sys.argv[1])
    if "url" in target:
        server = target["url"]
    else:
        server = StdioServerParameters(command=target["command"], args=target["args"])
    # A pinned version would skip server/discover; "auto" asks it and could fall back, hence the check.
    async with Client(server, mode="auto") as client:
        if client.protocol_version != target["protocol"]:
            raise RuntimeError(f"settled on {client.protocol_version}, not {target['protocol']}")
        while line := await anyio.to_thread.run_sync(sys.stdin.readline):
            print(json.dumps(await answer(client, line)), flush=True)


anyio.run(main)
