"""A client's bytes to a server and back, passed on as they come; a recorder sees copies after.

Reading a call costs more than passing it on. So copies wait for a quiet moment, as far as the
backlog allows; beyond it each chunk that comes makes room by having older ones read.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Literal, Protocol, runtime_checkable

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.trajectory import Invocation
from mcp_eval.ports import Channel, Clock, Environment
from mcp_eval.tap.exchange import Lingering
from mcp_eval.tap.own_line import OwnLine
from mcp_eval.tap.recorder import Direction, Recorder

BACKLOG = 16 * 1024 * 1024  # bytes that may have passed and not been looked at
_PARTING_SECONDS, _ANSWERING_SECONDS = 2.0, 10.0
_QUIET = 0.02
_ENDS: dict[Direction, tuple[Literal["client", "server"], Literal["client", "server"]]] = {
    "to-server": ("client", "server"),
    "to-client": ("server", "client"),
}


@runtime_checkable
class Eager(Protocol):
    """A Channel that need not wait for its task's turn: that is most of what a relay costs."""

    taker: Callable[[bytes], bool] | None  # asked first; what it takes is not received

    def offer(self, chunk: bytes) -> bool:
        """Write at once; False where that would have to wait, or nobody is there."""


class Relay:
    """Stands between a client and a server that know nothing of it."""

    def __init__(
        self,
        client: Channel,
        server: Channel,
        *,
        recorder: Recorder,
        clock: Clock,
        ended: Callable[[Invocation], None] | None = None,
        backlog: int = BACKLOG,
    ) -> None:
        self._client = client
        self._server = server
        self._clock = clock
        self._ended = ended  # told of each invocation as it ends
        self._backlog = backlog
        self._copies: deque[tuple[Direction, bytes, float]] = deque()
        self._held = 0
        self._quiet: asyncio.TimerHandle | None = None
        self._passed = 0.0  # when a chunk last did
        self.recorder = recorder
        self.blind = ""  # why the recorder saw no more: the two went on talking all the same
        self.left: Literal["", "client", "server"] = ""  # who hung up first

    async def run(self) -> None:
        """Until one side hangs up; what the server still has to say is passed on first.

        InconclusiveError where the line ended for no fault of the target: a login that expired.
        """
        inward = asyncio.create_task(self._pump(self._client, self._server, "to-server"))
        outward = asyncio.create_task(self._pump(self._server, self._client, "to-client"))
        try:
            await asyncio.wait({inward, outward}, return_when=asyncio.FIRST_COMPLETED)
            if isinstance(self._server, Lingering) and not outward.done():
                await self._answers(outward)
                await self._server.linger()
            await self._server.close()
            self._catch_up(0)
            # Whoever pipes requests in hangs up before they are answered.
            open_ = self.recorder.in_flight
            await asyncio.wait({outward}, timeout=_ANSWERING_SECONDS if open_ else _PARTING_SECONDS)
        finally:
            for task in (inward, outward):
                task.cancel()
            ends = await asyncio.gather(inward, outward, return_exceptions=True)
            if self._quiet is not None:
                self._quiet.cancel()
            self._catch_up(0)
            self._tell(self.recorder.end("the line was closed", self._clock.monotonic()))
            await self._server.close()
            await self._client.close()
        for end in ends:
            if isinstance(end, InconclusiveError):
                raise end

    async def _answers(self, outward: "asyncio.Task[None]") -> None:
        """Wait for what is still open, where closing our end would close the other as well."""
        deadline = self._clock.monotonic() + _ANSWERING_SECONDS
        self._catch_up(0)
        while self.recorder.in_flight and not outward.done():
            if self._clock.monotonic() > deadline:
                break
            await asyncio.wait({outward}, timeout=_QUIET)
            self._catch_up(0)

    async def _pump(self, source: Channel, sink: Channel, direction: Direction) -> None:
        # Whoever is gone cannot be told: that ends this way, and the other way soon after.
        waiting = False

        def take(chunk: bytes) -> bool:
            at = self._clock.monotonic()
            if waiting or not offer(chunk):
                return False
            self._note(direction, chunk, at)
            return True

        if isinstance(source, Eager) and isinstance(sink, Eager):
            offer, source.taker = sink.offer, take
        reader, writer = _ENDS[direction]
        try:
            while chunk := await source.receive():
                at, waiting = self._clock.monotonic(), True
                await sink.send(chunk)
                waiting = False
                self._note(direction, chunk, at)
            self.left = self.left or reader
        except ConnectionError:
            self.left = self.left or writer

    def _note(self, direction: Direction, chunk: bytes, at: float) -> None:
        self._copies.append((direction, chunk, at))
        self._held += len(chunk)
        self._passed = at
        if self._held > self._backlog:
            self._catch_up(self._backlog)
        elif self._quiet is None:
            self._quiet = asyncio.get_running_loop().call_later(_QUIET, self._when_quiet)

    def _when_quiet(self) -> None:
        # One chunk a turn: whoever speaks up meanwhile is passed on first.
        quiet = self._clock.monotonic() - self._passed >= _QUIET
        if quiet:
            self._catch_up(self._held - 1)
        pause = 0 if quiet else _QUIET
        loop = asyncio.get_running_loop()
        self._quiet = loop.call_later(pause, self._when_quiet) if self._copies else None

    def _catch_up(self, size: int) -> None:
        """Have the oldest copies read until no more bytes than that are left."""
        while self._copies and self._held > size:
            direction, chunk, at = self._copies.popleft()
            self._held -= len(chunk)
            if not self.blind:
                self._see(direction, chunk, at)

    def _see(self, direction: Direction, chunk: bytes, at: float) -> None:
        try:
            self._tell(self.recorder.feed(direction, chunk, at))
        except Exception as error:  # noqa: BLE001 - a bug of ours must not end their conversation
            self.blind = f"{type(error).__name__}: {error}"

    def _tell(self, invocations: list[Invocation]) -> None:
        if self._ended is not None:
            for invocation in invocations:
                self._ended(invocation)


async def attach(
    environment: Environment,
    *,
    recorder: Recorder,
    clock: Clock,
    ended: Callable[[Invocation], None] | None = None,
    backlog: int = BACKLOG,
) -> Relay:
    """Be the stdio server that a client started, with the environment's behind us, to the end."""
    server = await environment.connect()
    relay = Relay(
        await OwnLine.open(),
        server,
        recorder=recorder,
        clock=clock,
        ended=ended,
        backlog=backlog,
    )
    await relay.run()
    return relay
