"""A target that is reached at a URL: somebody runs it, or its command listens there."""

import asyncio
import os
import re
import shutil
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.provenance import Build
from mcp_eval.ports import Channel, Clock, Environment, Target
from mcp_eval.tap.client import Client, connected
from mcp_eval.tap.either import EitherLine
from mcp_eval.tap.http import HttpLine
from mcp_eval.tap.legacy import LegacyLine
from mcp_eval.tap.redact import Redaction
from mcp_eval.tap.refusals import unreachable
from mcp_eval.targets.before import beside, checkout_of, made_ready, run_command
from mcp_eval.targets.identity import Identity
from mcp_eval.targets.journal import Journal, new_folder
from mcp_eval.targets.placeholders import expanded, filled
from mcp_eval.targets.process import ProcessEnvironment, ProcessTarget
from mcp_eval.targets.stdio import Line

_SHORTLY = 5.0  # seconds for one that is being started again; nobody waits longer for a typo
_FIRST, _FACTOR, _STEADY = 0.1, 1.6, 1.0
_LINGER = 0.5  # the server must outlive us
_MOST = 0.8  # of the time a start may take: a listener may still be loading


def url_target(spec: TargetSpec, *, workspace: Path, clock: Clock) -> Target:
    """The entry point: with a command it is ours to start, without one it is running."""
    if urlsplit(spec.url).scheme not in {"http", "https"} or not urlsplit(spec.url).hostname:
        raise UsageError(
            f"target {spec.name}: {spec.url} is no address",
            hint="it starts with http:// or https://",
        )
    kind = ServedTarget if spec.command else FixedTarget
    return kind(spec, workspace=workspace, clock=clock)


class ServedTarget(ProcessTarget):
    """A command that listens at a URL, started as often as asked."""

    def __init__(self, spec: TargetSpec, *, workspace: Path, clock: Clock) -> None:
        super().__init__(spec, workspace=workspace, clock=clock)
        self.serial = self.serial or "${port}" not in spec.url

    def _environment(self, build: Build) -> ProcessEnvironment:
        return ServedEnvironment(self._spec, build=build, journal=self._journal, clock=self._clock)


class ServedEnvironment(ProcessEnvironment):
    """One started server: its process, and the address it listens at."""

    async def connect(self) -> Channel:
        """A line to its address, once somebody listens there."""
        line, seconds = self._lines[-1], self._spec.start_timeout
        url = address(self._spec, self._places)
        knocking = asyncio.ensure_future(knock(url, seconds))
        dying = asyncio.ensure_future(line.exited(seconds))
        try:
            await asyncio.wait({knocking, dying}, return_when=asyncio.FIRST_COMPLETED)
            if await line.exited(0):
                await line.silent(0.5)
                raise self._dead(line)
            await knocking
        finally:
            knocking.cancel()
            dying.cancel()
            await asyncio.gather(knocking, dying, return_exceptions=True)
        return http_line(self._spec, url, patience=seconds * _MOST)

    async def reach(self) -> Client:
        """Somebody who may ask it, once somebody listens there."""
        await (await self.connect()).close()
        return client_of(self._spec, address(self._spec, self._places))

    async def _launch(self) -> Line:
        line = await super()._launch()
        line.ignore()  # what it prints is no protocol
        return line


class FixedTarget:
    """A server that somebody runs: one address, one run at a time."""

    serial = True

    def __init__(self, spec: TargetSpec, *, workspace: Path, clock: Clock) -> None:
        del clock
        self._spec = spec
        self._journal = Journal(workspace / "journal")
        self._prepared: Build | None = None
        self._preparing = asyncio.Lock()
        self.name = spec.name
        self.resettable = bool(spec.resettable) if spec.resettable is not None else None

    async def start(self) -> Environment:
        """Reset where a command does that, and see that somebody listens."""
        async with self._preparing:
            if self._prepared is None:
                self._prepared = await self._prepare()
        environment = FixedEnvironment(self._spec, build=self._prepared, journal=self._journal)
        try:
            await environment.begin()
        except BaseException:
            await environment.stop()
            raise
        return environment

    async def _prepare(self) -> Build:
        """Once a target; whether the checkout is what runs there, nobody can see from here."""
        spec = self._spec
        return Build(
            target=spec.name,
            url=Redaction.of(spec, os.environ).scrub(_without_login(spec.url)),
            preflight=await made_ready(spec),
            checkout=await asyncio.to_thread(checkout_of, spec, Identity()),
        )


