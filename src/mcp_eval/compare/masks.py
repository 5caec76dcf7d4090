"""Holes: what one build varies by itself, learned from looks, each with its kind and examples."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mcp_eval.compare.membership import identity_text
from mcp_eval.compare.parsing import unfolded
from mcp_eval.compare.paths import get, leaf
from mcp_eval.compare.shapes import json_type, shape
from mcp_eval.compare.texts import lines_of, steady_words
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import Hole

_EXAMPLES = 3
_CAPPED = 80
_ROUNDS = 3  # a hole found may let the differ see the next one
_KINDS = {
    "result-field-removed": "optional",
    "result-field-added": "optional",
    "result-field-renamed": "keys",
    "hit-lost": "items",
    "hit-displaced": "items",
    "wrong-page": "items",
    "entry-doubled": "items",
    "item-added": "items",
    "result-order-changed": "order",
    "text-changed": "text",
}
_FORMS = {
    "uuid": "uuid",
    "instant": "time",
    "moment": "time",
    "date": "time",
    "duration": "duration",
    "hash": "hash",
}
_STRENGTH = ("items", "keys", "order", "optional", "text", "choice")


def learned(before: Json, looks: Sequence[tuple[Json, View]]) -> dict[str, Hole]:
    """The holes that make every look equal to the exemplar, by site path."""
    holes: dict[str, Hole] = {}
    for _ in range(_ROUNDS):
        found = dict(holes)
        for after, view in looks:
            prose = isinstance(before, str) and isinstance(after, str)
            seen = replace(view, holes=found, structured=not prose, pages=())
            for one in differ(before, after, seen):
                place, hole = _hole(one, before, looks)
                found[place] = _stronger(found.get(place), hole)
        if found == holes:
            break
        holes = found
    return dict(sorted(holes.items()))


def _stronger(known: Hole | None, new: Hole) -> Hole:
    if known is None or known == new:
        return new
    examples = _distinct((*known.examples, *new.examples))
    rank = {kind: number for number, kind in enumerate(_STRENGTH)}
    kind = min(known.kind, new.kind, key=lambda name: rank.get(name, len(rank)))
    if known.kind not in rank and new.kind not in rank and known.kind != new.kind:
        kind = "number" if {known.kind, new.kind} == {"number", "counter"} else "choice"
    if known.kind == new.kind:
        steady = tuple(word for word in known.steady if word in set(new.steady))
    else:
        steady = known.steady if known.kind == kind else new.steady
    return Hole(kind=kind, examples=examples, steady=steady)


def _hole(one: Difference, before: Json, looks: Sequence[tuple[Json, View]]) -> tuple[str, Hole]:
    place, kind = one.site.path, _KINDS.get(one.change, "")
    values = [unfolded(value) for value in (before, *(after for after, _ in looks))]
    if one.change == "result-field-renamed":
        return _parent(place), Hole(kind="keys")
    if one.details.get("text") or kind == "text":
        texts = [text for text in _at(values[0], place) if isinstance(text, str)]
        steady = steady_words(texts, str(one.before), str(one.after))
        return place, Hole(kind="text", steady=steady, examples=_sizes(values, place))
    if kind == "items":
        steady = _steady_items(values, place)
        return place, Hole(kind=kind, steady=steady, examples=_sizes(values, place))
    if kind in {"order", "optional"}:
        return place, Hole(kind=kind)
    examples = _distinct(_short(value) for value in (one.before, one.after))
    return place, Hole(kind=_leaf_kind(one.before, one.after), examples=examples)


def _leaf_kind(before: Json, after: Json) -> str:
    if json_type(before) != json_type(after):
        return "choice"
    if isinstance(before, bool):
        return "choice"
    if isinstance(before, int | float):
        return "counter" if isinstance(before, int) and isinstance(after, int) else "number"
    forms = {_FORMS.get(shape(before), ""), _FORMS.get(shape(after), "")}
    if len(forms) == 1 and "" not in forms:
        return forms.pop()
    return "choice"


def _sizes(values: Sequence[Json], place: str) -> tuple[int, ...]:
    """How many lines or items every look had, where that never varied."""
    found = {
        len(lines_of(held) if isinstance(held, str) else held)
        for value in values
        for held in _at(value, place)
        if isinstance(held, str | list | dict)
    }
    return tuple(found) if len(found) == 1 else ()


def _steady_items(values: Sequence[Json], place: str) -> tuple[str, ...]:
    """The identities that stood in every look at a list."""
    sets = [
        {
            identity_text(item)
            for held in _at(value, place)
            if isinstance(held, list | dict)
            for item in (held.values() if isinstance(held, dict) else held)
        }
        for value in values
    ]
    return tuple(sorted(set.intersection(*sets))) if sets else ()


def _at(value: Json, place: str) -> Iterator[Json]:
    """All that stands at a site: `tools[].name` may stand many times."""
    head, found, rest = place.partition("[]")
    here = get(value, head, None) if head else value
    if not found:
        if here is not None:
            yield here
    elif isinstance(here, list):
        for item in here:
            yield from _at(item, rest.removeprefix("."))
    elif isinstance(here, dict):
        for member in here.values():
            yield from _at(member, rest.removeprefix("."))


def _parent(place: str) -> str:
    name = leaf(place)
    cut = place.rfind(name)
    return place[:cut].rstrip('."[')


def _short(value: Json) -> Json:
    return value[:_CAPPED] if isinstance(value, str) else value


def _distinct(values: "Sequence[Json] | Iterator[Json]") -> tuple[Json, ...]:
    found: list[Json] = []
    for value in values:
        if not any(type(value) is type(other) and value == other for other in found):
            found.append(value)
    # The first of each type come first: a type that was seen is one that may be.
    types = {json_type(value): value for value in reversed(found)}
    others = [value for value in found if all(value is not first for first in types.values())]
    return (*reversed(types.values()), *others)[: max(_EXAMPLES, len(types))]
