"""Values a schema lets through, and values near its bounds."""

import re
from collections.abc import Iterator
from itertools import chain, islice

from mcp_eval.compare.schemas import Shape, read_shape
from mcp_eval.compare.tidy import Schema
from mcp_eval.model.base import Json, JsonObject

_DEEPEST = 8
_MOST = 24
LONGEST = 1000  # of a list or a text that is tried
_FEWEST = 4
_OUTSIDE = 6
_TEXTS = (
    "text", "a", "", "A", "0", "1", "abc", "ABC", "123", "2024-01-01", "2024-01-01T00:00:00Z",
    "https://example.com", "https://example.com/a", "user@example.com", "/a/file.txt", "a-b",
    "a_b", "a/b", "a.b", "1.0.0", "en", "en-US", "12:00", "#aabbcc", "true", "*",
    "00000000-0000-4000-8000-000000000000", "0x1f", "127.0.0.1", "2024-01", "A1", "1d", "10m",
)  # fmt: skip
_FORMATS = {
    "uri": "https://example.com", "url": "https://example.com", "email": "user@example.com",
    "date": "2024-01-01", "date-time": "2024-01-01T00:00:00Z", "time": "12:00:00Z",
    "uuid": "00000000-0000-4000-8000-000000000000", "ipv4": "127.0.0.1", "ipv6": "::1",
    "hostname": "example.com", "duration": "P1D", "regex": ".*", "uri-reference": "/a",
}  # fmt: skip


def samples(schema: Schema, root: JsonObject, depth: int = 0) -> Iterator[Json]:
    """A few values worth trying, the likeliest to be valid first; the caller checks them."""
    yield from of_shape(read_shape(schema, root), root, depth)


def first(schema: Schema, root: JsonObject, depth: int = 0) -> Json:
    """The likeliest value."""
    return next(samples(schema, root, depth), None)


def of_shape(whole: Shape, root: JsonObject, depth: int = 0) -> Iterator[Json]:
    """The same for a shape."""
    for shape in whole.alternatives():
        yield from islice(_of_alternative(shape, root, depth), _MOST)


