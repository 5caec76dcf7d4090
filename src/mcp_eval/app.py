"""The composition root: the only file that knows everybody."""

import asyncio
import contextlib
import dataclasses
import os
import re
from collections.abc import Collection, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from mcp_eval.agents.attached import Attached
from mcp_eval.agents.registry import make_agent, make_judge
from mcp_eval.agents.script import Walker
from mcp_eval.agents.walk import Pace
from mcp_eval.clock import SystemClock, stamp
from mcp_eval.compare.arguments import compare_arguments
from mcp_eval.compare.metrics import formula_arguments
from mcp_eval.errors import McpEvalError, UsageError
from mcp_eval.judge.proposal import Proposal, proposed
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.comparison import ArgumentsSimilarity
from mcp_eval.model.policy import Expectation, Policy
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.verdict import Report
from mcp_eval.ports import Judging, Target
from mcp_eval.reports.plain import line
from mcp_eval.reports.registry import reporter_for
from mcp_eval.reports.words import chief, expect_name, leading
from mcp_eval.store import aim, documents, files, history, naming, pending, runs, sources
from mcp_eval.store.atomic import write_atomic
from mcp_eval.store.expecting import keep_expectation
from mcp_eval.store.folder import Folder
from mcp_eval.store.progress import Progress
from mcp_eval.tap.redact import Redaction
from mcp_eval.targets import journal
from mcp_eval.targets.checkout import signature
from mcp_eval.targets.probe import Probe
from mcp_eval.targets.registry import make_target
from mcp_eval.targets.standing import digest
from mcp_eval.targets.standing import standing as targets_standing
from mcp_eval.workflows import choosing
from mcp_eval.workflows.compare import ComparePlan, Side, compared, rejudged
from mcp_eval.workflows.environments import probed
from mcp_eval.workflows.events import Happening, Line
from mcp_eval.workflows.looks import REPLAY
from mcp_eval.workflows.needs import CleanStart, World
from mcp_eval.workflows.sight import Survey
from mcp_eval.workflows.watch import SCENARIO

ROOT = Path()
WORKSPACE = ROOT / runs.STATE
CLEAN = "Does a new process of this target, in an empty folder, start clean (nothing left over)?"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
UNTRIED = (
    "These tools may change something, or no call of ours was answered. Take out the marks before",
    "what you want to be tried, correct the values, and say `enabled: true`.",
)
_FAILED = {"broken", "degraded", "inconclusive"}


class Change(Noun):
    """One change of a baseline that waits for a person."""

    name: str  # a scenario's stem, or `surface`
    report: Report  # the approved one against it
    proposal: Proposal
    outdated: bool = False  # a newer run of the scenario exists


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


def agent_name(project: Project, named: str) -> str:
    """Who runs scenarios: as named, else the project's, else the one that needs no model."""
    return named or project.agent or "script"


def started_by(
    project: Project, words: Sequence[str], named: str, *, call_timeout: float | None = None
) -> TargetSpec:
    """The target of a client's configuration: its command line, or a name of the project's."""
    if not words:
        return target_spec(project, named, (), call_timeout=call_timeout)
    return aim.within(naming.target_started(project, words), call_timeout)


def newcomer(
    project: Project, what: str, *, clean: bool | None, call_timeout: float | None
) -> TargetSpec:
    """The target a person begins with: a servers file, else what `--target` would mean."""
    spec = aim.beginning(ROOT, project, what)
    spec = spec if clean is None else replace(spec, resettable=clean)
    return aim.within(spec, call_timeout)


def places_in(spec: TargetSpec) -> tuple[str, ...]:
    """The folders a target's own command line names, and the one it runs in."""
    return (*(word for word in spec.command if Path(word).is_dir()), "${workdir}")


def beginning(project: Project, spec: TargetSpec, asker: Asker | None) -> World:
    """The world of a first look; an answer is kept with the target, once it has a name."""
    there = world(project, spec)
    if asker is None or (spec.url and not spec.command):
        return there

    async def asked() -> Target:
        return _target(replace(spec, resettable=asker.ask(f"{spec.name}: {CLEAN}")))

    return dataclasses.replace(there, clean_start=asked)


def begun(
    project: Project, spec: TargetSpec, build: Build, *, resettable: bool | None
) -> tuple[str, Path | None]:
    """The name a target goes by from now on, and the project file that says so."""
    known = any(one.name == spec.name for one in project.targets.values())
    named = spec.name if known or spec.config_file else aim.short(build.server_name) or spec.name
    told = replace(spec, name=named)
    if not isinstance(spec.resettable, str):
        told = replace(told, resettable=resettable)
    return named, sources.keep_target(ROOT, project, told) if _open(spec) else None


