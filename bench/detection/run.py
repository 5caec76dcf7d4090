"""Each server recorded clean once; each case checked with its change between us and the server."""

import asyncio
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import aclosing
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from bench.detection.cases import Planned, Server
from bench.detection.results import Result, held_against, not_run
from bench.inject import wrapped
from mcp_eval import app
from mcp_eval.errors import McpEvalError
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.verdict import Report
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, Line
from mcp_eval.workflows.record import RecordPlan, record
from scripts.real_parts import MissingPartError, command_of

CASE_SECONDS = 180.0

Say = Callable[[str], None]


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """Where a server's clean recordings stand, or why there are none."""

    folder: str
    why_not: str = ""


def run(planned: Sequence[Planned], *, jobs: int, say: Say) -> Iterator[Result]:
    """A result for each case, as they come."""
    with (
        tempfile.TemporaryDirectory(prefix="detection-") as scratch,
        ProcessPoolExecutor(jobs, initializer=_moved, initargs=(scratch,)) as pool,
    ):
        baselines = _baselines(planned, Path(scratch), pool, say)
        asked = {pool.submit(_checked, one, baselines[key_of(one)]): one for one in planned}
        for done in as_completed(asked):
            yield done.result()


def key_of(one: Planned) -> str:
    """The same for cases that can share a recording of the server."""
    return hashlib.sha256(msgspec.json.encode((one.server, one.case.before))).hexdigest()[:16]


def _moved(scratch: str) -> None:
    """A worker leaves its traces in a folder of its own."""
    own = Path(scratch) / f"worker-{os.getpid()}"
    own.mkdir()
    os.chdir(own)


def _baselines(
    planned: Sequence[Planned], scratch: Path, pool: ProcessPoolExecutor, say: Say
) -> dict[str, Recorded]:
    """Every server with all the scenarios its cases need, recorded through an idle injector."""
    groups: dict[str, list[Planned]] = {}
    for one in planned:
        groups.setdefault(key_of(one), []).append(one)
    asked = {}
    for key, members in groups.items():
        scenarios = dict.fromkeys(path for one in members for path in one.scenarios)
        say(f"recording {members[0].server_name or key}: {len(scenarios)} scenarios")
        asked[key] = pool.submit(_record, members[0], tuple(scenarios), str(scratch / key))
    made = {key: future.result() for key, future in asked.items()}
    for key, (_, lines) in made.items():
        for line in lines:
            say(f"  {groups[key][0].server_name or key}: {line}")
    return {key: recorded for key, (recorded, _) in made.items()}


def _record(one: Planned, scenarios: tuple[Path, ...], folder: str) -> tuple[Recorded, list[str]]:
    lines: list[str] = []
    try:
        asyncio.run(_recorded(one, scenarios, folder, lines))
    except (McpEvalError, MissingPartError, TimeoutError) as error:
        return Recorded(folder=folder, why_not=str(error) or type(error).__name__), lines
    return Recorded(folder=folder), lines


async def _recorded(
    one: Planned, scenarios: tuple[Path, ...], folder: str, lines: list[str]
) -> None:
    project = Project(baselines=folder)
    read = app.scenarios(project, scenarios)
    place = Path(tempfile.mkdtemp(dir=Path.cwd()))
    world = app.world(project, _target(one, one.case.before, place), folder=folder)
    plan = RecordPlan(scenarios=read, replace=True)
    async with asyncio.timeout(CASE_SECONDS), aclosing(record(world, plan)) as events:
        lines.extend([event.text async for event in events if isinstance(event, Line)])


def _checked(one: Planned, baseline: Recorded) -> Result:
    """What a check says with the change in place."""
    if baseline.why_not:
        return not_run(one, f"not recorded: {baseline.why_not}")
    began = time.perf_counter()
    place = Path(tempfile.mkdtemp(dir=Path.cwd()))
    try:
        report = asyncio.run(_report(one, baseline.folder, place))
    except (McpEvalError, MissingPartError, TimeoutError) as error:
        return not_run(one, str(error) or type(error).__name__)
    # A miss where nothing was changed would be the bench's own.
    if one.case.inject and not list(place.glob("*.changed")):
        return not_run(one, "the injection changed nothing")
    return held_against(one, report, seconds=time.perf_counter() - began)


async def _report(one: Planned, folder: str, place: Path) -> Report:
    project = Project(baselines=folder)
    scenarios = app.scenarios(project, one.scenarios)
    world = app.world(project, _target(one, one.case.inject, place))
    plan = CheckPlan(
        baseline=app.baseline(project, None, scenarios),
        scenarios=scenarios,
        trials=one.case.trials,
    )
    report: Report | None = None
    async with asyncio.timeout(CASE_SECONDS), aclosing(check(world, plan)) as events:
        async for event in events:
            report = event.report if isinstance(event, Checked) else report
    if report is None:
        raise TimeoutError("the check ended without a report")
    return replace(report, comparison=None)


def _target(one: Planned, injections: Iterable[dict[str, Any]], place: Path) -> TargetSpec:
    """The server behind the injector, as a target; a fault's turn counts over all its processes."""
    server = one.server
    command = wrapped(
        [*_command(server), *server.args],
        [
            {"counter": str(place / f"turns-{number}"), **spec} if "when" in spec else spec
            for number, spec in enumerate(injections)
        ],
        place,
        files=server.files,
        prepare=server.prepare,
    )
    return TargetSpec(
        name=one.server_name or "server",
        command=tuple(command),
        env=server.env,
        base=str(Path(one.file).parent),
        resettable=server.resettable,
        call_timeout=one.case.call_timeout,
    )


def _command(server: Server) -> Iterable[str]:
    if server.part:
        return command_of(server.part)
    program, *rest = server.command
    return [sys.executable if program == "python" else program, *rest]
