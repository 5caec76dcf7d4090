"""How alike two texts, numbers or flags are, by the kind of argument they stand in."""

from collections import Counter
from collections.abc import Callable

from mcp_eval.compare import written
from mcp_eval.compare.parsing import loads
from mcp_eval.compare.text import Likeness, likeness
from mcp_eval.model.base import Json

RETYPED = 0.9  # "10" for 10, "true" for true, an item for a list of it
_OTHER_NUMBER = 0.75  # another number is never the same number, however near
_OTHER_WORDS = 0.99  # other words are never the very same request
_CASED = 0.9  # a choice in other letters: servers differ
_LONG_TEXT = 4000
_SHOWN = 32


def leaves(kind: str, a: Json, b: Json) -> tuple[float, str]:
    """How alike two values of one kind are, and why; "" where there is nothing to say."""
    if type(a) is type(b):
        if a == b:
            return 1.0, ""
        if isinstance(a, str):
            return _texts(kind, a, b)
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return _retyped_word(a, b)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _numbers(kind, a, b)
    number, text = (a, b) if isinstance(b, str) else (b, a)
    spelt = _spelt(text)
    if spelt is None:
        return 0.0, "a number and words"
    similarity, reason = _numbers(kind, number, spelt)
    return RETYPED * similarity, f"a number in a text{', ' if reason else ''}{reason}"


def _retyped_word(a: Json, b: Json) -> tuple[float, str]:
    words = ["null" if one is None else str(one).strip().lower() for one in (a, b)]
    if words[0] == words[1] and (isinstance(a, str) or isinstance(b, str)):
        return RETYPED, "a word for a value"
    return 0.0, "different"


def _spelt(text: str) -> float | None:
    try:
        found = loads(text.strip())
    except ValueError:
        return None
    numeric = isinstance(found, int | float) and not isinstance(found, bool)
    return found if numeric else None


def _numbers(kind: str, a: float, b: float) -> tuple[float, str]:
    if a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b)):
        return 1.0, ""
    if kind != "number":
        return 0.0, "different"
    near, far = sorted((abs(a), abs(b)))
    if (a < 0) != (b < 0):
        return 0.0, "on two sides of 0"
    ratio = float(near / far)
    return _OTHER_NUMBER * ratio, f"{100 * (1 - ratio):.0f} % apart"


_WRITTEN: dict[str, Callable[[str], str]] = {
    "path": written.path,
    "url": written.url,
    "command": written.command,
    "sql": written.sql,
    "time": written.moment,
    "id": written.identifier,
    "code": written.code,
}


def _texts(kind: str, a: str, b: str) -> tuple[float, str]:
    if kind in {"text", "number"}:
        return _free(a, b)
    normal = _WRITTEN.get(kind, str.strip)
    if normal(a) == normal(b):
        return 1.0, "written another way"
    if kind == "enum" and a.strip().casefold() == b.strip().casefold():
        return _CASED, "in other letters"
    return 0.0, "different"


def _free(a: str, b: str) -> tuple[float, str]:
    if max(len(a), len(b)) > _LONG_TEXT:
        found, reason = Likeness(_words_shared(a, b)), "long texts: the words they share"
    else:
        found = likeness(a, b)
        reason = _wording(found)
    if found.similarity > _OTHER_WORDS and a.split() == b.split():
        return 1.0, "but for white space"
    return min(_OTHER_WORDS, found.similarity), reason


def _words_shared(a: str, b: str) -> float:
    ours, theirs = Counter(a.lower().split()), Counter(b.lower().split())
    return 2 * (ours & theirs).total() / (ours.total() + theirs.total())


def _wording(found: Likeness) -> str:
    if found.turned:
        return "says the opposite"
    if not found.only_a and not found.only_b:
        return "the same in other words"
    sides = (" ".join(words)[:_SHOWN] or "nothing" for words in (found.only_a, found.only_b))
    return " ~ ".join(sides)
