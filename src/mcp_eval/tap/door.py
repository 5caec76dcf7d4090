"""A door to a started target that any agent can come in by: a stdio command, and what passed."""

import asyncio
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.trajectory import Invocation
from mcp_eval.ports import Clock, Environment
from mcp_eval.tap import dial
from mcp_eval.tap.recorder import Recorder
from mcp_eval.tap.relay import Relay

_CHUNK = 1024 * 1024


class Door:
    """Stands open while an agent runs; each that comes in gets a line and a recorder of its own.

    The agent is given a command without any credential: the target's are known to us alone.
    """

    def __init__(self, environment: Environment, *, clock: Clock) -> None:
        self._environment = environment
        self._clock = clock
        self._folder = Path()
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self._visits: list[_Visit] = []
        self.lost: InconclusiveError | None = None  # why the target could not be reached

    async def __aenter__(self) -> Self:
        # Short, whatever the temporary folder is called: a socket's name has 108 bytes.
        self._folder = Path(tempfile.mkdtemp(prefix="mcp-eval-", dir=_short()))
        self._server = await asyncio.start_unix_server(self._serve, str(self._folder / "tap"))
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
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    @property
    def command(self) -> tuple[str, ...]:
        """What an agent starts to reach the target over stdio."""
        return (sys.executable, "-I", str(dial.__file__), str(self._folder / "tap"))

    def servers(self, name: str, env: Mapping[str, str] | None = None) -> JsonObject:
        """The same as an `mcpServers` entry that every client understands."""
        program, *arguments = self.command
        given: dict[str, Json] = dict(env or {})
        return {name: {"type": "stdio", "command": program, "args": [*arguments], "env": given}}

    @property
    def invocations(self) -> tuple[Invocation, ...]:
        """All that was asked and ended, in order."""
        return tuple(made for visit in self._visits for made in visit.invocations())

    @property
    def busy(self) -> bool:
        """Whether somebody waits for the target's answer."""
        return any(visit.recorder.in_flight for visit in self._visits)

    @property
    def introduced(self) -> JsonObject:
        """What the target said of itself when it was first greeted."""
        greeted = (visit.recorder.initialize for visit in self._visits)
        return next((said for said in greeted if said), {})

    @property
    def visited(self) -> bool:
        """Whether anybody came in."""
        return bool(self._visits)

    async def settle(self) -> None:
        """Send away whoever still talks, and read all that passed."""
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            return
        self._talks.add(task)
        try:
            await self._talk(_Visitor(reader, writer))
        except InconclusiveError as error:
            self.lost = self.lost or error
        except asyncio.CancelledError:
            pass  # the relay has read what passed
        finally:
            self._talks.discard(task)
            writer.close()

    async def _talk(self, visitor: "_Visitor") -> None:
        server = await self._environment.connect()
        visit = _Visit()
        self._visits.append(visit)
        relay = Relay(visitor, server, recorder=visit.recorder, clock=self._clock)
        try:
            await relay.run()
        except asyncio.CancelledError:
            visitor.left = True
            raise
        finally:
            visit.left = visitor.left
        if not visit.left:
            visit.epitaph = await self._environment.post_mortem()


class _Visit:
    """One line an agent had: what passed, and which side hung up."""

    def __init__(self) -> None:
        self.recorder = Recorder()
        self.left = False  # the agent did: what was open then is no crash
        self.epitaph = ""  # how the target ended, where it did

    def invocations(self) -> Iterator[Invocation]:
        for made in self.recorder.invocations:
            outcome = made.outcome
            if outcome.kind == "crashed" and self.left:
                outcome = replace(outcome, kind="cancelled", detail="the agent hung up")
            elif outcome.kind == "crashed":
                detail = "; ".join(filter(None, [outcome.detail, self.epitaph]))
                outcome = replace(outcome, detail=detail)
            yield replace(made, outcome=outcome)


class _Visitor:
    """A Channel over a socket that somebody came in by."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.left = False

    async def send(self, chunk: bytes) -> None:
        self._writer.write(chunk)
        await self._writer.drain()

    async def receive(self) -> bytes:
        chunk = b""
        with contextlib.suppress(ConnectionError):
            chunk = await self._reader.read(_CHUNK)
        self.left = self.left or not chunk
        return chunk

    async def close(self) -> None:
        with contextlib.suppress(OSError):
            self._writer.close()


def _short() -> str | None:
    usual = tempfile.gettempdir()
    return usual if len(usual) < 60 else "/tmp"  # noqa: PLR2004, S108 - a folder of our own in it, 0700
