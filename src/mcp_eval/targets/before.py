"""What is done before a target starts: built, looked at, reset; by commands a person wrote."""

import asyncio
import contextlib
import shlex
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.provenance import Checkout
from mcp_eval.targets import procs
from mcp_eval.targets.checkout import read_checkout
from mcp_eval.targets.identity import Identity

_LOG_LINES = 20
_COMMAND_SECONDS = 600.0


async def made_ready(spec: TargetSpec) -> dict[str, str]:
    """Build what a person wants built first; what the commands before a start said."""
    if spec.build:
        await run_command(spec.build, cwd=beside(spec), what=f"{spec.name}: build")
    return {
        line: (await run_command(line, cwd=beside(spec), what=f"{spec.name}: preflight"))[:200]
        for line in spec.preflight
    }


async def run_command(
    line: str, *, cwd: str, what: str, env: Mapping[str, str] | None = None
) -> str:
    """Run a command a person wrote; its output, or why no opinion can be formed."""
    try:
        running = await asyncio.create_subprocess_exec(
            *shlex.split(line),
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise InconclusiveError(
            f"{what}: {line!r} cannot be started: {reason(error)}",
            hint="it runs beside the project file, without a shell: `sh -c '…'` gives it one",
            rule="target-not-starting",
        ) from error
    try:
        async with asyncio.timeout(_COMMAND_SECONDS):
            said, _ = await running.communicate()
    except BaseException:
        procs.send(signal.SIGKILL, procs.belonging([(running.pid, procs.started_at(running.pid))]))
        await running.wait()
        raise
    output = said.decode("utf-8", "replace").strip()
    if running.returncode != 0:
        raise InconclusiveError(
            f"{what}: {line!r} failed, {status_of(running.returncode)}",
            hint="run it by hand and see",
            rule="target-not-starting",
            evidence="\n".join(output.splitlines()[-_LOG_LINES:]),
        )
    return output


def checkout_of(spec: TargetSpec, found: Identity) -> Checkout | None:
    """The git checkout a target names; InconclusiveError(build-mismatch) where it is another's."""
    if not spec.checkout:
        return None
    folder = str(Path(spec.base or ".").resolve() / spec.checkout)
    checkout = read_checkout(folder, found.program)
    if checkout is None:
        raise InconclusiveError(
            f"{spec.name}: checkout {spec.checkout} is no git checkout",
            hint="name the folder the program is built from, or leave `checkout:` out",
            rule="build-mismatch",
        )
    if checkout.built_from == "no":
        raise InconclusiveError(
            f"{spec.name}: {found.program} was not built from {spec.checkout} as it stands",
            hint="build it again, or name it in `build:`",
            rule="build-mismatch",
        )
    return msgspec.structs.replace(checkout, path=spec.checkout)


def beside(spec: TargetSpec) -> str:
    """The folder a target's own commands run in."""
    return str(Path(spec.base or ".").resolve())


def reason(error: Exception) -> str:
    """What the system says of a failure."""
    return getattr(error, "strerror", None) or str(error)


def status_of(status: int | None) -> str:
    """How something ended, in words."""
    if status is None:
        return "it still runs"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"ended by {signal.Signals(-status).name}"
    return f"exit status {status}"
