"""Paths into JSON: `tools[0].name` in a value, `tools[].name` as a site."""

import re
from collections.abc import Iterator
from functools import lru_cache

from mcp_eval.model.base import Json

Step = str | int
_PLAIN = re.compile(r"[^.\[\]\"]+")
_TOKEN = re.compile(r'\.?([^.\[\]"]+)|\[(\d*)\]|\[("(?:[^"\\]|\\.)*")\]')


def key(path: str, name: str) -> str:
    """The path of a member."""
    member = _member(name)
    return f"{path}{member}" if path or member[0] == "[" else name


@lru_cache(maxsize=16384)
def _member(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return f".{name}"
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{quoted}"]'


def index(path: str, position: int) -> str:
    """The path of an item in a value."""
    return f"{path}[{position}]"


def each(path: str) -> str:
    """The site of any item of a list."""
    return f"{path}[]"


@lru_cache(maxsize=16384)
def site(path: str) -> str:
    """The path without its list indices: where a fact stands in every look."""
    return re.sub(r"\[\d+\]", "[]", path)


@lru_cache(maxsize=16384)
def leaf(path: str) -> str:
    """The last name on a path: `score` of `tools[].score`; "" where there is none."""
    names = [step for step in steps(path) if isinstance(step, str) and step]
    return names[-1] if names else ""


def steps(path: str) -> Iterator[Step]:
    """Names and positions, in order; the empty brackets of a site are an empty name."""
    for found in _TOKEN.finditer(path):
        plain, position, quoted = found.groups()
        if plain is not None:
            yield plain
        elif quoted is not None:
            yield re.sub(r"\\(.)", r"\1", quoted[1:-1])
        else:
            yield int(position) if position else ""


MISSING = object()


def get(value: Json, path: str, default: Json = MISSING) -> Json:
    """What stands at a path; `default` (or MISSING) where nothing does."""
    for step in steps(path):
        if not _holds(value, step):
            return default
        value = value[step]
    return value


def _holds(value: Json, step: Step) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def put(value: Json, path: str, new: Json) -> Json:
    """A copy of the value with `new` at a path that exists in it."""
    return _put(value, tuple(steps(path)), new)


def _put(value: Json, way: tuple[Step, ...], new: Json) -> Json:
    if not way:
        return new
    step, rest = way[0], way[1:]
    if isinstance(value, dict) and isinstance(step, str):
        return {**value, step: _put(value.get(step), rest, new)}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return [*value[:step], _put(value[step], rest, new), *value[step + 1 :]]
    return value


def leaves(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Every leaf with its path; an empty list or object is a leaf."""
    found: list[tuple[str, Json]] = []
    _gather(value, path, found)
    return iter(found)


def _gather(value: Json, path: str, found: list[tuple[str, Json]]) -> None:
    # A list filled by recursion: nested generators would hand every leaf up level by level.
    if isinstance(value, dict) and value:
        for name, member in value.items():
            _gather(member, key(path, str(name)), found)
    elif isinstance(value, list) and value:
        for position, item in enumerate(value):
            _gather(item, f"{path}[{position}]", found)
    else:
        found.append((path, value))


def walk(value: Json) -> Iterator[tuple[str, Json]]:
    """The same leaves one by one, for whoever stops at the first that fits."""
    stack = [("", value)]
    while stack:
        path, here = stack.pop()
        if isinstance(here, dict) and here:
            stack.extend((key(path, str(name)), here[name]) for name in reversed(here))
        elif isinstance(here, list) and here:
            stack.extend((index(path, place), here[place]) for place in reversed(range(len(here))))
        else:
            yield path, here
