"""A started process as a channel: its stdin and stdout, its stderr as a bounded tail."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from mcp_eval.targets.procs import started_at

_HIGH = 8 * 1024 * 1024
_TAIL = 64 * 1024
_GRACE = 0.5
_PIPE = 1024 * 1024


class Line(asyncio.SubprocessProtocol):
    """A Channel over a process's own pipes."""

    def __init__(self) -> None:
        self._transport: asyncio.SubprocessTransport | None = None
        self._chunks: deque[bytes] = deque()
        self._held = 0
        self._ended = False
        self._paused = False
        self._arrived = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._exited = asyncio.Event()
        self._silent = asyncio.Event()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._open = {0, 1, 2}
        self.pid = 0
        self.started = ""  # with the process id, exactly one process
        self.hung_up = False  # we closed our end
        self.taker: Callable[[bytes], bool] | None = None  # asked first; what it takes is gone

    @classmethod
    async def start(cls, command: Sequence[str], *, env: Mapping[str, str], cwd: str) -> "Line":
        """Start it in a session, and so a group, of its own; OSError where it cannot be."""
        loop = asyncio.get_running_loop()
        transport, line = await loop.subprocess_exec(
            cls, *command, env=dict(env), cwd=cwd, start_new_session=True
        )
        line.pid = transport.get_pid()
        line.started = started_at(line.pid)
        return line

    @property
    def status(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._transport.get_returncode() if self._transport else None

    @property
    def tail(self) -> str:
        """The last it wrote to stderr."""
        return b"".join(self._tail)[-_TAIL:].decode("utf-8", "replace")

    def offer(self, chunk: bytes) -> bool:
        """Write to its stdin where that makes nobody wait."""
        pipe = self._input()
        if pipe is None or not self._writable.is_set():
            return False
        pipe.write(chunk)
        return True

    async def send(self, chunk: bytes) -> None:
        """Write to its stdin, as fast as it reads."""
        pipe = self._input()
        if pipe is None:
            raise ConnectionResetError("the target closed its input")
        pipe.write(chunk)
        if not self._writable.is_set():
            await self._writable.wait()
            if 0 not in self._open:
                raise ConnectionResetError("the target closed its input")

    async def receive(self) -> bytes:
        """What it wrote to stdout since; b"" once it is closed."""
        while not self._chunks and not self._ended:
            self._arrived.clear()
            await self._arrived.wait()
        chunk = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        self._chunks.clear()
        self._held = 0
        if self._paused:
            self._pause(paused=False)
        return chunk

    def ignore(self) -> None:
        """Let go of what it writes to stdout, now and from now on."""
        self.taker = bool
        self._chunks.clear()
        self._held = 0
        if self._paused:
            self._pause(paused=False)

    async def close(self) -> None:
        """Close its stdin, which asks a stdio server to end."""
        self.hung_up = True
        pipe = self._transport.get_pipe_transport(0) if self._transport else None
        if pipe is not None:
            pipe.close()

    async def exited(self, seconds: float) -> bool:
        """Whether it ended within that time."""
        try:
            async with asyncio.timeout(seconds):
                await self._exited.wait()
        except TimeoutError:
            return False
        return True

    async def silent(self, seconds: float) -> None:
        """Come back when its stderr is closed and read, or after that time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._silent.wait()

    def drop(self) -> None:
        """Let go of its pipes, once it has ended."""
        self._finish()
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        for number in (0, 1):
            _widen(self._transport.get_pipe_transport(number))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            if self.taker is not None and not self._chunks and self.taker(data):
                return
            self._chunks.append(data)
            self._held += len(data)
            self._arrived.set()
            if self._held > _HIGH and not self._paused:
                self._pause(paused=True)
        else:
            self._log(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        self._open.discard(fd)
        if fd == 0:
            self._writable.set()
        elif fd == 1:
            self._finish()
        else:
            self._silent.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def process_exited(self) -> None:
        self._exited.set()
        if self.status != 0 and 1 in self._open:
            # A child it left behind may hold its stdout: nobody will answer there any more.
            asyncio.get_running_loop().call_later(_GRACE, self._finish)

    def _input(self) -> asyncio.WriteTransport | None:
        pipe = self._transport.get_pipe_transport(0) if self._transport else None
        if pipe is None or 0 not in self._open or pipe.is_closing():
            return None
        return cast("asyncio.WriteTransport", pipe)

    def _finish(self) -> None:
        self._ended = True
        self._arrived.set()
        self._writable.set()

    def _pause(self, *, paused: bool) -> None:
        self._paused = paused
        pipe = self._transport.get_pipe_transport(1) if self._transport else None
        if pipe is None or pipe.is_closing():
            return
        reading = cast("asyncio.ReadTransport", pipe)
        if paused:
            reading.pause_reading()
        else:
            reading.resume_reading()

    def _log(self, chunk: bytes) -> None:
        self._tail.append(chunk[-_TAIL:])
        self._tail_size += min(len(chunk), _TAIL)
        while self._tail_size - len(self._tail[0]) >= _TAIL:
            self._tail_size -= len(self._tail.popleft())


def _widen(pipe: asyncio.BaseTransport | None) -> None:
    """A pipe of 64 KB makes a large answer slow; where the system refuses, it stays so."""
    found = pipe.get_extra_info("pipe") if pipe is not None else None
    try:
        import fcntl

        if found is not None:
            fcntl.fcntl(found.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)
    except (ImportError, OSError, AttributeError, ValueError):  # closed already
        return
