"""Which words mean the same, which mean the opposite, and which say little."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from mcp_eval.compare.thesaurus import ANTONYMS, IRREGULAR, PHRASES, SHORT, SYNONYMS


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NUMBERS = {
    form: str(number)
    for number, form in enumerate(
        _words("""
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
""")
    )
} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "dozen": "12",
}

NEGATIONS = frozenset(
    _words("""
not no never without none neither nor non nothing nobody
""")
)
_SILENT = NEGATIONS | {"v"}  # counted, or said for nothing: `v2` is 2
STOPS = frozenset(
    _words("""
a an the of for in on off up down at to by with and or is are was were be been being am do does did
has have had having will would can could should may might shall this that these those it its i we
you he she they my our your his her their me us them there here as if then than so just also very
really please what which who whom whose how when where why from into onto but via between through
during within across still yet out
""")
)
# Words that seldom carry the point of a request.
LIGHT = frozenset(
    _words("""
find search fetch get list show retrieve lookup view new current some any all item thing stuff
relate information detail give make use want need example about regard per each every please
ticket feature fix chore method way tool result set go take quick simple good related like exist
""")
)
# These may stand behind the object of their verb: turn the lights off.
PARTICLES = frozenset(
    _words("""
off up out down away back
""")
)
# Alone on one side, they undo what the rest says.
REVERSING = frozenset(
    _words("""
stop drop remove disable revert undo avoid prevent cease unlike
""")
)
# What stands on which side of these changes who does what.
ROLES = {"into": "to", "onto": "to", "toward": "to", "of_": "of"} | {
    role: role for role in ("from", "to", "of", "by", "on", "than")
}
# What a word may end in and stay the same word.
_ENDINGS = _words("""
s es e ed d ing er ers or ors ion ions ation ations tion sion ssion ment ments ly al ally able ible
ity ness y ive ure ance ence ant ent ful ish ist ize ise ized izing ization ic ical age ate ated
ating ual te ting ian ean an n ication l t ption b sis ze
""")
ENDINGS = frozenset(  # as a stem shows them: a last e gone, a last y an i
    ["", *(shown for e in _ENDINGS for shown in (e, e.removesuffix("e"), re.sub("y$", "i", e)))]
)
# Between these, either may come first.
COORDINATING = frozenset(
    _words("""
