"""`check --watch`: the same check again, as a process of its own, whenever something changed."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial

import click

from mcp_eval.cli.running import run
from mcp_eval.workflows.watch import Standing, Watch, watch

_NAMES = {0: "passed", 1: "failed", 2: "usage", 3: "inconclusive"}


def watching(words: Sequence[str], glance: Callable[[], Standing], on_change: str) -> int:
    """Check until somebody ends it."""
    again = without(words, "--watch", valued="--on-change")
    world = Watch(
        glance=glance,
        check=partial(_check, again),
        changed=partial(_changed, on_change),
        sleep=asyncio.sleep,
    )
    return run(watch(world))


def without(words: Sequence[str], flag: str, *, valued: str) -> tuple[str, ...]:
    """The words of a command without a flag, and without an option and its value."""
    kept: list[str] = []
    skip = False
    for word in words:
        if not skip and word not in {flag, valued} and not word.startswith(f"{valued}="):
            kept.append(word)
        skip = not skip and word == valued
    return tuple(kept)


async def _check(words: Sequence[str], scenarios: tuple[str, ...]) -> int:
    affected = [part for path in scenarios for part in ("--affected", path)]
    status = await _ended(sys.executable, "-m", "mcp_eval.cli", *words, *affected)
    click.echo(f"watching; {_NAMES.get(status, 'ended')} (Ctrl-C ends it)", err=True)
    return status


async def _changed(command: str, before: int, now: int) -> None:
    """Run the person's own command; it is told both ends."""
    click.echo(f"changed: {_NAMES.get(before, before)} → {_NAMES.get(now, now)}", err=True)
    if command:
        said = {"MCP_EVAL_BEFORE": str(before), "MCP_EVAL_STATUS": str(now)}
        await _ended("sh", "-c", command, **said)


async def _ended(*words: str, **environ: str) -> int:
    running = await asyncio.create_subprocess_exec(*words, env={**os.environ, **environ})
    try:
        return await running.wait()
    except asyncio.CancelledError:
        if running.returncode is None:
            running.terminate()
        await running.wait()  # it ends what it started itself
        raise
