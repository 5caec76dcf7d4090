"""Streamable HTTP as a channel: each line out is a POST, each message that comes back a line."""

import asyncio
import base64
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.tap import eras, refusals
from mcp_eval.tap.client import Client, Reply
from mcp_eval.tap.frames import Frame, FrameId, Lines, frames
from mcp_eval.tap.inbox import Inbox
from mcp_eval.tap.recorder import RECORDED
from mcp_eval.tap.sse import Event, Events

_BOTH = "application/json, text/event-stream"
_STREAM = "text/event-stream"
_TRIES, _LONGEST = 3, 10.0
_FIRST, _FACTOR, _STEADY = 0.1, 1.6, 1.0
_PARTING_SECONDS, _TELLING_SECONDS = 2.0, 10.0
_RETRY_SECONDS = 1.0
_RESUMED = 20  # times a stream may break off before its answer

Sleep = Callable[[float], Awaitable[None]]


class Sent:
    """One line that goes out: what it asks, and which answers it waits for."""

    def __init__(self, line: bytes) -> None:
        found = [each for each in frames(line) if isinstance(each, Frame)]
        self.line = line
        self.methods = {frame.method for frame in found if frame.method}
        self.waiting: set[FrameId] = {
            frame.id for frame in found if frame.method is not None and frame.id is not None
        }
        self.opens = bool(self.methods & {"initialize", "server/discover"})
        self.headers = _said_again(found[0]) if len(found) == 1 else {}
        self.left = asyncio.Event()  # it is on its way


