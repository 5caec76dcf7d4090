"""A front for a target that is reached over HTTP: any client may come in, and what passed is kept.

Bytes are passed on as they come; of each message a copy is read afterwards. The client is given an
address on loopback without any credential: the target's are known to us alone.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from types import TracebackType
from typing import Protocol, Self, runtime_checkable
from urllib.parse import urlsplit

from mcp_eval.model.base import JsonObject
from mcp_eval.model.trajectory import Invocation
from mcp_eval.ports import Clock
from mcp_eval.tap.client import Client, Reply
from mcp_eval.tap.frames import LINE_LIMIT, Frame, FrameId, frames
from mcp_eval.tap.recorder import Direction, Recorder
from mcp_eval.tap.sse import Events
from mcp_eval.tap.wire import LIMIT, Head, chunk_bytes, head_bytes, read_body, read_head

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
# What holds for one line only, and what we say ourselves.
_OWN_WAY = frozenset({"connection", "keep-alive", "transfer-encoding", "te", "upgrade", "host"})
_NOT_ASKED = _OWN_WAY | {"content-length", "accept-encoding", "proxy-authorization", "expect"}


@runtime_checkable
class Addressed(Protocol):
    """An Environment that is reached over HTTP."""

    async def reach(self) -> Client:
        """Somebody who may ask it, with all it takes to be let in."""


class Front:
    """Stands open while an agent runs; each session that is opened has a recorder of its own."""

    def __init__(self, target: Addressed, *, clock: Clock) -> None:
        self._target = target
        self._clock = clock
        self._server: asyncio.Server | None = None
        self._client: Client | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self._visits: list[Recorder] = []
        self._sessions: dict[str, Recorder] = {}
        self._loose = Recorder()  # of all that stands alone
        self._count = 0
        self._port = 0

    async def __aenter__(self) -> Self:
        self._client = await self._target.reach()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._met, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        await self.settle()
        if self._client is not None:
            await self._client.close()

    @property
    def url(self) -> str:
        """Where a client reaches the target through us."""
        path = self._client.path if self._client is not None else "/"
        return f"http://127.0.0.1:{self._port}{path}"

    def servers(self, name: str) -> JsonObject:
        """The same as an `mcpServers` entry."""
        return {name: {"type": "http", "url": self.url}}

    @property
    def invocations(self) -> tuple[Invocation, ...]:
        """All that was asked and ended, in the order the sessions were opened."""
        return tuple(made for visit in self._visits for made in visit.invocations)

    @property
    def busy(self) -> bool:
        """Whether somebody waits for the target's answer."""
        return any(visit.in_flight for visit in self._visits)

    @property
    def introduced(self) -> JsonObject:
        """What the target said of itself when it was first greeted."""
        return next((visit.initialize for visit in self._visits if visit.initialize), {})

    @property
    def visited(self) -> bool:
        """Whether anybody came in."""
        return bool(self._visits)

    async def settle(self) -> None:
        """Send away whoever still talks; what they wait for was withdrawn by that."""
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        for visit in self._visits:
            visit.end("the agent hung up", self._clock.monotonic(), "cancelled")

    def _met(self) -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(_Reader(limit=LIMIT), self._serve)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or not isinstance(reader, _Reader):
            return
        self._talks.add(task)
        try:
            with contextlib.suppress(OSError, ValueError):
                while (head := await read_head(reader)) is not None and _is_question(head):
                    body = await _whole(reader, head, writer)
                    await _unless(reader.gone, self._pass(head, body, writer))
        except asyncio.CancelledError:
            pass  # what passed has been read
        finally:
            self._talks.discard(task)
            writer.close()

    async def _pass(self, head: Head, body: bytes, writer: asyncio.StreamWriter) -> None:
        """One question and its answer."""
        client = self._client
        if client is None or not self._welcome(head):
            await _say(writer, 403, b"only programs of this machine may come in here")
            return
        method, path, _ = head.start
        headers = _asked(head, client.origin)
        visit = self._visit(head, body)
        visit.see("to-server", body)
        try:
            reply = await client.ask(method, headers, body or None, path=path)
        except OSError as error:
            visit.crashed(str(error) or type(error).__name__)
            await _say(writer, 502, b"the target cannot be reached")
            return
        if session := reply.head.get("mcp-session-id"):
            self._sessions[session] = visit.recorder
        await _answer(writer, reply, visit)

    def _visit(self, head: Head, body: bytes) -> "_Passing":
        """Whose talk this belongs to; what stands alone is told apart by a number of ours."""
        recorder = self._sessions.get(head.get("mcp-session-id"))
        if recorder is not None or not body:
            return _Passing(recorder or Recorder(), self._clock)
        if b'"initialize"' in body:
            recorder = Recorder()
            self._visits.append(recorder)
            return _Passing(recorder, self._clock)
        if self._loose not in self._visits:
            self._visits.append(self._loose)
        self._count += 1
        return _Passing(self._loose, self._clock, number=self._count)

    def _welcome(self, head: Head) -> bool:
        """A page in a browser may ask here too: it names where it came from, or is lured here."""
        origin = head.get("origin")
        hosts = [head.get("host"), *([urlsplit(origin).netloc] if origin else [])]
        return all(urlsplit(f"//{host}").hostname in _LOOPBACK for host in hosts)


