"""The composition root: the only file that knows everybody."""

import asyncio
import contextlib
import os
from collections.abc import Collection, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from mcp_eval.agents.attached import Attached
from mcp_eval.agents.registry import make_agent
from mcp_eval.agents.script import Walker
from mcp_eval.agents.walk import Pace
from mcp_eval.clock import SystemClock, stamp
from mcp_eval.compare.arguments import compare_arguments
from mcp_eval.compare.metrics import formula_arguments
from mcp_eval.errors import UsageError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.comparison import ArgumentsSimilarity
from mcp_eval.model.policy import Policy
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.verdict import Report
from mcp_eval.ports import Target
from mcp_eval.reports.registry import reporter_for
from mcp_eval.store import aim, documents, files, naming, pending, runs, sources
from mcp_eval.store.atomic import write_atomic
from mcp_eval.store.folder import Folder
from mcp_eval.tap.redact import Redaction
from mcp_eval.targets import journal
from mcp_eval.targets.checkout import signature
from mcp_eval.targets.probe import Probe
from mcp_eval.targets.registry import make_target
from mcp_eval.workflows import choosing
from mcp_eval.workflows.compare import Side, compared, rejudged
from mcp_eval.workflows.environments import probed
from mcp_eval.workflows.events import Happening, Line
from mcp_eval.workflows.needs import CleanStart, World

ROOT = Path()
WORKSPACE = ROOT / runs.STATE
CLEAN = "Does a new process of this target, in an empty folder, start clean (nothing left over)?"
_FAILED = {"broken", "degraded", "inconclusive"}


class Asker(Protocol):
    """Somebody who can be asked, and told what became of the answer."""

    def ask(self, question: str) -> bool:
        """Yes or no."""

    def show(self, event: Happening) -> None:
        """One sentence more."""


# What a command works on: the project, its scenarios, its target.


def project() -> Project:
    """The project file of the working folder; without one, what everything defaults to."""
    return sources.load_project(ROOT)


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
    read = sources.load_scenarios(places, Path(project.baselines))
    return choosing.matching(read, keyword=keyword, tags=tags, only=only)


def target_spec(
    project: Project,
    named: str,
    scenarios: Sequence[Scenario],
    *,
    call_timeout: float | None = None,
) -> TargetSpec:
    """The target: as named, else the scenarios' config_file, else the project's, else servers'."""
    return aim.within(aim.target(ROOT, project, named, scenarios), call_timeout)


def started_by(
    project: Project, words: Sequence[str], named: str, *, call_timeout: float | None = None
) -> TargetSpec:
    """The target of a client's configuration: its command line, or a name of the project's."""
    if not words:
        return target_spec(project, named, (), call_timeout=call_timeout)
    return aim.within(naming.target_started(project, words), call_timeout)


def session_place(project: Project, place: Path | None, folder: str) -> Path:
    """Where the scenario of a person's own work goes: as named, else by the time of day."""
    by_time = Path(project.scenarios) / f"session-{stamp(SystemClock().now())}.yaml"
    return sources.free_place(place or by_time, Path(folder))


def desk(folder: str) -> Folder:
    """Where a person's own work is laid down."""
    return Folder(folder, ROOT)


def sweep() -> tuple[str, ...]:
    """End what a killed mcp-eval left running."""
    return journal.sweep(WORKSPACE / "journal")


# What a workflow touches.


def world(
    project: Project,
    spec: TargetSpec,
    *,
    folder: str = "",
    agent: str = "",
    old: str = "",
    asker: Asker | None = None,
) -> World:
    """Everything outside a workflow, put together for one target."""
    clock = SystemClock()
    pace = Pace.of(spec, clock=clock, sleep=asyncio.sleep)
    name = agent or project.agent or "script"
    before = aim.old_build(ROOT, project, spec, old)
    return World(
        target=_target(spec),
        old=None if before is None else _target(before),
        probe=Probe(clock=clock, start_timeout=spec.start_timeout),
        agent=make_agent(name, spec=spec, clock=clock, options=project.agents.get(name)),
        replayer=Walker(pace),
        redactor=Redaction.of(_secrets(spec, before), os.environ),
        store=Folder(folder or project.baselines, ROOT),
        clock=clock,
        sleep=asyncio.sleep,
        clean_start=_clean_start(project, spec, asker),
        version=_version(),
    )


def person() -> Attached:
    """Whoever works with a client that takes us for its server."""
    return Attached(clock=SystemClock(), environ=os.environ)


def _secrets(spec: TargetSpec, old: TargetSpec | None) -> TargetSpec:
    """What both builds are told that nobody else may read."""
    if old is None:
        return spec
    return replace(spec, env={**old.env, **spec.env}, headers={**old.headers, **spec.headers})


def _version() -> str:
    try:
        return version("mcp-eval")
    except PackageNotFoundError:  # run from a checkout, with PYTHONPATH=src
        return "not installed"


def _target(spec: TargetSpec) -> Target:
    return make_target(spec, workspace=WORKSPACE, clock=SystemClock())


def _clean_start(project: Project, spec: TargetSpec, asker: Asker | None) -> CleanStart | None:
    if asker is None or spec.url:
        return None  # a process somebody else started is no new process

    async def asked() -> Target:
        known = replace(spec, resettable=asker.ask(f"{spec.name}: {CLEAN}"))
        asker.show(Line(text=_kept(project, known)))
        return _target(known)

    return asked


