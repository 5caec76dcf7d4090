"""What a person does between two calls: run a command, wait, start the target again."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping

from mcp_eval.compare.expected import RESTART, RUN, WAIT
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.scenario import Step
from mcp_eval.model.trajectory import Invocation

_SAID = 2000
_SECONDS = 120.0


def marker(step: Step) -> Invocation:
    """The step as it stands in a trajectory: it keeps its place there, and is never scored."""
    if step.run:
        return Invocation(name="run", method=RUN, arguments={"command": step.run}, foreign=True)
    if step.restart:
        return Invocation(name="restart", method=RESTART, foreign=True)
    return Invocation(name="wait", method=WAIT, arguments={"seconds": step.wait}, foreign=True)


def step_of(name: str, method: str, arguments: Mapping[str, object]) -> Step | None:
    """The step a marker stands for; None where it is no marker."""
    if method == RUN:
        return Step(run=str(arguments.get("command", "")))
    if method == RESTART and name == "restart":
        return Step(restart=True)
    seconds = arguments.get("seconds")
    if method == WAIT and isinstance(seconds, int | float):
        return Step(wait=float(seconds))
    return None


async def run_command(
    command: str, *, workdir: str, environ: Mapping[str, str], seconds: float = _SECONDS
) -> None:
    """Run a person's own command in the working folder; InconclusiveError where it fails."""
    # The shell itself puts `${workdir}` in, by its own rules of quoting.
    started = await asyncio.create_subprocess_shell(
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=workdir or None,
        env={**environ, "workdir": workdir},
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            said, _ = await started.communicate()
    except TimeoutError:
        raise _failed(command, f"was not done after {seconds:g} s") from None
    finally:
        if started.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
            await started.communicate()
    if started.returncode:
        raise _failed(command, f"ended with {started.returncode}", said)


def _failed(command: str, what: str, said: bytes = b"") -> InconclusiveError:
    return InconclusiveError(
        f"the step `run: {command}` {what}",
        hint="run it by hand in an empty folder",
        rule="agent-failed",
        evidence=said[-_SAID:].decode(errors="replace"),
    )
