"""Drives a server with the official Python client, in both eras that it knows; see talk.py for the lines.

argv[1] is {"protocol": VERSION} with "url": URL or "command": PROGRAM, "args": [...].
"""

import json
import sys
from contextlib import AsyncExitStack

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

import talk

STATELESS = "2026-07-28"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"


def reference(ref):
    if ref["type"] == "ref/prompt":
        return types.PromptReference(type="ref/prompt", name=ref["name"])
    return types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])


class Driver:
    def __init__(self, client, seen, is_stateless, tasks):
        self.client, self.seen, self.is_stateless, self.tasks = client, seen, is_stateless, tasks
        self.level = None
        self.listener = None

    async def opened(self, _):
        client = self.client
        return {
            "protocolVersion": client.protocol_version,
            "serverInfo": talk.dump(client.server_info),
            "capabilities": talk.dump(client.server_capabilities),
        }

    async def discover(self, _):
        result = await self.client.session.discover()
        return {**talk.dump(result), "protocolVersion": self.client.protocol_version}

    async def call(self, params):
        meta = {LOG_LEVEL: self.level} if self.is_stateless and self.level else None
        return await self.client.call_tool(
            params["name"], params.get("arguments"), progress_callback=talk.progressed, meta=meta
        )

    async def set_level(self, params):
        self.level = params["level"]
        return {} if self.is_stateless else await self.client.set_logging_level(params["level"])

    async def subscribe(self, params):
        if not self.is_stateless:
            return await self.client.subscribe_resource(params["uri"])
        await self.listen(tools_list_changed=True, resource_subscriptions=[params["uri"]])
        return {}

    async def unsubscribe(self, params):
        if not self.is_stateless:
            return await self.client.unsubscribe_resource(params["uri"])
        await self.listen(tools_list_changed=True)
        return {}

    async def listen(self, **wanted):
        """Listens to this and to nothing that was listened to before."""
        if self.listener:
            self.listener.cancel()
        self.listener = await self.tasks.start(self.listening, wanted)

    async def listening(self, wanted, *, task_status):
        with anyio.CancelScope() as scope:
            async with self.client.listen(**wanted) as events:
                task_status.started(scope)
                async for _ in events:
                    # The message handler has seen it as it came.
                    pass

    def methods(self):
        client = self.client
        return {
            "interop/opened": self.opened,
            "interop/seen": self.seen.tell,
            "server/discover": self.discover,
            "tools/call": self.call,
            "logging/setLevel": self.set_level,
            "resources/subscribe": self.subscribe,
            "resources/unsubscribe": self.unsubscribe,
            "tools/list": lambda params: client.list_tools(cursor=params.get("cursor")),
            "resources/list": lambda params: client.list_resources(cursor=params.get("cursor")),
            "resources/templates/list": lambda params: client.list_resource_templates(
                cursor=params.get("cursor")
            ),
            "resources/read": lambda params: client.read_resource(params["uri"]),
            "prompts/list": lambda params: client.list_prompts(cursor=params.get("cursor")),
            "prompts/get": lambda params: client.get_prompt(params["name"], params.get("arguments")),
            "completion/complete": lambda params: client.complete(
                reference(params["ref"]), params["argument"]
            ),
        }


async def main():
    target = json.loads(sys.argv[1])
    is_stateless = target["protocol"] == STATELESS
    if "url" in target:
        server = target["url"]
    else:
        server = StdioServerParameters(command=target["command"], args=target["args"])
    seen = talk.Seen()
    # A pinned version would skip server/discover; "auto" asks it and could fall back, hence the check.
    mode = "auto" if is_stateless else "legacy"
    answers = talk.callbacks(types, seen)
    async with AsyncExitStack() as stack:
        client = Client(server, mode=mode, message_handler=seen.message, **answers)
        await stack.enter_async_context(client)
        if client.protocol_version != target["protocol"]:
            raise RuntimeError(f"settled on {client.protocol_version}, not {target['protocol']}")
        tasks = await stack.enter_async_context(anyio.create_task_group())
        await talk.serve(Driver(client, seen, is_stateless, tasks).methods(), MCPError)
        tasks.cancel_scope.cancel()


anyio.run(main)