def _kept(project: Project, spec: TargetSpec) -> str:
    """Write the answer where the next command finds it; what became of it, in one line."""
    word = "true" if spec.resettable else "false"
    open_ = Redaction.of(spec, os.environ).words(spec.command) == spec.command
    path = sources.keep_answer(ROOT, project, spec) if open_ else None
    if path is None:
        return f"not kept: say `resettable: {word}` at the target in {sources.project_file(ROOT)}"
    return f"written to {path}: resettable: {word}"


async def started(project: Project, spec: TargetSpec) -> tuple[Surface, Build]:
    """A target, started once and asked what it offers."""
    there = world(project, spec)
    return await probed(there, there.target)


def try_writing() -> None:
    """UsageError where nothing can be kept in the working folder."""
    write_atomic(WORKSPACE / ".gitignore", b"*\n")


# What is stored: baselines, pending changes, reports.


def baseline(
    project: Project, path: Path | str | None, scenarios: Sequence[Scenario] | None = None
) -> Baseline:
    """What was recorded of these scenarios, or of all; those nobody recorded are missing in it."""
    named = [one.stem for one in scenarios or ()]
    place = files.baseline_path(str(path or project.baselines), *named[:1])
    if scenarios is None:
        return files.load_baseline(place)
    return files.load_known(place, named)


def recorded_scenarios(baseline: Baseline) -> tuple[Scenario, ...]:
    """The scenarios a baseline holds, as far as it remembers them."""
    return tuple(
        Scenario(name=one.name, stem=stem, tags=one.tags, fingerprint=one.fingerprint)
        for stem, one in baseline.recordings.items()
    )


def sides(project: Project, before: str, after: str) -> tuple[World, Side | Target, Side | Target]:
    """Two things to compare, and the world to look at them in."""
    left, right = _side(project, before), _side(project, after)
    live = [one for one in (left, right) if isinstance(one, TargetSpec)]
    # Nobody starts it: the world's own target is no side of a comparison.
    spec = live[0] if live else TargetSpec(name="nobody", command=("true",))
    both = _secrets(spec, live[-1] if live else None)
    return world(project, both), _standing(left), _standing(right)


def _standing(side: Side | TargetSpec) -> Side | Target:
    return _target(side) if isinstance(side, TargetSpec) else side


def _side(project: Project, text: str) -> Side | TargetSpec:
    path = documents.stored_at(text)
    if text in project.targets or path is None:
        return target_spec(project, text, ())
    baseline = documents.read_side(path)
    recorded = next(iter(baseline.recordings.values()), None)
    return (
        Side(baseline=baseline, build=recorded.provenance.build)
        if recorded
        else Side(baseline=baseline)
    )


def keep(report: Report) -> None:
    """Remember a report, and what failed in it, for `explain`, `show` and `--lf`."""
    with contextlib.suppress(UsageError):  # a verdict is not lost for want of a memory
        runs.save_report(ROOT, report)
        runs.save_failed(ROOT, [one.stem for one in report.scenarios if one.status in _FAILED])


def failed_last_time() -> tuple[str, ...]:
    """What `--lf` looks at; UsageError where nothing failed."""
    failed = runs.load_failed(ROOT)
    if not failed:
        raise UsageError("nothing failed last time", hint="check without --lf looks at all")
    return failed


def change(folder: Path, name: str) -> Report:
    """What a waiting change would change: the approved one against it."""
    before, after = pending.versions(folder, name)
    now = SystemClock().now()
    policy = replace(project().policy, today=now[:10])
    return compared(Side(baseline=before), Side(baseline=after), policy=policy, created_at=now)


def accept(folder: Path, name: str, *, why: str = "") -> Path:
    """Approve a waiting change; who, when, why and at which commit stay beside it."""
    note = {"when": SystemClock().now(), "why": why, **signature(str(ROOT))}
    return pending.promote(folder, name, {key: said for key, said in note.items() if said})


def stored(project: Project) -> documents.Stored:
    """What is stored here."""
    places = (Path(project.baselines), Path(project.reports))
    return documents.stored(*places, runs.report_path(ROOT))


def stored_report(path: Path | None) -> Report:
    """A stored report; without a name, the last check's."""
    return documents.read_report(path or runs.report_path(ROOT), last=path is None)


def judged_again(report: Report, policy: Policy) -> Report:
    """The same facts under another policy."""
    return rejudged(report, replace(policy, today=policy.today or SystemClock().now()[:10]))


# What goes out.


def write(report: Report, path: Path) -> None:
    """Write a report in the format its name asks for."""
    write_atomic(path, reporter_for(path).render(report))


def rendered(report: Report, suffix: str) -> bytes:
    """A report in one format."""
    return reporter_for(f"report{suffix}").render(report)


def write_pages(recordings: Sequence[Recording], surface: Surface, folder: str) -> tuple[Path, ...]:
    """One page for each recorded scenario."""
    from mcp_eval.reports.html import render_baseline

    pages = []
    for one in recordings:
        page = Path(folder) / f"{one.stem}_baseline_{stamp(SystemClock().now())}.html"
        write_atomic(page, render_baseline(one, surface))
        pages.append(page)
    return tuple(pages)


def similarity(
    a: JsonObject, b: JsonObject, *, schema: JsonObject | None, scorer: str
) -> ArgumentsSimilarity:
    """How two argument objects compare."""
    return formula_arguments(a, b) if scorer == "formula" else compare_arguments(a, b, schema)