def write_starters(project: Project, found: Survey) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Write the starters that are not there yet; those written, those that were there before."""
    redaction = Redaction.of(None, os.environ)
    guesses = [step for step in found.guesses if redaction.scrub(str(step.args)) == str(step.args)]
    return sources.save_starters(Path(project.scenarios), found.starters, guesses, UNTRIED)


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
    judge: str = "",
    asker: Asker | None = None,
) -> World:
    """Everything outside a workflow, put together for one target."""
    clock = SystemClock()
    pace = Pace.of(spec, clock=clock, sleep=asyncio.sleep)
    name = agent_name(project, agent)
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
        ask=None if asker is None else asker.ask,
        judge=_judge(project, judge) if judge else None,
        progress=Progress(ROOT),
        version=_version(),
    )


def _judge(project: Project, name: str) -> Judging:
    return make_judge(name, clock=SystemClock(), options=project.agents.get(name))


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
    if asker is None or (spec.url and not spec.command):
        return None  # a process somebody else started is no new process

    async def asked() -> Target:
        known = replace(spec, resettable=asker.ask(f"{spec.name}: {CLEAN}"))
        asker.show(Line(text=_kept(project, known)))
        return _target(known)

    return asked


def _kept(project: Project, spec: TargetSpec) -> str:
    """Write the answer where the next command finds it; what became of it, in one line."""
    word = "true" if spec.resettable else "false"
    path = sources.keep_answer(ROOT, project, spec) if _open(spec) else None
    if path is None:
        return f"not kept: say `resettable: {word}` at the target in {sources.project_file(ROOT)}"
    return f"written to {path}: resettable: {word}"


def _open(spec: TargetSpec) -> bool:
    """Whether the command line holds nothing that must not be written down."""
    return Redaction.of(spec, os.environ).words(spec.command) == spec.command


async def started(project: Project, spec: TargetSpec) -> tuple[Surface, Build]:
    """A target, started once and asked what it offers."""
    there = world(project, spec)
    return await probed(there, there.target)


def standing(spec: TargetSpec, scenarios: Sequence[Path]) -> dict[str, str]:
    """What a check would look at, as it stands: the target, the project, each scenario's file."""
    found = [
        file for place in scenarios if place.exists() for file in sources.scenario_files(place)
    ]
    shared = {name: digest(ROOT / name) for name in (*sources.PROJECT_FILES, sources.SERVERS_FILE)}
    return {
        **targets_standing(spec),
        **shared,
        **{f"{SCENARIO}{file}": digest(file) for file in found},
    }


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


def side_by_side(
    before: Side | Target, after: Side | Target, policy: Policy, said: Sequence[str]
) -> ComparePlan:
    """The comparison of two sides; the folders their command lines name may be read."""
    words = (word for text in said for word in text.split() if Path(word).is_dir())
    places = (*dict.fromkeys(words), "${workdir}")
    return ComparePlan(
        before=before, after=after, policy=policy, write=person().steps, places=places
    )


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
        history.remember(ROOT, report)
        runs.save_failed(ROOT, [one.stem for one in report.scenarios if one.status in _FAILED])


def tidy(folder: str, report: Report) -> None:
    """Take back what an earlier check laid down and this one no longer saw."""
    if not folder:
        return
    with contextlib.suppress(McpEvalError):  # a verdict is not lost for an old change
        _tidied(Path(folder), report)


def _tidied(where: Path, report: Report) -> None:
    looked_at = {one.stem for one in report.scenarios}
    for name in pending.pending(where):
        if name == "surface":
            told = report.comparison if "surface" in report.lanes else None
            gone = told is not None and not told.surface
        else:
            made = pending.pending_recording(where, name).provenance.agent == REPLAY
            newer = made and name in looked_at
            gone = newer and pending.outdated(where, name, WORKSPACE / "runs")
        if gone and report.status != "inconclusive":
            pending.drop(where, name)


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


def changes(folder: Path) -> tuple[Change, ...]:
    """What waits beside a baseline: what each would change, and what is proposed about it."""
    return tuple(_change(folder, name) for name in pending.pending(folder))


def _change(folder: Path, name: str) -> Change:
    report = change(folder, name)
    recording = None if name == "surface" else pending.pending_recording(folder, name)
    newer = pending.outdated(folder, name, WORKSPACE / "runs")
    return Change(name=name, report=report, proposal=proposed(report, recording), outdated=newer)


