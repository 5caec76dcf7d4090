"""How two texts differ: what of substance went, what was only said otherwise, what was added."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz, process

from mcp_eval.compare.parsing import folded
from mcp_eval.compare.places import stands
from mcp_eval.compare.text import likeness
from mcp_eval.compare.view import View
from mcp_eval.model.base import Noun
from mcp_eval.model.recording import Hole

_MOST_LINES = 300  # past it, changed lines are not compared each with each
_ALIKE = 55.0  # of 100: below it two lines are two lines, not one reworded
_PLACE = 10.0  # of 100: so much likeness the same place is worth
_LONG = 40
_FEWEST = 2

# A word that carries more than prose: a number, an identifier, a path, something quoted.
_TOKEN = re.compile(
    r"\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'(?!\w)|`[^`\n]{1,200}`"
    r"|[a-z][a-z0-9+.-]*://\S+|[\w.@:/\\~#$%+-]+"
)
_SOLID = re.compile(r"\d|[_/\\@#:~]|[a-z][A-Z]|\w[.-]\w|^[A-Z]{2,}$")
_CUT = re.compile(r"(?:…|\.\.\.|\[?\(?truncated\)?\]?|\[\d+ more\b.*)\W*$", re.IGNORECASE)
_CUT_TAIL = 0.2  # of the text: more missing at the end is a cut, less a line that went
_SENTENCE_END = re.compile(r"[.!?:;)\]}\"'`]\W*$")
_ITEM = re.compile(r"(?:[-*•+]|\d+[.)])\s+\S.*|\S+(?:\s+\S+){0,2}")
_WORD = 24  # characters; a longer word is no word
_REMARK = 8  # words: below it a sentence may be said anew without one of them
_STRANGE = 0.1  # no two ways of saying one thing are so unlike, of all that were labelled
_TURNED = 300  # characters of a line up to which its meaning is weighed
_MANGLED = re.compile(r"\ufffd|\\u[0-9a-fA-F]{4}|&(?:amp|lt|gt|quot|#\d+);|%[0-9A-F]{2}%")
# What bytes of UTF-8 look like where somebody read them as Latin-1 or Windows-1252.
_WINDOWS = bytes(range(0x80, 0xA0)).decode("cp1252", errors="ignore")
_FOREIGN = re.compile(rf"[\xc2-\xf4][\x80-\xbf{_WINDOWS}]{{1,3}}")
_DIGITS_OF_HASH = re.compile(r"\d{7,40}")  # one hash in thirty has no letter in seven
_COUNT = re.compile(r"(?<![\w.,])\d{1,9}(?![\w,]|\.\d)")
_VARIES = frozenset({"<uuid>", "<time>", "<duration>", "<hash>"})


class TextChange(Noun):
    """What happened to a text."""

    lost: tuple[str, ...] = ()  # numbers, identifiers, paths, quoted values that are gone
    gained: bool = False  # nothing went, something came
    reordered: bool = False
    truncated: bool = False
    mangled: bool = False
    reworded: bool = False
    similarity: float = 1.0


def text_change(before: str, after: str, view: View, hole: Hole | None = None) -> TextChange | None:
    """How a text changed; None where nothing but what varies by itself did."""
    old, new = view.masked(before, after)
    if old == new or " ".join(old.split()) == " ".join(new.split()):
        return None
    if hole is not None:
        return _within_hole(hole, old, new)
    mangled = _mangled(old, new)
    if not new.strip() or _truncated(old, new):
        return TextChange(truncated=True, lost=_lost_words(old, new), similarity=_ratio(old, new))
    if mangled:
        return TextChange(mangled=True, lost=(), similarity=_ratio(old, new))
    return _by_lines(old, new)


def steady_words(texts: Iterable[str], before: str, after: str) -> tuple[str, ...]:
    """The solid words of some texts but those that one of them lost from one look to the next."""
    said = {word for text in texts for word in solid_words(text)}
    old, new = lines_of(before), lines_of(after)
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    for part in _lost_in_lines(old, new, gone, come):
        said -= {part, *solid_words(part)}
    return tuple(sorted(said))


def lines_of(text: str) -> list[str]:
    """The lines that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def solid_words(text: str) -> Iterator[str]:
    """Numbers, identifiers, paths and quoted values of a text."""
    for found in _TOKEN.finditer(text):
        word = found[0].strip(".,:;-")
        if not word or word in _VARIES:
            continue
        if word[0] in "\"'`" and word[-1] == word[0] and len(word) > _FEWEST:
            yield f'"{word[1:-1]}"'  # which quotes stand around it is a matter of style
        elif _SOLID.search(word):
            yield word


def _within_hole(hole: Hole, old: str, new: str) -> TextChange | None:
    """In a text that varies, the solid words that never varied must remain, and all its lines."""
    present, steady = set(solid_words(new)), set(hole.steady)
    lost = [word for word in solid_words(old) if word in steady and word not in present]
    lost = [word for word in lost if not stands(word.strip('"'), new)]
    before, after = lines_of(old), lines_of(new)
    if len(after) < min((size for size in hole.examples if isinstance(size, int)), default=0):
        left = Counter(map(_mould, after))
        left.subtract(map(_mould, before))
        lost += [line[:_LONG] for line in before if left[_mould(line)] < 0] or before[-1:]
    return TextChange(lost=tuple(dict.fromkeys(lost))) if lost else None


def _mould(line: str) -> str:
    """A line but for its numbers."""
    return re.sub(r"\d+", "0", line)


def _mangled(old: str, new: str) -> bool:
    return (
        _mangles(new) > _mangles(old) or _lost_marks(old, new) or (_is_prose(old) and _is_code(new))
    )


