"""First requests for a tool nobody was recorded using: from its schema and from earlier results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.effects import annotated_read, writes
from mcp_eval.compare.minted import mints
from mcp_eval.compare.paths import leaf, leaves
from mcp_eval.compare.samples import first, samples
from mcp_eval.compare.tidy import tidy
from mcp_eval.compare.validity import Validity
from mcp_eval.compare.words import READING, UNDOING, words_of
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.surface import Tool
from mcp_eval.model.trajectory import Invocation

MOST = 6  # ways to call one tool
VARIANTS = 3  # of an enum
_LONGEST = 200
_FEW = 4
_TELLING = frozenset({"id", "ids", "revision", "sha", "commit", "target", "ref", "hash", "cursor"})
_PATHS = frozenset({"path", "paths", "file", "files", "dir", "directory", "folder", "root"})
# What a name promises, where its schema gives neither example, default nor choice.
_BY_NAME: dict[str, Json] = {
    "timezone": "UTC",
    "tz": "UTC",
    "url": "https://example.com",
    "city": "Berlin",
    "location": "Berlin",
    "country": "Germany",
    "language": "en",
    "email": "user@example.com",
}
_BY_WORDING = (
    (re.compile(r"HH:MM:SS"), "12:30:00"),
    (re.compile(r"HH:MM"), "12:30"),
    (re.compile(r"YYYY-MM-DD"), "2026-01-15"),
)
_MARKS = re.compile(
    r"\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})\b"
)
_SEARCHED = 20_000
_EXAMPLES = re.compile(r"(?:e\.g\.,?|for example,?|such as|example:)\s*([^)\n]*)", re.IGNORECASE)
_QUOTED = re.compile(r"(['\"`])(.+?)\1")


class Found(Noun):
    """A value an earlier answer holds, and which tool's answer that was."""

    name: str
    value: Json
    tool: str


class Way(Noun):
    """One way to call a tool, and the tools whose answers its values came from."""

    arguments: JsonObject = {}
    after: tuple[str, ...] = ()


def reads(tool: Tool) -> bool:
    """Whether a tool may be tried unasked: it says that it only reads, or its name does."""
    if annotated_read(tool):
        return True
    hints = tool.annotations or {}
    if hints.get("readOnlyHint") is False or hints.get("destructiveHint") is True:
        return False
    named = next((word for word in words_of(tool.name) if word in READING), "")
    return bool(named) and not writes(tool.name, tool, tool.name)


def undoes(tool: Tool) -> bool:
    """Whether it takes away what others made: such a call comes last."""
    return bool(UNDOING.intersection(words_of(tool.name)))


def ways(tool: Tool, found: Sequence[Found] = (), places: Sequence[str] = ()) -> tuple[Way, ...]:
    """Ways to call a tool that its schema accepts, the most telling first."""
    known = tidy(tool.input_schema)
    asked = Validity(known)
    tried = chain(
        (Way(arguments=one) for one in _examples(tool.input_schema) if isinstance(one, dict)),
        _with_options(tool.input_schema, known.schema, found, places),
    )
    fitting = (way for way in tried if asked.accepts(way.arguments) is not False)
    return tuple(islice(_each_once(fitting), MOST))


def variants(tool: Tool, way: Way) -> tuple[Way, ...]:
    """The same call with each choice of its first parameter that has some."""
    known = tidy(tool.input_schema)
    asked = Validity(known)
    for name, schema in _properties(known.schema).items():
        choices = schema.get("enum") if isinstance(schema, dict) else None
        if isinstance(choices, list) and len(choices) > 1:
            others = (
                Way(arguments={**way.arguments, name: choice}, after=way.after)
                for choice in choices[:VARIANTS]
            )
            fitting = [one for one in others if asked.accepts(one.arguments) is not False]
            return tuple(_each_once(iter([way, *fitting])))
    return (way,)


def wrong_way(tool: Tool) -> JsonObject | None:
    """Arguments the schema refuses; None where it accepts everything."""
    known = tidy(tool.input_schema)
    asked = Validity(known)
    for arguments in ({}, *({name: {"no": ["such"]}} for name in _properties(known.schema))):
        if asked.accepts(arguments) is False:
            return arguments
    return None


def hides(made: Invocation) -> bool:
    """Whether an answer is an error by its words and not by its flag."""
    outcome = made.outcome
    failed = classify(outcome) in {"failed", "refused"}
    return outcome.kind == "result" and failed and not answer(outcome).flagged


