"""Any two things side by side: stored recordings, surfaces, or targets that are running."""

import dataclasses
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from mcp_eval.compare.compare import candidate_of
from mcp_eval.compare.compare import compare as facts
from mcp_eval.errors import UsageError
from mcp_eval.judge.verdict import judge
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.comparison import CriterionResult, Lane
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.verdict import Report
from mcp_eval.ports import Target
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.environments import probed
from mcp_eval.workflows.events import Checked, Happening, Line, Started
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.stream import Say, streamed
from mcp_eval.workflows.survey import Trial, Writer, survey

SURFACES_ONLY = "no recording on both sides: what is offered was compared, no request was made"
NOT_EVALUATED = "not evaluated"


@dataclass(frozen=True, kw_only=True)
class Side:
    """What stands on one side of a comparison: a recording folder, or a surface alone."""

    baseline: Baseline
    build: Build = field(default_factory=Build)


@dataclass(frozen=True, kw_only=True)
class ComparePlan:
    """Two sides; a target is started and asked what it offers."""

    before: Side | Target
    after: Side | Target
    policy: Policy = field(default_factory=Policy)
    write: Writer | None = None  # with it, two targets are tried where they merely read
    places: tuple[str, ...] = ()  # folders that paths may name


def compare(world: World, plan: ComparePlan) -> AsyncIterator[Happening]:
    """Compare the plan's two sides; the last event carries the report."""
    return streamed(partial(_compare, world, plan))


async def _compare(world: World, plan: ComparePlan, say: Say) -> None:
    if plan.write and not isinstance(plan.before, Side) and not isinstance(plan.after, Side):
        await _tried(world, plan, plan.before, plan.after, plan.write, say)
        return
    before, after = await _side(world, plan.before), await _side(world, plan.after)
    policy = replace(plan.policy, today=plan.policy.today or world.clock.now()[:10])
    say(Started(doing="comparing", scenarios=_common(before, after), build=after.build))
    if not _common(before, after):
        say(Line(text=SURFACES_ONLY))
    report = compared(before, after, policy=policy, created_at=world.clock.now())
    say(Checked(report=replace(report, mcp_eval=world.version)))


async def _tried(
    world: World, plan: ComparePlan, before: Target, after: Target, write: Writer, say: Say
) -> None:
    """Two targets and no scenario: what merely reads is recorded on one and replayed on both."""
    there = dataclasses.replace(world, target=before)
    surface, build = await probed(there, before)
    say(Started(doing="comparing", build=build))
    found = await survey(there, surface, Trial(places=plan.places), write, say)
    baseline = Baseline(surface=surface, recordings={one.stem: one for one in found.recordings})
    if not found.recordings:
        say(Line(text=SURFACES_ONLY))
    names = ", ".join(found.tried) or "none was found"
    said = f"no scenario was named; safe reads that were tried: {names}"
    say(Line(text=said))
    looked = check(
        dataclasses.replace(world, target=after, old=before),
        CheckPlan(baseline=baseline, scenarios=found.starters, policy=plan.policy),
    )
    async for event in looked:
        if isinstance(event, Checked):
            remarks = (said, *event.report.remarks)
            say(Checked(report=replace(event.report, remarks=remarks)))
        else:
            say(event)


async def _side(world: World, side: Side | Target) -> Side:
    if isinstance(side, Side):
        return side
    surface, build = await probed(world, side)
    return Side(baseline=Baseline(surface=surface), build=build)


def compared(before: Side, after: Side, *, policy: Policy, created_at: str = "") -> Report:
    """The report on two sides as they lie: nothing is run again, so nothing is confirmed."""
    others = _counterparts(before, after)
    recordings = {stem: before.baseline.recordings[stem] for stem in others}
    baseline = Baseline(surface=before.baseline.surface, recordings=recordings)
    candidate = candidate_of(baseline, Baseline(surface=after.baseline.surface, recordings=others))
    candidate = replace(
        candidate,
        build=after.build,
        criteria={stem: _criteria(recordings[stem], other) for stem, other in others.items()},
        lanes=_lanes(candidate, before, after),
        required=_lanes(candidate, before, after),
    )
    comparison = facts(baseline, candidate, policy=policy)
    if before.build != Build():
        comparison = replace(comparison, baseline=before.build)
    return Report.of(judge(comparison, policy), comparison, created_at=created_at)


def rejudged(report: Report, policy: Policy) -> Report:
    """The same facts under another policy; UsageError where the report embeds none."""
    if report.comparison is None:
        raise UsageError(
            "this report embeds no comparison, so it cannot be judged again",
            hint="judge one that check or compare wrote as .json",
        )
    again = Report.of(
        judge(report.comparison, policy),
        report.comparison,
        skipped=report.skipped,
        created_at=report.created_at,
        mcp_eval=report.mcp_eval,
    )
    paths = {scenario.stem: scenario.path for scenario in report.scenarios}
    placed = tuple(replace(one, path=paths.get(one.stem, "")) for one in again.scenarios)
    return replace(again, scenarios=placed, folder=report.folder)


def _lanes(candidate: Candidate, before: Side, after: Side) -> tuple[Lane, ...]:
    """What can be looked at: a raw run knows no surface, and two surfaces know no run."""
    if not candidate.runs:
        return ("surface",)
    known = Surface() not in (before.baseline.surface, after.baseline.surface)
    return tuple(lane for lane in candidate.lanes if known or lane != "surface")


def _common(before: Side, after: Side) -> tuple[str, ...]:
    return tuple(_counterparts(before, after))


def _counterparts(before: Side, after: Side) -> dict[str, Recording]:
    """The right side's recording for each of the left: by stem, or one file against another."""
    left, right = before.baseline.recordings, after.baseline.recordings
    if len(left) == len(right) == 1:
        (stem,), (other,) = left, right.values()
        return {stem: replace(other, stem=stem)}
    return {stem: right[stem] for stem in left if stem in right}


def _criteria(before: Recording, after: Recording) -> tuple[CriterionResult, ...]:
    return tuple(
        CriterionResult(text=text, result=result, baseline=before.criteria.get(text, NOT_EVALUATED))
        for text, result in after.criteria.items()
    )
