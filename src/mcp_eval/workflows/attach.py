"""A person's own work with a target, kept as a scenario and its recording while it is done."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from mcp_eval.compare.bindings import bind
from mcp_eval.compare.steady import distill, unusable
from mcp_eval.errors import InconclusiveError
from mcp_eval.formats.scenario import fingerprint
from mcp_eval.model.base import Json, Noun
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Build, Provenance
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.ports import Environment, Saved
from mcp_eval.workflows.environments import identified, started
from mcp_eval.workflows.events import Happening, Line, Recorded, RecordFinished, Started
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.stream import Say, streamed

NOTHING = "nothing was called, so nothing was recorded"
TAG = "attached"


class Person(Protocol):
    """Somebody who works with a client of their own, which takes us for its server."""

    async def work(self, environment: Environment, *, heard: Callable[[Run], None]) -> None:
        """Until the client hangs up; `heard` is told the run so far at each pause, and at last."""

    def steps(self, run: Run) -> tuple[Step, ...]:
        """The run as a scenario writes its steps."""


class Desk(Protocol):
    """Where the work is laid down, again and again while it grows."""

    def session(self, recording: Recording, surface: Surface) -> Saved:
        """Keep the recording so far."""

    def scenario(self, scenario: Scenario) -> None:
        """Keep the scenario so far."""


class AttachPlan(Noun):
    """What the work will be called, and where its scenario goes."""

    stem: str
    path: str
    policy: Policy = Policy()


def attach(world: World, person: Person, desk: Desk, plan: AttachPlan) -> AsyncIterator[Happening]:
    """Record what a person does; it is on disk at each pause, however the client ends us."""
    return streamed(partial(_attach, world, person, desk, plan))


async def _attach(world: World, person: Person, desk: Desk, plan: AttachPlan, say: Say) -> None:
    async with started(world.target, world.sleep) as environment:
        # Asked before the client speaks: when it hangs up there is no time left.
        surface = world.redactor.surface(await world.probe(environment))
        build = identified(environment.build, surface)
        say(Started(doing="recording", scenarios=(plan.stem,), build=build, agent="your own"))
        work = _Work(world, person, desk, plan, surface, build)
        await person.work(environment, heard=work.keep)
    if work.recording is None:
        say(Line(text=NOTHING))
        return
    _refuse(work.recording, plan)
    say(Recorded(scenario=plan.stem, path=work.path, runs=1))
    say(RecordFinished(folder=world.store.folder, surface=surface, recordings=(work.recording,)))


class _Work:
    """What was done so far, written down anew each time more is known."""

    def __init__(
        self,
        world: World,
        person: Person,
        desk: Desk,
        plan: AttachPlan,
        surface: Surface,
        build: Build,
    ) -> None:
        self._world = world
        self._person = person
        self._desk = desk
        self._plan = plan
        self._surface = surface
        self._build = build
        self.recording: Recording | None = None
        self.path = ""

    def keep(self, made: Run) -> None:
        """Write down the run so far, unless nothing was called or all of that is written."""
        if not made.trajectory.invocations:
            return
        named = replace(made, scenario=self._plan.stem, build=self._build)
        # Bound first: a secret an earlier answer minted must still be recognised as that answer's.
        run = self._world.redactor.run(bind(named))
        scenario = self._scenario(run)
        recording = distill(
            scenario,
            [run],
            provenance=self._provenance(run),
            surface=self._surface,
        )
        if recording == self.recording:
            return
        self.recording = recording
        if not unusable([recording], [scenario]):
            self._desk.scenario(scenario)
            self.path = self._desk.session(recording, self._surface).path

    def _scenario(self, run: Run) -> Scenario:
        with_ = f" with {run.model}" if run.model else ""
        command = " ".join(self._build.command)
        scenario = Scenario(
            name=self._plan.stem,
            stem=self._plan.stem,
            path=self._plan.path,
            description=f"Worked by hand{with_}, through `record --attach -- {command}`",
            expected_trajectory=self._person.steps(run),
            tags=(TAG,),
            answers=_answers(run),
        )
        return replace(scenario, fingerprint=fingerprint(scenario))

    def _provenance(self, run: Run) -> Provenance:
        return Provenance(
            mcp_eval=self._world.version,
            scorer=self._plan.policy.scorer,
            agent=run.agent,
            configuration=run.model,
            recorded_at=run.recorded_at,
            build=self._build,
        )


def _answers(run: Run) -> dict[str, Json]:
    """What the client answered first when the server asked it back, by method."""
    said: dict[str, Json] = {}
    for made in run.trajectory.invocations:
        for asked in made.nested:
            if asked.answer is not None:
                said.setdefault(asked.method, asked.answer)
    return said


def _refuse(recording: Recording, plan: AttachPlan) -> None:
    if why := unusable([recording], [Scenario(name=plan.stem, stem=plan.stem)]):
        raise InconclusiveError(
            f"refused as a baseline: {why}",
            hint="mend the target and work through it again; nothing was written",
            rule="baseline-unusable",
        )
