"""Which agent goes by which name: the built-ins and whatever is installed."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from mcp_eval.errors import UsageError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.project import TargetSpec
from mcp_eval.ports import Agent, Clock, Judging

GROUP = "mcp_eval.agents"
JUDGES = "mcp_eval.judges"

# An entry point is a function (spec, clock, options) -> Agent; none is imported before its name
# is asked for.
_BUILT_IN = {
    "claude": "mcp_eval.agents.claude:claude",
    "command": "mcp_eval.agents.command:command",
    "models": "mcp_eval.agents.models:models",
    "script": "mcp_eval.agents.script:script",
}

# Likewise (clock, options) -> Judging.
_BUILT_IN_JUDGES = {
    "claude": "mcp_eval.agents.claude:judge",
    "models": "mcp_eval.agents.models:judge",
}


def agents() -> Mapping[str, EntryPoint]:
    """Every agent that can be asked for; an installed one goes before a built-in."""
    return _points(GROUP, _BUILT_IN)


def judges() -> Mapping[str, EntryPoint]:
    """Every judge that can be asked for."""
    return _points(JUDGES, _BUILT_IN_JUDGES)


def make_agent(
    name: str, *, spec: TargetSpec, clock: Clock, options: JsonObject | None = None
) -> Agent:
    """The agent of this name for this target; UsageError where there is none.

    A project may name several of one kind: its options say which (`kind: claude`).
    """
    point = _found("agent", name, options, agents())
    return cast("Agent", point.load()(spec=spec, clock=clock, options=options or {}))


def make_judge(name: str, *, clock: Clock, options: JsonObject | None = None) -> Judging:
    """The judge of this name; UsageError where there is none."""
    point = _found("judge", name, options, judges())
    return cast("Judging", point.load()(clock=clock, options=options or {}))


def _points(group: str, built_in: Mapping[str, str]) -> dict[str, EntryPoint]:
    ours = {name: EntryPoint(name, path, group) for name, path in built_in.items()}
    return ours | {point.name: point for point in entry_points(group=group)}


def _found(
    what: str, name: str, options: JsonObject | None, known: Mapping[str, EntryPoint]
) -> EntryPoint:
    kind = str((options or {}).get("kind") or name)
    if (point := known.get(kind)) is None:
        near = get_close_matches(kind, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
        raise UsageError(f"no {what} '{kind}'", hint=hint)
    return point
