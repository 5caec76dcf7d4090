"""An HTTP client for one address: lines are kept open, what comes back is read as it comes."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from urllib.parse import urljoin, urlsplit

from mcp_eval.tap.wire import LIMIT, Head, head_bytes, read_body, read_head

# Most servers let go of a quiet line after five seconds: whoever asks just then is cut off.
_STALE_SECONDS = 3.0
_REDIRECTS = frozenset({307, 308})
_ENOUGH = 64 * 1024


class Wire:
    """One open connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.rested = 0.0  # since when nobody asked on it

    @property
    def fresh(self) -> bool:
        """Whether somebody is certainly there still."""
        open_ = not self.reader.at_eof() and not self.writer.is_closing()
        return open_ and time.monotonic() - self.rested < _STALE_SECONDS


class Reply:
    """An answer whose head has come."""

    def __init__(self, client: "Client", wire: Wire, head: Head) -> None:
        self._client = client
        self._wire = wire
        self.head = head
        self.status = int(head.start[1])
        self.kind = head.get("content-type").partition(";")[0].strip().lower()

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Its body as it comes; afterwards the line serves the next question."""
        whole = False
        bare = self.status in {204, 304}
        try:
            if not bare:
                body = read_body(self._wire.reader, self.head, to_end=True)
                async for piece in body:
                    yield piece
            whole = True
        finally:
            stays = self.head.get("connection").lower() != "close"
            sized = bare or self.head.chunked or self.head.size is not None
            self._client.done(self._wire, reusable=whole and stays and sized)

    async def read(self) -> bytes:
        """Its whole body."""
        return b"".join([piece async for piece in self.pieces()])

    async def glimpse(self) -> bytes:
        """The start of its body, as much as an error message needs."""
        said = b""
        with contextlib.suppress(OSError):
            async with contextlib.aclosing(self.pieces()) as pieces:
                async for piece in pieces:
                    said += piece
                    if len(said) > _ENOUGH:
                        break
        return said

    def drop(self) -> None:
        """Hang up: nobody wants the rest."""
        self._client.done(self._wire, reusable=False)


class Client:
    """Asks one server; the headers it is given go along with every question, and nowhere else."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.url = url
        self._headers = dict(headers)
        self._idle: deque[Wire] = deque()
        self._open: set[Wire] = set()

    async def ask(
        self,
        method: str,
        headers: Mapping[str, str],
        body: bytes | None = None,
        *,
        path: str = "",
        sent: Callable[[], object] | None = None,
    ) -> Reply:
        """Send a question, and come back with the head of its answer; OSError where none comes.

        A path of its own goes to the same server, and is not followed where it moved.
        """
        for _ in range(3):
            question = self._question(method, headers, body, path)
            reply = await self._ask(question, sent)
            if (
                path
                or reply.status not in _REDIRECTS
                or not self._follow(reply.head.get("location"))
            ):
                return reply
            await reply.glimpse()
        raise ConnectionAbortedError(f"{self.url} sends us round in circles")

    async def close(self) -> None:
        """Hang up everywhere."""
        for wire in tuple(self._open):
            self.done(wire, reusable=False)
        self._idle.clear()

    def done(self, wire: Wire, *, reusable: bool) -> None:
        """A question on this line was answered; idempotent."""
        if wire not in self._open:
            return
        if reusable:
            wire.rested = time.monotonic()
            self._idle.append(wire)
        else:
            self._open.discard(wire)
            wire.writer.close()

    async def _ask(self, question: bytes, sent: Callable[[], object] | None) -> Reply:
        wire = await self._wire()
        try:
            wire.writer.write(question)
            await wire.writer.drain()
            if sent is not None:
                sent()
            head = await _answered(wire.reader)
        except BaseException:
            self.done(wire, reusable=False)
            raise
        return Reply(self, wire, head)

    @property
    def path(self) -> str:
        """What is asked for where nothing else is said."""
        place = urlsplit(self.url)
        return (place.path or "/") + (f"?{place.query}" if place.query else "")

    @property
    def origin(self) -> str:
        """Scheme and host, as a browser would name where a page of it came from."""
        place = urlsplit(self.url)
        return f"{place.scheme}://{place.netloc.rpartition('@')[2]}"

    def _question(
        self, method: str, headers: Mapping[str, str], body: bytes | None, path: str
    ) -> bytes:
        own = {name.lower() for name in self._headers}
        fields = {"Host": self.origin.partition("://")[2]}
        fields |= {name: value for name, value in headers.items() if name.lower() not in own}
        fields |= self._headers
        if body is not None:
            fields["Content-Length"] = str(len(body))
        return head_bytes(f"{method} {path or self.path} HTTP/1.1", fields.items()) + (body or b"")

    async def _wire(self) -> Wire:
        while self._idle:
            wire = self._idle.pop()
            if wire.fresh:
                return wire
            self.done(wire, reusable=False)
        wire = Wire(*await connected(self.url))
        self._open.add(wire)
        return wire

    def _follow(self, location: str) -> bool:
        """Go where we are sent; our credentials are for this server alone."""
        there = urljoin(self.url, location)
        same = urlsplit(there)[:2] == urlsplit(self.url)[:2]
        if location and same:
            self.url = there
        return bool(location) and same


async def _answered(reader: asyncio.StreamReader) -> Head:
    head = await read_head(reader)
    while head is not None and head.start[1].startswith("1"):
        head = await read_head(reader)
    if head is None:
        raise ConnectionResetError("it hung up without an answer")
    if not (head.start[0].startswith("HTTP/1.") and head.start[1].isdigit()):
        raise ConnectionAbortedError("what it says is no HTTP")
    return head


async def connected(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A line to where a URL points."""
    place = urlsplit(url)
    secure = place.scheme == "https"
    port = place.port or (443 if secure else 80)
    return await asyncio.open_connection(
        place.hostname, port, ssl=True if secure else None, limit=LIMIT
    )
