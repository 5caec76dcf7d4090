"""Which calls of a trajectory may not change places: one needs the other, or both touch a thing."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from mcp_eval.compare.paths import leaves
from mcp_eval.model.comparison import Call

_SHORTEST = 3
_TOKEN = re.compile(r"[\w./:@#%+~-]+")
_ENDING = ".,;:!?-"


def ties(calls: Mapping[int, Call]) -> Iterator[tuple[int, int]]:
    """Pairs of places, the earlier first."""
    things = {at: _things(call) for at, call in calls.items()}
    yield from _needs(calls, things)
    yield from _shared(calls, things)


def _needs(
    calls: Mapping[int, Call], things: Mapping[int, frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """A call names what an earlier one answered and was not asked with, or waits for it."""
    answered = defaultdict[str, list[int]](list)
    steps: dict[int, int] = {}
    for at, call in calls.items():
        if call.waits_for is not None and call.waits_for in steps:
            yield steps[call.waits_for], at
        for thing in things[at]:
            yield from ((earlier, at) for earlier in answered.get(thing, ()))
        for token in _tokens(call.outcome) - things[at]:
            answered[token].append(at)
        steps[call.step] = at


def _shared(
    calls: Mapping[int, Call], things: Mapping[int, frozenset[str]]
) -> Iterator[tuple[int, int]]:
    """Two calls name the same, one of them perhaps a part of it, and one of them changes it."""
    naming = defaultdict[str, list[int]](list)
    for at, call in calls.items():
        near = {earlier for thing in things[at] for earlier in naming[thing]}
        for earlier in near:
            changes = call.effect or calls[earlier].effect
            if changes and (things[at] <= things[earlier] or things[earlier] <= things[at]):
                yield earlier, at
        for thing in things[at]:
            naming[thing].append(at)


def _things(call: Call) -> frozenset[str]:
    """What a call names: values without white space; flags and small numbers name nothing."""
    return frozenset(
        text
        for _, value in leaves(call.arguments)
        if isinstance(value, str | int)
        and not isinstance(value, bool)
        and len(text := str(value)) >= _SHORTEST
        and not re.search(r"\s", text)
    )


def _tokens(text: str) -> frozenset[str]:
    return frozenset(token.rstrip(_ENDING) for token in _TOKEN.findall(text))
