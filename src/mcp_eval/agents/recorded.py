"""A recording, re-issued: fresh values put in, renames followed, polls repeated, no id chased."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from mcp_eval.agents import patience, person
from mcp_eval.agents.renames import Renames
from mcp_eval.agents.templates import read_all
from mcp_eval.agents.walk import Pace, Request, Walk
from mcp_eval.compare.bindings import Settled, settle
from mcp_eval.compare.effects import annotated_read, writes
from mcp_eval.compare.paths import put
from mcp_eval.compare.steady import key_of, waiting
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.base import Json
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.scenario import Step
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation


class RecordedWalk:
    """Takes one recorded step after the other; what was made so far stays, whatever happens."""

    def __init__(
        self,
        recording: Recording,
        walk: Walk,
        *,
        surface: Surface,
        renames: Renames,
        pace: Pace,
        clean: bool,
    ) -> None:
        self._steps = _steps(recording)
        self._walk = walk
        self._surface = surface
        self._renames = renames
        self._pace = pace
        self._clean = clean  # this environment is thrown away: a read may be repeated there
        self._recorded = {number: step.outcome for number, step in enumerate(self._steps)}
        self.made: list[Invocation] = []

    async def go(self) -> None:
        """All of it; InconclusiveError where it cannot go on."""
        for step in self._steps:
            if not step.foreign or _deed(step) is not None:
                self._walk.needs(_own(step), bare_name(step.name))
        for number, step in enumerate(self._steps):
            if step.foreign:
                await self._act(number, step)
            else:
                await self._call(number, step)

    async def _act(self, number: int, step: RecordedStep) -> None:
        """What a person did is done again; an agent's own tools are not ours to use."""
        deed = _deed(step)
        if deed is not None and (deed.restart or not self._walk.stopped):
            await self._walk.act(deed)
        self.made.append(
            Invocation(
                name=step.name,
                method=step.method,
                arguments=step.arguments,
                foreign=True,
                step=number,
            )
        )

    async def _call(self, number: int, step: RecordedStep) -> None:
        request, settled = self._now(step)
        if settled.lost is not None:
            missed = request.not_reached(settled.what)
            self.made.append(replace(missed, step=number, waits_for=self._origin(settled.lost)))
        elif self._walk.stopped:
            self.made.append(replace(request.not_reached(self._walk.stopped), step=number))
        else:
            made = await self._settled(step, request, await self._walk.ask(request))
            self.made.append(replace(made, step=number, bindings=settled.bindings))
            if not patience.limited(step.outcome):
                patience.refuse_limits(made)

    def _now(self, step: RecordedStep) -> tuple[Request, Settled]:
        """The request under today's names and with today's values."""
        name, arguments, bindings = bare_name(step.name), step.arguments, step.bindings
        if step.method == "tools/call":
            name = self._renames.name(step.name)
            arguments, bindings = self._renames.arguments(step.name, arguments, bindings)
        outcomes = {number: made.outcome for number, made in enumerate(self.made)}
        settled = settle(arguments, bindings, outcomes, self._recorded)
        request = Request(
            name=name, method=step.method, arguments=settled.arguments, nested=step.nested
        )
        return request, settled

    def _origin(self, lost: int) -> int:
        """Where the value was lost first: what stands between waits for the same step."""
        before = self.made[lost].waits_for
        return lost if before is None else before

    async def _settled(self, step: RecordedStep, request: Request, made: Invocation) -> Invocation:
        """Where repeating is permitted, until the state is as it was recorded."""
        if not waiting(step, made.outcome):
            return made
        patient = step.polls > 1 or patience.moving(made.outcome)
        return await self._walk.settle(
            made,
            request,
            partial(waiting, step),
            seconds=self._pace.poll_seconds if patient else self._pace.glance_seconds,
            most=None if self._may_repeat(request) else step.polls,
        )

    def _may_repeat(self, request: Request) -> bool:
        """Reads are; who promised nothing only where nothing lasts; as often as recorded, all."""
        if request.method != "tools/call":
            return True
        tool = self._surface.tool(request.name)
        if annotated_read(tool):
            return True
        asked = Invocation(name=request.name, arguments=request.arguments)
        return self._clean and not writes(request.name, tool, key_of(asked, self._surface))


def _steps(recording: Recording) -> Sequence[RecordedStep]:
    """The recording's steps; those of a mere expectation still hold templates to be read."""
    if recording.runs:
        return recording.steps
    written = read_all(
        [
            Step(tool="" if step.foreign else step.name, args=step.arguments)
            for step in recording.steps
        ],
        where=f"{recording.stem}: expected_trajectory",
    )
    return tuple(
        replace(step, arguments=here.arguments, bindings=(*here.bindings, *step.bindings))
        for step, here in zip(recording.steps, written, strict=True)
    )


def _deed(step: RecordedStep) -> Step | None:
    """What a person did at this step; None where it was an agent's own tool, or a call."""
    return person.step_of(step.name, step.method, step.arguments)


def _own(step: RecordedStep) -> Json:
    """The arguments without what an earlier answer fills in."""
    arguments: Json = step.arguments
    for binding in step.bindings:
        arguments = put(arguments, binding.argument, None)
    return arguments
