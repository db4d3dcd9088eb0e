"""What both generations of the official Python client have in common when they drive a server.

A request is {"method": METHOD, "params": {...}} on a line; a reply is {"result": ...} or {"error": {"code", "message"}}.
What the server says of its own accord, and what it asks, is kept and told by "interop/seen".
"""

import json
import sys
import traceback

import anyio


class Seen:
    """What the server said and asked, until it is told."""

    def __init__(self):
        self.events = []
        self.more = anyio.Event()

    def saw(self, method, params):
        self.events.append({"method": method, "params": dump(params) if params is not None else {}})
        self.more.set()
        self.more = anyio.Event()

    async def tell(self, params):
        until = params.get("until")
        with anyio.move_on_after(10):
            while until and not any(event["method"] == until for event in self.events):
                await self.more.wait()
        events, self.events = self.events, []
        return {"events": events}

    async def message(self, message):
        """Takes whatever the library hands on; requests and failures come elsewhere."""
        message = getattr(message, "root", message)
        method = getattr(message, "method", "")
        if method.startswith("notifications/"):
            self.saw(method, message.params)


def dump(result):
    if isinstance(result, dict):
        return result
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


def callbacks(types, seen):
    """What the user, the model and the file system of this client say when asked."""

    async def elicit(context, params):
        seen.saw("elicitation/create", params)
        asked = dump(params).get("requestedSchema", {}).get("properties", {})
        return types.ElicitResult(action="accept", content={name: f"{name} of ada" for name in asked})

    async def sample(context, params):
        seen.saw("sampling/createMessage", params)
        content = types.TextContent(type="text", text="the answer of a model")
        return types.CreateMessageResult(role="assistant", model="a model", content=content)

    async def roots(context):
        seen.saw("roots/list", None)
        return types.ListRootsResult(roots=[types.Root(uri="file:///one"), types.Root(uri="file:///two")])

    return {"elicitation_callback": elicit, "sampling_callback": sample, "list_roots_callback": roots}


async def progressed(progress, total, message):
    """Asks for progress; what comes is seen as a message."""


async def answer(methods, line, refused):
    try:
        request = json.loads(line)
        result = await methods[request["method"]](request.get("params") or {})
        return {"result": dump(result)}
    except refused as error:
        return {"error": {"code": error.error.code, "message": error.error.message}}
    except Exception:
        return {"error": {"code": None, "message": traceback.format_exc()}}


async def serve(methods, refused):
    while line := await anyio.to_thread.run_sync(sys.stdin.readline):
        print(json.dumps(await answer(methods, line, refused)), flush=True)
