"""My suite against its baselines: look, look again where a break is suspected, judge once."""

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from mcp_eval.compare.compare import requests
from mcp_eval.compare.expected import expected_recording
from mcp_eval.compare.surface import surface_differences
from mcp_eval.errors import InconclusiveError
from mcp_eval.judge.verdict import judge
from mcp_eval.model.base import Noun
from mcp_eval.model.comparison import Comparison, Difference, Lane, ScenarioComparison
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Trouble
from mcp_eval.model.verdict import Report
from mcp_eval.ports import Target
from mcp_eval.workflows.attempts import attempts
from mcp_eval.workflows.case import Case, Side
from mcp_eval.workflows.confirm import confirm
from mcp_eval.workflows.environments import probed, trouble
from mcp_eval.workflows.events import Checked, Happening, Line, Progress, Started, Took
from mcp_eval.workflows.looks import look
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.offer import offer
from mcp_eval.workflows.permission import ALLOW, known, may_repeat
from mcp_eval.workflows.resuming import finished, remember, resumed
from mcp_eval.workflows.stream import Say, streamed
from mcp_eval.workflows.together import at_most
from mcp_eval.workflows.weighing import weigh

NO_BASELINE = "no baseline was used: each scenario's expected trajectory stands in for one"
TWICE = (
    "the agent runs these and they are not replayed beside it: their writes would run twice, and "
    "nothing resets what they change"
)
_FAILING = frozenset({"broken", "degraded"})


class CheckPlan(Noun):
    """What a person asked to have checked."""

    baseline: Baseline | None  # None: the scenarios' own expectations stand in
    scenarios: tuple[Scenario, ...]
    policy: Policy = Policy()
    trials: int = 1
    jobs: int = 1
    stop_early: bool = False
    lanes: tuple[Lane, ...] = ("surface", "replay")
    resume: bool = False  # go on with the check of the same that was interrupted
    offer: bool = False  # what was seen waits beside the baseline, for `accept`
    folder: str = ""  # where the baseline lies, when it is not where everybody looks


def check(world: World, plan: CheckPlan) -> AsyncIterator[Happening]:
    """Check the plan's scenarios; the last event carries the report."""
    return streamed(partial(_check, world, plan))


async def _check(world: World, plan: CheckPlan, say: Say) -> None:
    policy = replace(plan.policy, today=plan.policy.today or world.clock.now()[:10])
    plan = replace(plan, policy=policy)
    wanted = tuple(scenario for scenario in plan.scenarios if scenario.enabled)
    skipped = [scenario.stem for scenario in plan.scenarios if not scenario.enabled]
    case, missing = await _opened(world, plan, wanted)
    say(
        Started(
            doing="checking",
            scenarios=tuple(case.baseline.recordings),
            build=case.new.build,
            agent=world.agent.name
            if "agent" in plan.lanes
            else "script (replay of the recording, no model)",
        )
    )
    resumed(world, case, plan.trials, resume=plan.resume, say=say)
    if case.new.surface is not None:
        replayed = _replayed(world, plan, case, say)
        if replayed:
            skipped += await _looked(world, plan, case, replayed, say)
        if "agent" in plan.lanes:
            left = [stem for stem in case.baseline.recordings if stem not in skipped]
            await attempts(world, case, left, trials=plan.trials, jobs=_jobs(world, plan), say=say)
    await weigh(world, case)
    comparison = _completed(case, missing, skipped)
    report = _report(world, plan, comparison, skipped)
    if plan.offer:
        offer(world, case, report, say)
    finished(world)
    say(Checked(report=report))


async def _opened(
    world: World, plan: CheckPlan, wanted: Sequence[Scenario]
) -> tuple[Case, tuple[Scenario, ...]]:
    """Both builds as they are found, and the scenarios nobody recorded."""
    new, old = await _side(world, world.target), None
    if world.old is not None:
        old = await _side(world, world.old)
    baseline = plan.baseline or _expected(wanted, new.surface or Surface())
    stems = {scenario.stem for scenario in wanted}
    recordings = {stem: one for stem, one in baseline.recordings.items() if stem in stems}
    case = Case(
        baseline=Baseline(surface=baseline.surface, recordings=recordings),
        scenarios={scenario.stem: scenario for scenario in wanted},
        new=new,
        old=old,
        resettable=bool(world.target.resettable),
        lanes=plan.lanes,
        policy=plan.policy,
        changes=_changes(baseline.surface, new.surface, recordings),
    )
    return case, tuple(scenario for scenario in wanted if scenario.stem not in recordings)


def _expected(scenarios: Sequence[Scenario], surface: Surface) -> Baseline:
    return Baseline(
        surface=surface,
        recordings={scenario.stem: expected_recording(scenario) for scenario in scenarios},
    )


