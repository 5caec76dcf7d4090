"""Where a value stands in a text: the words before it, since texts have no keys.

Such a place is written `PATH~N~WORDS`: in the text at PATH, right after the words, at their N-th
occurrence (from 0). Where no steady words stand before it, WORDS is empty and N counts the tokens.
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"[\w/~.%-](?:[\w/.+@%~-]|:(?=[/\w]))*(?:[?#&][^\s\"'`<>()\[\]]*)?={0,2}")
_ENDING = ".,;:!?-"
_LABEL = re.compile(r"([A-Za-z_ -]{1,24})[:=](?!/)(?=.)")
_WORDS = 40
_SCANNED = 200_000  # nobody passes on an id from the depth of a larger text


def tokens(text: str) -> Iterator[tuple[int, str]]:
    """Every value-like token with its start; of `id:4f2a` both the whole and what follows."""
    for found in _TOKEN.finditer(text[:_SCANNED]):
        token = _trimmed(found[0])
        if not token:
            continue
        yield found.start(), token
        if label := _LABEL.match(token):
            yield found.start() + label.end(), token[label.end() :]


def _trimmed(token: str) -> str:
    return token.rstrip(_ENDING)


def place(path: str, text: str, start: int) -> str:
    """The place of the value that starts here, as a path."""
    words = _words_before(text, start)
    if not words:
        return f"{path}~{_position(text, start)}~"
    return f"{path}~{text.count(words, 0, start) - 1}~{words}"


def _words_before(text: str, start: int) -> str:
    """The words right before a value, without anything that may vary: figures end them."""
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - _WORDS) : start]
    if not re.search(r"[^\W\d_]", before) and line:
        previous = text.rfind("\n", 0, line - 1) + 1
        before = text[max(previous, start - _WORDS) : start]
    if figures := list(re.finditer(r"\S*\d\S*", before)):
        before = before[figures[-1].end() :]
    if start > len(before) and (cut := re.search(r"\s", before)) and len(before) == _WORDS:
        before = before[cut.end() :]
    return before if re.search(r"[^\W\d_]", before) else ""


def _position(text: str, start: int) -> int:
    return next((n for n, (begins, _) in enumerate(tokens(text)) if begins == start), 0)


def split(path: str) -> tuple[str, int, str] | None:
    """The parts of a place in a text; None where the path names no such place."""
    base, mark, rest = path.partition("~")
    number, second, words = rest.partition("~")
    return (base, int(number), words) if mark and second and number.isdigit() else None


def at(text: str, number: int, words: str) -> str:
    """The value at a place; "" where the text has none there."""
    if not words:
        every = [token for _, token in tokens(text)]
        return every[number] if number < len(every) else ""
    end = 0
    for _ in range(number + 1):
        begins = text.find(words, end)
        if begins < 0:
            return ""
        end = begins + len(words)
    found = _TOKEN.match(text, end)
    return _trimmed(found[0]) if found else ""
