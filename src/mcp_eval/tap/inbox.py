"""What a server said over HTTP, as the lines a channel gives: in order, and how it ended."""

import asyncio
from collections import deque

from mcp_eval.errors import InconclusiveError


class Inbox:
    """Lines that wait to be taken, and why there will be no more of them."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self.ended: OSError | InconclusiveError | None = None
        self.closed = False

    def put(self, message: bytes) -> None:
        """A message, written as one line: between JSON's tokens a line feed is a space."""
        line = message.replace(b"\r", b" ").replace(b"\n", b" ").strip()
        if line:
            self._lines.append(line + b"\n")
            self._arrived.set()

    def end(self, why: OSError | InconclusiveError | None = None) -> None:
        """Nothing more will come; the first reason counts."""
        self.ended = self.ended or why
        self.closed = True
        self._arrived.set()

    async def take(self) -> bytes:
        """What came since; b"" at an orderly end, and what ended it otherwise."""
        while not self._lines and not self.closed:
            self._arrived.clear()
            await self._arrived.wait()
        if self._lines:
            chunk = b"".join(self._lines)
            self._lines.clear()
            return chunk
        if self.ended is not None:
            raise self.ended
        return b""
