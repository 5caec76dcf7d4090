"""The HTTP transport of before 2025: one stream for all that is said, another address to say it."""

import asyncio
import contextlib
from urllib.parse import urljoin, urlsplit

from mcp_eval.errors import InconclusiveError
from mcp_eval.tap import refusals
from mcp_eval.tap.client import Client, Reply
from mcp_eval.tap.frames import Frame, Lines, frames
from mcp_eval.tap.inbox import Inbox
from mcp_eval.tap.sse import Events

_STREAM = "text/event-stream"
_ENDPOINT_SECONDS = 10.0


class LegacyLine:
    """A Channel to a server that speaks HTTP with server-sent events."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._lines = Lines()
        self._inbox = Inbox()
        self._endpoint: asyncio.Future[str] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def send(self, chunk: bytes) -> None:
        """Post what these bytes complete to where the stream says."""
        for line, _ in self._lines.feed(chunk):
            if self._inbox.closed:
                raise ConnectionResetError("the line is closed")
            try:
                await self._post(line, await self._where())
            except InconclusiveError as error:
                self._inbox.end(error)

    async def receive(self) -> bytes:
        """What the server said since."""
        return await self._inbox.take()

    async def close(self) -> None:
        """Hang up, which ends the session."""
        self._inbox.end()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        await self._client.close()

    async def _where(self) -> str:
        if self._endpoint is None:
            self._endpoint = asyncio.get_running_loop().create_future()
            self._listening = asyncio.create_task(self._listen(self._endpoint))
        try:
            async with asyncio.timeout(_ENDPOINT_SECONDS):
                return await asyncio.shield(self._endpoint)
        except TimeoutError as error:
            raise refusals.unreachable(self._client.url, "it names no endpoint") from error

    async def _post(self, line: bytes, path: str) -> None:
        headers = {"Content-Type": "application/json"}
        reply = await self._client.ask("POST", headers, line, path=path)
        said = await reply.glimpse()
        if reply.status == refusals.UNAUTHORIZED:
            raise refusals.expired(self._client.url, reply.status)
        if 200 <= reply.status < 300:  # noqa: PLR2004
            return
        for frame in frames(line):
            if isinstance(frame, Frame) and frame.method and frame.id is not None:
                self._inbox.put(refusals.answered(frame.id, reply, said))

    async def _listen(self, endpoint: "asyncio.Future[str]") -> None:
        """All that comes on the stream; its first event says where to post."""
        try:
            reply = await self._opened()
            events = Events()
            async with contextlib.aclosing(reply.pieces()) as pieces:
                async for piece in pieces:
                    for event in events.feed(piece):
                        if event.kind == "endpoint" and not endpoint.done():
                            endpoint.set_result(self._path(event.data or b""))
                        elif event.kind == "message":
                            self._inbox.put(event.data or b"")
            error: Exception = ConnectionResetError("the server closed the stream")
        except (OSError, InconclusiveError) as caught:
            error = caught
        if not endpoint.done():
            endpoint.set_exception(
                error
                if isinstance(error, InconclusiveError)
                else refusals.unreachable(self._client.url, str(error))
            )
        self._inbox.end(error if isinstance(error, OSError | InconclusiveError) else None)

    async def _opened(self) -> Reply:
        reply = await self._client.ask("GET", {"Accept": _STREAM, "Cache-Control": "no-store"})
        if reply.status in {refusals.UNAUTHORIZED, refusals.FORBIDDEN}:
            raise refusals.expired(self._client.url, reply.status)
        if reply.status == refusals.TOO_MANY:
            raise refusals.limited(self._client.url, await reply.glimpse())
        if reply.status != 200 or reply.kind != _STREAM:  # noqa: PLR2004
            said = (await reply.glimpse())[:200].decode("utf-8", "replace")
            why = f"HTTP {reply.status} {reply.kind}, and no stream of events".replace("  ", " ")
            raise refusals.unreachable(self._client.url, why, said)
        return reply

    def _path(self, said: bytes) -> str:
        """Where to post; InconclusiveError where that is another server: it gets no credentials."""
        there = urlsplit(urljoin(self._client.url, said.decode("utf-8", "replace").strip()))
        if f"{there.scheme}://{there.netloc}" != self._client.origin:
            raise refusals.unreachable(self._client.url, f"it sends us to {there.netloc}")
        return there.path + (f"?{there.query}" if there.query else "")