class FixedEnvironment:
    """What somebody else runs, for as long as one run lasts."""

    def __init__(self, spec: TargetSpec, *, build: Build, journal: Journal) -> None:
        self._spec = spec
        self._journal = journal
        self._marker = uuid.uuid4().hex
        self.workdir = str(new_folder())
        self.fresh = bool(spec.resettable)
        self.build = build

    async def begin(self) -> None:
        """Reset where a command does that; then somebody must be listening."""
        self._journal.write(self._marker, folder=self.workdir)
        if isinstance(self._spec.resettable, str):
            await run_command(
                filled(self._spec.resettable, {"workdir": self.workdir}),
                cwd=beside(self._spec),
                what=f"{self._spec.name}: resettable",
            )
        await knock(self._address(), _SHORTLY)

    async def connect(self) -> Channel:
        """A line to its address."""
        await knock(self._address(), _SHORTLY)
        return http_line(self._spec, self._address(), patience=_SHORTLY, linger=_LINGER)

    async def reach(self) -> Client:
        """Somebody who may ask it."""
        await knock(self._address(), _SHORTLY)
        return client_of(self._spec, self._address())

    async def post_mortem(self) -> str:
        """Nothing is known of a process that is not ours."""
        return ""

    async def restart(self) -> None:
        """InconclusiveError: it is not ours to start again."""
        raise InconclusiveError(
            f"{self._spec.name} is not ours to start again: it is reached at a fixed address",
            hint="give the target a `command:` beside its `url:`, or restart it by a `run:` step",
            rule="agent-failed",
        )

    async def stop(self) -> None:
        """Remove the folder; the server goes on."""
        await asyncio.to_thread(shutil.rmtree, self.workdir, ignore_errors=True)
        self._journal.forget(self._marker)

    def _address(self) -> str:
        return address(self._spec, {"workdir": self.workdir})


def http_line(
    spec: TargetSpec, url: str, *, patience: float = _SHORTLY, linger: float = 0.0
) -> Channel:
    """A line to a URL, with the headers the target is given."""
    client, wish = client_of(spec, url), str(spec.options.get("protocol", ""))
    if spec.transport == "sse":
        return LegacyLine(client)
    line = HttpLine(client, patience=patience, linger=linger, wish=wish)
    return line if spec.transport else EitherLine(line, LegacyLine(client_of(spec, url)))


def client_of(spec: TargetSpec, url: str) -> Client:
    """Somebody who may ask there: the credentials are known to nobody else."""
    where = f"{spec.name}: headers"
    headers = {
        name: _expanded(value, where, rule="auth-expired") for name, value in spec.headers.items()
    }
    if any("\r" in each or "\n" in each for pair in headers.items() for each in pair):
        raise UsageError(
            f"{where}: a header stands in one line", hint="look at what its variable holds"
        )
    return Client(url, headers)


def address(spec: TargetSpec, places: Mapping[str, str]) -> str:
    """Where the target is reached now."""
    return _expanded(filled(spec.url, places), f"{spec.name}: url", rule="target-not-starting")


async def knock(url: str, seconds: float) -> None:
    """Come back when somebody listens; InconclusiveError(target-not-starting) where nobody does."""
    pause, deadline = _FIRST, time.monotonic() + seconds
    while True:
        try:
            async with asyncio.timeout(seconds):
                _, writer = await connected(url)
        except (OSError, TimeoutError) as error:
            if time.monotonic() + pause > deadline:
                raise _nobody(url, error) from error
        else:
            writer.close()
            return
        await asyncio.sleep(pause)
        pause = min(pause * _FACTOR, _STEADY)


def _nobody(url: str, error: Exception) -> InconclusiveError:
    refused = isinstance(error, ConnectionRefusedError)
    why = "connection refused" if refused else str(error) or "nobody answers"
    return unreachable(_without_login(url), why)


def _expanded(text: str, where: str, *, rule: str) -> str:
    """With `${ENV}` in place; a missing one says which check did not happen."""
    try:
        return expanded(text, os.environ, where=where)
    except InconclusiveError as error:
        raise InconclusiveError(error.message, hint=error.hint, rule=rule) from error


def _without_login(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//", url)
