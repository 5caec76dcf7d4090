"""Unchanged servers checked by an unruly agent without a model, and planted faults found by it."""

import asyncio
import contextlib
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.inject import wrapped
from bench.noisy_agent import CALM, Mood, NoisyAgent
from bench.noisy_words import REWORDED
from mcp_eval import app
from mcp_eval.clock import SystemClock
from mcp_eval.model.policy import Policy
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.recording import Baseline
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.verdict import Report
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, RecordFinished
from mcp_eval.workflows.record import RecordPlan, record
from scripts.real_parts import MissingPartError, command_of

TRIALS = 5
_FAILING = frozenset({"degraded", "broken"})
_ZONES = ("Asia/Tokyo", "Europe/London", "America/New_York", "Australia/Sydney")


@dataclass(frozen=True, kw_only=True)
class Server:
    """A real server, what is wanted of it, and faults its outcomes show."""

    part: str
    words: tuple[str, ...] = ()
    scenarios: tuple[Scenario, ...]
    faults: tuple[dict[str, Any], ...]


def _story(stem: str, intent: str, *steps: tuple[str, dict[str, Any]]) -> Scenario:
    made = tuple(Step(action=tool, tool=tool, args=args) for tool, args in steps)
    return Scenario(name=stem, stem=stem, user_intent=intent, expected_trajectory=made)


def _everything() -> tuple[Scenario, ...]:
    sums = [
        _story(f"sum-{n}", "Add two numbers", ("get-sum", {"a": n, "b": 40 + n})) for n in range(9)
    ]
    weather = [
        _story(f"weather-{n}", "How is the weather", ("get-structured-content", {"location": city}))
        for n, city in enumerate(("New York", "Chicago", "Los Angeles"))
    ]
    both = [
        _story(
            f"both-{n}",
            "Weather, and a sum",
            ("get-structured-content", {"location": "Chicago"}),
            ("get-sum", {"a": n, "b": n}),
        )
        for n in range(3)
    ]
    said = [
        _story(f"echo-{word}", "Say it back", ("echo", {"message": f"the {word} is here"}))
        for word in list(REWORDED)[:3]
    ]
    return (*sums, *weather, *both, *said)


def _memory() -> tuple[Scenario, ...]:
    def entity(name: str, word: str) -> tuple[str, dict[str, Any]]:
        one = {"name": name, "entityType": "thing", "observations": [f"it is near the {word}"]}
        return "create_entities", {"entities": [one]}

    kept = [
        _story(
            f"kept-{word}",
            "Remember a thing, and look at it",
            entity(f"Crate-{n}", word),
            ("open_nodes", {"names": [f"Crate-{n}"]}),
        )
        for n, word in enumerate(REWORDED, start=100)
    ]
    taken = [
        _story(
            f"taken-{word}",
            "Remember a thing, look at all, forget it",
            entity(f"Barrel-{n}", word),
            ("read_graph", {}),
            ("delete_entities", {"entityNames": [f"Barrel-{n}"]}),
        )
        for n, word in enumerate(list(REWORDED)[:5], start=500)
    ]
    return (*kept, *taken)


def _filesystem() -> tuple[Scenario, ...]:
    written = [
        _story(
            f"written-{word}",
            "Write a file and read it",
            ("write_file", {"path": f"${{workdir}}/{word}.txt", "content": f"the {word} costs 7"}),
            ("read_text_file", {"path": f"${{workdir}}/{word}.txt"}),
        )
        for word in list(REWORDED)[:9]
    ]
    folders = [
        _story(
            f"folder-{n}",
            "Make a folder and look",
            ("create_directory", {"path": f"${{workdir}}/Shelf-{n}"}),
            ("list_directory", {"path": "${workdir}"}),
        )
        for n in range(5)
    ]
    return (*written, *folders)


def _time() -> tuple[Scenario, ...]:
    return tuple(
        _story(
            f"time-{n}-{m}",
            "What time is it elsewhere",
            (
                "convert_time",
                {"source_timezone": here, "time": f"{8 + n}:30", "target_timezone": there},
            ),
        )
        for n, here in enumerate(_ZONES, start=2)
        for m, there in enumerate(_ZONES, start=2)
        if n != m
    )


