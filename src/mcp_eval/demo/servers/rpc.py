"""JSON-RPC over two byte streams, one line a frame: as much of MCP as a tools-only server needs."""

import json
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol

PROTOCOLS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")


class ToolError(Exception):
    """A call that failed: its words are the answer, flagged as an error."""


class RpcError(Exception):
    """A request that makes no sense."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Offer(Protocol):
    """What a server must know about itself."""

    version: str
    instructions: str

    def tools(self) -> list[dict[str, Any]]:
        """Its tools, as `tools/list` describes them."""

    def call(self, name: str, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        """The answer of a tool, or ToolError."""


def serve(offer: Offer, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer line after line until the source ends."""
    for line in source:
        if not line.strip():
            continue
        answer = answered(offer, line)
        if answer is not None:
            sink.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
            sink.flush()


def answered(offer: Offer, line: bytes) -> dict[str, Any] | None:
    """The response to one frame; None for a notification."""
    try:
        frame = json.loads(line)
    except ValueError:
        return _error(None, -32700, "this line is not JSON")
    if not isinstance(frame, dict) or not isinstance(frame.get("method"), str):
        return _error(None, -32600, "this is not a request")
    if "id" not in frame:
        return None
    try:
        result = METHODS.get(frame["method"], _unknown)(offer, frame.get("params") or {})
    except RpcError as error:
        return _error(frame["id"], error.code, str(error))
    return {"jsonrpc": "2.0", "id": frame["id"], "result": result}


def _error(request: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}


def _initialize(offer: Offer, params: dict[str, Any]) -> dict[str, Any]:
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in PROTOCOLS else PROTOCOLS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "demo-proxy", "version": offer.version},
        "instructions": offer.instructions,
    }


def _list(offer: Offer, _: dict[str, Any]) -> dict[str, Any]:
    return {"tools": offer.tools()}


def _call(offer: Offer, params: dict[str, Any]) -> dict[str, Any]:
    name, arguments = params.get("name"), params.get("arguments") or {}
    tool = next((tool for tool in offer.tools() if tool["name"] == name), None)
    if tool is None:
        raise RpcError(-32602, f"Unknown tool: {name}")
    try:
        check(arguments, tool["inputSchema"])
        text = json.dumps(offer.call(tool["name"], arguments), ensure_ascii=False)
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return {"content": [{"type": "text", "text": text}], "isError": False}


def _unknown(_: Offer, __: dict[str, Any]) -> dict[str, Any]:
    raise RpcError(-32601, "Method not found")


METHODS: dict[str, Callable[[Offer, dict[str, Any]], dict[str, Any]]] = {
    "initialize": _initialize,
    "ping": lambda _, __: {},
    "tools/list": _list,
    "tools/call": _call,
}
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}


def check(arguments: dict[str, Any], schema: dict[str, Any]) -> None:
    """Refuse arguments the schema does not allow, naming the parameter."""
    for name in schema.get("required", ()):
        if name not in arguments:
            raise ToolError(f"Invalid arguments: '{name}' is required")
    for name, value in arguments.items():
        stated = schema["properties"].get(name)
        if stated is None:
            raise ToolError(f"Invalid arguments: '{name}' is not known")
        kind = stated["type"]
        if not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool)):
            raise ToolError(f"Invalid arguments: '{name}' must be of type {kind}")
        if value not in stated.get("enum", (value,)):
            raise ToolError(f"Invalid arguments: '{name}' must be one of {stated['enum']}")
