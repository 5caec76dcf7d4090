"""Opinions with one origin share a root: a maintainer fixes roots, so one fault is one root."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from mcp_eval.compare.parsing import loads
from mcp_eval.compare.paths import leaf, leaves
from mcp_eval.judge.opinions import FAILING, Opinion, hits
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Call, Pair, ScenarioComparison

Group = tuple[Opinion, ...]
_FEWEST = 3  # a shorter value stands in anything
_NUMBERED = re.compile(r"\{[^{}]*\}|\d+")
_SAID = 200
_DEAD = frozenset({*FAILING, "result-emptied"})
_VARIES = re.compile(r"\d+|[0-9a-f]{8,}|'[^']*'|\"[^\"]*\"|`[^`]*`")
# What one change of a gateway, or of a shared schema, does to every tool it touches.
_ALIKE: dict[str, tuple[str, ...]] = {
    "content-type-changed": ("path", "after"),
    "error-swallowed": (),
    "error-flagged": (),
    "resource-removed": ("family",),
    "output-schema-changed": ("path", "promises"),
    "annotation-changed": ("path", "after"),
    "constraint-dropped": ("path", "keyword"),
    "description-changed": (),
    "parameter-newly-required": ("path",),
    "parameter-removed": ("path",),
    "parameter-renamed": ("path", "after"),
    "parameter-type-changed": ("path", "after"),
    "enum-value-removed": ("path", "values"),
    "bounds-narrowed": ("path", "after"),
    "default-changed": ("path", "after"),
    "result-field-removed": ("leaf",),
    "result-field-renamed": ("leaf", "after"),
    "result-value-changed": ("leaf", "before", "after"),
    "result-type-changed": ("leaf", "type"),
    "newly-failing": ("said",),
    "newly-refused": ("said",),
    "error-changed": ("said",),
    "server-request-new": ("after",),
}


def grouped(found: Sequence[Opinion]) -> tuple[Group, ...]:
    """The opinions above a note in groups of one origin; notes go with their invocation."""
    heavy = [one for one in found if one.status != "note"]
    together = _Together(heavy)
    together.by(heavy, _same_place)
    together.by(heavy, _same_finding)
    together.by(heavy, _same_death)
    together.by([one for one in heavy if one.rule.kind != "inconclusive"], _alike)
    together.by(heavy, _renamed)
    together.pairs(_hit(heavy))
    together.pairs(_carried(heavy))
    groups = together.groups()
    return tuple(_with_notes(group, found) for group in groups)


class _Together:
    """Which opinions belong together."""

    def __init__(self, members: Sequence[Opinion]) -> None:
        self._members = members
        self._of = {id(one): id(one) for one in members}

    def by(self, members: Iterable[Opinion], mark: Callable[[Opinion], Hashable]) -> None:
        """Those with one mark; None marks nothing."""
        first: dict[Hashable, Opinion] = {}
        for one in members:
            found = mark(one)
            if found is not None:
                self._join(first.setdefault(found, one), one)

    def pairs(self, links: Iterable[tuple[Opinion, Opinion]]) -> None:
        """Those that are linked."""
        for one, other in links:
            self._join(one, other)

    def groups(self) -> tuple[Group, ...]:
        """In the order of their first members."""
        found: dict[int, list[Opinion]] = defaultdict(list)
        for one in self._members:
            found[self._head(id(one))].append(one)
        return tuple(tuple(group) for group in found.values())

    def _join(self, one: Opinion, other: Opinion) -> None:
        self._of[self._head(id(other))] = self._head(id(one))

    def _head(self, member: int) -> int:
        while self._of[member] != member:
            self._of[member] = self._of[self._of[member]]
            member = self._of[member]
        return member


# --- one invocation, one finding in many scenarios -----------------------------------------------


def _at_replay(one: Opinion) -> bool:
    return one.rule.kind in {"outcome", "cost"}


def _same_place(one: Opinion) -> Hashable:
    return one.place if _at_replay(one) else None


def _same_finding(one: Opinion) -> Hashable:
    if one.rule.kind == "inconclusive":
        return one.rule.id
    return (one.rule.id, one.fact.tool, one.fact.path)


def _same_death(one: Opinion) -> Hashable:
    """A tool that fails here and is empty there has one thing wrong with it."""
    return ("dead", one.fact.tool) if one.rule.id in _DEAD else None


def _alike(one: Opinion) -> Hashable:
    words = _ALIKE.get(one.rule.id)
    if words is None:
        return None
    return (one.rule.id, one.status, *(_word(one, word) for word in words))


def _word(one: Opinion, word: str) -> str:
    """What one change says of itself under a name."""
    fact = one.fact
    plain = {"path": fact.path, "leaf": leaf(fact.path), "type": type(fact.after).__name__}
    if word in plain:
        return plain[word]
    if word == "family":  # a template, and all that it covers
        return _NUMBERED.sub("#", fact.tool)
    if word == "said":
        return _VARIES.sub("#", str(fact.after).lower())[:_SAID]
    if word in {"before", "after"}:
        return str(fact.before if word == "before" else fact.after)
    return str(fact.details.get(word))


# --- the surface and what it does to requests ----------------------------------------------------


def _renamed(one: Opinion) -> Hashable:
    """A rename, and what changed behind it."""
    behind = one.rule.kind == "surface" and one.fact.details.get("renamed_to")
    return ("renamed", one.fact.tool) if behind else None


def _hit(heavy: Sequence[Opinion]) -> Iterator[tuple[Opinion, Opinion]]:
    surface = [one for one in heavy if one.rule.kind == "surface" and one.fact.hits]
    replay = [one for one in heavy if _at_replay(one)]
    for one in surface:
        yield from ((one, other) for other in replay if hits(one, other.place))


# --- what one step does to the next --------------------------------------------------------------


def _carried(heavy: Sequence[Opinion]) -> Iterator[tuple[Opinion, Opinion]]:
    """Differences that an earlier step's trouble brought with it."""
    by_scenario: dict[str, list[Opinion]] = defaultdict(list)
    compared: dict[str, ScenarioComparison] = {}
    for one in heavy:
        if one.fact.scenario is not None and _at_replay(one):
            by_scenario[one.fact.scenario.stem].append(one)
            compared[one.fact.scenario.stem] = one.fact.scenario
    surface = [one for one in heavy if one.absorbed]
    for stem, members in by_scenario.items():
        sources = [*members, *(one for one in surface if stem in one.scenarios)]
        pairs = _pairs(compared[stem])
        for later in members:
            for earlier in sources:
                if earlier is not later and any(
                    _brings(earlier, step, later, pairs) for step in _steps(earlier, stem)
                ):
                    yield earlier, later


