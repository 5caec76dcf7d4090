"""A target that is a command: started in its own group and folder, and dead when we say so."""

import asyncio
import os
import shutil
import signal
import uuid
from collections.abc import Sequence
from pathlib import Path

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.provenance import Build
from mcp_eval.ports import Channel, Clock
from mcp_eval.tap.redact import Redaction
from mcp_eval.targets import procs
from mcp_eval.targets.before import (
    beside,
    checkout_of,
    made_ready,
    reason,
    run_command,
    status_of,
)
from mcp_eval.targets.identity import Identity, identify
from mcp_eval.targets.journal import Journal, new_folder
from mcp_eval.targets.placeholders import anchored, expanded, filled, free_port
from mcp_eval.targets.stdio import Line

_PARTING_SECONDS = 0.3  # many servers do not notice that their client hung up: TERM tells them
_LOG_LINES = 20


class ProcessTarget:
    """A command, and how to run it as often as asked."""

    def __init__(self, spec: TargetSpec, *, workspace: Path, clock: Clock) -> None:
        self._spec = spec
        self._clock = clock
        self._journal = Journal(workspace / "journal")
        self._prepared: Build | None = None
        self._preparing = asyncio.Lock()
        self.name = spec.name
        self.resettable = bool(spec.resettable) if spec.resettable is not None else None
        self.serial = isinstance(spec.resettable, str)  # its command resets what all would share

    async def start(self) -> "ProcessEnvironment":
        """A fresh environment: its folder, its port, its process."""
        async with self._preparing:
            if self._prepared is None:
                self._prepared = await self._prepare()
        environment = self._environment(self._prepared)
        try:
            await environment.begin()
        except BaseException:
            await environment.stop()
            raise
        return environment

    def _environment(self, build: Build) -> "ProcessEnvironment":
        return ProcessEnvironment(self._spec, build=build, journal=self._journal, clock=self._clock)

    async def _prepare(self) -> Build:
        """Once a target: build it, look before starting, and say what it is."""
        spec = self._spec
        said = await made_ready(spec)
        command = anchored(spec.command, spec.base)
        found = await asyncio.to_thread(identify, command)
        _expected(spec, found)
        return Build(
            target=spec.name,
            command=Redaction.of(spec, os.environ).words(spec.command),
            url=spec.url,
            digest=f"sha256:{found.digest}" if found.digest else "",
            checkout=await asyncio.to_thread(checkout_of, spec, found),
            dependencies=found.dependencies,
            preflight=said,
        )


