"""A text read word by word: what it says, what it denies, and who stands in which role."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mcp_eval.compare import lexicon
from mcp_eval.compare.lexicon import Word

_TOKEN = re.compile(
    r"of_|(?>\d+(?:[.,]\d+)*)(?![A-Za-z])|[A-Za-z]+(?=\d+\.\d)|[vV](?=\d)|\d+(?=(?:m?s|[mhdxk]|[ap]m|[kmg]b)\b)"
    r"|[A-Za-z]\d+[a-z]\b|[A-Z]{2,}s?(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*"
    r"|\d+[A-Za-z]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]+|[<>]=?|[≤≥]"
)

_SIGNS = re.compile(r"['/$%&]|min|annot", re.IGNORECASE)  # all that `lexicon.plain` may spell out


class Text(NamedTuple):
    """A text as it is matched."""

    words: tuple[Word, ...]
    stems: tuple[str, ...]
    negations: int
    roles: tuple[tuple[str, str], ...]  # a preposition and the stem it governs
    weight: float


@lru_cache(maxsize=8192)
def read(text: str) -> Text:
    """The words of a text, weighed, with what is negated and who stands in which role."""
    words = _spoken(text)
    marks = 0
    for one in words:
        marks |= one.marks
    if marks & lexicon.OPENS:
        words = _phrased(words)
        marks |= lexicon.GOVERNS | lexicon.SILENT
    roles = _roles(words) if marks & lexicon.GOVERNS else ()
    negations = 0
    if marks & lexicon.SILENT:
        negations = sum([one.form in lexicon.NEGATIONS for one in words])
        words = [one for one in words if not one.marks & lexicon.SILENT]
    weight = sum([one.weight for one in words])
    return Text(tuple(words), tuple([one.stem for one in words]), negations, roles, weight)


def _spoken(text: str) -> list[Word]:
    """The words of a text; no word crosses white space, so what stands between it is read once."""
    words: list[Word] = []
    for part in text.split():
        found = _part(part)
        if found is None:  # a sign that is spelt out, maybe with what stands beside it
            return [lexicon.word(form) for form in _TOKEN.findall(lexicon.plain(text))]
        words += found
    return words


@lru_cache(maxsize=16384)
def _part(text: str) -> tuple[Word, ...] | None:
    """The words of a text without white space; None where a sign in it must be spelt out."""
    if not text.isascii() or _SIGNS.search(text):
        return None
    return tuple([lexicon.word(form) for form in _TOKEN.findall(text)])


def _phrased(words: list[Word]) -> list[Word]:
    """Several words that are one, made one: `look up` is `lookup`, also around its object."""
    openers = lexicon.phrases()
    for at in [at for at, one in enumerate(words) if one.stem in openers][::-1]:
        meant = openers[words[at].stem]
        for there in range(at + 1, min(at + 5, len(words))):
            second = words[there].form
            if second in meant and (there == at + 1 or second in lexicon.PARTICLES):
                words[there : there + 1] = []
                words[at : at + 1] = map(lexicon.word, meant[second].split())
                break
    return words


def _roles(words: Sequence[Word]) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for at in [at for at, one in enumerate(words) if one.form in lexicon.ROLES]:
        role = lexicon.ROLES[words[at].form]
        if words[at].form == "of_":
            found += [(role, words[at - 1].stem)] if at else []
            continue
        after = [other.stem for other in words[at + 1 :] if other.weight > lexicon.STOP][:1]
        found += [(role, name) for name in after]
    return tuple(found)
