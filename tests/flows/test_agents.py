"""Agents in a workflow: what they may cost is said first, and a run without the target is no run."""

import dataclasses

import pytest

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.policy import Policy
from mcp_eval.model.trajectory import OWN_TOOL, Invocation, Message, Run, Trajectory
from mcp_eval.ports import Bounds
from mcp_eval.workflows.agents import worthless
from mcp_eval.workflows.events import Line, RecordFinished
from mcp_eval.workflows.record import RecordPlan, record
from tests.flows import suites
from tests.flows.fakes import FakeTarget

DEAR = Bounds(turns=30, usd=2.0, seconds=300)
FREE = Bounds(turns=30, seconds=45)


class Actor:
    """An agent that does what it is told, run by run."""

    name, model = "actor", "tiny"

    def __init__(self, *trajectories, bounds=DEAR):
        self.trajectories = list(trajectories)
        self.bounds = bounds
        self.runs = 0

    async def run(self, scenario, environment, *, surface, trial):
        self.runs += 1
        told = self.trajectories[min(self.runs, len(self.trajectories)) - 1]
        return Run(scenario=scenario.stem, trial=trial, agent=self.name, trajectory=told)


def used(*invocations, answer="done"):
    said = (Message(role="user", text="x"), Message(role="assistant", text=answer))
    return Trajectory(invocations=invocations, messages=said)


SEARCHED = suites.made("search", {"hits": 3})
SHELL = Invocation(name="Bash", method=OWN_TOOL, foreign=True)
SEARCH = suites.scenario(suites.call("search"))
TARGET = suites.server(search=suites.answering({"hits": 3}))


async def recorded(agent, *, trials=1, ask=None, **policy):
    """What was said, what was asked, and what was recorded."""
    asked = []
    world = dataclasses.replace(suites.world(FakeTarget(TARGET, resettable=True)), agent=agent)
    if ask is not None:
        world = dataclasses.replace(world, ask=lambda question: asked.append(question) or ask)
    plan = RecordPlan(scenarios=(SEARCH,), trials=trials, policy=Policy(**policy))
    events = [event async for event in record(world, plan)]
    lines = [event.text for event in events if isinstance(event, Line)]
    return lines, asked, next(e for e in events if isinstance(e, RecordFinished)).recordings


async def test_what_runs_may_cost_is_said_before_they_start():
    lines, asked, _ = await recorded(Actor(used(SEARCHED)), trials=2)
    assert lines[0] == "actor: 2 runs of at most 30 turns, $2.00, 5 min: $4.00 and 10 min in all"
    assert asked == []


async def test_a_price_nobody_knows_is_said_to_be_one():
    lines, asked, _ = await recorded(Actor(used(SEARCHED), bounds=FREE), ask=True)
    assert lines[0] == "actor: 1 run of at most 30 turns, a price nobody knows, 45 s"
    assert asked == []


async def test_above_the_limit_a_person_is_asked():
    agent = Actor(used(SEARCHED))
    _, asked, made = await recorded(agent, trials=2, ask=True, budget_usd=3.0)
    assert asked == ["More than $3.00. Go on?"]
    assert len(made) == 1
    with pytest.raises(UsageError, match="nothing was run"):
        await recorded(agent, trials=2, ask=False, budget_usd=3.0)
    assert agent.runs == 2


async def test_a_run_without_the_target_is_left_out_of_a_recording():
    lines, _, (made,) = await recorded(Actor(used(SHELL), used(SEARCHED)), trials=2)
    assert made.runs == 1
    assert any("actor never used the target: it used Bash instead" in line for line in lines)


async def test_a_recording_of_nothing_else_is_refused():
    with pytest.raises(InconclusiveError, match="never used the target"):
        await recorded(Actor(used(SHELL)))


@pytest.mark.parametrize(
    ("trajectory", "says"),
    [
        (used(SHELL, SHELL), "it used Bash instead"),
        (used(), "it merely answered"),
        (used(SHELL, SEARCHED), ""),
        (used(SEARCHED), ""),
        (Trajectory(), ""),  # a script that only waits
    ],
)
def test_only_a_run_that_did_something_else_is_worthless(trajectory, says):
    found = worthless(Run(scenario="x", agent="actor", trajectory=trajectory))
    assert [says in one.message for one in found] == ([True] if says else [])
