"""A suite in memory: recorded against one server, checked against another, its report read."""

from msgspec import Raw, json

from mcp_eval.agents.script import ScriptAgent, Walker
from mcp_eval.agents.walk import Pace
from mcp_eval.compare.steady import distill
from mcp_eval.judge.scoring import ACTIONS, BANDS
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Baseline
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation, Message, Outcome, Run, Trajectory
from mcp_eval.targets.probe import Probe
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.compare import Side, compared
from mcp_eval.workflows.events import Checked, Line, RecordFinished
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.record import RecordPlan, record
from tests.flows.fakes import (
    FakeTarget,
    HandClock,
    MemoryStore,
    NoSleep,
    OpenRedactor,
    ScriptedServer,
    told,
)

# --- what is written down ------------------------------------------------------------------------


def call(tool, **args):
    return Step(tool=tool, args=args)


def scenario(*steps, stem="story", **more):
    return Scenario(name=stem.title(), stem=stem, expected_trajectory=steps, **more)


def answering(value, **more):
    """A tool that always says the same."""
    return {"does": lambda _arguments, _state: value, **more}


def by_look(*values, **more):
    """A tool that says one thing a start: the first look at a build is its first value."""
    return {"does": lambda _, state: values[min(state["start"], len(values)) - 1], **more}


def failing_in(looks, answer, error, **more):
    """A tool that fails in some looks, counted from 1, and answers in all others."""
    return {"does": lambda _, state: error if state["start"] in looks else answer, **more}


def server(*, reads=True, instructions="", **tools):
    return ScriptedServer(tools, reads=reads, instructions=instructions)


def accepting(*required, closed=False, **properties):
    """An input schema."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {**schema, "additionalProperties": False} if closed else schema


# --- record and check ----------------------------------------------------------------------------


def world(target, *, old=None):
    clock, sleep = HandClock(), NoSleep()
    pace = Pace(clock=clock, sleep=sleep, environ={}, call_timeout=5)
    return World(
        target=target,
        old=old,
        probe=Probe(clock=clock, sleep=sleep),
        agent=ScriptAgent(pace),
        replayer=Walker(pace),
        redactor=OpenRedactor(),
        store=MemoryStore(),
        clock=clock,
        sleep=sleep,
        version="0",
    )


def target_of(build, **how):
    """A target of a server, which a new start resets unless it is said otherwise."""
    if isinstance(build, FakeTarget):
        return build
    return FakeTarget(build, **{"resettable": True, **how})


async def recorded(build, *scenarios, trials=1, **how):
    plan = RecordPlan(scenarios=scenarios, trials=trials)
    async for happening in record(world(target_of(build, **how)), plan):
        if isinstance(happening, RecordFinished):
            recordings = {one.stem: one for one in happening.recordings}
            return Baseline(surface=happening.surface, recordings=recordings)
    raise AssertionError("it was not recorded")


async def checked(baseline, build, *scenarios, old=None, policy=None, trials=1, said=None, **how):
    """The report of a check; what it said on the way goes into `said`."""
    plan = CheckPlan(
        baseline=baseline, scenarios=scenarios, policy=policy or Policy(), trials=trials
    )
    beside = None if old is None else target_of(old, name="old")
    report = None
    async for happening in check(world(target_of(build, **how), old=beside), plan):
        if isinstance(happening, Checked):
            report = happening.report
        if said is not None and isinstance(happening, Line):
            said.append(happening.text)
    return consistent(report)


async def verdict(before, after, *steps, old=None, policy=None, trials=1, **how):
    """One scenario, recorded against one build and checked against another."""
    story = scenario(*(steps or (call("search"),)))
    baseline = await recorded(before, story, **how)
    return await checked(baseline, after, story, old=old, policy=policy, trials=trials, **how)


async def answers(before, after, *steps, **how):
    """What is said of a tool that answered one thing and answers another."""
    old, new = server(search=answering(before)), server(search=answering(after))
    return await verdict(old, new, *steps, **how)


# --- two stored trajectories ---------------------------------------------------------------------


def made(tool, value="done", /, **arguments):
    """One call of a stored trajectory, and what it was answered."""
    body = Raw(json.encode(told(value)))
    return Invocation(name=tool, arguments=arguments, outcome=Outcome(body=body))


def stored(*calls, tools=(), answer="", intent="do it", stem="story", surface=None):
    """A recording folder that holds one run of an agent."""
    said = [Message(role="user", text=intent)]
    if answer:
        said.append(Message(role="assistant", text=answer, before=len(calls)))
    run = Run(
        scenario=stem,
        agent="claude",
        model="a-model",
        trajectory=Trajectory(invocations=calls, messages=tuple(said)),
        recorded_at="2026-01-02T03:04:05.006Z",
    )
    offered = surface or Surface(tools=tuple(map(tool, tools)))
    recording = distill(
        scenario(stem=stem, user_intent=intent),
        [run],
        provenance=Provenance(agent="claude", recorded_at=run.recorded_at),
        surface=offered,
    )
    return Baseline(surface=offered, recordings={stem: recording})


def tool(name):
    """A tool that promises nothing; a `!` before its name says that it merely reads."""
    hint = {"readOnlyHint": True} if name.startswith("!") else None
    return Tool(name=name.lstrip("!"), input_schema={"type": "object"}, annotations=hint)


def beside(before, after, policy=None):
    """The report on two stored recordings."""
    report = compared(Side(baseline=before), Side(baseline=after), policy=policy or Policy())
    return consistent(report)


def consistent(report):
    """The report, whose numbers, action and passing follow from its status."""
    assert report.action == ACTIONS[report.status]
    if report.status == "inconclusive":
        assert (report.score, report.passed) == (None, False)
        return report
    low, high = BANDS[report.status]
    assert low <= report.score <= (1.0 if report.status == "good" else high)
    if report.policy == "default":
        named = {name for root in report.roots for name in root.findings}
        assert {one.id for one in report.findings if one.status != "note"} <= named
        assert report.score == 1.0 or report.score <= high - 0.01
    return report


# --- what a report says --------------------------------------------------------------------------


def rules(report):
    """Rule and status of every finding."""
    return {(one.rule, one.status) for one in report.findings}


def finding(report, rule):
    """The only finding by a rule."""
    found = [one for one in report.findings if one.rule == rule]
    assert len(found) == 1, rules(report)
    return found[0]


def only_notes(report):
    """Whether a report is good without a root, and says something all the same."""
    notes = {one.status for one in report.findings} == {"note"}
    return report.status == "good" and notes and not report.roots and report.passed
