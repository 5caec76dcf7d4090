"""After every update: what stands there is glanced at, what a change affects is checked again."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from mcp_eval.workflows.needs import Sleeper

# What stands there: `scenario PATH` for each scenario's file, any other name for what all share.
Standing = Mapping[str, str]
SCENARIO = "scenario "


@dataclass(frozen=True, kw_only=True)
class Watch:
    """What watching needs of the world."""

    glance: Callable[[], Standing]
    check: Callable[[tuple[str, ...]], Awaitable[int]]  # of these scenario files; of all where none
    changed: Callable[[int, int], Awaitable[None]]  # the exit code before, and now
    sleep: Sleeper
    every: float = 1.0
    settle: float = 0.5  # a build writes for a while: wait until two glances agree


async def watch(world: Watch, *, runs: int | None = None) -> int:
    """Check all, then whatever a change affects, one run at a time; the last exit code."""
    seen = await _settled(world)
    status = await world.check(())
    done = 1
    while runs is None or done < runs:
        await world.sleep(world.every)
        if world.glance() == seen:
            continue
        before, seen = seen, await _settled(world)
        scenarios = affected(before, seen)
        if scenarios is None:
            continue
        now = await world.check(scenarios)
        done += 1
        if now != status:
            await world.changed(status, now)
        status = now
    return status


def affected(before: Standing, now: Standing) -> tuple[str, ...] | None:
    """The scenario files to check, () for all of them; None where nothing is left to be checked."""
    names = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    if any(not name.startswith(SCENARIO) for name in names):
        return ()
    return tuple(sorted(name.removeprefix(SCENARIO) for name in names if name in now)) or None


async def _settled(world: Watch) -> Standing:
    standing = world.glance()
    while True:
        await world.sleep(world.settle)
        again = world.glance()
        if again == standing:
            return standing
        standing = again