def _steps(one: Opinion, stem: str) -> Iterator[int]:
    """Where an opinion stands in a scenario; a surface change stands where it made a call fail."""
    if _at_replay(one):
        yield one.place[1]
    for fact in one.absorbed:
        if fact.difference.site.scenario == stem:
            yield fact.difference.site.step


def _pairs(scenario: ScenarioComparison) -> dict[int, Pair]:
    return {pair.baseline.step: pair for pair in scenario.pairs if pair.baseline is not None}


def _brings(earlier: Opinion, step: int, later: Opinion, pairs: dict[int, Pair]) -> bool:
    number = later.place[1]
    if step >= number:
        return False
    if number in earlier.fact.needed or later.fact.details.get("written_by") == step:
        return True
    if _needs(pairs.get(number), step, earlier):
        return True
    return _holds(later, _stopped_by(earlier, step, pairs), pairs)


def _needs(pair: Pair | None, step: int, earlier: Opinion) -> bool:
    """Whether a later request uses what an earlier answer no longer says as it did."""
    if pair is None:
        return False
    used = (path for path in pair.needs_paths if path.partition(":")[0] == str(step))
    place = earlier.fact.path
    return any(not place or path.partition(":")[2].startswith(place) for path in used)


def _stopped_by(earlier: Opinion, step: int, pairs: dict[int, Pair]) -> tuple[int, ...]:
    """The steps that failed, or could not run, for what an opinion says."""
    if earlier.rule.id in FAILING or earlier.absorbed:
        return _stopped(step, pairs)
    return earlier.fact.needed


def _stopped(step: int, pairs: dict[int, Pair]) -> tuple[int, ...]:
    """A failed step, and those that were not reached for want of it."""
    found = {step}
    for number, pair in sorted(pairs.items()):
        waits = pair.candidate.waits_for if pair.candidate else None
        if waits in found:
            found.add(number)
    return tuple(found)


def _holds(later: Opinion, stopped: Sequence[int], pairs: dict[int, Pair]) -> bool:
    """Whether a difference misses what these steps sent, or said, when they were recorded."""
    calls = [call for step in stopped if step in pairs and (call := pairs[step].baseline)]
    text = str(later.fact.before)
    if any(value in text for call in calls for value in _words(call.arguments)):
        return True
    before = set(_words(later.fact.before))
    return any(before & set(_words(_said(call))) for call in calls)


def _said(call: Call) -> Json:
    """What a recorded call was answered, where it is short enough to be at hand as a whole."""
    try:
        return loads(call.outcome)
    except ValueError:
        return None


def _words(value: Json) -> Iterator[str]:
    for _, member in leaves(value):
        if isinstance(member, str) and len(member) >= _FEWEST:
            yield member


# --- notes ---------------------------------------------------------------------------------------


def _with_notes(group: Group, found: Sequence[Opinion]) -> Group:
    places = {one.place for one in group if _at_replay(one)}
    renamed = {one.fact.tool for one in group if _renamed(one) is not None}
    notes = [
        one
        for one in found
        if one.status == "note"
        and (
            (_at_replay(one) and one.place in places)
            or (_renamed(one) is not None and one.fact.tool in renamed)
        )
    ]
    return (*group, *notes)
