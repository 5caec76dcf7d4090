"""Whichever HTTP transport a server speaks: the one of today first, else the one before it."""

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.ports import Channel
from mcp_eval.tap.frames import Frame, frames
from mcp_eval.tap.http import HttpLine
from mcp_eval.tap.legacy import LegacyLine

_NOT_THIS_WAY = frozenset({400, 404, 405})


class EitherLine:
    """A Channel that settles at the first answer."""

    def __init__(self, line: HttpLine, legacy: LegacyLine) -> None:
        self._streamable = line
        self._legacy = legacy
        self._line: Channel = line
        self._first = b""  # what was said first, to be said again
        self._settled = False
        self.wish = line.wish

    async def send(self, chunk: bytes) -> None:
        """Pass bytes on."""
        if not self._settled:
            self._first += chunk
        await self._line.send(chunk)

    async def receive(self) -> bytes:
        """What the server said; by the other transport where it does not know this one."""
        chunk = await self._line.receive()
        if self._settled:
            return chunk
        self._settled = True
        if not _not_this_way(chunk):
            return chunk
        try:
            await self._legacy.send(self._first)
            answer = await self._legacy.receive()
        except (OSError, InconclusiveError):
            await self._legacy.close()
            return chunk
        self._line = self._legacy
        await self._streamable.close()
        return answer

    async def linger(self) -> None:
        """Come back when the server has had the time it may want."""
        await self._streamable.linger()

    async def close(self) -> None:
        """Hang up."""
        await self._line.close()


def _not_this_way(chunk: bytes) -> bool:
    found = frames(chunk.strip())
    error = found[0].error if found and isinstance(found[0], Frame) else msgspec.Raw()
    if not bytes(error):
        return False
    about = msgspec.json.decode(error).get("data")
    return isinstance(about, dict) and about.get("status") in _NOT_THIS_WAY
