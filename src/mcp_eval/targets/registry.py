"""Which target a specification means: the built-in kinds and whatever is installed."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import cast

from mcp_eval.errors import UsageError
from mcp_eval.model.project import TargetSpec
from mcp_eval.ports import Clock, Target

GROUP = "mcp_eval.targets"

# An entry point is a function (spec, workspace, clock) -> Target, named by its kind.
_BUILT_IN = {
    "process": "mcp_eval.targets.process:ProcessTarget",
    "url": "mcp_eval.targets.url:url_target",
}


def kinds() -> Mapping[str, EntryPoint]:
    """Every kind that can be started; an installed one goes before a built-in."""
    built_in = {name: EntryPoint(name, path, GROUP) for name, path in _BUILT_IN.items()}
    return built_in | {point.name: point for point in entry_points(group=GROUP)}


def make_target(spec: TargetSpec, *, workspace: Path, clock: Clock) -> Target:
    """The target of this specification; `workspace` is the folder `.mcp-eval` with its journal."""
    if spec.servers:
        from mcp_eval.targets.several import SeveralTarget

        servers = [make_target(one, workspace=workspace, clock=clock) for one in spec.servers]
        return SeveralTarget(spec.name, servers)
    kind = kind_of(spec)
    known = kinds()
    if (point := known.get(kind)) is None:
        raise _unknown(spec, kind, known)
    return cast("Target", point.load()(spec, workspace=workspace, clock=clock))


def kind_of(spec: TargetSpec) -> str:
    """The kind as it is said, else by what the specification names; UsageError where nothing is."""
    if spec.kind:
        return spec.kind
    named = {
        "url": spec.url,
        "docker": spec.image,
        "compose": spec.compose,
        "process": spec.command,
    }
    found = next((kind for kind, value in named.items() if value), "")
    if not found:
        raise UsageError(
            f"target {spec.name}: nothing says how to start it", hint="give it a `command:`"
        )
    return found


def _unknown(spec: TargetSpec, kind: str, known: Mapping[str, EntryPoint]) -> UsageError:
    near = get_close_matches(kind, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"what can be: {', '.join(sorted(known))}"
    return UsageError(f"target {spec.name}: no target of kind '{kind}' can be started", hint=hint)
