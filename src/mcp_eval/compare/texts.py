"""How two texts differ: what of substance went, what was only said otherwise, what was added."""

import re
from collections import Counter
from collections.abc import Iterator

from rapidfuzz import fuzz, process

from mcp_eval.compare.view import View
from mcp_eval.model.base import Noun
from mcp_eval.model.recording import Hole

_MOST_LINES = 1000
_ALIKE = 55.0  # of 100: below it two lines are two lines, not one reworded
_LONG = 40

# A word that carries more than prose: a number, an identifier, a path, something quoted.
_TOKEN = re.compile(
    r"\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'(?!\w)|`[^`\n]{1,200}`"
    r"|[a-z][a-z0-9+.-]*://\S+|[\w.@:/\\~#$%+-]+"
)
_SOLID = re.compile(r"\d|[_/\\@#:~]|[a-z][A-Z]|\w[.-]\w|^[A-Z]{2,}$")
_CUT = re.compile(r"(?:…|\.\.\.|\[?\(?truncated\)?\]?|\[\d+ more\b.*)\W*$", re.IGNORECASE)
_MANGLED = re.compile(
    r"\ufffd|Ã[\x80-\xbf©¨ª§¶¼¤]|â€|\\u[0-9a-fA-F]{4}|&(?:amp|lt|gt|quot|#\d+);|%[0-9A-F]{2}%"
)
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
        return _within_hole(hole, new)
    mangled = _mangled(old, new)
    if truncated := _truncated(old, new):
        return TextChange(truncated=True, lost=_lost_words(old, new), similarity=_ratio(old, new))
    if mangled:
        return TextChange(mangled=True, lost=(), similarity=_ratio(old, new))
    return _by_lines(old, new, truncated=truncated)


def steady_words(texts: list[str]) -> tuple[str, ...]:
    """The solid words that stood in every look at a volatile text."""
    common = set(solid_words(texts[0]))
    for text in texts[1:]:
        common &= set(solid_words(text))
    return tuple(sorted(common - _VARIES))


def solid_words(text: str) -> Iterator[str]:
    """Numbers, identifiers, paths and quoted values of a text."""
    for found in _TOKEN.finditer(text):
        word = found[0].strip(".,:;-")
        if word and word not in _VARIES and (_SOLID.search(word) or word[0] in "\"'`"):
            yield word


def _within_hole(hole: Hole, new: str) -> TextChange | None:
    present = set(solid_words(new))
    lost = tuple(word for word in hole.steady if word not in present and word not in new)
    return TextChange(lost=lost) if lost else None


def _mangled(old: str, new: str) -> bool:
    return len(_MANGLED.findall(new)) > len(_MANGLED.findall(old))


def _truncated(old: str, new: str) -> bool:
    """Whether the new text is the head of the old one, cut."""
    cut = _CUT.sub("", new).rstrip()
    if not cut or len(cut) >= len(old.rstrip()):
        return False
    marked = bool(_CUT.search(new)) and not _CUT.search(old)
    head = old.startswith(cut)
    # One line less is a line lost; a cut falls in the middle of one, or says so.
    mid_line = head and not old[len(cut) :].startswith(("\n", "\r"))
    return head and (marked or mid_line)


def _by_lines(old: str, new: str, *, truncated: bool) -> TextChange | None:
    before = [line.strip() for line in old.splitlines() if line.strip()]
    after = [line.strip() for line in new.splitlines() if line.strip()]
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    if not gone and not come:
        return TextChange(reordered=True) if before != after else None
    if not gone and _in_order(before, after):
        return TextChange(gained=True)
    lost = list(_lost_in_lines(before, after, gone, come))
    return TextChange(
        lost=tuple(dict.fromkeys(lost)),
        reworded=not lost,
        truncated=truncated,
        similarity=_ratio(old, new),
    )


def _in_order(before: list[str], after: list[str]) -> bool:
    rest = iter(after)
    return all(line in rest for line in before)


def _lost_in_lines(
    before: list[str], after: list[str], gone: Counter[str], come: Counter[str]
) -> Iterator[str]:
    """Solid words that went, line by line: a moved line loses nothing."""
    old = [line for line in before if gone[line] > 0][:_MOST_LINES]
    new = [line for line in after if come[line] > 0][:_MOST_LINES]
    everywhere = set(solid_words("\n".join(new)))
    for line, other in _partners(old, new):
        if other is None:
            words = [word for word in solid_words(line) if word not in everywhere]
            # A line of prose that is gone says less; only one with something solid is a loss.
            yield from words
        else:
            yield from _lost_words(line, other)


def _partners(old: list[str], new: list[str]) -> Iterator[tuple[str, str | None]]:
    """Each old line with the new line it became; None where it became none."""
    free = list(new)
    for line in old:
        best = process.extractOne(line, free, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        if best is None:
            yield line, None
        else:
            free.pop(best[2])
            yield line, best[0]


def _lost_words(old: str, new: str) -> tuple[str, ...]:
    present = Counter(solid_words(new))
    lost = Counter(solid_words(old)) - present
    return tuple(word for word in lost if word not in present)


def _ratio(old: str, new: str) -> float:
    if max(len(old), len(new)) > _LONG * 500:
        return fuzz.QRatio(old[: _LONG * 500], new[: _LONG * 500]) / 100
    return fuzz.ratio(old, new) / 100
