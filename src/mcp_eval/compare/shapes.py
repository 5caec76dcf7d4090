"""The shape of a leaf, and which shapes vary by themselves."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache
from itertools import pairwise

from mcp_eval.compare.paths import leaf
from mcp_eval.compare.words import DURATIONS, HASHES, TIMES, TRACES, named, words_of
from mcp_eval.model.base import Json

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"(?:sha\d+[:-]|0x)?([0-9a-f]{7,128})", re.IGNORECASE)
_PREFIXED = re.compile(r"[A-Za-z]{1,16}[_-]([0-9a-f]{8,128})")  # srv-97b957938149
_OPAQUE = re.compile(r"(?:[a-z]{1,8}[_-])?[A-Za-z0-9_-]{16,}={0,2}")
_NAMED = re.compile(r"[A-Za-z]?[a-z]*\d{0,4}|\d+[a-z]?\d?")  # a part of a name: word2, 2024q1
_JWT = re.compile(r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")  # a signed token
_ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?"
)
_DATE = re.compile(r"\d{4}[-/]\d\d[-/]\d\d")
_LONG_DATE = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?[A-Z][a-z]{2} +(?:\d{1,2} )?"
    r"(?:\d{4} )?\d\d:\d\d:\d\d(?: \d{4})?(?: (?:GMT|UTC|[+-]\d{4})\S*)?(?: \([^)]*\))?"
)
_REPR = re.compile(r"datetime\.datetime\((\d{4}(?:, \d{1,6}){2,6})")  # as Python prints one
_DURATION = re.compile(
    r"(?:\d+(?:\.\d+)? ?(?:ns|[uµ]s|ms|msecs?|s|secs?|seconds?|mins?|minutes?|hours?|days?|h|m|d)"
    r"(?:[ ,]+(?=\d)|\b))+"
    r"(?: ago)?"
)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_PATH = re.compile(r"(?:~|\.{1,2})?(?:/[^/\s:*?\"<>|]+)+/?|[A-Za-z]:\\\S+")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?%?", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[^\s]+")
_CHARACTER = re.compile(r"[A-Za-z0-9]")
_DAY = timedelta(days=1)
_UUID_LENGTH, _SHORTEST_HASH, _SHORTEST_KEY = 36, 7, 16
_WEEKDAYS = "MTWFS"  # as they begin in English
_COUNTED = (
    ("instant", _INSTANT),
    ("date", _DATE),
    ("duration", _DURATION),
    ("number", _NUMBER),
)


@lru_cache(maxsize=4096)
def text_shape(text: str) -> str:
    """The class a string belongs to by its form."""
    stripped = text.strip()
    if not stripped:
        return "blank"
    if len(stripped) == _UUID_LENGTH and _UUID.fullmatch(stripped):
        return "uuid"
    if shape := _counted(stripped):
        return shape
    if _is_hash(stripped):
        return "hash"
    if "://" in stripped and _URL.fullmatch(stripped):
        return "url"
    if ("/" in stripped or "\\" in stripped) and _PATH.fullmatch(stripped):
        return "path"
    return "identifier" if _IDENTIFIER.fullmatch(stripped) else "words"


def _counted(text: str) -> str:
    """The form of a time, a duration or a number: it begins with a digit, a sign or a weekday."""
    first = text[0]
    if first in _WEEKDAYS:
        return "instant" if _LONG_DATE.fullmatch(text) else ""
    if not first.isdigit():
        return "number" if first in "+-" and _NUMBER.fullmatch(text) else ""
    for shape, pattern in _COUNTED:
        if pattern.fullmatch(text):
            return shape
    return ""


def _is_hash(text: str) -> bool:
    size = len(text)
    if size < _SHORTEST_HASH:
        return False
    if found := _HEX.fullmatch(text) or _PREFIXED.fullmatch(text):
        digits = found[1]
        return any(c.isdigit() for c in digits) and any(c.isalpha() for c in digits)
    if size < _SHORTEST_KEY:
        return False
    if _ULID.fullmatch(text) or _JWT.fullmatch(text):
        return True
    return bool(_OPAQUE.fullmatch(text)) and _looks_random(text)


def _looks_random(text: str) -> bool:
    """Letters and digits mixed without words: minted, not named."""
    if all(_NAMED.fullmatch(part) for part in re.split(r"[-_]", text)):
        return False
    turns = sum(
        1
        for left, right in pairwise(text)
        if left.isdigit() != right.isdigit() or (left.islower() and right.isupper())
    )
    return turns >= max(5, len(text) // 4)


def same_mould(text: str, other: str) -> bool:
    """Whether two texts differ in nothing but which letters and digits stand in their places."""
    return _CHARACTER.sub("x", text) == _CHARACTER.sub("x", other)


def written(value: Json) -> str:
    """How a time is written: a number, ISO's way, a day alone, or as people write it."""
    if isinstance(value, str):
        return "people" if _LONG_DATE.fullmatch(value.strip()) else text_shape(value)
    return shape(value)


def shape(value: Json) -> str:
    """The shape of any leaf."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return text_shape(value)
    return "list" if isinstance(value, list) else "object"


def json_type(value: Json) -> str:
    """The JSON type; an integer and a float are both numbers."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    if value is None:
        return "null"
    return "array" if isinstance(value, list) else "object"