def _lost_marks(old: str, new: str) -> bool:
    """Whether letters that are no ASCII became question marks."""
    return not old.isascii() and "?" in new and new == old.encode("ascii", "replace").decode()


def _is_prose(text: str) -> bool:
    return len(text.split()) > _FEWEST and folded(text) is None


def _is_code(text: str) -> bool:
    """Whether a text is one long word, as base64 is, an id, or JSON."""
    word = text.strip()
    if folded(word) is not None or word in _VARIES:
        return True
    return word[:1] == word[-1:] == '"' or (len(word) > _WORD and not re.search(r"\s", word))


def _mangles(text: str) -> int:
    return len(_MANGLED.findall(text)) + sum(map(_was_utf8, _FOREIGN.findall(text)))


def _was_utf8(part: str) -> bool:
    for encoding in ("latin-1", "cp1252"):
        try:
            part.encode(encoding).decode()
        except UnicodeError:
            continue
        return True
    return False


def _truncated(old: str, new: str) -> bool:
    """Whether the new text is the head of the old one, cut."""
    cut = _CUT.sub("", new).rstrip()
    if not cut or len(cut) >= len(old.rstrip()):
        return False
    if not old.startswith(cut):
        return False
    rest = old[len(cut) :]
    if _CUT.search(new) and not _CUT.search(old):
        return True
    if rest.startswith(("\n", "\r")):
        # One line less is a line lost; the whole tail missing is a cut.
        return rest.strip().count("\n") > 0 and len(rest.strip()) >= _CUT_TAIL * len(old)
    return not (_SENTENCE_END.search(cut) and rest[:1].isspace())


def _by_lines(old: str, new: str) -> TextChange | None:
    before, after = lines_of(old), lines_of(new)
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    if not gone and not come:
        return TextChange(reordered=True) if before != after else None
    if _in_order(before, after) if not gone else _counts_up(gone, come, len(after) - len(before)):
        return TextChange(gained=True)
    lost = list(_lost_in_lines(before, after, gone, come)) or _replaced(old, new)
    return TextChange(
        lost=tuple(dict.fromkeys(lost)),
        reworded=not lost,
        similarity=_ratio(old, new),
    )


def _replaced(old: str, new: str) -> list[str]:
    """The beginning of a text that gave way to quite another one; a short remark is reworded."""
    if len(old.split()) < _REMARK and "\n" not in old.strip():
        return []
    strange = likeness(old[:_TURNED], new[:_TURNED]).similarity < _STRANGE
    return [lines_of(old)[0][:_LONG]] if strange else []


def _in_order(before: list[str], after: list[str]) -> bool:
    rest = iter(after)
    return all(line in rest for line in before)


def _counts_up(gone: Counter[str], come: Counter[str], more: int) -> bool:
    """Whether the one line that changed counts the lines that came: `Found 3`, `Found 4`."""
    if more <= 0 or gone.total() != 1:
        return False
    (line,) = gone
    return any(
        come[f"{line[: found.start()]}{int(found[0]) + more}{line[found.end() :]}"]
        for found in _COUNT.finditer(line)
    )


def _lost_in_lines(
    before: list[str], after: list[str], gone: Counter[str], come: Counter[str]
) -> Iterator[str]:
    """Solid words that went, line by line: a moved line loses nothing."""
    old = [line for line in before if gone[line] > 0]
    new = [line for line in after if come[line] > 0]
    everywhere = "\n".join(new)
    listed = not come and any(_ITEM.fullmatch(line) for line in after)
    for line, other in _partners(old[:_MOST_LINES], new[:_MOST_LINES]):
        if other is None:
            if listed and _ITEM.fullmatch(line):
                yield line[:_LONG]  # an item of a list; a line of prose that is gone says less
            yield from _lost_words(line, everywhere)
        else:
            yield from _lost_words(line, other)
            yield from _turned(line, other)
    yield from _lost_words("\n".join(old[_MOST_LINES:]), everywhere)


def _turned(line: str, other: str) -> Iterator[str]:
    """The words of a line that says the opposite now."""
    if max(len(line), len(other)) <= _TURNED and likeness(line, other).turned:
        still = set(other.casefold().split())
        gone = [word for word in line.split() if word.casefold() not in still]
        yield from gone or [line[:_LONG]]


def _partners(old: list[str], new: list[str]) -> Iterator[tuple[str, str | None]]:
    """Each old line with the new line it became; None where it became none."""
    free = dict(enumerate(new))
    for place, line in enumerate(old):
        best = process.extractOne(line, free, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        if best is None:
            yield line, None
            continue
        there = place if _as_good(line, free.get(place), best[1]) else best[2]
        yield line, free.pop(there)


def _as_good(line: str, other: str | None, best: float) -> bool:
    """Whether the line at the same place is about as like: then nothing was moved."""
    return other is not None and fuzz.ratio(line, other) >= best - _PLACE


def _lost_words(old: str, new: str) -> tuple[str, ...]:
    present = set(solid_words(new))
    lost = [word for word in dict.fromkeys(solid_words(old)) if word not in present]
    hashes = new.count("<hash>") - old.count("<hash>")
    return tuple(
        word
        for word in lost
        if not (word[0] == '"' and stands(word[1:-1], new))
        and not (hashes > 0 and _DIGITS_OF_HASH.fullmatch(word))
    )


def _ratio(old: str, new: str) -> float:
    if max(len(old), len(new)) > _LONG * 500:
        return fuzz.QRatio(old[: _LONG * 500], new[: _LONG * 500]) / 100
    return fuzz.ratio(old, new) / 100
