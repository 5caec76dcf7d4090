"""The first five minutes: what a target is like, and starter scenarios that exercise it."""

import dataclasses
from collections.abc import AsyncIterator
from functools import partial

from mcp_eval.compare.catalogue import catalogue_tokens
from mcp_eval.model.base import Noun
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.workflows.environments import probed
from mcp_eval.workflows.events import Happening, InitFinished, Line, Started
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.permission import ALLOW, COST
from mcp_eval.workflows.sight import Sight, Survey
from mcp_eval.workflows.stream import Say, streamed
from mcp_eval.workflows.survey import Trial, Writer, survey

_IDS = frozenset({"uuid", "hash", "counter"})


class InitPlan(Noun):
    """What a person wants to begin with."""

    places: tuple[str, ...] = ()  # folders that paths may name
    jobs: int = 1


def init(world: World, plan: InitPlan, write: Writer) -> AsyncIterator[Happening]:
    """Look at the world's target; the last event carries what was seen."""
    return streamed(partial(_init, world, plan, write))


async def _init(world: World, plan: InitPlan, write: Writer, say: Say) -> None:
    surface, build = await probed(world, world.target)
    say(Started(doing="looking at", build=build))
    if world.target.resettable is None and world.clean_start is not None:
        world = dataclasses.replace(world, target=await world.clean_start())
    clean = bool(world.target.resettable)
    if not clean:
        say(Line(text=COST, hint=ALLOW))
    trial = Trial(places=plan.places, clean=clean, jobs=plan.jobs)
    found = await survey(world, surface, trial, write, say)
    for one in found.recordings:
        if one.repeats == "no":
            say(Line(text=f"{one.stem}: the same build answered otherwise", level="warning"))
    say(
        InitFinished(
            sight=_sight(surface, build, found),
            survey=found,
            build=build,
            resettable=world.target.resettable,
        )
    )


def _sight(surface: Surface, build: Build, found: Survey) -> Sight:
    varying = {name for one in found.recordings for name in _varying(one)}
    seen = {step.name for one in found.recordings for step in one.steps}
    volatile = {name for one in found.recordings for name in _volatile(one)}
    return Sight(
        server=f"{build.server_name} {build.server_version}".strip(),
        tools=len(surface.tools),
        tried=found.tried,
        repeat=tuple(name for name in found.tried if name in seen - varying),
        varying=tuple(sorted(varying)),
        volatile_ids=tuple(sorted(volatile)),
        hiding_errors=found.hiding,
        not_answering=found.lost,
        untried=found.untried,
        catalogue_tokens=catalogue_tokens(surface),
    )


def _varying(recording: Recording) -> set[str]:
    """The tools whose looks did not end alike, or that a look never came to."""
    looks = max((step.looks for step in recording.steps), default=0)
    return {
        step.name for step in recording.steps if len(step.classes) > 1 or step.looks < max(looks, 2)
    }


def _volatile(recording: Recording) -> set[str]:
    return {
        step.name
        for step in recording.steps
        if any(hole.kind in _IDS for hole in step.holes.values())
    }