def finds(made: Sequence[Invocation]) -> tuple[Found, ...]:
    """What answers hold that another tool may want."""
    found: list[Found] = []
    for one in made:
        if classify(one.outcome) != "ok":
            continue
        plain = (
            Found(name=leaf(path), value=value, tool=one.name)
            for path, value in leaves(answer(one.outcome).value)
            if isinstance(value, str | int) and not isinstance(value, bool)
        )
        marks = (value for _, value in mints(one))
        plainly = (found[0] for found in _MARKS.finditer(answer(one.outcome).text[:_SEARCHED]))
        minted = (Found(name="id", value=mark, tool=one.name) for mark in chain(marks, plainly))
        found += [each for each in chain(minted, plain) if len(str(each.value)) <= _LONGEST]
    return tuple(found)


def _with_options(
    said: JsonObject, schema: JsonObject, found: Sequence[Found], places: Sequence[str]
) -> Iterator[Way]:
    """Required members only, then other values of theirs, then the optional ones that are told."""
    plain, words = _properties(schema), _properties(said)
    wanted = [name for name in schema.get("required", ()) if name in plain]
    told = {
        name: list(_options(name, words.get(name), one, schema, places))
        for name, one in plain.items()
    }
    given = {name: _fitting(name, plain[name], found) for name in wanted}
    for number in range(_FEW):
        chosen = {name: given[name][number] for name in wanted if number < len(given[name])}
        if chosen:
            rest = {name: told[name][0] for name in wanted if name not in chosen}
            values = {name: one.value for name, one in chosen.items()}
            after = tuple(dict.fromkeys(one.tool for one in chosen.values()))
            yield Way(arguments={**rest, **values}, after=after)
        yield Way(arguments={name: _nth(told[name], number) for name in wanted})
    stated = {name: told[name][0] for name in plain if _is_stated(words.get(name))}
    yield Way(arguments={**stated, **{name: told[name][0] for name in wanted}})


def _nth(options: Sequence[Json], number: int) -> Json:
    return options[min(number, len(options) - 1)]


def _fitting(name: str, schema: Json, found: Sequence[Found]) -> list[Found]:
    """Values of earlier answers that stood under such a name."""
    last = words_of(name)[-1:] or ("",)
    in_list = isinstance(schema, dict) and schema.get("type") == "array"
    fits: dict[str, Found] = {}
    for one in found:
        same = one.name == name or (one.name == "id" and last[0] in _TELLING)
        if same and _is_of(one.value, schema, in_list=in_list):
            fits.setdefault(str(one.value), Found(**_in(one, in_list=in_list)))
    return list(fits.values())


def _in(one: Found, *, in_list: bool) -> Mapping[str, Json]:
    return {"name": one.name, "tool": one.tool, "value": [one.value] if in_list else one.value}


def _is_of(value: Json, schema: Json, *, in_list: bool) -> bool:
    if not isinstance(schema, dict):
        return True
    inner = schema.get("items", {}) if in_list else schema
    kind = inner.get("type") if isinstance(inner, dict) else None
    return kind is None or (kind == "string") == isinstance(value, str)


def _options(
    name: str, said: Json, schema: Json, root: JsonObject, places: Sequence[str]
) -> Iterator[Json]:
    """Values of one parameter, the most telling first; one at least."""
    words = said if isinstance(said, dict) else {}
    yield from _examples(words)
    if words.get("default") is not None:
        yield words["default"]
    if "const" in words:
        yield words["const"]
    if isinstance(words.get("enum"), list):
        yield from words["enum"][:VARIANTS]
    yield from _hinted(name, words, places)
    yield first(schema, root)
    yield from islice(samples(schema, root), 1, _FEW)


def _hinted(name: str, schema: JsonObject, places: Sequence[str]) -> Iterator[Json]:
    """What the words about a text promise."""
    in_list = schema.get("type") == "array"
    inner = schema.get("items", {}) if in_list else schema
    if not isinstance(inner, dict) or inner.get("type", "string") != "string":
        return
    about = str(schema.get("description", ""))
    last = (words_of(name)[-1:] or ("",))[0]
    said = _EXAMPLES.search(about)
    values: list[Json] = [found[1] for found in _QUOTED.findall(said[1])] if said else []
    values += [value for pattern, value in _BY_WORDING if pattern.search(about)]
    values += places if last in _PATHS else ()
    values += [_BY_NAME[last]] if last in _BY_NAME else ()
    yield from ([value] if in_list else value for value in values)


def _is_stated(schema: Json) -> bool:
    words = ("default", "examples", "example", "enum")
    return isinstance(schema, dict) and any(schema.get(word) is not None for word in words)


def _examples(schema: JsonObject) -> Iterator[Json]:
    stated = schema.get("examples")
    if isinstance(stated, list):
        yield from stated
    if schema.get("example") is not None:
        yield schema["example"]


def _properties(schema: JsonObject) -> JsonObject:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _each_once(ways_: Iterator[Way]) -> Iterator[Way]:
    seen: list[JsonObject] = []
    for way in ways_:
        if way.arguments not in seen:
            seen.append(way.arguments)
            yield way
