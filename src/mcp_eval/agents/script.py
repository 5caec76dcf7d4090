"""The agent `script`: walks written steps, or a recording, without any model."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from mcp_eval.agents.recorded import RecordedWalk
from mcp_eval.agents.renames import Renames
from mcp_eval.agents.walk import Pace, Walk
from mcp_eval.agents.written import WrittenWalk, read_script
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.comparison import Difference
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Message, Run, Trajectory, Trouble
from mcp_eval.ports import Agent, Bounds, Clock, Environment


class ScriptAgent:
    """An Agent that does what the scenario writes, and nothing else."""

    name = "script"
    model = ""
    bounds = Bounds()

    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    async def run(
        self, scenario: Scenario, environment: Environment, *, surface: Surface, trial: int
    ) -> Run:
        """One run through the tap; trouble is a fact in the run, not an exception."""
        walk = Walk(environment, self._pace, answers=scenario.answers)
        steps = WrittenWalk(read_script(scenario), walk, surface=surface)
        began = Run(
            scenario=scenario.stem,
            trial=trial,
            agent=self.name,
            recorded_at=self._pace.clock.now(),
            trajectory=Trajectory(messages=_said(scenario.user_intent)),
        )
        return await _walked(began, walk, steps)


class Walker:
    """A Replayer: the same walk, along a recording."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    async def replay(
        self,
        recording: Recording,
        environment: Environment,
        *,
        surface: Surface,
        changes: Sequence[Difference] = (),
        look: int = 1,
    ) -> Run:
        """One look; renames among `changes` are followed, polls repeated, lost ids not chased."""
        walk = Walk(environment, self._pace)
        steps = RecordedWalk(
            recording,
            walk,
            surface=surface,
            renames=Renames(changes),
            pace=self._pace,
            clean=environment.fresh,
        )
        began = Run(
            scenario=recording.stem,
            trial=look,
            agent="replay",
            recorded_at=self._pace.clock.now(),
            trajectory=Trajectory(messages=_said(recording.user_intent)),
        )
        return await _walked(began, walk, steps)


def script(*, spec: TargetSpec, clock: Clock, options: JsonObject) -> Agent:
    """The entry point: it has no options of its own."""
    del options
    return ScriptAgent(Pace.of(spec, clock=clock, sleep=asyncio.sleep))


class _Steps(Protocol):
    made: list[Invocation]

    async def go(self) -> None: ...


async def _walked(began: Run, walk: Walk, steps: _Steps) -> Run:
    """The run from hello to goodbye, as far as it came."""
    troubles: tuple[Trouble, ...] = ()
    try:
        await walk.open()
        await steps.go()
    except InconclusiveError as error:
        evidence = error.evidence or error.hint
        troubles = (Trouble(rule=error.rule, message=error.message, evidence=evidence),)
    finally:
        build = walk.build
        await walk.close()
    trajectory = replace(
        began.trajectory,
        invocations=tuple(steps.made),
        ended="broke" if walk.stopped or troubles else "done",
    )
    return replace(began, build=build, trajectory=trajectory, troubles=troubles)


def _said(intent: str) -> tuple[Message, ...]:
    return (Message(role="user", text=intent),) if intent else ()
