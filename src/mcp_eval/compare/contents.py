"""What two answers carried, compared: blocks, structured content, the way they are written."""

from collections.abc import Iterator

from msgspec.structs import replace

from mcp_eval.compare.answers import Answer
from mcp_eval.compare.facts import fact
from mcp_eval.compare.shapes import json_type
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference

_FUZZY = ("text", "key-value", "csv", "json-lines", "table")
_TABULAR = ("csv:", "table", "json×")
_BLOCKS = ("resource", "blob")
_MEMBERSHIP = frozenset(
    {"item-added", "hit-lost", "hit-displaced", "wrong-page", "entry-doubled", "effect-lost"}
)


def content_differences(before: Answer, after: Answer, view: View) -> Iterator[Difference]:
    """Every fact in which two answers differ that both carry something."""
    facts = tuple(_values(before, after, view))
    writing = tuple(_writing(before, after, facts))
    yield from writing
    rewritten = any(one.site.path == "" for one in writing)
    yield from (one for one in counted(facts) if one.site.path or not rewritten)


# --- what is compared with what ------------------------------------------------------------------


def _values(before: Answer, after: Answer, view: View) -> Iterator[Difference]:
    if _same_text(before, after):
        return
    old, new = comparable(before, after)
    prose = isinstance(old, str) and isinstance(new, str)
    blocks = before.parts > 1 or after.parts > 1
    yield from differ(old, new, replace(view, structured=not prose, blocks=blocks))
    if (_repeats(before) and after.structured) or (_repeats(after) and before.structured):
        yield from differ(before.text, after.text, replace(view, structured=False))
    if before.extra is not None and after.extra is not None:
        yield from differ(before.extra, after.extra, view, "structuredContent")


def _same_text(before: Answer, after: Answer) -> bool:
    """Whether the same words merely come in more or fewer blocks."""
    if before.parts == after.parts or not _fuzzy(before) or not _fuzzy(after):
        return False
    return before.text.split() == after.text.split()


def comparable(before: Answer, after: Answer) -> tuple[Json, Json]:
    """Both values; their texts where reading them as structure went two ways."""
    if read_two_ways(before, after):
        return before.text, after.text
    old, new = _told(before, after), _told(after, before)
    if before.parts == 1 and after.parts > 1 and isinstance(new, list):
        return [old], new
    if after.parts == 1 and before.parts > 1 and isinstance(old, list):
        return old, [new]
    return old, new


def _repeats(read: Answer) -> bool:
    """Whether its text is a sentence that its structured content holds, too."""
    return read.structured and read.extra is None and read.encoding == "text"


def _told(read: Answer, other: Answer) -> Json:
    """Its value; its structured content where the other's text is no prose beside one."""
    lone = read.extra is not None and (not other.structured or _repeats(other))
    return read.extra if lone and json_type(read.value) != json_type(other.value) else read.value


def read_two_ways(before: Answer, after: Answer) -> bool:
    """Whether only one of two texts could be read as structure, or each as another."""
    return before.encoding != after.encoding and _fuzzy(before) and _fuzzy(after)


def _fuzzy(read: Answer) -> bool:
    return all(part.startswith(_FUZZY) for part in read.encoding.split("+"))


# --- how they are written ------------------------------------------------------------------------


def _writing(before: Answer, after: Answer, facts: tuple[Difference, ...]) -> Iterator[Difference]:
    """How the answer is written: structured content, encoding depth, delimiter, header, block."""
    if before.structured and not after.structured:
        yield fact("content-type-changed", "structuredContent", "structuredContent", None)
    old, new = before.encoding, after.encoding
    if new == "none" != old and after.structured:
        # Many a client hands its model the text alone.
        yield fact("content-type-changed", "content", old, None)
    if old == new or "none" in {old, new} or before.parts != after.parts:
        return
    tabular = old.startswith(_TABULAR) or new.startswith(_TABULAR)
    block = old.startswith(_BLOCKS) != new.startswith(_BLOCKS)
    if block or (tabular and (facts or not (old.startswith("json") and new == "json"))):
        yield fact("content-type-changed", "", old, new, encodings=[old, new])


def only_header(before: Answer, after: Answer) -> bool:
    """Whether of a table nothing but its header is left."""
    if not before.encoding.startswith(("csv:", "table")):
        return False
    head = [line.strip() for line in before.text.strip().splitlines()[:2]]
    left = [line.strip() for line in after.text.strip().splitlines()]
    return left in (head[:1], head) and len(before.text.strip().splitlines()) > len(left)


# --- counts that follow their lists --------------------------------------------------------------


def counted(facts: tuple[Difference, ...]) -> Iterator[Difference]:
    """A count that moved beside a list that gained or lost items follows it."""
    lists = {one.site.path for one in facts if one.change in _MEMBERSHIP}
    for one in facts:
        follows = one.change == "result-value-changed" and one.details.get("counts")
        # What a list's own items count, they count of something else.
        if follows and any(not one.site.path.startswith(f"{place}[]") for place in lists):
            yield replace(one, change="count-followed", details={})
        else:
            yield one
