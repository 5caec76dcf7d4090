"""Environments from start to stop: torn down whatever happens, started twice at most."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from msgspec.structs import replace

from mcp_eval.compare.surface import surface_digest
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.provenance import Build
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Trouble
from mcp_eval.ports import Environment, Target
from mcp_eval.workflows.needs import Sleeper, World

BACKOFF = 2.0
PAUSES = (1.0, 2.0, 4.0)  # seconds, before each further attempt at what time alone may cure
_T = TypeVar("_T")


@asynccontextmanager
async def started(target: Target, sleep: Sleeper | None) -> AsyncIterator[Environment]:
    """A fresh environment of the target, gone afterwards even when we are interrupted."""
    # Without a way to wait, whoever asks has a patience of its own.
    environment = await (target.start() if sleep is None else patiently(target.start, sleep))
    try:
        yield environment
    finally:
        await _stopped(environment)


async def patiently(attempt: Callable[[], Awaitable[_T]], sleep: Sleeper) -> _T:
    """The attempt, made again after longer and longer pauses where somebody was merely busy."""
    for pause in PAUSES:
        try:
            return await attempt()
        except InconclusiveError as error:
            if not passes(trouble(error)):
                raise
        await sleep(pause)
    return await attempt()


async def probed(world: World, target: Target) -> tuple[Surface, Build]:
    """What the target offers, and which build of it answered."""
    async with started(target, world.sleep) as environment:
        surface = await patiently(lambda: world.probe(environment), world.sleep)
        return world.redactor.surface(surface), identified(environment.build, surface)


def identified(build: Build, surface: Surface) -> Build:
    """The build, with what its surface says of itself."""
    return replace(
        build,
        server_name=build.server_name or surface.server_name,
        server_version=build.server_version or surface.server_version,
        surface_digest=surface_digest(surface),
    )


def trouble(error: InconclusiveError) -> Trouble:
    """Why no opinion could be formed, as a fact."""
    return Trouble(rule=error.rule, message=error.message, evidence=error.evidence or error.hint)


def passes(fact: Trouble) -> bool:
    """Whether time alone may cure it; a build that exits at once would exit again."""
    said = f"{fact.message} {fact.evidence}".lower()
    return fact.rule == "rate-limited" or "connection refused" in said or "429" in said


async def _stopped(environment: Environment) -> None:
    stopping = asyncio.ensure_future(environment.stop())
    try:
        await asyncio.shield(stopping)
    except asyncio.CancelledError:
        await stopping
        raise