def accept(folder: Path, name: str, *, why: str = "") -> Path:
    """Approve a waiting change, unless a newer run exists; the decision is kept beside it."""
    if pending.outdated(folder, name, WORKSPACE / "runs"):
        raise UsageError(
            f"'{name}' was run again after this change was made",
            hint=f"check or record it again, then accept {name}; --drop turns the change down",
        )
    note = _note("accepted", why, change(folder, name))
    return pending.promote(folder, name, note)


def reject(folder: Path, name: str, *, why: str = "") -> None:
    """Turn a waiting change down; what is approved stays, and so does the decision."""
    note = _note("rejected", why, None)
    pending.drop(folder, name)
    pending.keep_note(folder, {"name": name, **note})


def expect(folder: Path, name: str, *, why: str, until: str = "") -> tuple[str, ...]:
    """Say in the project file that what a change shows is meant; what was written there."""
    if until and not _DAY.fullmatch(until):
        raise UsageError(f"'{until}' is no day", hint="as in 2030-01-31")
    report = change(folder, name)
    if report.status == "good":
        raise UsageError(f"nothing in '{name}' fails", hint=f"mcp-eval accept {name} takes it over")
    scenario = "" if name == "surface" else name
    said = [
        Expectation(finding=expect_name(one), reason=why, expires=until, scenario=scenario)
        for one in (chief(report, root) for root in leading(report))
        if one is not None
    ]
    for one in dict.fromkeys(said):
        keep_expectation(ROOT, one)
    pending.drop(folder, name)
    pending.keep_note(folder, {"name": name, **_note("expected", why, report)})
    return tuple(one.finding for one in dict.fromkeys(said))


def _note(what: str, why: str, report: Report | None) -> JsonObject:
    """What is kept of a decision: what, who, when, why, at which commit, and about what."""
    said: JsonObject = {"what": what, "when": SystemClock().now(), "why": why}
    said |= signature(str(ROOT))
    if report is not None:
        said |= {"status": report.status, "roots": [line(root.message) for root in report.roots]}
    return {key: value for key, value in said.items() if value}


def decisions(folder: Path) -> tuple[JsonObject, ...]:
    """The log of a baseline folder: what was accepted, rejected and expected, the oldest first."""
    return pending.log(folder)


def home(project: Project, path: Path | str | None, scenarios: Sequence[Scenario]) -> str:
    """The folder a baseline lies in, where changes of it can wait; "" where it is a lone file."""
    place = files.baseline_path(str(path or project.baselines), *[s.stem for s in scenarios][:1])
    if place.is_dir():
        return str(place)
    alone = [scenario.stem for scenario in scenarios] == [place.stem]
    return str(place.parent) if alone and place.suffix == ".json" else ""


def stored(project: Project) -> documents.Stored:
    """What is stored here."""
    places = (Path(project.baselines), Path(project.reports))
    return documents.stored(*places, runs.report_path(ROOT))


def stored_report(path: Path | None) -> Report:
    """A stored report; without a name, the last check's."""
    return documents.read_report(path or runs.report_path(ROOT), last=path is None)


def checks() -> dict[str, Report]:
    """The last checks made here, by name, newest first."""
    return history.remembered(ROOT)


def run_names() -> dict[str, tuple[str, ...]]:
    """By scenario: its baseline, where one is approved, and its raw runs."""
    approved = {path.stem for path in Path(project().baselines).glob("*.json")}
    found = {folder.name: folder for folder in sorted((WORKSPACE / "runs").glob("*/"))}
    return {
        stem: (
            *(("baseline",) if stem in approved else ()),
            *sorted(run.stem for run in folder.glob("*.json")),
        )
        for stem, folder in found.items()
    }


def beside(stem: str, left: str, right: str) -> Report:
    """Two of a scenario's runs, or its baseline and a run, as they lie."""
    now = SystemClock().now()
    sides = [_stored_side(stem, name) for name in (left, right)]
    policy = replace(project().policy, today=now[:10])
    return compared(*sides, policy=policy, created_at=now)


def _stored_side(stem: str, name: str) -> Side:
    place = Path(project().baselines) if name == "baseline" else WORKSPACE / "runs" / stem
    held = documents.read_side(place / f"{stem if name == 'baseline' else name}.json")
    recorded = next(iter(held.recordings.values()))
    # A raw run knows no surface, so none is compared.
    return Side(baseline=replace(held, surface=Surface()), build=recorded.provenance.build)


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
