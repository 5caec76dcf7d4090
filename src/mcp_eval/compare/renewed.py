"""Looks at a new build made into the recording that could take the old one's place."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare.bindings import bind
from mcp_eval.compare.looks import by_step
from mcp_eval.compare.steady import distill, run_of
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Run, Trajectory

# What is no answer at all is nothing a later answer could be held against.
_NO_ANSWER = frozenset({"crashed", "timeout", "not-reached", "cancelled"})


def renewed(
    recording: Recording,
    looks: Sequence[Run],
    scenario: Scenario,
    *,
    provenance: Provenance,
    surface: Surface,
    criteria: Mapping[str, str],
) -> Recording | None:
    """The recording as these looks would have it; None where none of them went through whole."""
    whole = [_whole(recording, look) for look in looks if not look.troubles]
    usable = [look for look in whole if look is not None]
    if not usable:
        return None
    made = distill(
        scenario,
        [bind(usable[0]), *usable[1:]],
        provenance=provenance,
        surface=surface,
        criteria=criteria,
        reached=len(usable),
    )
    kept = zip(made.steps, recording.steps, strict=True)
    return replace(
        made,
        steps=tuple(replace(step, match=before.match) for step, before in kept),
        messages=recording.messages,
        usages=recording.usages,
        paths=recording.paths,
        runs=len(usable),
    )


def _whole(recording: Recording, look: Run) -> Run | None:
    """A look with every step of the recording in its place; what was not MCP is as it was."""
    made, before = by_step(look), run_of(recording).trajectory
    steps: list[Invocation] = []
    for number, step in enumerate(before.invocations):
        now = step if step.foreign else made.get(number)
        if now is None or (not now.foreign and now.outcome.kind in _NO_ANSWER):
            return None
        steps.append(replace(now, step=number, bindings=now.bindings or step.bindings))
    return replace(look, trajectory=Trajectory(invocations=tuple(steps), messages=before.messages))
