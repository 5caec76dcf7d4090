"""Scenarios against a target, and what of it will be compared with later."""

import dataclasses
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Literal

from mcp_eval.compare.expected import expected_recording
from mcp_eval.compare.steady import distill, unusable
from mcp_eval.errors import InconclusiveError
from mcp_eval.judge.criteria import evaluate
from mcp_eval.model.base import Noun
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run, Trouble
from mcp_eval.workflows import looks
from mcp_eval.workflows.agents import announce, worthless
from mcp_eval.workflows.environments import probed
from mcp_eval.workflows.events import Happening, Line, Progress, Recorded, RecordFinished, Started
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.permission import ALLOW, COST, may_repeat
from mcp_eval.workflows.stream import Say, streamed


class RecordPlan(Noun):
    """What a person asked to have recorded."""

    scenarios: tuple[Scenario, ...]
    trials: int = 1
    replace: bool = False  # the baseline that is there gives way at once
    lane: Literal["all", "surface"] = "all"
    policy: Policy = Policy()
    configuration: str = ""


def record(world: World, plan: RecordPlan) -> AsyncIterator[Happening]:
    """Record the plan's scenarios; each is on disk as soon as it is finished."""
    return streamed(partial(_record, world, plan))


async def _record(world: World, plan: RecordPlan, say: Say) -> None:
    surface, build = await probed(world, world.target)
    wanted = tuple(scenario for scenario in plan.scenarios if scenario.enabled)
    skipped = tuple(scenario.stem for scenario in plan.scenarios if not scenario.enabled)
    names = tuple(scenario.stem for scenario in wanted)
    say(Started(doing="recording", scenarios=names, build=build, agent=world.agent.name))
    if plan.lane == "surface":
        saved = world.store.surface(surface, replace=plan.replace)
        _pending(say, saved.path, pending=saved.pending)
        say(RecordFinished(folder=world.store.folder, surface=surface, skipped=skipped))
        return
    announce(world, len(wanted) * plan.trials, plan.policy.budget_usd, say)
    world = await _asked(world, wanted, surface, say)
    recordings = await _each(world, plan, wanted, surface, say)
    _refuse(recordings, wanted)
    say(
        RecordFinished(
            folder=world.store.folder,
            recordings=recordings,
            surface=surface,
            skipped=skipped,
        )
    )


async def _each(
    world: World,
    plan: RecordPlan,
    wanted: Sequence[Scenario],
    surface: Surface,
    say: Say,
) -> tuple[Recording, ...]:
    recordings: list[Recording] = []
    doubtful: list[Recording] = []
    for done, scenario in enumerate(wanted):
        progress = partial(Progress, scenario=scenario.stem, done=done, total=len(wanted))
        recording = await _one(world, plan, scenario, surface, say, progress)
        recordings.append(recording)
        # A recording that would be refused on its own waits for what the others say.
        if unusable([recording], [scenario]):
            doubtful.append(recording)
        else:
            _save(world, plan, recording, surface, say)
    if not unusable(recordings, wanted):
        for recording in doubtful:
            _save(world, plan, recording, surface, say)
            say(
                _warning(
                    f"{recording.stem}: no call of it succeeded, and no criterion expects that"
                )
            )
    return tuple(recordings)


async def _one(
    world: World,
    plan: RecordPlan,
    scenario: Scenario,
    surface: Surface,
    say: Say,
    progress: "partial[Progress]",
) -> Recording:
    runs = await _runs(world, plan, scenario, surface, say, progress)
    criteria, reached = _criteria(scenario, runs)
    write_up = partial(
        distill,
        scenario,
        provenance=_provenance(world, plan, runs[0]),
        surface=surface,
        criteria=criteria,
        reached=reached,
    )
    recording = write_up(runs)
    again = await _again(world, recording, surface, say, progress)
    if again is not None:
        recording = write_up([*runs, again])
    _warn(recording, again, say)
    return recording


