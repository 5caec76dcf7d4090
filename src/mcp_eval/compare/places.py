"""What an answer holds at a place, wherever the server put it meanwhile."""

import re
from collections.abc import Iterator

from mcp_eval.compare import anchors
from mcp_eval.compare.answers import Answer
from mcp_eval.compare.paths import MISSING, get, leaves, site
from mcp_eval.compare.shapes import volatile
from mcp_eval.model.base import Json

_EMBEDDED = 4  # shorter, a value inside a text is a coincidence


def look_up(read: Answer, path: str, old: Json = MISSING, then: Answer | None = None) -> Json:
    """What an answer holds at a path; MISSING where it holds nothing there."""
    for base in _bases(read):
        for way in _ways(path):
            value = _at(base, way, old, then)
            if value is not MISSING:
                return value
    place = anchors.split(path)
    return _in_text(read.text, place[1], place[2], old) if place else MISSING


def _ways(path: str) -> Iterator[str]:
    """The path, and the path as it reads where the server wraps or unwraps its answer."""
    yield path
    for wrapper in ("structured", "result"):
        if path.startswith((f"{wrapper}.", f"{wrapper}[")):
            yield path.removeprefix(wrapper).removeprefix(".")


def _bases(read: Answer) -> Iterator[Json]:
    """What a path may start from; structured content that says something else comes first."""
    if read.extra is not None:
        yield read.extra
    yield _result(read)
    yield read.value
    if read.parts > 1 and isinstance(read.value, list):
        yield from read.value[:1]


def _result(read: Answer) -> Json:
    """What `result` stands for in a template: structured content, else parsed JSON, else text."""
    plain = read.structured or read.encoding.startswith("json") or not read.text
    return read.value if plain else read.text


def _at(base: Json, path: str, old: Json, then: Answer | None) -> Json:
    if (place := anchors.split(path)) and get(base, path) is MISSING:
        text = get(base, place[0])
        return _in_text(text, place[1], place[2], old) if isinstance(text, str) else MISSING
    if not path and isinstance(base, str):
        spaced = (
            isinstance(old, str) and not re.search(r"\s", old) and re.search(r"\s", base.strip())
        )
        return MISSING if spaced else base.strip()
    if "[" not in path or old is MISSING:
        return get(base, path)
    if any(_same(value, old) for at, value in leaves(base) if site(at) == site(path)):
        return old  # it is still there: another place in the list is no other value
    return get(base, _moved(base, path, then))


def _same(value: Json, old: Json) -> bool:
    return not isinstance(value, bool) and str(value) == str(old)


def _in_text(text: str, number: int, words: str, old: Json) -> Json:
    if isinstance(old, str) and len(old) >= _EMBEDDED and stands(old, text):
        return old
    return anchors.at(text, number, words) or MISSING


def _moved(base: Json, path: str, then: Answer | None) -> str:
    """The path to the item that is like the recorded one, wherever in its list it stands now."""
    head, bracket, rest = path.rpartition("[")
    number, _, tail = rest.partition("]")
    if then is None or not bracket or not number.isdigit():
        return path
    items = get(base, head)
    before = next((item for one in _bases(then) if (item := _item(one, head, number))), None)
    if before is None or not isinstance(items, list):
        return path
    alike = [_alike(before, item) for item in items]
    best = max(alike, default=0)
    if not best or (int(number) < len(alike) and alike[int(number)] == best):
        return path
    return f"{head}[{alike.index(best)}]{tail}"


def _item(base: Json, head: str, number: str) -> Json:
    item = get(base, f"{head}[{number}]")
    return None if item is MISSING else item


def _alike(before: Json, item: Json) -> int:
    """How many leaves two items share that do not vary by themselves."""
    return sum(
        1
        for path, value in leaves(before)
        if not isinstance(value, bool | None) and not volatile(value, path, "")
        if get(item, path) == value
    )


def stands(value: str, text: str) -> bool:
    """Whether a value stands in a text by itself, not as a part of a longer word."""
    return bool(value) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None
