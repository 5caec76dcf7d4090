"""MCP over stdio in our own frames: five tools need no SDK, which costs 0.7 s at every start.

One JSON-RPC message a line; each request is work of its own, so that a check can be cancelled and
asked about while it runs. Nothing here knows what the tools do.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from mcp_eval.errors import InconclusiveError, McpEvalError
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.reports.plain import line

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
LONGEST = 4 * 1024 * 1024
_PARSE, _INVALID, _METHOD, _PARAMS, _INTERNAL = -32700, -32600, -32601, -32602, -32603

Write = Callable[[bytes], None]


class Caller(Protocol):
    """Whoever called a tool: told how it goes on, and asked where a person must decide."""

    def progress(self, message: str) -> None:
        """One step further."""

    async def ask(self, message: str, schema: JsonObject) -> JsonObject | None:
        """What the person said; None where there is nobody to be asked, or no is the answer."""


class Tools(Protocol):
    """What is served."""

    instructions: str

    def listed(self) -> list[JsonObject]:
        """The tools as `tools/list` says them."""

    def call(self, name: str, arguments: JsonObject, caller: Caller) -> Awaitable[JsonObject]:
        """One call, and its structured answer with a `text`; KeyError where there is no such."""


class Server:
    """One line to one client."""

    def __init__(self, tools: Tools, write: Write, *, version: str) -> None:
        self._tools = tools
        self._write = write
        self._version = version
        self._work: dict[str, asyncio.Task[None]] = {}
        self._asked: dict[str, asyncio.Future[JsonObject | None]] = {}
        self._asks = False  # whether the client can ask its person

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Answer until the client closes the line; what still runs then is ended."""
        try:
            while True:
                try:
                    payload = await reader.readline()
                except ValueError:  # longer than anybody needs
                    self._error(None, _PARSE, "the line is too long")
                    continue
                if not payload:
                    return
                if payload.strip():
                    self._take(payload)
        finally:
            for task in tuple(self._work.values()):
                task.cancel()
            await asyncio.gather(*self._work.values(), return_exceptions=True)

    def _take(self, payload: bytes) -> None:
        try:
            message = msgspec.json.decode(payload)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._error(None, _PARSE, "this is no JSON")
            return
        if not isinstance(message, dict):
            self._error(None, _INVALID, "one message a line")
        elif "method" not in message:
            self._answered(message)
        elif "id" not in message:
            self._notified(message)
        else:
            key = _key(message["id"])
            self._work[key] = asyncio.create_task(self._request(message))
            self._work[key].add_done_callback(lambda _: self._work.pop(key, None))

    async def _request(self, message: JsonObject) -> None:
        ident, method = message["id"], message["method"]
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        try:
            result = await self._result(method, params)
        except _UnknownError as error:
            self._error(ident, error.code, str(error))
        except Exception as error:  # noqa: BLE001 - a client must be told, whatever it was
            said = f"mcp-eval itself failed: {type(error).__name__}: {line(str(error), 200)}"
            self._error(ident, _INTERNAL, said)
        else:
            self._say({"id": ident, "result": result})

    async def _result(self, method: Json, params: JsonObject) -> JsonObject:
        if method == "initialize":
            return self._initialized(params)
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": self._tools.listed()}
        if method == "tools/call":
            return await self._called(params)
        raise _UnknownError(_METHOD, f"no method {line(str(method), 60)}")

    def _initialized(self, params: JsonObject) -> JsonObject:
        offered = params.get("capabilities")
        self._asks = isinstance(offered, dict) and "elicitation" in offered
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "mcp-eval", "version": self._version},
            "instructions": self._tools.instructions,
        }

    async def _called(self, params: JsonObject) -> JsonObject:
        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise _UnknownError(_PARAMS, "a tool's name and its arguments are wanted")
        meta = params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        try:
            said = await self._tools.call(name, arguments, _Caller(self, token))
        except KeyError:
            raise _UnknownError(_PARAMS, f"no tool {line(name, 60)}") from None
        except McpEvalError as error:
            return _failed(error)
        text = said.pop("text")
        return {"content": [{"type": "text", "text": text}], "structuredContent": said}

    def _notified(self, message: JsonObject) -> None:
        params = message.get("params")
        if message["method"] == "notifications/cancelled" and isinstance(params, dict):
            task = self._work.get(_key(params.get("requestId")))
            if task is not None:
                task.cancel()

    def _answered(self, message: JsonObject) -> None:
        waiting = self._asked.pop(_key(message.get("id")), None)
        if waiting is not None and not waiting.done():
            result = message.get("result")
            waiting.set_result(result if isinstance(result, dict) else None)

    async def ask(self, message: str, schema: JsonObject) -> JsonObject | None:
        """Ask the client's person; None where it cannot, or where they did not say yes."""
        if not self._asks:
            return None
        ident = f"ask-{len(self._asked) + 1}-{id(message)}"
        waiting: asyncio.Future[JsonObject | None] = asyncio.get_running_loop().create_future()
        self._asked[_key(ident)] = waiting
        params = {"message": message, "requestedSchema": schema}
        self._say({"id": ident, "method": "elicitation/create", "params": params})
        try:
            result = await waiting
        finally:
            self._asked.pop(_key(ident), None)
        if result is None or result.get("action") != "accept":
            return None
        content = result.get("content")
        return content if isinstance(content, dict) else None

    def progressed(self, token: Json, done: int, message: str) -> None:
        """Tell the client that something went on."""
        params = {"progressToken": token, "progress": done, "message": message}
        self._say({"method": "notifications/progress", "params": params})

    def _error(self, ident: Json, code: int, text: str) -> None:
        self._say({"id": ident, "error": {"code": code, "message": text}})

    def _say(self, message: JsonObject) -> None:
        with contextlib.suppress(BrokenPipeError):  # the reading end will say that it is over
            self._write(msgspec.json.encode({"jsonrpc": "2.0", **message}) + b"\n")


class _Caller:
    """The other end of one call."""

    def __init__(self, server: Server, token: Json) -> None:
        self._server = server
        self._token = token
        self._done = 0

    def progress(self, message: str) -> None:
        if self._token is not None:
            self._done += 1
            self._server.progressed(self._token, self._done, line(message, 200))

    async def ask(self, message: str, schema: JsonObject) -> JsonObject | None:
        return await self._server.ask(message, schema)


class _UnknownError(Exception):
    """A request nobody here can answer."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def _failed(error: McpEvalError) -> JsonObject:
    """An error a person can act on, as an answer of the tool; foreign words in it are quoted."""
    said = {"error": line(error.message, 400), "hint": line(error.hint, 300)}
    if isinstance(error, InconclusiveError):
        said["status"] = "inconclusive: the check did not happen"
    text = "\n".join(f"{name}: {msgspec.json.encode(told).decode()}" for name, told in said.items())
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _key(ident: Json) -> str:
    """1 and "1" are two requests."""
    return msgspec.json.encode(ident).decode()