class HttpLine:
    """A Channel to a server that speaks streamable HTTP."""

    def __init__(
        self,
        client: Client,
        *,
        patience: float = 5.0,
        linger: float = 0.0,
        wish: str = "",
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._client = client
        self._patience = patience  # seconds for a server that is still coming up
        self._linger = linger  # how old a session must be before it is ended
        self._begun = 0.0
        self.wish = wish  # the version its target was said to speak
        self._sleep = sleep
        self._lines = Lines()
        self._inbox = Inbox()
        self._tasks: set[asyncio.Task[None]] = set()
        self._session = ""
        self._protocol = ""

    async def send(self, chunk: bytes) -> None:
        """Post what these bytes complete; a request is on its way then, all else has arrived."""
        for line, _ in self._lines.feed(chunk):
            if self._inbox.closed:
                raise ConnectionResetError("the line is closed")
            sent = Sent(line)
            task = self._begin(self._carry(sent))
            if sent.waiting:
                leaving = asyncio.ensure_future(sent.left.wait())
                await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
                leaving.cancel()
            else:
                # What comes after it must not overtake it; a server that hangs is met elsewhere.
                await asyncio.wait({task}, timeout=_TELLING_SECONDS)

    async def receive(self) -> bytes:
        """What the server said since, on whatever stream."""
        return await self._inbox.take()

    async def linger(self) -> None:
        """Some servers ask for roots a moment after hello, and die where nobody is there then."""
        age = time.monotonic() - self._begun
        if self._session and not self._inbox.closed and age < self._linger:
            await self._sleep(self._linger - age)

    async def close(self) -> None:
        """End the session, where there is one, and hang up."""
        if self._inbox.closed and not self._session:
            await self._client.close()
            return
        self._inbox.end()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        session, self._session = self._session, ""
        if session:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(_PARTING_SECONDS):
                    headers = {**self._headers(), "Mcp-Session-Id": session}
                    (await self._client.ask("DELETE", headers)).drop()
        await self._client.close()

    def _begin(self, work: "Awaitable[None]") -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        assert isinstance(task, asyncio.Task)  # noqa: S101 - for the type checker
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _headers(self, accept: str = _BOTH) -> dict[str, str]:
        headers = {"Accept": accept}
        if self._session:
            headers["Mcp-Session-Id"] = self._session
        if self._protocol:
            headers["MCP-Protocol-Version"] = self._protocol
        return headers

    async def _carry(self, sent: Sent) -> None:
        """One POST and all that comes of it; what went wrong ends the line."""
        try:
            reply = await self._posted(sent)
            if reply is not None:
                await self._taken(sent, reply)
        except InconclusiveError as error:
            self._inbox.end(error)
        except OSError as error:
            self._inbox.end(self._broken(sent, error))

    async def _posted(self, sent: Sent) -> Reply | None:
        """The server's answer; asked again while it is coming up, or wants us to wait."""
        pause, waited, limits = _FIRST, 0.0, 0
        headers = {"Content-Type": "application/json", **self._headers(), **sent.headers}
        while True:
            patient = sent.opens and waited + pause <= self._patience
            try:
                reply = await self._client.ask("POST", headers, sent.line, sent=sent.left.set)
            except OSError:
                if not patient:
                    raise
            else:
                if reply.status == refusals.TOO_MANY and not sent.methods & RECORDED:
                    limits += 1
                    await self._wait_out(reply, limits)
                    continue
                if not (patient and reply.status in refusals.NOT_YET):
                    return reply
                await reply.glimpse()
            await self._sleep(pause)
            waited, pause = waited + pause, min(pause * _FACTOR, _STEADY)

    async def _wait_out(self, reply: Reply, limits: int) -> None:
        said = await reply.glimpse()
        pause = refusals.wanted_pause(reply)
        pause = 0.5 * 2**limits if pause is None else pause
        if limits >= _TRIES or pause > _LONGEST:
            raise refusals.limited(self._client.url, said)
        await self._sleep(pause)

    async def _taken(self, sent: Sent, reply: Reply) -> None:
        if not 200 <= reply.status < 300:  # noqa: PLR2004
            await self._refused(sent, reply)
            return
        if sent.opens:
            self._session = reply.head.get("mcp-session-id")
            self._begun = time.monotonic()
        if reply.kind == _STREAM:
            await self._streamed(sent, reply)
        else:
            self._hear(await reply.read(), sent)
            if sent.waiting:
                said = f"HTTP {reply.status} {reply.kind}".strip()
                raise ConnectionResetError(f"no answer came: {said} without one")
        if "notifications/initialized" in sent.methods and self._session:
            self._begun = time.monotonic()
            self._begin(self._listen())

    async def _refused(self, sent: Sent, reply: Reply) -> None:
        said, url = await reply.glimpse(), self._client.url
        if reply.status == refusals.UNAUTHORIZED or (
            reply.status == refusals.FORBIDDEN and sent.opens
        ):
            raise refusals.expired(url, reply.status)
        if reply.status == refusals.MISSING and self._session:
            raise ConnectionResetError("the server knows our session no more (HTTP 404)")
        for id_ in tuple(sent.waiting):
            self._inbox.put(refusals.answered(id_, reply, said))

    async def _streamed(self, sent: Sent, reply: Reply) -> None:
        """The events of an answer; a stream that breaks off is gone on with where it names how."""
        last, pause = "", _RETRY_SECONDS
        for _ in range(_RESUMED):
            with contextlib.suppress(ConnectionError):
                async for event in _events(reply):
                    last, pause = _place(event, last, pause)
                    if event.data is not None and event.kind == "message":
                        self._hear(event.data, sent)
            if not sent.waiting or not last:
                break
            await self._sleep(pause)
            reply = await self._resumed(last)
        if sent.waiting:
            raise ConnectionResetError("its stream ended without an answer")

    async def _resumed(self, last: str) -> Reply:
        headers = {**self._headers(_STREAM), "Last-Event-ID": last}
        reply = await self._client.ask("GET", headers)
        if reply.status != 200 or reply.kind != _STREAM:  # noqa: PLR2004
            reply.drop()
            raise ConnectionResetError(
                f"its stream broke off and was not gone on with (HTTP {reply.status})"
            )
        return reply

    async def _listen(self) -> None:
        """What the server says unasked; most that do not offer this say so with a status."""
        last, pause = "", _RETRY_SECONDS
        while not self._inbox.closed:
            headers = self._headers(_STREAM) | ({"Last-Event-ID": last} if last else {})
            with contextlib.suppress(OSError):
                reply = await self._client.ask("GET", headers)
                if reply.status != 200 or reply.kind != _STREAM:  # noqa: PLR2004
                    reply.drop()
                    return
                async for event in _events(reply):
                    last, pause = _place(event, last, pause)
                    if event.data is not None and event.kind == "message":
                        self._inbox.put(event.data)
            await self._sleep(pause)

    def _hear(self, message: bytes, sent: Sent) -> None:
        """Pass a message on, and note which request it answers."""
        if sent.waiting or sent.opens:
            self._note(message, sent)
        self._inbox.put(message)

    def _note(self, message: bytes, sent: Sent) -> None:
        line = message.replace(b"\r", b" ").replace(b"\n", b" ").strip()
        for frame in frames(line) if line else ():
            if isinstance(frame, Frame) and frame.method is not None:
                continue
            if frame.id in sent.waiting:
                sent.waiting.discard(frame.id)
                if sent.opens and isinstance(frame, Frame):
                    self._protocol = _protocol_of(frame)
            elif not isinstance(frame, Frame):
                sent.waiting.clear()  # an answer nobody can read is an answer all the same

    def _broken(self, sent: Sent, error: OSError) -> OSError | InconclusiveError:
        why = str(error) or type(error).__name__
        if sent.opens:
            return refusals.unreachable(self._client.url, why)
        return error


async def _events(reply: Reply) -> AsyncGenerator[Event, None]:
    events = Events()
    async with contextlib.aclosing(reply.pieces()) as pieces:
        async for piece in pieces:
            for event in events.feed(piece):
                yield event


def _said_again(frame: Frame) -> dict[str, str]:
    """What a request of the newer era says in its headers too, for whoever passes it on."""
    if eras.MARK not in bytes(frame.params) or frame.method is None:
        return {}
    try:
        params = msgspec.json.decode(frame.params)
    except (msgspec.DecodeError, RecursionError):
        return {}
    if not (version := eras.spoken(params)):
        return {}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": frame.method}
    name = eras.named_in(frame.method, params)
    return headers if name is None else headers | {"Mcp-Name": _header_safe(name)}


def _header_safe(value: str) -> str:
    """As it stands where a header can hold it, else in base64 as the protocol has it."""
    plain = value.isascii() and value.isprintable() and value == value.strip()
    if plain and not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def _place(event: Event, last: str, pause: float) -> tuple[str, float]:
    """Where to go on after this event, and after which pause."""
    wanted = pause if event.retry is None else min(event.retry / 1000, _LONGEST)
    return (last if event.id is None else event.id), wanted


def _protocol_of(opened: Frame) -> str:
    try:
        said = msgspec.json.decode(opened.result)
    except (msgspec.DecodeError, RecursionError):
        return ""
    version = said.get("protocolVersion") if isinstance(said, dict) else ""
    return version if isinstance(version, str) else ""
