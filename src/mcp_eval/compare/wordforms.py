"""How far one word may stand for another: by meaning, by its root, as a short form or a slip."""

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from mcp_eval.compare import lexicon

_WORD = 5  # letters from which on a word may be recognised by its form
_SHORT, _LONG = 4, 8  # letters from which on there may be a slip in a known word, or two


@lru_cache(maxsize=65536)
def word_similarity(a: str, b: str) -> float:
    """How far one word may stand for another; negative where it says the opposite."""
    return _similarity(a, b) if a < b else _similarity(b, a)


def _similarity(a: str, b: str) -> float:
    one, other = lexicon.stem(a), lexicon.stem(b)
    if one == other:
        return 1.0
    known_a, known_b = lexicon.meanings(one), lexicon.meanings(other)
    if known_a.senses & known_b.senses:
        return 0.9
    if known_a.against & known_b.senses or lexicon.opposite(one, other):
        return -0.9
    if not (one.isalpha() and other.isalpha()):
        return 0.0
    short, long = sorted((one, other), key=len)
    if _same_root(short, long):
        return 0.95
    if short in lexicon.STOPS or (known_a.senses and known_b.senses):
        return 0.0  # two words everybody knows: no short form, no slip of a finger
    short, long = sorted((a, b), key=len)
    known = bool(lexicon.meanings(lexicon.stem(short)).senses)
    if not known and (_consonants(long) == short or _shortens(short, long)):
        return 0.85
    return 0.85 if _slip(short, long, bool(known_a.senses or known_b.senses)) else 0.0


def _same_root(short: str, long: str) -> bool:
    shared = next((i for i, c in enumerate(short) if c != long[i]), len(short))
    return shared >= _WORD and {short[shared:], long[shared:]} <= lexicon.ENDINGS


def _slip(short: str, long: str, known: bool) -> bool:  # noqa: FBT001 -- private
    """A slip of a finger; another letter in a short unknown word makes another word."""
    least = _SHORT if known else _WORD
    if len(short) < least or short[0] != long[0] or OSA.distance(short, long) > 1:
        return len(short) >= _LONG and OSA.distance(short, long, score_cutoff=2) <= 2  # noqa: PLR2004
    return known or len(short) != len(long) or sorted(short) == sorted(long)


def _shortens(short: str, long: str) -> bool:
    if len(short) < 3 or len(long) < len(short) + 3:  # noqa: PLR2004
        return False
    letters = iter(long)
    skeleton = not set(short) & set("aeiou") and all(c in letters for c in short)
    return long.startswith(short) or (skeleton and short[0] == long[0])


def _consonants(form: str) -> str:
    """What is left of a word in a hurry: `mgmt` is not, `sz`, `msg` and `btn` are."""
    return re.sub(r"(.)\1", r"\1", form[0] + re.sub("[aeiou]", "", form[1:]))