class _Reader(asyncio.StreamReader):
    """Tells when the other side hung up, without reading what it may still have said."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit=limit)
        self.gone = asyncio.Event()

    def feed_eof(self) -> None:
        super().feed_eof()
        self.gone.set()

    def set_exception(self, exc: BaseException) -> None:
        super().set_exception(exc)  # type: ignore[arg-type]
        self.gone.set()


class _Passing:
    """One question on its way: both sides' messages, read for the recorder."""

    def __init__(self, recorder: Recorder, clock: Clock, number: int = 0) -> None:
        self.recorder = recorder
        self._number = number  # 0: its ids are its session's
        self._clock = clock
        self._events: Events | None = None
        self._pieces: list[bytes] = []
        self._asked: list[FrameId] = []
        self._size = 0

    def see(self, direction: Direction, message: bytes) -> None:
        """One whole message."""
        line = message.replace(b"\r", b" ").replace(b"\n", b" ").strip()
        at = self._clock.monotonic()
        for frame in frames(line) if line else ():
            if self._number and isinstance(frame, Frame) and frame.id is not None:
                frame.id = f"{self._number}/{frame.id}"
            if direction == "to-server" and isinstance(frame, Frame) and frame.id is not None:
                self._asked.append(frame.id)
            self.recorder.see(direction, frame, at)

    def crashed(self, why: str) -> None:
        """Nobody answered."""
        at, detail = self._clock.monotonic(), f"the line broke: {why}"
        for id_ in self._asked:
            self.recorder.withdraw(id_, "crashed", detail, at)

    def streams(self) -> None:
        """What comes are events."""
        self._events = Events()

    def feed(self, piece: bytes) -> None:
        """A piece of the answer, already passed on."""
        if self._events is None:
            self._size += len(piece)
            if self._size <= LINE_LIMIT:
                self._pieces.append(piece)
            return
        for event in self._events.feed(piece):
            if event.data and event.kind == "message":
                self.see("to-client", event.data)

    def done(self) -> None:
        """The answer is complete."""
        if self._pieces:
            self.see("to-client", b"".join(self._pieces))


def _is_question(head: Head) -> bool:
    method, path, version = head.start
    return method.isalpha() and path.startswith("/") and version in {"HTTP/1.1", "HTTP/1.0"}


async def _whole(reader: asyncio.StreamReader, head: Head, writer: asyncio.StreamWriter) -> bytes:
    """The body of a question."""
    if head.get("expect").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = bytearray()
    async for piece in read_body(reader, head, to_end=False):
        body += piece
        if len(body) > LINE_LIMIT:
            raise ConnectionAbortedError("a question larger than anything that is read")
    return bytes(body)


async def _answer(writer: asyncio.StreamWriter, reply: Reply, passing: _Passing) -> None:
    """Pass an answer on, piece by piece; a copy of each is read afterwards."""
    if reply.kind == "text/event-stream":
        passing.streams()
    bodiless = reply.status in {204, 304}
    chunked = not bodiless and reply.head.size is None
    fields = [pair for pair in reply.head.fields if pair[0].lower() not in _OWN_WAY]
    fields += [("Transfer-Encoding", "chunked")] * chunked
    status = f"HTTP/1.1 {reply.status} {reply.head.start[2]}"
    try:
        writer.write(head_bytes(status, fields))
        await writer.drain()
        async with contextlib.aclosing(reply.pieces()) as pieces:
            async for piece in pieces:
                writer.write(chunk_bytes(piece) if chunked else piece)
                await writer.drain()
                passing.feed(piece)
        if chunked:
            writer.write(chunk_bytes(b""))
        await writer.drain()
    except BaseException:
        reply.drop()
        raise
    passing.done()


async def _unless(gone: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """The work, let go of when its client hangs up."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone.wait())
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ConnectionResetError("the client hung up")
        working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _say(writer: asyncio.StreamWriter, status: int, text: bytes) -> None:
    fields = (("Content-Type", "text/plain"), ("Content-Length", str(len(text))))
    writer.write(head_bytes(f"HTTP/1.1 {status} Tap", fields) + text)
    await writer.drain()


def _asked(head: Head, origin: str) -> dict[str, str]:
    """The client's headers as the target gets them; a page of ours is a page of its own."""
    kept = {name: value for name, value in head.fields if name.lower() not in _NOT_ASKED}
    return {name: origin if name.lower() == "origin" else value for name, value in kept.items()}
