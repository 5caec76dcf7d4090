"""Documents inside a page: embedded once, compressed when large, within a budget of bytes."""

import base64
import gzip
from collections.abc import Callable, Sequence

import msgspec

from mcp_eval.model.base import Json, JsonObject

# Below this the text itself is kept: a small report stays readable with any editor.
_SMALL = 200_000
_CHUNK = 400_000
BUDGET = 13_000_000
# How many characters an answer keeps; a report over its budget is packed again with fewer.
LIMITS = (6000, 2400, 1000, 500, 240, 100)


class Packed(msgspec.Struct, frozen=True):
    """The cards of all scenarios in chunks, and which chunk holds which."""

    chunks: tuple[str, ...]
    encoding: str  # "json" or "gzip"
    place: tuple[tuple[int, int], ...]  # chunk and position of each card
    limit: int


def pack(count: int, card: Callable[[int, int], JsonObject], budget: int = BUDGET) -> Packed:
    """All cards with the longest answers the budget allows; `card(position, limit)` draws one."""
    packed = None
    for limit in LIMITS:
        packed = _pack(count, card, limit, budget)
        if packed and sum(map(len, packed.chunks)) <= budget:
            return packed
    return packed or Packed(chunks=(), encoding="json", place=(), limit=LIMITS[-1])


def embedded(document: Json) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element."""
    text = msgspec.json.encode(document).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _pack(
    count: int, card: Callable[[int, int], JsonObject], limit: int, budget: int
) -> Packed | None:
    groups: list[list[str]] = [[]]
    place, size, total, packed = [], 0, 0, []
    for position in range(count):
        text = msgspec.json.encode(card(position, limit)).decode()
        if size and size + len(text) > _CHUNK:
            packed.append(_squeeze(groups[-1]))
            total += len(packed[-1])
            groups[-1] = []
            size = 0
            if total > budget and limit != LIMITS[-1]:
                return None  # hopeless already: try shorter answers
        place.append((len(packed), len(groups[-1])))
        groups[-1].append(text)
        size += len(text)
    if not packed and size <= _SMALL:
        chunk = embedded([msgspec.Raw(text.encode()) for text in groups[-1]])
        return Packed(chunks=(chunk,), encoding="json", place=tuple(place), limit=limit)
    packed.append(_squeeze(groups[-1]))
    return Packed(chunks=tuple(packed), encoding="gzip", place=tuple(place), limit=limit)


def squeezed(document: Json) -> tuple[str, str]:
    """One document and its encoding: as it is when small, compressed when large."""
    text = embedded(document)
    if len(text) <= _SMALL:
        return text, "json"
    return _squeeze_text(msgspec.json.encode(document)), "gzip"


def _squeeze(cards: Sequence[str]) -> str:
    return _squeeze_text(("[" + ",".join(cards) + "]").encode())


def _squeeze_text(payload: bytes) -> str:
    # No time stamp: the same report is the same bytes.
    return base64.b64encode(gzip.compress(payload, 6, mtime=0)).decode()
