"""Prose criteria in a check: a judge that was asked for weighs both sides, and is never the target."""

import dataclasses

import pytest

from mcp_eval.model.comparison import CriterionResult
from mcp_eval.model.scenario import Criterion
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked
from tests.flows import suites
from tests.flows.fakes import FakeTarget

PROSE = "Found some hits"
OTHER = "Said so politely"


class Judge:
    """Says what it is told of each criterion, in order, and remembers what it was asked."""

    name = "judge"

    def __init__(self, **said):
        self.said = {PROSE: [*said.get("hits", ["yes", "yes"])], OTHER: ["no"]}
        self.asked = []

    async def opinion(self, criterion, trajectory):
        self.asked.append((criterion, len(trajectory.invocations)))
        result = self.said[criterion].pop(0)
        return CriterionResult(text=criterion, result=result, quote="the words", judged=True)


async def checked(judge):
    criteria = (Criterion(text=PROSE), Criterion(text=OTHER))
    told = suites.scenario(suites.call("search"), success_criteria=criteria)
    build = suites.server(search=suites.answering({"hits": 3}))
    baseline = await suites.recorded(build, told)
    world = dataclasses.replace(suites.world(FakeTarget(build, resettable=True)), judge=judge)
    plan = CheckPlan(baseline=baseline, scenarios=(told,))
    events = [event async for event in check(world, plan)]
    return next(event for event in events if isinstance(event, Checked)).report


def results(report):
    (scenario,) = report.scenarios
    return {one["text"]: one.get("result", "not evaluated") for one in scenario.criteria}


async def test_without_a_judge_nothing_is_evaluated():
    report = await checked(None)
    assert (report.status, set(results(report).values())) == ("good", {"not evaluated"})


async def test_a_criterion_that_holds_on_both_sides_is_shown_as_held():
    judge = Judge()
    report = await checked(judge)
    assert report.status == "good"
    assert results(report) == {PROSE: "yes", OTHER: "not evaluated"}
    # Once a side; what the baseline does not hold is not asked of the candidate.
    assert judge.asked == [(PROSE, 1), (OTHER, 1), (PROSE, 1)]


async def test_a_criterion_that_held_and_does_not_now_is_degraded_at_most():
    report = await checked(Judge(hits=["yes", "no"]))
    (finding,) = [one for one in report.findings if one.rule == "criterion-failed"]
    assert (report.status, finding.status) == ("degraded", "degraded")


@pytest.mark.parametrize("said", [["no"], ["unknown"], ["not evaluated"], ["yes", "unknown"], ["yes", "not evaluated"]])  # fmt: skip
async def test_whatever_else_a_judge_says_changes_nothing(said):
    report = await checked(Judge(hits=said))
    assert (report.status, report.score) == ("good", 1.0)