def _changes(
    before: Surface, now: Surface | None, recordings: Mapping[str, Recording]
) -> tuple[Difference, ...]:
    if now is None:
        return ()
    return surface_differences(before, now, requests(tuple(recordings.values())))


async def _side(world: World, target: Target) -> Side:
    try:
        surface, build = await probed(world, target)
    except InconclusiveError as error:
        return Side(troubles=(trouble(error),))
    return Side(surface=surface, build=build)


def _replayed(world: World, plan: CheckPlan, case: Case, say: Say) -> list[str]:
    """The scenarios that are replayed: with an agent, none whose writes would run twice."""
    stems = list(case.baseline.recordings) if "replay" in plan.lanes else []
    if "agent" not in plan.lanes or case.new.surface is None:
        return stems
    offered = known(case.baseline.surface, case.new.surface)
    twice = [stem for stem in stems if not may_repeat(case.recording(stem), offered, world.target)]
    if twice:
        say(Line(text=f"{TWICE}: {', '.join(twice)}", hint=ALLOW))
    left = [stem for stem in stems if stem not in twice]
    if not left:
        case.lanes = tuple(lane for lane in case.lanes if lane != "replay")
    return left


def _jobs(world: World, plan: CheckPlan) -> int:
    serial = world.target.serial or (world.old is not None and world.old.serial)
    return 1 if serial else plan.jobs


async def _looked(
    world: World, plan: CheckPlan, case: Case, stems: Sequence[str], say: Say
) -> list[str]:
    """Every scenario looked at and its suspicions confirmed; what `-x` left undone."""
    jobs = _jobs(world, plan)
    if not plan.stop_early:
        await _batch(world, plan, case, stems, jobs, say)
        return []
    for done, stem in enumerate(stems, start=1):
        await _batch(world, plan, case, [stem], jobs, say)
        if judge(case.compared([stem]), plan.policy).status in _FAILING:
            return list(stems[done:])
    return []


async def _batch(
    world: World, plan: CheckPlan, case: Case, stems: Sequence[str], jobs: int, say: Say
) -> None:
    await at_most(jobs, [partial(_first, world, plan, case, stem, say) for stem in stems])
    await confirm(world, case, stems, jobs=jobs, say=say)


async def _first(world: World, plan: CheckPlan, case: Case, stem: str, say: Say) -> None:
    """The looks a person asked for: they are made whatever the scenario does."""
    surface = case.new.surface
    if surface is None:
        return
    total = len(case.baseline.recordings)
    trials = 1 if "agent" in plan.lanes else plan.trials  # those are an agent's
    for number in range(len(case.runs.get(stem, ())) + 1, trials + 1):
        doing = "replaying" if trials == 1 else f"replaying ({number} of {trials})"
        say(Progress(scenario=stem, doing=doing, done=len(case.runs), total=total))
        began = world.clock.monotonic()
        made = await look(
            world,
            world.target,
            case.recording(stem),
            surface=surface,
            changes=case.changes,
            number=number,
        )
        case.runs.setdefault(stem, []).append(made)
        remember(world, made)
        say(Took(scenario=stem, seconds=world.clock.monotonic() - began))
        for fact in made.troubles:
            say(Line(text=f"{stem}: {fact.message}", level="warning"))


def _completed(case: Case, missing: Sequence[Scenario], skipped: Sequence[str]) -> Comparison:
    """The comparison of what was looked at, and what has no baseline named as such."""
    stems = [stem for stem in case.baseline.recordings if stem not in skipped]
    comparison = case.compared(stems)
    unrecorded = tuple(
        ScenarioComparison(
            name=scenario.name,
            stem=scenario.stem,
            looks=0,
            troubles=(
                Trouble(
                    rule="baseline-unusable",
                    message=f"nothing was recorded for {scenario.stem}",
                    evidence=f"record it: mcp-eval record {scenario.path or scenario.stem}",
                ),
            ),
        )
        for scenario in missing
    )
    return replace(comparison, scenarios=comparison.scenarios + unrecorded)


def _report(
    world: World, plan: CheckPlan, comparison: Comparison, skipped: Sequence[str]
) -> Report:
    report = Report.of(
        judge(comparison, plan.policy),
        comparison,
        skipped=tuple(skipped),
        created_at=world.clock.now(),
        mcp_eval=world.version,
    )
    paths = {scenario.stem: scenario.path for scenario in plan.scenarios}
    placed = tuple(replace(one, path=paths.get(one.stem, "")) for one in report.scenarios)
    report = replace(report, scenarios=placed, folder=plan.folder)
    if plan.baseline is None:
        return replace(report, remarks=(NO_BASELINE, *report.remarks))
    return report
