"""One run of an agent with a client of its own: what is the same whoever the agent is."""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec.structs import replace

from mcp_eval.agents import person
from mcp_eval.agents.places import Places
from mcp_eval.agents.story import Story, plain
from mcp_eval.agents.turns import turns_of
from mcp_eval.agents.walk import Pace, Walk
from mcp_eval.agents.written import WrittenWalk, read_script
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.provenance import Build
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Message, Run, Trajectory, Trouble, Usage
from mcp_eval.ports import Environment
from mcp_eval.tap.door import Door
from mcp_eval.tap.redact import resolve

AGENT_FAILED = "agent-failed"
_SAID = 2000


class Outing:
    """The state of one run while an agent is out: its door, its story, how it ended."""

    def __init__(
        self, scenario: Scenario, environment: Environment, pace: Pace, door: Door, folder: Path
    ) -> None:
        self._environment = environment
        self._pace = pace
        self.door = door
        self.folder = folder  # of the agent's own, empty, and gone after the run
        self.places = Places(environment.workdir, pace.environ)
        self.server = plain(environment.build.target or "target")
        self.story = Story(self.server, self.places)
        self.turns, self.after = turns_of(scenario)
        self.usage = Usage()
        self.restarted = False  # the target, since the agent came in by the door
        self.model = ""
        self.gave_up = False
        self.trouble: Trouble | None = None
        self.before: tuple[Invocation, ...] = ()  # what the scenario's set-up did
        self.began = pace.clock.monotonic()

    def words(self, text: str) -> str:
        """What a person says, with the real folder in it."""
        return self.places.placed(text)

    async def act(self, deeds: Sequence[Step]) -> None:
        """Do what a person does between two turns; InconclusiveError where that fails."""
        for step in deeds:
            self.story.act(person.marker(step))
            if step.run:
                environ, workdir = self._pace.environ, self._environment.workdir
                command = resolve(step.run, environ)[0]
                await person.run_command(command, workdir=workdir, environ=environ)
            elif step.restart:
                await self._environment.restart()
                self.restarted = True
            elif step.wait:
                await self._pace.sleep(step.wait)

    def fail(self, message: str, evidence: str = "") -> None:
        """The agent did not do its work; the first reason counts."""
        self.trouble = self.trouble or Trouble(
            rule=AGENT_FAILED, message=message, evidence=evidence[-_SAID:]
        )

    def late(self, seconds: float) -> None:
        """The agent was not done in time."""
        waits = ": the target had not answered its last call" if self.door.busy else ""
        self.fail(f"the agent was not done after {seconds:g} s{waits}")


@asynccontextmanager
async def outing(
    scenario: Scenario, environment: Environment, pace: Pace, surface: Surface
) -> AsyncIterator[Outing]:
    """A door that stands open, and a folder of the agent's own; the set-up has been done."""
    before = await _set_up(scenario, environment, pace, surface)
    with tempfile.TemporaryDirectory(prefix="mcp-eval-agent-") as folder:
        async with Door(environment, clock=pace.clock) as door:
            out = Outing(scenario, environment, pace, door, Path(folder))
            out.before = before
            yield out


async def _set_up(
    scenario: Scenario, environment: Environment, pace: Pace, surface: Surface
) -> tuple[Invocation, ...]:
    """The scenario's own set-up, on a line of ours: it is no part of what the agent does."""
    if not scenario.setup:
        return ()
    alone = replace(scenario, steps=(), expected_trajectory=())
    walk = Walk(environment, pace, answers=scenario.answers)
    steps = WrittenWalk(read_script(alone), walk, surface=surface)
    try:
        await walk.open()
        await steps.go()
    finally:
        await walk.close()
    return tuple(replace(made, foreign=True) for made in steps.made)


async def finished(begun: Run, out: Outing, pace: Pace, build: Build) -> Run:
    """The run, from what the agent told and what the tap saw."""
    await out.door.settle()
    made, said = out.story.joined(out.door.invocations)
    shift = len(out.before)
    messages = (
        *begun.trajectory.messages,
        *(replace(one, before=one.before + shift) for one in said),
    )
    trouble = _lost(out) or out.trouble
    seconds = round(pace.clock.monotonic() - out.began, 3)
    return replace(
        begun,
        model=out.model or begun.model,
        build=_named(build, out),
        trajectory=Trajectory(
            invocations=(*out.before, *made),
            messages=messages,
            usage=replace(out.usage, seconds=out.usage.seconds or seconds),
            ended="broke" if trouble else "gave-up" if out.gave_up else "done",
        ),
        troubles=(trouble,) if trouble else (),
    )


def begun(scenario: Scenario, *, trial: int, agent: str, model: str, now: str) -> Run:
    """A run that has only just begun."""
    intent = scenario.user_intent or scenario.description
    return Run(
        scenario=scenario.stem,
        trial=trial,
        agent=agent,
        model=model,
        recorded_at=now,
        trajectory=Trajectory(messages=(Message(role="user", text=intent),) if intent else ()),
    )


def troubled(begun: Run, error: InconclusiveError) -> Run:
    """The run that could not even begin."""
    trouble = Trouble(rule=error.rule, message=error.message, evidence=error.evidence or error.hint)
    trajectory = replace(begun.trajectory, ended="broke")
    return replace(begun, trajectory=trajectory, troubles=(trouble,))


def _lost(out: Outing) -> Trouble | None:
    """That the target could not be reached goes before whatever the agent made of it."""
    error = out.door.lost
    if error is None:
        return None
    return Trouble(rule=error.rule, message=error.message, evidence=error.evidence or error.hint)


def _named(build: Build, out: Outing) -> Build:
    said = out.door.introduced.get("serverInfo")
    if not isinstance(said, dict):
        return build
    return replace(
        build,
        server_name=build.server_name or str(said.get("name", "")),
        server_version=build.server_version or str(said.get("version", "")),
    )