class ProcessEnvironment:
    """One started instance: a folder, a port, and the processes running in it."""

    def __init__(self, spec: TargetSpec, *, build: Build, journal: Journal, clock: Clock) -> None:
        self._spec = spec
        self._clock = clock
        self._journal = journal
        self._marker = uuid.uuid4().hex
        self._folder = new_folder()
        (self._folder / "work").mkdir()
        self._lines: list[Line] = []
        self._waiting: Line | None = None  # started, and nobody talks to it yet
        self._redaction = Redaction.of(spec, os.environ)
        self.workdir = str(self._folder / "work")
        self.build = build
        self.fresh = bool(spec.resettable)
        needs_port = "${port}" in str((spec.command, spec.env, spec.resettable, spec.cwd))
        self._places = {"workdir": self.workdir}
        if needs_port:
            self._places["port"] = str(free_port())

    async def begin(self) -> None:
        """Reset where a command does that, then start."""
        self._journal.write(self._marker, folder=str(self._folder))
        if isinstance(self._spec.resettable, str):
            await run_command(
                filled(self._spec.resettable, self._places),
                cwd=beside(self._spec),
                what=f"{self._spec.name}: resettable",
                env=self._environ(),
            )
        self._waiting = await self._launch()

    async def connect(self) -> Channel:
        """A line of its own: over stdio, the first has the started process, the next a new one."""
        line, self._waiting = self._waiting, None
        if line is None:
            await self._end_idle()
            line = await self._launch()
        if await line.exited(0):
            await line.silent(0.5)
            raise self._dead(line)
        return line

    async def post_mortem(self) -> str:
        """How the last started process ended, and what it said last."""
        line = self._lines[-1] if self._lines else None
        # Its stdout closes a moment before the kernel says how it ended.
        if line is None or not await line.exited(1.0):
            return ""
        await line.silent(0.5)
        return self._epitaph(line)

    async def log(self) -> str:
        """The last lines on stderr, running or not."""
        return self._last_words(self._lines[-1]) if self._lines else ""

    async def restart(self) -> None:
        """Start it again in the same folder, at the same port."""
        await self._end(self._lines)
        self._waiting = await self._launch()

    async def stop(self) -> None:
        """End all that was started here, and remove the folder."""
        await self._end(self._lines)
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
        self._journal.forget(self._marker)

    async def _launch(self) -> Line:
        spec = self._spec
        command = [filled(word, self._places) for word in anchored(spec.command, spec.base)]
        cwd = Path(spec.base or ".").resolve() / filled(spec.cwd, self._places)
        try:
            line = await Line.start(
                command, env=self._environ(), cwd=str(cwd) if spec.cwd else self.workdir
            )
        except (OSError, ValueError) as error:
            raise InconclusiveError(
                f"{spec.name}: {command[0]} cannot be started: {reason(error)}",
                hint="is it installed, on PATH, and executable?",
                rule="target-not-starting",
            ) from error
        self._lines.append(line)
        self._journal.write(self._marker, pid=line.pid, folder=str(self._folder))
        return line

    def _environ(self) -> dict[str, str]:
        where = f"{self._spec.name}: env"
        own = {
            name: expanded(filled(value, self._places), os.environ, where=where)
            for name, value in self._spec.env.items()
        }
        home = self._home() if self._spec.home == "fresh" else {}
        return {**os.environ, **home, **own, procs.MARKER: self._marker}

    def _home(self) -> dict[str, str]:
        home = self._folder / "home"
        places = {
            "HOME": home,
            "XDG_CONFIG_HOME": home / ".config",
            "XDG_DATA_HOME": home / ".local" / "share",
            "XDG_STATE_HOME": home / ".local" / "state",
            "XDG_CACHE_HOME": home / ".cache",
            "XDG_RUNTIME_DIR": home / ".run",
        }
        for place in places.values():
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return {name: str(place) for name, place in places.items()}

    async def _end_idle(self) -> None:
        """A stdio server whose client hung up ends before the next one starts."""
        await self._end([line for line in self._lines if line.hung_up])

    async def _end(self, lines: Sequence[Line]) -> None:
        lines = tuple(lines)
        leaders = [(line.pid, line.started) for line in lines]
        marker = self._marker if set(lines) >= set(self._lines) else ""
        try:
            # Before they end: what left their groups is found by its parents.
            family = await asyncio.to_thread(procs.belonging, leaders)
            for line in lines:
                await line.close()
            deadline = self._clock.monotonic() + _PARTING_SECONDS
            for line in lines:
                await line.exited(max(deadline - self._clock.monotonic(), 0))
            await procs.end(family, leaders, marker)
        except asyncio.CancelledError:
            procs.send(signal.SIGKILL, procs.belonging(leaders, marker))
            raise
        finally:
            await self._let_go(lines)

    async def _let_go(self, lines: Sequence[Line]) -> None:
        for line in lines:
            await line.exited(5)
            line.drop()
            if line in self._lines:
                self._lines.remove(line)

    def _dead(self, line: Line) -> InconclusiveError:
        return InconclusiveError(
            f"{self._spec.name}: it ended at once, {status_of(line.status)}",
            hint="its last words are in the evidence; it runs in an empty folder: "
            "set `cwd:` where it needs yours",
            rule="target-not-starting",
            evidence=self._epitaph(line),
        )

    def _epitaph(self, line: Line) -> str:
        return "\n".join(filter(None, [status_of(line.status), self._last_words(line)]))

    def _last_words(self, line: Line) -> str:
        lines = self._redaction.scrub(line.tail).splitlines()[-_LOG_LINES:]
        return "\n".join(each[:500] for each in lines)


def _expected(spec: TargetSpec, found: Identity) -> None:
    wanted = spec.sha256.removeprefix("sha256:").lower()
    if wanted and found.digest != wanted:
        raise InconclusiveError(
            f"{spec.name}: {found.program or 'its program'} is not the build that `sha256:` names",
            hint=f"it has sha256 {found.digest or 'unknown'}; build it again or correct the file",
            rule="build-mismatch",
        )
