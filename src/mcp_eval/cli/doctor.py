"""`doctor`: what is installed, found and startable, and the command that mends what is missing."""

import asyncio
import platform
import shutil
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Literal

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.ending import INCONCLUSIVE
from mcp_eval.cli.options import Reach
from mcp_eval.cli.running import run
from mcp_eval.errors import McpEvalError
from mcp_eval.formats.lines import line_of
from mcp_eval.model.base import Stated
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.scenario import Scenario
from mcp_eval.reports.plain import line

_MARKS = {"ok": "✓", "missing": "✗", "optional": "·"}
# Programs a target is often started by, and what brings them.
_PROGRAMS = {
    "git": "install git: it names the commit of a checkout",
    "npx": "install Node.js: https://nodejs.org",
    "uvx": "install uv: https://docs.astral.sh/uv",
    "docker": "install Docker: https://docs.docker.com/engine/install",
}


class Found(Stated):
    """One thing that was looked for."""

    name: str
    status: Literal["ok", "missing", "optional"]
    found: str = ""
    mend: str = ""


@click.command("doctor", epilog="Example: mcp-eval doctor --json")
@options.taking("reach")
@click.option("--json", "as_json", is_flag=True, help="the document on stdout, nothing else")
def command(*, reach: Reach, as_json: bool) -> int:
    """Look what is installed, found and startable, and say what mends the rest.

    Each target is started once and asked what it offers. Exits 3 where a check could not happen.
    """

    async def work() -> int:
        found = [*_installed(), *_programs(), *await _project(reach)]
        _say(found, as_json=as_json)
        return INCONCLUSIVE if any(one.status == "missing" for one in found) else 0

    return run(work())


def _say(found: Sequence[Found], *, as_json: bool) -> None:
    if as_json:
        click.echo(line_of(found))
        return
    for one in found:
        click.echo(f"{_MARKS[one.status]} {one.name}: {line(one.found)}")
        if one.mend:
            click.echo(f"    → {line(one.mend)}")
    missing = sum(one.status == "missing" for one in found)
    click.echo(f"{missing} missing" if missing else "nothing is missing")


def _installed() -> Iterator[Found]:
    yield Found(name="python", status="ok", found=platform.python_version())
    try:
        itself = distribution("mcp-eval")
    except PackageNotFoundError:
        mend = "pip install . in its checkout"
        yield Found(name="mcp-eval", status="optional", found="run from a checkout", mend=mend)
        return
    yield Found(name="mcp-eval", status="ok", found=itself.version)
    for wanted in itself.requires or ():
        requirement, _, extra = wanted.partition(";")
        name = _bare(requirement)
        try:
            yield Found(name=name, status="ok", found=version(name))
        except PackageNotFoundError:
            extra = extra.partition("==")[2].strip().strip("'\"")
            what = f"mcp-eval[{extra}]" if extra else requirement.strip()
            status: Literal["optional", "missing"] = "optional" if extra else "missing"
            mend = f"pip install '{what}'"
            yield Found(name=name, status=status, found="not installed", mend=mend)


def _bare(requirement: str) -> str:
    for mark in "[<>=!~ (":
        requirement = requirement.partition(mark)[0]
    return requirement


def _programs() -> Iterator[Found]:
    for name, mend in _PROGRAMS.items():
        place = shutil.which(name)
        if place:
            yield Found(name=name, status="ok", found=place)
        else:
            yield Found(name=name, status="optional", found="not on PATH", mend=mend)


async def _project(reach: Reach) -> list[Found]:
    try:
        project = app.project()
    except McpEvalError as error:
        return [_off("project file", error)]
    said = project.path or "none, so defaults hold"
    found = [Found(name="project file", status="ok", found=said)]
    scenarios, read = _scenarios(project)
    found += [read, *_baselines(project, scenarios), _writable()]
    for spec in _targets(project, reach, scenarios, found):
        found.append(await _started(project, spec))
    return found


def _off(name: str, error: McpEvalError) -> Found:
    return Found(name=name, status="missing", found=error.message, mend=error.hint)


def _scenarios(project: Project) -> tuple[tuple[Scenario, ...], Found]:
    folder = project.scenarios
    if not Path(folder).exists():
        return (), Found(
            name="scenarios",
            status="optional",
            found=f"no folder {folder}",
            mend=f"write one: {folder}/NAME.yaml, or name files on the command line",
        )
    try:
        read = app.scenarios(project, ())
    except McpEvalError as error:
        return (), _off("scenarios", error)
    return read, Found(name="scenarios", status="ok", found=f"{len(read)} in {folder}")


def _baselines(project: Project, scenarios: Sequence[Scenario]) -> Iterator[Found]:
    if not scenarios:
        return
    try:
        held = app.baseline(project, None, scenarios).recordings
    except McpEvalError:
        held = {}
    missing = [one for one in scenarios if one.enabled and one.stem not in held]
    said = f"{len(held)} of {len(scenarios)} scenarios recorded in {project.baselines}"
    paths = " ".join(one.path for one in missing[:3])
    mend = f"mcp-eval record {paths}" if missing else ""
    yield Found(name="baselines", status="optional" if missing else "ok", found=said, mend=mend)


def _writable() -> Found:
    try:
        app.try_writing()
    except McpEvalError as error:
        return _off("working folder", error)
    return Found(name="working folder", status="ok", found="can be written")


def _targets(
    project: Project, reach: Reach, scenarios: Sequence[Scenario], found: list[Found]
) -> list[TargetSpec]:
    """The targets to try: the one that is named, or all there are."""
    names = [reach.target] if reach.target else list(project.targets) or [""]
    specs = []
    for name in names:
        try:
            specs.append(app.target_spec(project, name, scenarios, call_timeout=reach.call_timeout))
        except McpEvalError as error:
            found.append(_off(f"target {name}".strip(), error))
    return specs


async def _started(project: Project, spec: TargetSpec) -> Found:
    name = f"target {spec.name}"
    try:
        async with asyncio.timeout(spec.start_timeout * 3):
            surface, build = await app.started(project, spec)
    except McpEvalError as error:
        return _off(name, error)
    except TimeoutError:
        return Found(name=name, status="missing", found="it did not answer in time")
    named = f"{build.server_name} {build.server_version}".strip()
    return Found(name=name, status="ok", found=f"{named}, {len(surface.tools)} tools")
