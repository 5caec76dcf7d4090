"""Prose criteria, weighed by a judge that somebody asked for: the baseline first, then the run."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from mcp_eval.model.comparison import CriterionResult
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.trajectory import Invocation, Trajectory
from mcp_eval.workflows.case import Case
from mcp_eval.workflows.needs import World


async def weigh(world: World, case: Case) -> None:
    """Every prose criterion once a side; where the baseline does not hold, nothing is asked."""
    for stem in case.baseline.recordings:
        runs = case.tries.get(stem) or case.runs.get(stem, [])
        made = next((run for run in runs if not run.troubles), None)
        scenario = case.scenarios.get(stem)
        if world.judge is None or made is None or scenario is None:
            continue
        before = await opinions(world, scenario, remembered(case.recording(stem)))
        after = await opinions(world, scenario, made.trajectory, only=held(before))
        case.opinions[stem] = dict(_sides(before, after))


async def opinions(
    world: World, scenario: Scenario, trajectory: Trajectory, *, only: Iterable[str] | None = None
) -> dict[str, CriterionResult]:
    """What the judge says of each prose criterion, or of some; nothing without a judge."""
    if world.judge is None:
        return {}
    prose = [one.text for one in scenario.success_criteria if one.kind == "prose"]
    wanted = prose if only is None else [text for text in prose if text in set(only)]
    return {text: await world.judge.opinion(text, trajectory) for text in wanted}


def held(found: Mapping[str, CriterionResult]) -> tuple[str, ...]:
    """The criteria that were met."""
    return tuple(text for text, one in found.items() if one.result == "yes")


def remembered(recording: Recording) -> Trajectory:
    """The exemplar of a recording, as the trajectory it was."""
    made = tuple(
        Invocation(
            name=step.name,
            method=step.method,
            arguments=step.arguments,
            outcome=step.outcome,
            foreign=step.foreign,
        )
        for step in recording.steps
    )
    return Trajectory(invocations=made, messages=recording.messages)


def _sides(
    before: Mapping[str, CriterionResult], after: Mapping[str, CriterionResult]
) -> Iterable[tuple[str, CriterionResult]]:
    for text, one in before.items():
        now = after.get(text) or CriterionResult(text=text, judged=True)
        yield text, replace(now, baseline=one.result)
