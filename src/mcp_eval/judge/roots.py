"""Opinions with one origin share a root: a maintainer fixes roots, so one fault is one root."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from mcp_eval.compare.paths import leaf
from mcp_eval.judge.carried import carried
from mcp_eval.judge.opinions import FAILING, Opinion, hits

Group = tuple[Opinion, ...]
_NUMBERED = re.compile(r"\{[^{}]*\}|\d+")
_SAID = 200
_ORIGINS = frozenset({"surface", "outcome"})
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
    together.by(heavy, _same_write)
    together.by([one for one in heavy if one.rule.kind != "inconclusive"], _alike)
    together.by(heavy, _renamed)
    together.pairs(_under_capability(heavy))
    together.pairs(_hit(heavy))
    together.pairs(_undeclared(heavy))
    together.pairs(carried(heavy))
    together.by(heavy, _whole_run)
    together.pairs(_only_origin(heavy, together))
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

    def head(self, one: Opinion) -> int:
        """The same for all that belong together by now."""
        return self._head(id(one))

    def _head(self, member: int) -> int:
        while self._of[member] != member:
            self._of[member] = self._of[self._of[member]]
            member = self._of[member]
        return member


# --- one invocation, one finding in many scenarios -----------------------------------------------


def _same_place(one: Opinion) -> Hashable:
    return one.place if one.at_replay else None


def _same_finding(one: Opinion) -> Hashable:
    if one.rule.kind == "inconclusive":
        return one.rule.id
    return (one.rule.id, one.offered_as, one.fact.tool, one.fact.path)


def _same_death(one: Opinion) -> Hashable:
    """A tool that fails here and is empty there has one thing wrong with it."""
    return ("dead", one.fact.tool) if one.rule.id in _DEAD else None


def _same_write(one: Opinion) -> Hashable:
    """A write that was lost, wherever a later read misses it."""
    wrote = one.fact.details.get("written_by")
    return ("write", one.place[0], wrote) if wrote is not None else None


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


# What goes with a capability.
_UNDER = {"tools": "tool-removed", "prompts": "prompt-removed", "resources": "resource-removed"}


def _under_capability(heavy: Sequence[Opinion]) -> Iterator[tuple[Opinion, Opinion]]:
    """A server that no longer offers any tools has lost one thing, not each of them."""
    for one in heavy:
        if one.rule.id == "capability-lost":
            gone = _UNDER.get(str(one.fact.details.get("capability")))
            yield from ((one, other) for other in heavy if other.rule.id == gone)


def _hit(heavy: Sequence[Opinion]) -> Iterator[tuple[Opinion, Opinion]]:
    surface = [one for one in heavy if one.rule.kind == "surface" and one.fact.hits]
    replay = [one for one in heavy if one.at_replay]
    for one in surface:
        yield from ((one, other) for other in replay if hits(one, other.place))


_BELONGS = {"prompt-removed": "prompts", "resource-removed": "resources", "tool-removed": "tools"}


def _undeclared(heavy: Sequence[Opinion]) -> Iterator[tuple[Opinion, Opinion]]:
    """A capability that is gone takes along all that it announced."""
    gone = [one for one in heavy if one.rule.id == "capability-lost"]
    announced = [one for one in heavy if one.rule.id in _BELONGS]
    for one in gone:
        word = one.fact.details.get("capability")
        yield from ((one, other) for other in announced if _BELONGS[other.rule.id] == word)


# --- what a run misses as a whole ---


def _whole_run(one: Opinion) -> Hashable:
    """A goal that was missed, and the path that led past it."""
    return ("run", one.place[0], one.fact.difference.lane) if one.rule.kind == "agent" else None


def _only_origin(
    heavy: Sequence[Opinion], together: _Together
) -> Iterator[tuple[Opinion, Opinion]]:
    """A run misses its goal for the one thing that is wrong in it, or the tool that it names."""
    for one in heavy:
        if one.rule.kind != "agent":
            continue
        mine = [
            other
            for other in heavy
            if other.rule.kind in _ORIGINS and one.place[0] in other.scenarios
        ]
        failed = one.fact.details.get("tool_failed")
        named = [other for other in mine if failed and _name(other.fact.tool) == failed]
        if named or len({together.head(other) for other in mine}) == 1:
            yield (named or mine)[0], one


def _name(key: str) -> str:
    """The tool a key begins with: `upstream_servers` of `upstream_servers[add]`."""
    return key.partition("[")[0].partition(" → ")[0]


# --- notes ---------------------------------------------------------------------------------------


def _with_notes(group: Group, found: Sequence[Opinion]) -> Group:
    places = {one.place for one in group if one.at_replay}
    renamed = {one.fact.tool for one in group if _renamed(one) is not None}
    notes = [
        one
        for one in found
        if one.status == "note"
        and (
            (one.at_replay and one.place in places)
            or (_renamed(one) is not None and one.fact.tool in renamed)
        )
    ]
    return (*group, *notes)
