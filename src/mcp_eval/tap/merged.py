"""Several servers as one: a channel that asks whoever offers what is asked for.

A name that two offer is `server__name`; all others stand as they are. What is asked of one server
under its own name, and what that answers, keep their bytes.
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.ports import Channel
from mcp_eval.tap.catalogues import LISTS, NAMED, Catalogues, introduced
from mcp_eval.tap.frames import FrameId, Lines, answer_frame, request_frame
from mcp_eval.tap.inbox import Inbox
from mcp_eval.tap.session import Lingering

_PAGES = 1000
_NO_SUCH_METHOD, _NO_SUCH_NAME = -32601, -32602
_UNREADABLE: JsonObject = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32700, "message": "several servers are asked one question at a time"},
}


class Merged:
    """A Channel to all of them."""

    def __init__(self, channels: Mapping[str, Channel]) -> None:
        self._channels = dict(channels)
        self._lines = Lines()
        self._inbox = Inbox()
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked: dict[str, asyncio.Future[JsonObject]] = {}  # by us, of one of them
        self._asking: dict[str, tuple[str, FrameId]] = {}  # by one of them, of the client
        self._count = 0
        self._catalogues = Catalogues(tuple(channels))

    async def send(self, chunk: bytes) -> None:
        """Pass on what these bytes complete, to whom it concerns."""
        if not self._tasks and not self._inbox.closed:
            for name in self._channels:
                self._begin(self._listen(name))
        for line, _ in self._lines.feed(chunk):
            if self._inbox.closed:
                raise ConnectionResetError("one of the servers closed the line")
            try:
                message = msgspec.json.decode(line, type=JsonObject)
            except (msgspec.DecodeError, RecursionError):
                self._inbox.put(msgspec.json.encode(_UNREADABLE))
                continue
            if "method" not in message:
                await self._give(message)
            elif "id" not in message:
                await self._tell(line)
            else:
                self._begin(self._serve(message, line))

    async def receive(self) -> bytes:
        """What any of them said since."""
        return await self._inbox.take()

    async def linger(self) -> None:
        """Come back when each has had the time it wants."""
        patient = [one for one in self._channels.values() if isinstance(one, Lingering)]
        await asyncio.gather(*(one.linger() for one in patient))

    async def close(self) -> None:
        """Hang up on all."""
        self._inbox.end()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for channel in self._channels.values():
            await channel.close()

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self, name: str) -> None:
        """All that one of them says; where it hangs up, the whole line has ended."""
        lines = Lines()
        why: OSError | InconclusiveError = ConnectionResetError(f"{name} closed the line")
        try:
            while chunk := await self._channels[name].receive():
                for line, _ in lines.feed(chunk):
                    self._hear(name, line)
        except (OSError, InconclusiveError) as error:
            why = error
        self._inbox.end(why)
        for waiting in self._asked.values():
            waiting.cancel()

    def _hear(self, name: str, line: bytes) -> None:
        try:
            message = msgspec.json.decode(line, type=JsonObject)
        except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
            self._inbox.put(line)
            return
        id_ = message.get("id")
        if "method" in message and id_ is not None:
            # Two servers count from the same number: the client must be able to tell them apart.
            ours = f"{name}/{id_}"
            self._asking[ours] = (name, id_)
            self._inbox.put(msgspec.json.encode(message | {"id": ours}))
        elif "method" not in message and isinstance(id_, str) and id_ in self._asked:
            waiting = self._asked.pop(id_)
            if not waiting.done():
                waiting.set_result(message)
        else:
            self._inbox.put(line)

    async def _give(self, message: JsonObject) -> None:
        """The client's answer, to the one that asked."""
        name, id_ = self._asking.pop(str(message.get("id")), ("", 0))
        if name:
            await self._channels[name].send(msgspec.json.encode(message | {"id": id_}) + b"\n")

    async def _tell(self, line: bytes) -> None:
        for channel in self._channels.values():
            await channel.send(line + b"\n")

    async def _serve(self, message: JsonObject, line: bytes) -> None:
        """One request of the client's."""
        method, id_ = message["method"], message["id"]
        params = message.get("params") or {}
        try:
            if method in NAMED:
                await self._call(message, line, params)
            elif method == "resources/read":
                await self._read(id_, params)
            else:
                self._inbox.put(answer_frame(id_, await self._together(method, params)))
        except asyncio.CancelledError:
            if not self._inbox.closed:
                raise
        except OSError as error:
            self._inbox.end(error)

    async def _call(self, message: JsonObject, line: bytes, params: JsonObject) -> None:
        """A tool or a prompt: whose it is, under the name it has there."""
        catalogue, wanted = NAMED[message["method"]], str(params.get("name", ""))
        if not self._catalogues.knows(catalogue, wanted):
            await self._together(catalogue, {})
        found = self._catalogues.owners(catalogue, wanted)
        if len(found) != 1:
            self._inbox.put(answer_frame(message["id"], _nobody(wanted, found)))
            return
        [(server, own)] = found
        if own != wanted:
            line = msgspec.json.encode(message | {"params": params | {"name": own}})
        await self._channels[server].send(line + b"\n")

    async def _read(self, id_: FrameId, params: JsonObject) -> None:
        """A resource: of the server that lists it, else of the first that has it."""
        uri = str(params.get("uri", ""))
        if not self._catalogues.knows("resources/list", uri):
            await self._together("resources/list", {})
        owners = [server for server, _ in self._catalogues.owners("resources/list", uri)]
        answer: JsonObject = {"error": _error(_NO_SUCH_NAME, f"no server has {uri}")}
        for server in owners or self._catalogues.offering("resources/list"):
            answer = await self._ask(server, "resources/read", params)
            if "error" not in answer:
                break
        self._inbox.put(msgspec.json.encode(answer | {"jsonrpc": "2.0", "id": id_}))

    async def _together(self, method: str, params: JsonObject) -> Json:
        """What all of them answer, as one answer."""
        if method in LISTS:
            return await self._listed(method)
        servers = self._catalogues.offering(method)
        answers = await asyncio.gather(*(self._ask(one, method, params) for one in servers))
        failed = next((one for one in answers if "error" in one), None)
        if method == "initialize" and failed is None:
            said = {one: _result(each) for one, each in zip(servers, answers, strict=True)}
            self._catalogues.introduced = said
            return introduced(said)
        well = [_result(one) for one in answers if "error" not in one]
        if method != "initialize" and well:
            return well[0]
        error = failed["error"] if failed else _error(_NO_SUCH_METHOD, f"nobody offers {method}")
        return {"error": error}

    async def _listed(self, method: str) -> Json:
        servers = self._catalogues.offering(method)
        pages = await asyncio.gather(*(self._pages(one, method) for one in servers))
        failed = next((found for found in pages if isinstance(found, dict)), None)
        if failed is not None and not method.startswith("resources"):
            return failed
        found = {
            server: page
            for server, page in zip(servers, pages, strict=True)
            if not isinstance(page, dict)
        }
        return self._catalogues.listed(method, found)

    async def _pages(self, server: str, method: str) -> Sequence[Json] | JsonObject:
        """All it lists; an error as it came."""
        items: list[Json] = []
        asked: JsonObject = {}
        for _ in range(_PAGES):
            answer = await self._ask(server, method, asked)
            if "error" in answer:
                return {"error": answer["error"]}
            result = _result(answer)
            listed = result.get(LISTS[method][0])
            items += listed if isinstance(listed, list) else []
            cursor = result.get("nextCursor")
            if not isinstance(cursor, str) or not cursor or asked == {"cursor": cursor}:
                break
            asked = {"cursor": cursor}
        return items

    async def _ask(self, server: str, method: str, params: JsonObject) -> JsonObject:
        self._count += 1
        id_ = f"mcp-eval-{self._count}"
        waiting: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self._asked[id_] = waiting
        await self._channels[server].send(request_frame(id_, method, params))
        return await waiting


def _result(answer: JsonObject) -> JsonObject:
    result = answer.get("result")
    return result if isinstance(result, dict) else {}


def _error(code: int, message: str) -> JsonObject:
    return {"code": code, "message": message}


def _nobody(wanted: str, found: Sequence[tuple[str, str]]) -> JsonObject:
    if not found:
        return {"error": _error(_NO_SUCH_NAME, f"no server offers {wanted}")}
    names = " or ".join(f"{server}__{own}" for server, own in found)
    return {"error": _error(_NO_SUCH_NAME, f"{wanted} is offered more than once: say {names}")}
