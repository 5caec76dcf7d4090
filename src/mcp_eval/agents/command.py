"""The agent `command`: any program that reads an `mcpServers` file and does what it is told.

Its standard output is its answer, and its exit ends the run.
"""

import asyncio
import os
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec

from mcp_eval.agents import leash
from mcp_eval.agents.choices import Choices, expanded, hidden, read_choices
from mcp_eval.agents.outing import Outing, begun, finished, outing, troubled
from mcp_eval.agents.turns import only_turn
from mcp_eval.agents.walk import Pace
from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.ports import Agent, Clock, Environment

SERVERS = "MCP_EVAL_SERVERS"  # the variable that names the file
_SPOKEN = 200_000  # characters of its answer that are kept


class CommandChoices(Choices):
    """What a project file may say of it."""

    command: str | tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The command, taken apart as a shell would."""
        return tuple(shlex.split(self.command)) if isinstance(self.command, str) else self.command


class CommandAgent:
    """An Agent: a program with the tap as its server; `{servers}` and `{intent}` are put in."""

    name = "command"

    def __init__(self, choices: CommandChoices, *, spec: TargetSpec, pace: Pace) -> None:
        self._choices = choices
        self._spec = spec
        self._pace = pace
        self.model = choices.model
        self.bounds = choices.bounds

    async def run(
        self, scenario: Scenario, environment: Environment, *, surface: Surface, trial: int
    ) -> Run:
        """One run through the tap; trouble is a fact in the run, not an exception."""
        now = self._pace.clock.now()
        run = begun(scenario, trial=trial, agent=self.name, model=self.model, now=now)
        try:
            async with outing(scenario, environment, self._pace, surface) as out:
                await self._go(out, out.words(only_turn(scenario, self.name)))
                return await finished(run, out, self._pace, environment.build)
        except InconclusiveError as error:
            return troubled(run, error)

    async def _go(self, out: Outing, intent: str) -> None:
        words = self._words(out, intent)
        work = out.folder / "work"
        work.mkdir()
        # It writes to files: whatever it leaves running cannot keep us waiting for a pipe.
        said, heard = out.folder / "stdout", out.folder / "stderr"
        with said.open("wb") as stdout, heard.open("wb") as stderr:
            started = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", str(leash.__file__), str(out.folder), *words),
                stdin=subprocess.PIPE,
                stdout=stdout,
                stderr=stderr,
                cwd=work,
                env=self._environ(out),
            )
            await self._end(started, out, intent)
        out.story.say(_read(said)[:_SPOKEN].strip())
        if started.returncode:
            last = _read(heard) or _read(said)
            out.fail(f"the agent `{words[0]}` ended with {started.returncode}", last)

    async def _end(self, started: asyncio.subprocess.Process, out: Outing, intent: str) -> None:
        """Tell it what is wanted, and wait until it is done or its time is up."""
        told = b"" if "{intent}" in str(self._choices.words) else intent.encode()
        try:
            async with asyncio.timeout(self._choices.timeout):
                await started.communicate(told)
        except TimeoutError:
            out.late(self._choices.timeout)
        finally:
            if started.returncode is None:
                started.terminate()
                await started.wait()

    def _words(self, out: Outing, intent: str) -> tuple[str, ...]:
        values = {"{servers}": str(_servers(out)), "{intent}": intent}
        return tuple(_filled(word, values) for word in self._choices.words)

    def _environ(self, out: Outing) -> dict[str, str]:
        own = expanded(self._choices.env, self._pace.environ)
        return {**os.environ, **hidden(self._spec), SERVERS: str(_servers(out)), **own}


def command(*, spec: TargetSpec, clock: Clock, options: JsonObject) -> Agent:
    """The entry point; UsageError where no command was named."""
    choices = read_choices("command", options, CommandChoices)
    if not choices.words:
        raise UsageError(
            "the agent 'command' names no command",
            hint="say `agents: {command: {command: my-agent --mcp-config {servers}}}`",
        )
    return CommandAgent(choices, spec=spec, pace=Pace.of(spec, clock=clock, sleep=asyncio.sleep))


def _servers(out: Outing) -> Path:
    """The `mcpServers` file, which names the tap and nothing else."""
    path = out.folder / "mcp_servers.json"
    if not path.exists():
        listed = {"mcpServers": out.door.servers(out.server)}
        path.write_bytes(msgspec.json.format(msgspec.json.encode(listed)))
    return path


def _filled(word: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(name, value)
    return word


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")