def servers() -> tuple[Server, ...]:
    """Four public servers, and what is wanted of each."""
    return (
        Server(
            part="server-everything@2026.1.14",
            scenarios=_everything(),
            faults=(
                {"fault": "remove-field", "tool": "get-structured-content", "path": "temperature"},
                {"fault": "fail", "tool": "get-sum"},
            ),
        ),
        Server(
            part="server-memory@2026.1.26",
            scenarios=_memory(),
            faults=(
                {"fault": "remove-field", "tool": "open_nodes", "path": "entities[0].observations"},
                {"fault": "fail", "tool": "create_entities"},
            ),
        ),
        Server(
            part="server-filesystem@2025.7.29",
            words=("${workdir}",),
            scenarios=_filesystem(),
            faults=(
                {"fault": "truncate-text", "tool": "list_directory"},
                {"fault": "fail", "tool": "read_text_file"},
            ),
        ),
        Server(
            part="mcp-server-time@2026.1.26",
            scenarios=_time(),
            faults=(
                {"fault": "remove-field", "tool": "convert_time", "path": "time_difference"},
                {"fault": "fail", "tool": "convert_time"},
            ),
        ),
    )


class Suite:
    """One server's scenarios, recorded calmly, to be checked in any mood."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self._folder = folder
        self._command = [*command_of(server.part), *server.words]
        self._baseline: Baseline | None = None

    async def record(self) -> None:
        """The baseline: a calm run of each, and its replay."""
        plan = RecordPlan(scenarios=self.server.scenarios, replace=True)
        world = replace(
            self._world(self._command), agent=NoisyAgent(clock=SystemClock(), mood=CALM)
        )
        async with aclosing(record(world, plan)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, RecordFinished):
                    recordings = {one.stem: one for one in event.recordings}
                    self._baseline = Baseline(surface=event.surface, recordings=recordings)

    async def check(
        self,
        seed: int,
        *,
        fault: dict[str, Any] | None = None,
        scenarios: Sequence[Scenario] = (),
        mood: Mood = Mood(),  # noqa: B008 - frozen
    ) -> Report:
        """One check by the agent of this seed; with a fault, of a server that has it."""
        command = wrapped(self._command, [fault], self._folder) if fault else self._command
        agent = NoisyAgent(clock=SystemClock(), seed=seed, mood=mood)
        plan = CheckPlan(
            baseline=self._baseline,
            scenarios=tuple(scenarios or self.server.scenarios),
            policy=Policy(),
            jobs=2,
            lanes=("surface", "replay", "agent") if fault else ("surface", "agent"),
        )
        report = None
        async with aclosing(check(replace(self._world(command), agent=agent), plan)) as events:  # type: ignore[type-var]
            async for event in events:
                report = event.report if isinstance(event, Checked) else report
        if report is None:
            raise RuntimeError("the check ended without a report")
        return report

    def _world(self, command: Sequence[str]) -> Any:
        env = {"MEMORY_FILE_PATH": "${workdir}/memory.jsonl"}
        spec = TargetSpec(name="noisy", command=tuple(command), resettable=True, env=env)
        return app.world(Project(), spec, folder=str(self._folder / "baselines"))

    def using(self, tool: str) -> tuple[Scenario, ...]:
        """Three scenarios that call a tool."""
        calling = (
            one
            for one in self.server.scenarios
            if any(step.tool == tool for step in one.expected_trajectory)
        )
        return tuple(calling)[:3]


async def measured(server: Server, folder: Path, trials: int) -> tuple[Counter[str], Counter[bool]]:
    """How unchanged scenarios ended, and how many planted faults were found."""
    suite = Suite(server, folder)
    await suite.record()
    ended: Counter[str] = Counter()
    for seed in range(1, trials + 1):
        report = await suite.check(seed)
        ended.update(one.status for one in report.scenarios)
        for one in report.scenarios:
            if one.status not in {"good", "acceptable"}:
                said = [root.message for root in report.roots if one.stem in root.scenarios]
                print(f"    {one.stem}, seed {seed}: {one.status}: {said[:2]}", flush=True)
    found: Counter[bool] = Counter()
    for fault in server.faults:
        report = await suite.check(1, fault=fault, scenarios=suite.using(fault["tool"]))
        found.update(one.status in _FAILING for one in report.scenarios)
    return ended, found


def bench() -> None:
    """Alarms on unchanged servers, and faults found, a server a line."""
    ended: Counter[str] = Counter()
    found: Counter[bool] = Counter()
    for server in servers():
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            try:
                here, seen = asyncio.run(measured(server, Path(folder), TRIALS))
            except MissingPartError as error:
                print(f"  not measured: {error}")
                continue
        print(f"  {server.part:28} {len(server.scenarios)} scenarios × {TRIALS}: {dict(here)}")
        ended += here
        found += seen
    total, faults = max(sum(ended.values()), 1), max(sum(found.values()), 1)
    alarms = (ended["degraded"] + ended["broken"]) / total
    print(f"  alarms {alarms:.4f}  inconclusive {ended['inconclusive'] / total:.4f}  of {total}")
    print(f"  scenarios on planted faults that failed {found[True] / faults:.3f}  of {faults}")


if __name__ == "__main__":
    bench()
