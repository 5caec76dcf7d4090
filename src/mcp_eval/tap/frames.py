"""Bytes to JSON-RPC frames, whatever stands between them; no I/O and no SDK."""

import re

import msgspec

from mcp_eval.model.base import Json, JsonObject

# A target may answer 50 MB; a line that never ends must not take the machine with it.
LINE_LIMIT = 256 * 1024 * 1024
_HEAD = 64 * 1024
_BOM = b"\xef\xbb\xbf"

FrameId = int | str | float


class Frame(msgspec.Struct, kw_only=True):
    """One JSON-RPC message: its header decoded, the rest as it came."""

    id: FrameId | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()
    size: int = 0  # of the line it stood in
    note: str = ""  # what had to be mended to read it


class Garbage(msgspec.Struct, frozen=True, kw_only=True):
    """A line that is no frame; `id` where it plainly meant to answer that request."""

    text: str
    reason: str
    size: int
    id: FrameId | None = None


class Lines:
    """Cuts a byte stream into lines, whatever the chunks; what exceeds the limit is let go."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._first = True

    def feed(self, chunk: bytes) -> list[tuple[bytes, int]]:
        """The lines this chunk completes, each with its true size (greater where it was cut)."""
        if b"\n" not in chunk:
            self._keep(chunk)
            return []
        first, *middle, rest = chunk.split(b"\n")
        self._keep(first)
        lines = [self._take(), *((line, len(line)) for line in middle)]
        self._keep(rest)
        return [(line, size) for line, size in map(self._trim, lines) if line]

    def end(self) -> list[tuple[bytes, int]]:
        """The last line, where the stream ended without a line feed."""
        line, size = self._trim(self._take())
        return [(line, size)] if line else []

    def _keep(self, chunk: bytes) -> None:
        before, self._size = self._size, self._size + len(chunk)
        if self._size <= self._limit:
            self._parts.append(chunk)
        elif before <= self._limit:
            # Only the head stays: enough to see whose answer was too large.
            self._parts = [b"".join([*self._parts, chunk])[: min(_HEAD, self._limit)]]

    def _take(self) -> tuple[bytes, int]:
        line, size = b"".join(self._parts), self._size
        self._parts, self._size = [], 0
        return line, size

    def _trim(self, line: tuple[bytes, int]) -> tuple[bytes, int]:
        text, size = line
        cut = size > len(text)
        if self._first and text:
            self._first = False
            text = text.removeprefix(_BOM)
        text = text.strip(b"\r \t")
        return text, size if cut else len(text)


_decoder = msgspec.json.Decoder(Frame | list[Frame])


def frames(line: bytes, size: int | None = None) -> list[Frame | Garbage]:
    """The frames of one line (a batch holds several), or what could not be read of it."""
    size = len(line) if size is None else size
    if size > len(line):
        return [_garbage(line, size, f"the line has {size} bytes, more than are read")]
    try:
        if not line.isascii():
            str(line, "utf-8")
        found = _decoder.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return [_mended(line, size, error)]
    if isinstance(found, Frame):
        return [_sized(found, size)]
    return [_sized(frame, size) for frame in found]


def _sized(frame: Frame, size: int, note: str = "") -> Frame | Garbage:
    if frame.method is None and frame.id is None and not bytes(frame.error):
        return Garbage(text="{…}", reason="neither a request nor an answer", size=size)
    frame.size, frame.note = size, note
    return frame


def _mended(line: bytes, size: int, error: Exception) -> Frame | Garbage:
    """What lenient clients still read: NaN, lone surrogates, broken UTF-8."""
    from mcp_eval.tap.mend import mend

    if line.startswith((b"{", b"[")) and (mended := mend(line)):
        try:
            found = msgspec.json.decode(mended, type=Frame)
        except (msgspec.DecodeError, RecursionError):
            return _garbage(line, size, str(error))
        return _sized(found, size, note=f"the line was no strict JSON ({error})")
    return _garbage(line, size, str(error))


_HEAD_ID = re.compile(rb'^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,18}|"[^"\\]*")')
_TAIL_ID = re.compile(rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\]*")\s*\}$')


def _garbage(line: bytes, size: int, reason: str) -> Garbage:
    text = line[:500].decode("utf-8", "replace")
    meant = b'"jsonrpc"' in line[:_HEAD] or b'"jsonrpc"' in line[-_HEAD:]
    found = (_HEAD_ID.search(line[:_HEAD]) or _TAIL_ID.search(line[-_HEAD:])) if meant else None
    answers = found is not None and b'"method"' not in line[:200]
    return Garbage(
        text=text,
        reason=reason,
        size=size,
        id=msgspec.json.decode(found.group(1)) if found and answers else None,
    )


def request_frame(id_: FrameId, method: str, params: Json) -> bytes:
    """A request as one line."""
    return _line({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})


def notification_frame(method: str, params: Json = None) -> bytes:
    """A notification as one line; `params` only where there are any."""
    body: JsonObject = {"jsonrpc": "2.0", "method": method}
    return _line(body if params is None else {**body, "params": params})


def answer_frame(id_: FrameId, answer: Json) -> bytes:
    """An answer to a server's request: {"error": …} says no, all else is a result."""
    body: JsonObject = {"jsonrpc": "2.0", "id": id_}
    failed = isinstance(answer, dict) and set(answer) == {"error"}
    return _line(body | answer if failed else {**body, "result": answer})


def _line(message: JsonObject) -> bytes:
    return msgspec.json.encode(message) + b"\n"