async def _runs(
    world: World,
    plan: RecordPlan,
    scenario: Scenario,
    surface: Surface,
    say: Say,
    progress: "partial[Progress]",
) -> list[Run]:
    """As many runs as were asked for; those that never came about say nothing of the target."""
    troubles: list[Trouble] = []
    runs: list[Run] = []
    for trial in range(1, plan.trials + 1):
        say(progress(doing=f"run {trial} of {plan.trials}"))
        made = await looks.run(world, scenario, surface=surface, trial=trial)
        faults = made.troubles or worthless(made)
        troubles += faults
        runs += () if faults else (made,)
        for fact in faults:
            say(_warning(f"{scenario.stem}: run {trial}: {fact.message}"))
    if not runs:
        message = f"{scenario.stem}: no run of it came about: {troubles[0].message}"
        raise InconclusiveError(message, rule=troubles[0].rule, evidence=troubles[0].evidence)
    return runs


async def _again(
    world: World, recording: Recording, surface: Surface, say: Say, progress: "partial[Progress]"
) -> Run | None:
    """The A/A replay: the same build once more, so that what varies by itself is known."""
    if not may_repeat(recording, surface, world.target):
        return None
    say(progress(doing="replaying it once against the same build"))
    again = await looks.look(
        world, world.target, recording, surface=surface, number=recording.runs + 1
    )
    for fact in again.troubles:
        say(_warning(f"{recording.stem}: could not be repeated: {fact.message}"))
    return None if again.troubles else again


async def _asked(world: World, wanted: Sequence[Scenario], surface: Surface, say: Say) -> World:
    """The world whose target knows whether its start is clean, as far as it matters here."""
    if world.target.resettable is not None:
        return world
    scripts = [expected_recording(scenario) for scenario in wanted]
    if all(may_repeat(script, surface, world.target) for script in scripts):
        return world
    if world.clean_start is not None:
        return dataclasses.replace(world, target=await world.clean_start())
    say(Line(text=COST, hint=ALLOW))
    return world


def _criteria(scenario: Scenario, runs: Sequence[Run]) -> tuple[dict[str, str], int]:
    """What became of each criterion, a no where a run missed it; and how many runs missed none."""
    results = [evaluate(scenario.success_criteria, made.trajectory) for made in runs]
    criteria = {
        criterion.text: _together([result[index].result for result in results])
        for index, criterion in enumerate(scenario.success_criteria)
    }
    reached = sum(all(one.result != "no" for one in result) for result in results)
    return criteria, reached


def _together(results: Sequence[str]) -> str:
    for decisive in ("no", "unknown", "not evaluated"):
        if decisive in results:
            return decisive
    return "yes"


def _warn(recording: Recording, again: Run | None, say: Say) -> None:
    for text, result in recording.criteria.items():
        if result == "no":
            say(_warning(f"{recording.stem}: this criterion fails on the baseline itself: {text}"))
    if again is not None and recording.repeats == "no":
        say(
            Line(
                text=f"{recording.stem}: cannot repeat itself: the same build answered otherwise",
                level="warning",
                hint="look at what varies before trusting it: mcp-eval show "
                f"{recording.stem}; more `--trials` teach what is volatile",
            )
        )


def _save(world: World, plan: RecordPlan, recording: Recording, surface: Surface, say: Say) -> None:
    saved = world.store.recording(recording, surface, replace=plan.replace)
    say(
        Recorded(
            scenario=recording.stem,
            path=saved.path,
            pending=saved.pending,
            runs=recording.runs,
            repeats=recording.repeats,
        )
    )
    _pending(say, saved.path, pending=saved.pending)


def _pending(say: Say, path: str, *, pending: bool) -> None:
    if pending:
        say(
            Line(
                text=f"a baseline was there already: the change waits as {path}",
                hint="`mcp-eval accept` reviews it, `record --replace` puts it in place at once",
            )
        )


def _refuse(recordings: Sequence[Recording], scenarios: Sequence[Scenario]) -> None:
    if why := unusable(recordings, scenarios):
        raise InconclusiveError(
            f"refused as a baseline: {why}",
            hint="mend the target or the scenarios and record again; the raw runs are kept",
            rule="baseline-unusable",
        )


def _provenance(world: World, plan: RecordPlan, made: Run) -> Provenance:
    return Provenance(
        mcp_eval=world.version,
        scorer=plan.policy.scorer,
        agent=world.agent.name,
        model=made.model or world.agent.model,
        configuration=plan.configuration,
        recorded_at=made.recorded_at,
        build=made.build,
    )


def _warning(text: str) -> Line:
    return Line(text=text, level="warning")
