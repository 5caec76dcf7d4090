"""Which agent goes by which name: the built-ins and whatever is installed."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from mcp_eval.errors import UsageError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.project import TargetSpec
from mcp_eval.ports import Agent, Clock

GROUP = "mcp_eval.agents"

# An entry point is a function (spec, clock, options) -> Agent; none is imported before its name
# is asked for.
_BUILT_IN = {
    "claude": "mcp_eval.agents.claude:claude",
    "command": "mcp_eval.agents.command:command",
    "models": "mcp_eval.agents.models:models",
    "script": "mcp_eval.agents.script:script",
}


def agents() -> Mapping[str, EntryPoint]:
    """Every agent that can be asked for; an installed one goes before a built-in."""
    built_in = {name: EntryPoint(name, path, GROUP) for name, path in _BUILT_IN.items()}
    return built_in | {point.name: point for point in entry_points(group=GROUP)}


def make_agent(
    name: str, *, spec: TargetSpec, clock: Clock, options: JsonObject | None = None
) -> Agent:
    """The agent of this name for this target; UsageError where there is none.

    A project may name several of one kind: its options say which (`kind: claude`).
    """
    known = agents()
    kind = str((options or {}).get("kind") or name)
    if (point := known.get(kind)) is None:
        near = get_close_matches(kind, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
        raise UsageError(f"no agent '{kind}'", hint=hint)
    return cast("Agent", point.load()(spec=spec, clock=clock, options=options or {}))
