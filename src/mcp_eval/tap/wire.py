"""HTTP/1.1 as far as MCP speaks it, either side: heads and bodies over asyncio's streams."""

from asyncio import IncompleteReadError, LimitOverrunError, StreamReader
from collections.abc import AsyncIterator, Iterable
from typing import NamedTuple

LIMIT = 1024 * 1024  # what is read ahead, and the longest head
_PIECE = 256 * 1024

Fields = tuple[tuple[str, str], ...]


class Head(NamedTuple):
    """The first line's three words, and the header fields as they came."""

    start: tuple[str, str, str]
    fields: Fields

    def get(self, name: str) -> str:
        """The value of a field; "" where it is absent."""
        return next((value for each, value in self.fields if each.lower() == name), "")

    @property
    def chunked(self) -> bool:
        """Whether its body comes in chunks."""
        return self.get("transfer-encoding").lower() == "chunked"

    @property
    def size(self) -> int | None:
        """How long its body is said to be; None where nobody says."""
        stated = {value for name, value in self.fields if name.lower() == "content-length"}
        if not stated:
            return None
        length = stated.pop()
        # Two lengths, or a length beside chunks, is how one request is made to look like two.
        if stated or not (length.isascii() and length.isdigit()) or self.get("transfer-encoding"):
            raise ConnectionAbortedError("its Content-Length makes no sense")
        return int(length)


async def read_head(reader: StreamReader) -> Head | None:
    """The next head; None where the other side hung up first, ConnectionError where it is none."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except IncompleteReadError as error:
        if not error.partial:
            return None
        raise ConnectionResetError("it hung up in the middle of a head") from error
    except LimitOverrunError as error:
        raise ConnectionAbortedError("what it says is no HTTP") from error
    first, *lines = raw[:-4].decode("latin-1").split("\r\n")
    words = first.split(" ", 2)
    if len(words) < 2 or any(":" not in line or line[0] in " \t" for line in lines):  # noqa: PLR2004
        raise ConnectionAbortedError("what it says is no HTTP")
    fields = (line.partition(":")[::2] for line in lines)
    start = (words[0], words[1], words[2] if len(words) > 2 else "")  # noqa: PLR2004
    return Head(start, tuple((name, value.strip()) for name, value in fields))


async def read_body(reader: StreamReader, head: Head, *, to_end: bool) -> AsyncIterator[bytes]:
    """The pieces of a body; where nothing says how long it is, it ends with the line or is none."""
    if head.chunked:
        async for piece in _chunks(reader):
            yield piece
    elif (size := head.size) is not None:
        async for piece in _sized(reader, size):
            yield piece
    elif to_end:
        while piece := await reader.read(_PIECE):
            yield piece


def head_bytes(start: str, fields: Iterable[tuple[str, str]]) -> bytes:
    """A head as it is sent."""
    lines = [start, *(f"{name}: {value}" for name, value in fields)]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a header of two lines")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def chunk_bytes(piece: bytes) -> bytes:
    """One chunk of a body as it is sent; b"" ends the body."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


async def _chunks(reader: StreamReader) -> AsyncIterator[bytes]:
    while size := await _chunk_size(reader):
        async for piece in _sized(reader, size):
            yield piece
        await _line(reader)
    while await _line(reader):  # trailers
        pass


async def _chunk_size(reader: StreamReader) -> int:
    line = await _line(reader)
    try:
        return int(line.partition(b";")[0].strip(), 16)
    except ValueError as error:
        raise ConnectionAbortedError("what it says are no chunks") from error


async def _line(reader: StreamReader) -> bytes:
    try:
        return (await reader.readuntil(b"\r\n"))[:-2]
    except (IncompleteReadError, LimitOverrunError) as error:
        raise ConnectionResetError("it hung up in the middle of a body") from error


async def _sized(reader: StreamReader, size: int) -> AsyncIterator[bytes]:
    while size:
        piece = await reader.read(min(size, _PIECE))
        if not piece:
            raise ConnectionResetError("it hung up in the middle of a body")
        size -= len(piece)
        yield piece
