"""A suite of one real server beside bare client loops over it: the runner's own time, and -j 2."""

import asyncio
import contextlib
import dataclasses
import os
import tempfile
import time
from collections.abc import Awaitable
from contextlib import aclosing
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from mcp_eval import app
from mcp_eval.clock import SystemClock
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.ports import Target
from mcp_eval.tap.session import Session
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, RecordFinished
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.record import RecordPlan, record
from mcp_eval.workflows.together import at_most
from scripts.real_parts import MissingPartError, command_of

PART = "server-everything@2026.1.14"
SCENARIOS = int(os.environ.get("MCP_EVAL_SUITE", "200"))
_CALL = ("get-sum", {"a": 2, "b": 40})


async def _recorded(world: World) -> Baseline:
    """One scenario's recording under as many names as the suite has."""
    story = _scenario("story")
    async with aclosing(record(world, RecordPlan(scenarios=(story,), replace=True))) as events:  # type: ignore[type-var]
        async for event in events:
            if isinstance(event, RecordFinished):
                (one,) = event.recordings
                return Baseline(surface=event.surface, recordings=_copies(one))
    raise RuntimeError("nothing was recorded")


def _copies(one: Recording) -> dict[str, Recording]:
    names = [f"story-{number}" for number in range(SCENARIOS)]
    return {name: replace(one, stem=name, name=name) for name in names}


def _scenario(stem: str) -> Scenario:
    tool, args = _CALL
    return Scenario(
        name=stem, stem=stem, expected_trajectory=(Step(action=tool, tool=tool, args=args),)
    )


async def checked(world: World, baseline: Baseline, jobs: int) -> None:
    """The suite, checked."""
    scenarios = tuple(_scenario(stem) for stem in baseline.recordings)
    plan = CheckPlan(baseline=baseline, scenarios=scenarios, jobs=jobs)
    async with aclosing(check(world, plan)) as events:  # type: ignore[type-var]
        async for event in events:
            if isinstance(event, Checked) and event.report.status != "good":
                raise RuntimeError(f"the suite is {event.report.status}")


async def bare(target: Target, jobs: int) -> None:
    """The same starts, calls and ends, and nothing else."""
    await at_most(jobs, [partial(_once, target)] * SCENARIOS)


async def _once(target: Target) -> None:
    environment = await target.start()
    try:
        session = Session(await environment.connect(), clock=SystemClock())
        await session.initialize()
        await session.call(*_CALL, timeout=60)
        await session.close()
    finally:
        await environment.stop()


async def measured(folder: Path) -> dict[str, tuple[float, float]]:
    """Seconds of each, and the seconds of our own processor time among them."""
    spec = TargetSpec(name="suite", command=tuple(command_of(PART)), resettable=True)
    world = app.world(Project(), spec, folder=str(folder / "baselines"))
    world = dataclasses.replace(world, progress=None)
    baseline = await _recorded(world)
    return {
        "bare": await _timed(bare(world.target, 1)),
        "check": await _timed(checked(world, baseline, 1)),
        "bare -j 2": await _timed(bare(world.target, 2)),
        "check -j 2": await _timed(checked(world, baseline, 2)),
    }


async def _timed(work: Awaitable[None]) -> tuple[float, float]:
    began, own = time.monotonic(), time.process_time()
    await work
    return time.monotonic() - began, time.process_time() - own


def bench() -> None:
    """The runner's own share, and how much of a bare loop's speed-up its -j 2 has."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        try:
            took = asyncio.run(measured(Path(folder)))
        except MissingPartError as error:
            print(f"  not measured: {error}")
            return
    for name, (seconds, own) in took.items():
        print(
            f"  {name:10} {seconds:7.1f} s for {SCENARIOS} scenarios, {own:.2f} s of them our own"
        )
    whole, ours = took["bare"]
    print(f"  beside starts and calls: {took['check'][0] / whole - 1:+.1%} by the clock")
    print(
        f"  beside starts and calls: {(took['check'][1] - ours) / whole:+.1%} by our processor time"
    )
    mine, theirs = (took[name][0] / took[f"{name} -j 2"][0] for name in ("check", "bare"))
    print(f"  speed-up of -j 2: {mine:.2f}, of bare loops {theirs:.2f}: {mine / theirs:.0%} of it")


if __name__ == "__main__":
    bench()
