"""Our own stdin and stdout as a channel: where a client's configuration names us as its server."""

import asyncio
import os
import sys
from collections.abc import Callable

from mcp_eval.errors import UsageError

_HIGH = 8 * 1024 * 1024


class OwnLine(asyncio.Protocol):
    """A Channel to the client that started this process."""

    def __init__(self) -> None:
        self._reading: asyncio.ReadTransport | None = None
        self._writing: asyncio.WriteTransport | None = None
        self._chunks: list[bytes] = []
        self._held = 0
        self._ended = False
        self._arrived = asyncio.Event()
        self._sink = _Sink()
        self.taker: Callable[[bytes], bool] | None = None

    @classmethod
    async def open(cls) -> "OwnLine":
        """Take stdin and stdout; whatever prints from now on prints to stderr."""
        loop = asyncio.get_running_loop()
        line = cls()
        # Duplicates: a library that prints must not write between the frames.
        heard = os.fdopen(os.dup(sys.stdin.fileno()), "rb", 0)
        said = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        try:
            reading, _ = await loop.connect_read_pipe(lambda: line, heard)
            writing, _ = await loop.connect_write_pipe(lambda: line._sink, said)
        except ValueError as error:
            raise UsageError(
                "stdin and stdout are no pipes: nobody is there to talk to",
                hint="put this command where a client's configuration names its server",
            ) from error
        line._reading = reading
        line._writing = writing
        line._writing.set_write_buffer_limits(high=_HIGH)
        return line

    async def send(self, chunk: bytes) -> None:
        """Write to the client, as fast as it reads."""
        if self._writing is None or self._sink.lost:
            raise ConnectionResetError("the client hung up")
        self._writing.write(chunk)
        if not self._sink.writable.is_set():
            await self._sink.writable.wait()

    async def receive(self) -> bytes:
        """What the client wrote since; b"" once it hung up."""
        while not self._chunks and not self._ended:
            self._arrived.clear()
            await self._arrived.wait()
        chunks, self._chunks = self._chunks, []
        if self._held > _HIGH and self._reading is not None and not self._ended:
            self._reading.resume_reading()
        self._held = 0
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    async def close(self) -> None:
        """Let go of both, once what was written has left."""
        if self._reading is not None:
            self._reading.close()
        if self._writing is not None:
            self._writing.close()
            await self._sink.gone.wait()

    def offer(self, chunk: bytes) -> bool:
        """Write to the client where that makes nobody wait."""
        if self._writing is None or self._sink.lost or not self._sink.writable.is_set():
            return False
        self._writing.write(chunk)
        return True

    def data_received(self, data: bytes) -> None:
        if self.taker is not None and not self._chunks and self.taker(data):
            return
        self._chunks.append(data)
        self._arrived.set()
        before, self._held = self._held, self._held + len(data)
        if before <= _HIGH < self._held and self._reading is not None:
            self._reading.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._ended = True
        self._arrived.set()


class _Sink(asyncio.Protocol):
    """Knows whether the client reads as fast as we write, and whether it is there at all."""

    def __init__(self) -> None:
        self.writable = asyncio.Event()
        self.writable.set()
        self.gone = asyncio.Event()
        self.lost = False

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.lost = True
        self.writable.set()
        self.gone.set()