def _of_alternative(shape: Shape, root: JsonObject, depth: int) -> Iterator[Json]:
    if shape.values is not None:
        tried: Iterator[Json] = iter(shape.values)
    else:
        order = sorted(shape.types or {"string", "object"}, key=_PREFERRED.index)
        stated = () if shape.default is None else (shape.default,)
        share = max(_MOST // len(order), _FEWEST)  # of each type some
        tried = chain(
            stated, *(islice(_of_type(name, shape, root, depth), share) for name in order)
        )
    yield from (value for value in tried if _within(value, shape))


def _within(value: Json, shape: Shape) -> bool:
    """Whether a plain value keeps the bounds; what holds others is for the caller to check."""
    bounds = shape.bounds
    if isinstance(value, str):
        fits = bounds.get("minLength", 0) <= len(value) <= bounds.get("maxLength", len(value))
        return fits and ("pattern" not in bounds or bool(re.search(bounds["pattern"], value)))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    return (
        bounds.get("minimum", value) <= value <= bounds.get("maximum", value)
        and ("exclusiveMinimum" not in bounds or value > bounds["exclusiveMinimum"])
        and ("exclusiveMaximum" not in bounds or value < bounds["exclusiveMaximum"])
        and bool(value % bounds.get("multipleOf", value or 1) == 0)
    )


_PREFERRED = ["string", "integer", "number", "boolean", "object", "array", "null"]


def _of_type(name: str, shape: Shape, root: JsonObject, depth: int) -> Iterator[Json]:
    if name == "string":
        yield from _texts(shape)
    elif name in {"integer", "number"}:
        yield from _numbers(shape, whole=name == "integer")
    elif name == "boolean":
        yield from (True, False)
    elif name == "null":
        yield None
    elif name == "array":
        yield from _lists(shape, root, depth)
    else:
        yield sample_object(shape, root, depth)


def sample_object(shape: Shape, root: JsonObject, depth: int = 0) -> JsonObject:
    """An object with its required members only."""
    if depth > _DEEPEST:
        return {}
    wanted = [name for name in shape.properties if name in shape.required]
    wanted += sorted(shape.required - shape.properties.keys())
    found = {
        name: first(shape.properties.get(name, shape.extra), root, depth + 1) for name in wanted
    }
    lacking = int(shape.bounds.get("minProperties", 0)) - len(found)
    optional = sorted(name for name in shape.properties if name not in found)
    for name in optional[: max(lacking, 0)]:
        found[name] = first(shape.properties[name], root, depth + 1)
    return found


def _lists(shape: Shape, root: JsonObject, depth: int) -> Iterator[Json]:
    fewest = min(int(shape.bounds.get("minItems", 0)), 50)
    most = min(int(shape.bounds.get("maxItems", fewest + 2)), 200)
    if depth > _DEEPEST or shape.items is False:
        yield []
        return
    items = list(islice(samples(shape.items, root, depth + 1), 4)) or [None]
    for length in dict.fromkeys((max(fewest, min(1, most)), fewest, most)):
        yield [
            items[n % len(items) if shape.bounds.get("uniqueItems") else 0] for n in range(length)
        ]
    if most > 1:
        yield [items[0], items[0]]


def _numbers(shape: Shape, *, whole: bool) -> Iterator[Json]:
    bounds = shape.bounds
    low = bounds.get("minimum", bounds.get("exclusiveMinimum"))
    high = bounds.get("maximum", bounds.get("exclusiveMaximum"))
    step = bounds.get("multipleOf", 1)
    tried: list[float] = [1, 0, 10, 100]
    if low is not None:
        tried = [low, -(-low // step) * step, low + step, low + 0.5, *tried]
    if high is not None:
        tried = [*tried[:1], high, high - step, high - 0.5, *tried[1:]]
    tried += [step, 2 * step, -1, 1000, 1_000_000, 1.5, 7]
    for number in dict.fromkeys(tried):
        if not whole or isinstance(number, int) or number.is_integer():
            yield int(number) if whole else number


def _texts(shape: Shape) -> Iterator[str]:
    bounds = shape.bounds
    fewest = min(int(bounds.get("minLength", 0)), 10 * LONGEST)
    pattern = bounds.get("pattern")
    if pattern is not None:
        made = from_pattern(pattern)
        yield from () if made is None else (made, made * 2, made + "x" * fewest)
    named = _FORMATS.get(str(bounds.get("format")))
    if named is not None:
        yield named
    if pattern is None:  # a long run of one letter is what some patterns take for ever over
        most = min(int(bounds.get("maxLength", fewest + 64)), 10 * LONGEST)
        yield "text"[:most].ljust(fewest, "x")
        yield "x" * fewest
        yield "x" * most
    yield from _TEXTS


def near(demand: JsonObject) -> Iterator[Json]:
    """Values just outside what a demand asks."""
    for part in demand.get("allOf", ()):
        yield from islice(near(part), _OUTSIDE)
    for word, by in _JUST_OUTSIDE.items():
        bound = demand.get(word)
        if bound is not None:
            yield bound + by
    for word in ("minLength", "maxLength"):
        if word in demand:
            length = int(demand[word]) + (1 if word == "maxLength" else -1)
            yield "x" * min(max(length, 0), 100 * LONGEST)
    if "multipleOf" in demand:
        yield from (demand["multipleOf"] * 1.5, demand["multipleOf"] + 1)
    if "pattern" in demand:
        yield from (
            text for text in (*_TEXTS, "no match ☂") if not re.search(demand["pattern"], text)
        )
    yield from (
        "text",
        1,
        1.5,
        True,
        None,
        [],
        {},
        "something else",
        ["text"],
        [1],
        {"key": "text"},
    )


def sized(value: Json, demand: JsonObject) -> Iterator[Json]:
    """A list or an object made longer or shorter than a demand allows."""
    if isinstance(value, list) and value and "maxItems" in demand:
        longer = min(int(demand["maxItems"]) + 1, LONGEST)
        yield (value * longer)[:longer]
    if isinstance(value, list) and demand.get("minItems"):
        yield value[: int(demand["minItems"]) - 1]
    if isinstance(value, dict) and "maxProperties" in demand:
        missing = min(int(demand["maxProperties"]) + 1 - len(value), LONGEST)
        yield {**{f"unnamed{n}": "text" for n in range(missing)}, **value}


_JUST_OUTSIDE = {"minimum": -1, "maximum": 1, "exclusiveMinimum": 0, "exclusiveMaximum": 0}

_ATOM = re.compile(
    r"(?P<group>\((?:\?:|\?P<\w+>)?)|(?P<look>\(\?[=!<])|(?P<set>\[\^?\]?(?:[^\]\\]|\\.)*\])"
    r"|(?P<escape>\\.)|(?P<anchor>[\^$])|(?P<any>\.)|(?P<plain>[^()|\\\[\]*+?])",
    re.DOTALL,
)
_TIMES = re.compile(r"(?:([*?])|(\+)|\{(\d+)(?:,\d*)?\})\??")
_CLASSES = {"d": "0", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a", "b": "", "B": ""}
_TRIED = "a0A-_./:@ bZ9z1"


def from_pattern(pattern: str) -> str | None:
    """A text that a simple pattern matches; None where it is not that simple."""
    text, end = _sequence(pattern, 0)
    return text if text is not None and end == len(pattern) and re.search(pattern, text) else None


def _sequence(pattern: str, at: int) -> tuple[str | None, int]:
    """The first alternative's text from here to the closing bracket or the end."""
    made = ""
    while at < len(pattern) and pattern[at] not in ")|":
        piece, at = _piece(pattern, at)
        if piece is None:
            return None, at
        times = _TIMES.match(pattern, at)
        if times:
            at = times.end()
            piece *= 0 if times[1] else 1 if times[2] else min(int(times[3]), LONGEST)
        made += piece
        if len(made) > 10 * LONGEST:
            return None, at
    return made, _past_alternatives(pattern, at)


def _past_alternatives(pattern: str, at: int) -> int:
    depth, inside = 0, False
    while at < len(pattern) and (inside or depth or pattern[at] != ")"):
        letter = pattern[at]
        if letter == "\\":
            at += 1
        elif inside or letter == "[":
            inside = letter != "]"
        else:
            depth += (letter == "(") - (letter == ")")
        at += 1
    return at


def _piece(pattern: str, at: int) -> tuple[str | None, int]:
    atom = _ATOM.match(pattern, at)
    if atom is None or (atom["group"] == "(" and pattern.startswith("(?", at)):
        return None, at
    if atom["group"]:
        inner, end = _sequence(pattern, atom.end())
        return inner, end + 1
    if atom["set"]:
        fits = (letter for letter in _TRIED if re.fullmatch(atom["set"], letter))
        return next(fits, _literal(atom["set"])), atom.end()
    if atom["escape"]:
        letter = atom["escape"][1]
        return _CLASSES.get(letter, None if letter.isalnum() else letter), atom.end()
    return ("" if atom["anchor"] else "a" if atom["any"] else atom["plain"]), atom.end()


def _literal(letters: str) -> str | None:
    return next((letter for letter in letters[1:-1] if re.fullmatch(letters, letter)), None)