and or versu vs between with
""")
)
# Prefixes that turn a word into its opposite, with the fewest letters after them.
TURNED = (("un", 3), ("non", 4), ("dis", 5), ("in", 5), ("im", 5), ("mis", 5), ("ir", 5), ("il", 5))
# Beginnings and endings that say the opposite of each other, as in upload and download.
OPPOSED = [
    pair.split("/")
    for pair in _words(
        "up/down in/out in/ex im/ex en/de in/de as/de over/under pre/post on/off pro/anti"
        " macro/micro multi/single fore/back inter/intra"
    )
]
_FEWEST = 3

STOP, _LIGHT, _KNOWN, _RARE, _NUMBER = 0.05, 0.4, 0.9, 1.1, 1.5  # what a word weighs
_BASE = re.compile(r"(?=.*[aeiouy]).{2,}[^e]")  # what may stand before -ing and -ed


_ODD = re.compile(r"['’/$€£%&]|\d ?min\b|cannot", re.IGNORECASE)
_PLAIN = (
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bw/o\b"), "without"),
    (re.compile(r"\bw/"), "with "),
    (re.compile(r"(?<=\w)['’]s\b"), " of_ "),
    (re.compile(r"(?<=[\d/])\s?min\b"), " minutes"),
    (re.compile(r"\$\s?(\d[\d.,]*)"), r"\1 dollars"),
    (re.compile(r"€\s?(\d[\d.,]*)"), r"\1 euros"),
    (re.compile(r"£\s?(\d[\d.,]*)"), r"\1 pounds"),
    (re.compile(r"(?<=\d)\s?%"), " percent"),
    (re.compile(r"&"), " and "),
)


def plain(text: str) -> str:
    """A text without accents, its contractions and signs spelt out."""
    if not text.isascii():
        split = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in split if not unicodedata.combining(c))
    # Most texts are words and spaces: to see that is cheaper than to look for each sign.
    bare = text.replace(" ", "").isalnum() and "min" not in text and "annot" not in text.lower()
    if not bare and _ODD.search(text):
        for pattern, replacement in _PLAIN:
            text = pattern.sub(replacement, text)
    return text


# What a word calls for when a text is read.
OPENS, GOVERNS, SILENT = 1, 2, 4


class Word(NamedTuple):
    """One word as it is matched."""

    stem: str
    form: str
    weight: float
    marks: int = 0
    starts: frozenset[str] = frozenset()  # how anything begins that is written for its stem


@lru_cache(maxsize=16384)
def word(said: str) -> Word:
    """One word, with its stem, what it weighs, and what it calls for."""
    form = said.lower()
    root, weight = _weighed(form)
    marks = (OPENS if root in phrases() else 0) | (GOVERNS if form in ROLES else 0)
    starts = frozenset((root[0], *_beginnings().get(root, ())))
    return Word(root, form, weight, marks | (SILENT if form in _SILENT else 0), starts)


def _weighed(form: str) -> tuple[str, float]:
    root = stem(form)
    if root[0].isdigit():
        return root, _NUMBER
    if form in STOPS or form == "of_":
        return form, STOP
    if form in LIGHT or root in LIGHT:
        return root, _LIGHT
    return root, _KNOWN if root in senses()[0] else _RARE


@lru_cache(maxsize=16384)
def stem(form: str) -> str:
    """A word without its inflection, abbreviations spelt out, number words as digits."""
    if form[0].isdigit():
        return form.replace(",", "")
    if form in NUMBERS:
        return NUMBERS[form]
    short = _table(SHORT)
    plain = _table(IRREGULAR).get(form) or _uninflected(form)
    return _uninflected(short.get(form) or short.get(plain) or plain)


def _uninflected(form: str) -> str:
    if form.endswith(("ies", "ied")) and len(form) > 4:  # noqa: PLR2004 -- ties, died
        return form[:-2]
    if re.fullmatch("[^aeiou]{2}s", form):  # PRs, DBs
        return form[:2]
    if form.endswith("s") and len(form) > 3 and not form.endswith(("ss", "us", "is")):  # noqa: PLR2004
        form = form[:-2] if form.endswith(("sses", "shes", "ches", "xes")) else form[:-1]
    for ending in ("ing", "ed"):
        base = form[: -len(ending)]
        if form.endswith(ending) and _BASE.fullmatch(base):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"  # noqa: PLR2004
            form = base[:-1] if doubled else base
            break
    if form.endswith("y") and len(form) > 2 and form[-2] not in "aeiou":  # noqa: PLR2004
        return form[:-1] + "i"
    return form[:-1] if form.endswith("e") and len(form) > 3 else form  # noqa: PLR2004


@lru_cache(maxsize=1)
def phrases() -> dict[str, dict[str, str]]:
    """What several words mean as one: by the stem of the first, by the second."""
    found: dict[str, dict[str, str]] = {}
    for entry in PHRASES.split("|"):
        words, _, meaning = entry.strip().partition("=")
        first, second, *_ = words.split()
        found.setdefault(_weighed(first)[0], {})[second] = meaning
    return found


@lru_cache(maxsize=4)
def _table(entries: str) -> dict[str, str]:
    pairs = (entry.split() for entry in entries.split("|"))
    return {pair[0]: pair[1] for pair in pairs}


@lru_cache(maxsize=1)
def _beginnings() -> dict[str, set[str]]:
    """The first letters of what a table spells out, by the stem that it comes to."""
    found: dict[str, set[str]] = {}
    short, irregular = _table(SHORT), _table(IRREGULAR)
    for form in (*short, *irregular, *NUMBERS):
        for root in (stem(form), _uninflected(short.get(form, form))):
            found.setdefault(root, set()).add(form[0])
    return found


@lru_cache(maxsize=1)
def senses() -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """For each stem the meanings it may have, and those it is the opposite of."""
    meanings: dict[str, set[int]] = {}
    against: dict[str, set[int]] = {}
    number = 0
    for group in SYNONYMS.split("|"):
        number += 1
        for form in group.split():
            meanings.setdefault(stem(form), set()).add(number)
    for pair in ANTONYMS.split("|"):
        number += 2
        for side, words in enumerate(pair.split(">")):
            for form in words.split():
                meanings.setdefault(stem(form), set()).add(number + side)
                against.setdefault(stem(form), set()).add(number + 1 - side)
    return meanings, against


@lru_cache(maxsize=1)
def reversing() -> frozenset[str]:
    """The stems of the words that undo what the rest says."""
    return frozenset(stem(form) for form in REVERSING)


class Meanings(NamedTuple):
    """What a stem may mean, and what it is the opposite of."""

    senses: frozenset[int]
    against: frozenset[int]


@lru_cache(maxsize=16384)
def meanings(root: str) -> Meanings:
    """What is known of a stem, also without the ending of a comparison or an adverb."""
    known, against = senses()
    found = {root}
    for ending in ("est", "er", "li"):
        if root.endswith(ending) and len(root) > len(ending) + _FEWEST - 1:
            base = root.removesuffix(ending)
            found |= {base, base[:-1] if base[-1] == base[-2] else base}
    if root.endswith("er"):  # a poster is no post: what has an opposite can be compared
        found = {root} | {base for base in found if base in against and len(base) >= _FEWEST}
    return Meanings(
        frozenset(sense for base in found for sense in known.get(base, ())),
        frozenset(sense for base in found for sense in against.get(base, ())),
    )


def opposite(one: str, other: str) -> bool:
    """Whether two stems differ in nothing but a beginning or ending that turns their meaning."""
    short, long = sorted((one, other), key=len)
    if any(long == turn + short for turn, fewest in TURNED if len(short) >= fewest):
        return True
    for first, second in OPPOSED:
        for a, b in ((one, other), (other, one)):
            rest = a.removeprefix(first)
            if rest != a and len(rest) >= _FEWEST and b == second + rest:
                return True
    full = {form.removesuffix("ful") for form in (one, other) if form.endswith("ful")}
    return not full.isdisjoint(f.removesuffix("less") for f in (one, other) if f.endswith("less"))