@lru_cache(maxsize=4096)
def instant(text: str) -> datetime | None:
    """The moment a text names, where it names one."""
    try:
        if _INSTANT.fullmatch(text.strip()):
            return _aware(datetime.fromisoformat(_tidy(text)))
        if _DATE.fullmatch(text.strip()):
            return _aware(datetime.fromisoformat(text.strip().replace("/", "-")))
        if _LONG_DATE.fullmatch(text.strip()):
            return _long_date(text.strip())
        if found := _REPR.fullmatch(text):
            return datetime(*map(int, found[1].split(", ")), tzinfo=UTC)  # type: ignore[misc,arg-type]
    except (ValueError, OverflowError):
        return None
    return None


def _tidy(text: str) -> str:
    return text.strip().replace(" UTC", "+00:00").replace(",", ".").replace(" +", "+")


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _long_date(text: str) -> datetime | None:
    plain = re.sub(r" \([^)]*\)$", "", text).replace("GMT+", "+").replace("GMT-", "-")
    plain = re.sub(" +", " ", plain)
    for form in ("%a %b %d %H:%M:%S %Y %z", "%a %b %d %H:%M:%S %Y", "%a %b %d %Y %H:%M:%S %z"):
        try:
            return _aware(datetime.strptime(plain, form))  # noqa: DTZ007 -- _aware adds it
        except ValueError:
            continue
    return _aware(parsedate_to_datetime(plain))


# A time of day with its seconds and without its date; zones differ by half hours and quarters.
_CLOCK = re.compile(
    r"(?<![\d:.T])(?<!\d )(?:[01]?\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d+)?"
    r"(?:\s?[AaPp]\.?[Mm]\b\.?)?(?![\d:])"
)
_QUARTER, _MINUTES = 15 * 60, 3 * 60
_EPOCH = re.compile(r"\d{9,19}(?:\.\d+)?")
_EPOCHS = ((1e8, 1e10, 1.0), (1e11, 1e13, 1e-3), (1e14, 1e16, 1e-6), (1e17, 1e19, 1e-9))


def _on_the_clock(found: re.Match[str], moment: str) -> bool:
    """Whether a time of day is that of the moment, give or take minutes and zones."""
    there = instant(moment) if moment else None
    if there is None:
        return False
    apart = int(found[1]) * 60 + int(found[2]) - (there.minute * 60 + there.second)
    return min(apart % _QUARTER, -apart % _QUARTER) <= _MINUTES


def near(value: Json, moment: str) -> bool:
    """Whether a value is a time within a day of the moment it was recorded."""
    there = instant(moment) if moment else None
    if there is None:
        return False
    if isinstance(value, str):
        if clock := _CLOCK.fullmatch(value.strip()):
            return _on_the_clock(clock, moment)
        here = instant(value)
        if here is not None:
            return abs(here - there) <= _DAY
        value = float(value) if _EPOCH.fullmatch(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    for low, high, scale in _EPOCHS:
        if low <= abs(value) < high:
            return abs(value * scale - there.timestamp()) <= _DAY.total_seconds()
    return False


def volatile(value: Json, path: str, moment: str) -> str:
    """Why a leaf varies by itself, by form or name: the kind of hole; "" where it does not."""
    form = shape(value)
    if form in {"uuid", "hash", "duration"}:
        return form
    if form in {"number", "identifier"} and _is_digits_of_hash(value, path):
        return "hash"
    if near(value, moment):
        return "time"
    if form == "number" and named(path, DURATIONS):
        return "duration"
    if form in {"number", "identifier"} and _is_trace(path):
        return "key"
    return ""


def _is_digits_of_hash(value: Json, path: str) -> bool:
    """Whether a name says that digits alone are a hash all the same, as one in thirty is."""
    return isinstance(value, str) and named(path, HASHES) and bool(_HEX.fullmatch(value))


def _is_trace(path: str) -> bool:
    parts = words_of(leaf(path))
    return "_".join(parts) in TRACES or "_".join(parts[-2:]) in TRACES


def time_named(path: str) -> bool:
    """Whether a name promises a time."""
    return named(path, TIMES)


_TOKENS = (
    ("<uuid>", re.compile(rf"\b{_UUID.pattern}\b", re.IGNORECASE)),
    ("<duration>", re.compile(rf"(?<![\w.]){_DURATION.pattern}", re.IGNORECASE)),
)
_MOMENTS = re.compile(
    rf"{_INSTANT.pattern}|{_LONG_DATE.pattern}|\b{_DATE.pattern}\b|\b{_REPR.pattern}"
)
_HASHES = re.compile(r"(?<![\w/.-])(?:sha\d+[:-]|0x)?[0-9A-Za-z_-]{7,128}(?![\w/])")
_EPOCH_TOKEN = re.compile(r"(?<![\w.])\d{9,19}(?:\.\d+)?(?![\w.])")


def masked(text: str, moment: str) -> str:
    """The text with everything in it that varies by form replaced by its kind."""
    for mark, pattern in _TOKENS:
        text = pattern.sub(mark, text)
    text = _MOMENTS.sub(lambda found: "<time>" if near(found[0], moment) else found[0], text)
    text = _CLOCK.sub(lambda found: "<time>" if _on_the_clock(found, moment) else found[0], text)
    text = _EPOCH_TOKEN.sub(
        lambda found: "<time>" if near(float(found[0]), moment) else found[0], text
    )
    return _HASHES.sub(lambda found: "<hash>" if _is_hash(found[0]) else found[0], text)
