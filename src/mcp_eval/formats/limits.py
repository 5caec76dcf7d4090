"""What a document may be: its size, depth, text and numbers, each with an error of its own."""

import re
from itertools import accumulate
from typing import TypeVar

import msgspec

from mcp_eval.errors import InconclusiveError, UsageError

MAX_BYTES = 100 * 1024 * 1024
MAX_DEPTH = 200

Refusal = type[UsageError] | type[InconclusiveError]
T = TypeVar("T")

_BOM = b"\xef\xbb\xbf"
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b'[]{}"')
_NO_STEPS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_STEPS = bytes(
    1 if byte in b"[{" else 255 if byte in b"]}" else byte for byte in range(256)
)  # 255 is −1 to whoever reads signed bytes
_IN_AND_OUT = bytes([1, 255])
_FEW = 4096  # steps that are counted one by one
_SHRUNK = 0.9  # a pass that leaves more than this is not worth another
_ONE_SHAPE = bytes.maketrans(b"{}", b"[]")
_LONE_SURROGATE = re.compile(
    rb"(?<!\\)(?:\\\\)*(?:\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
_CONSTANT = re.compile(rb"-?(?:NaN|Infinity)")
_OURS = b'{"format":"mcp-eval/'
_AT_BYTE = re.compile(r"^JSON is malformed: (.*) \(byte (\d+)\)$")


def check_size(size: int, *, where: str, refuse: Refusal = UsageError) -> None:
    """Refuse a file by its size, before it is read."""
    if size > MAX_BYTES:
        raise refuse(
            f"{where}: the file has {size / 1024 / 1024:,.0f} MB, and 100 MB is the limit",
            hint="no document of mcp-eval grows like that: is this the right file?",
        )


def check_depth(payload: bytes, *, where: str, refuse: Refusal = UsageError) -> None:
    """Refuse what nests so deep that walking it would end the program instead of the walk."""
    if too_deep(payload):
        raise _too_deep(where, refuse)


def _too_deep(where: str, refuse: Refusal) -> UsageError | InconclusiveError:
    return refuse(
        f"{where}: nested deeper than {MAX_DEPTH} levels",
        hint="no tool's answer or schema nests like that on purpose: look at who wrote it",
    )


def too_deep(payload: bytes, limit: int = MAX_DEPTH) -> bool:
    """Whether JSON nests deeper than `limit`, found without recursion and almost without Python."""
    steps, levels = payload.translate(_STEPS, _NO_STEPS), 0
    while len(steps) > _FEW and levels < limit:
        rest = steps.replace(_IN_AND_OUT, b"")
        if len(rest) > _SHRUNK * len(steps):
            break
        steps, levels = rest, levels + 1  # what was taken out went one level down, no more
    highest = levels + max(accumulate(memoryview(steps).cast("b")), default=0)
    # Brackets inside strings count here too, so a yes is looked into; a no costs next to nothing.
    return highest > limit and _nests_deeper(payload, limit)


def _nests_deeper(payload: bytes, limit: int) -> bool:
    brackets, depth = _brackets(payload), 0
    while depth < limit and brackets:
        rest = brackets.replace(b"[]", b"")
        if len(rest) > _SHRUNK * len(brackets):
            break  # a long thin nest: each pass would take one level off megabytes
        brackets, depth = rest, depth + 1
    return _climbs(brackets, limit - depth)


def _brackets(payload: bytes) -> bytes:
    """The brackets that stand outside of strings, all of one shape: only their depth counts."""
    if b"\\" in payload:
        payload = payload.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = payload.translate(None, _NOT_BRACKETS).replace(b'""', b"")
    return b"".join(marks.split(b'"')[::2]).translate(_ONE_SHAPE)


def _climbs(brackets: bytes, limit: int) -> bool:
    depth = 0
    for bracket in brackets:
        depth += 1 if bracket == ord("[") else -1
        if depth > limit:
            return True
    return False


def read_json(payload: bytes, shape: type[T], *, where: str, refuse: Refusal = UsageError) -> T:
    """The JSON as a `shape`; every way it can be off has its own one-line error."""
    return decode_as(
        compact(payload, where=where, refuse=refuse), shape, where=where, refuse=refuse
    )


def compact(payload: bytes, *, where: str, refuse: Refusal = UsageError) -> bytes:
    """The same JSON without its white space, once it is known to be JSON that can be walked."""
    check_size(len(payload), where=where, refuse=refuse)
    payload = payload.removeprefix(_BOM)
    if not payload or payload.isspace():
        raise refuse(f"{where}: the file is empty", hint="restore it from git, or record again")
    if not payload.isascii():
        _check_utf8(payload, where=where, refuse=refuse)
    check_depth(payload, where=where, refuse=refuse)
    try:
        small = payload if _one_line(payload) else msgspec.json.format(payload, indent=-1)
    except msgspec.DecodeError as error:
        raise _malformed(error, payload, where=where, refuse=refuse) from error
    # Raw bodies are skipped, not read: what nobody can hold would surface much later.
    decode_as(small, object, where=where, refuse=refuse)
    return small


def _check_utf8(payload: bytes, *, where: str, refuse: Refusal) -> None:
    try:
        payload.decode()
    except UnicodeDecodeError as error:
        raise refuse(
            f"{where}: byte {error.start} is not UTF-8 text", hint="is this a JSON document at all?"
        ) from error


def _one_line(payload: bytes) -> bool:
    """Whether it is as we write it ourselves where nobody is to read it: without white space."""
    return payload.startswith(_OURS) and payload.find(b"\n", 0, -1) < 0


def decode_as(payload: bytes, shape: type[T], *, where: str, refuse: Refusal = UsageError) -> T:
    """Compact JSON as a `shape`."""
    try:
        return msgspec.json.decode(payload, type=shape)
    except msgspec.ValidationError as error:
        if "out of range" in str(error):
            raise refuse(
                f"{where}: a number too large to hold{_place(error)}",
                hint="numbers end at 1.8e308: write it as text",
            ) from error
        raise refuse(
            f"{where}: {_sentence(error)}",
            hint="`mcp-eval show --schema KIND` prints what is expected",
        ) from error
    except msgspec.DecodeError as error:
        raise _malformed(error, payload, where=where, refuse=refuse) from error
    except RecursionError as error:
        raise _too_deep(where, refuse) from error


def _malformed(
    error: msgspec.DecodeError, payload: bytes, *, where: str, refuse: Refusal
) -> UsageError | InconclusiveError:
    """Why this is no JSON, with line and column."""
    lone = _LONE_SURROGATE.search(payload)
    if lone and _about_escapes(str(error), payload):
        line, column = position(payload, lone.start())
        return refuse(
            f"{where}:{line}:{column}: half a surrogate pair stands for no character",
            hint="the text was cut inside an emoji: whoever wrote it must cut between characters",
        )
    found = _AT_BYTE.match(str(error))
    if not found:
        return refuse(
            f"{where}: the JSON breaks off before its end",
            hint="the file was cut short: restore it from git, or record again",
        )
    at = int(found[2])
    line, column = position(payload, at)
    constant = _CONSTANT.match(payload, at - (payload[at - 1 : at] == b"-"))
    reason = f"{constant[0].decode()} is no number in JSON" if constant else f"not JSON, {found[1]}"
    return refuse(f"{where}:{line}:{column}: {reason}", hint="restore it, or write it again")


def _about_escapes(error: str, payload: bytes) -> bool:
    """Whether the decoder stumbled over an escape; near the end it calls that a truncation."""
    return (
        "surrogate" in error or "escape" in error or payload.rstrip().endswith((b"}", b"]", b'"'))
    )


def position(payload: bytes, at: int) -> tuple[int, int]:
    """Line and column of a byte, as editors count."""
    before = payload[:at]
    start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, len(before[start:].decode(errors="replace")) + 1


def _place(error: Exception) -> str:
    return f" at {str(error).split('`')[1]}" if "`$" in str(error) else ""


def _sentence(error: Exception) -> str:
    return str(error).replace("`", "").replace(" - at ", " at ")
