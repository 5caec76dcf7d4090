"""The composition root: the only file that knows everybody."""

import asyncio
import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from mcp_eval.agents.registry import make_agent
from mcp_eval.agents.script import Walker
from mcp_eval.clock import SystemClock
from mcp_eval.errors import UsageError
from mcp_eval.formats.envelope import decode, encode, kind_of, schema
from mcp_eval.formats.project import read_project
from mcp_eval.formats.scenario import read_scenario
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.ports import Target
from mcp_eval.store import files
from mcp_eval.tap.redact import Redaction
from mcp_eval.targets import journal
from mcp_eval.targets.probe import Probe
from mcp_eval.targets.registry import make_target
from mcp_eval.workflows import choosing
from mcp_eval.workflows.needs import CleanStart, Saved, World

WORKSPACE = Path(".mcp-eval")
PROJECT_FILES = ("mcp-eval.yaml", "mcp-eval.yml")
SERVERS_FILE = "mcp_servers.json"
_SCENARIO_SUFFIXES = {".yaml", ".yml"}


def project() -> Project:
    """The project file of the working folder; without one, what everything defaults to."""
    for name in PROJECT_FILES:
        if Path(name).is_file():
            return read_project(_read(Path(name)), path=name)
    return Project()


def scenarios(
    project: Project,
    paths: Sequence[Path],
    *,
    keyword: str = "",
    tags: Sequence[str] = (),
    only: Collection[str] | None = None,
) -> tuple[Scenario, ...]:
    """The scenarios that were meant, read; without a path, those of the project's folder."""
    places = list(paths) or [Path(project.scenarios)]
    found = [file for place in places for file in _scenario_files(place)]
    read = [read_scenario(_read(file), path=str(file)) for file in dict.fromkeys(found)]
    return choosing.matching(read, keyword=keyword, tags=tags, only=only)


def target_spec(
    project: Project,
    named: str,
    scenarios: Sequence[Scenario],
    *,
    call_timeout: float | None = None,
) -> TargetSpec:
    """The target: as named, else the scenarios' config_file, else the project's, else servers'."""
    return choosing.within(_target_spec(project, named, scenarios), call_timeout)


def _target_spec(project: Project, named: str, scenarios: Sequence[Scenario]) -> TargetSpec:
    if named:
        return choosing.target_named(project, named)
    config, scenario = choosing.config_of(scenarios)
    if config and scenario is not None:
        return _of_file(_config_path(config, scenario))
    if project.targets:
        return choosing.only_target(project, project.path)
    if Path(SERVERS_FILE).is_file():
        return _of_file(Path(SERVERS_FILE))
    raise UsageError(
        "no target: nobody said what to start",
        hint=f"say --target, or write {PROJECT_FILES[0]} or {SERVERS_FILE}",
    )


def sweep() -> tuple[str, ...]:
    """End what a killed mcp-eval left running."""
    return journal.sweep(WORKSPACE / "journal")
