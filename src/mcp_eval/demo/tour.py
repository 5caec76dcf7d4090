"""The demo: record the first build, check the second, and see what of the planted was found."""

import sys
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from mcp_eval import app
from mcp_eval.demo.planted import BREAKS, HARMLESS, Planted
from mcp_eval.model.base import Noun
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.verdict import Finding, Report, Root
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, Happening
from mcp_eval.workflows.record import RecordPlan, record

SCENARIOS = Path(__file__).parent / "scenarios"
_FAILING = ("broken", "degraded")
_AT_ONCE = 2


class Seen(Noun):
    """Something planted, and the root under which it was found."""

    planted: Planted
    root: Root | None = None


class Tour(Noun):
    """What the demo found of what was planted, and what it found beside."""

    report: Report
    seen: tuple[Seen, ...]
    surprises: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether everything planted was found, and nothing else raised an alarm."""
        return all(one.root is not None for one in self.seen) and not self.surprises


def build(number: int) -> TargetSpec:
    """One of the two builds of the embedded proxy, as a target."""
    return TargetSpec(
        name="demo-proxy",
        command=(sys.executable, "-m", "mcp_eval.demo.servers", "--build", str(number)),
        resettable=True,
    )


async def tour(folder: Path, watch: Callable[[Happening], None]) -> Tour:
    """Record, check and look what came of it; all files stand in `folder`."""
    project = Project(
        path=str(folder / "mcp-eval.yaml"),
        scenarios=str(SCENARIOS),
        baselines=str(folder / "baselines"),
        reports=str(folder / "reports"),
    )
    scenarios = app.scenarios(project, (SCENARIOS,))
    old = app.world(project, build(1), folder=project.baselines)
    plan = RecordPlan(scenarios=scenarios, replace=True)
    async with aclosing(record(old, plan)) as events:  # type: ignore[type-var]
        async for event in events:
            watch(event)
    baseline = app.baseline(project, None, scenarios)
    asked = CheckPlan(baseline=baseline, scenarios=scenarios, jobs=_AT_ONCE)
    report: Report | None = None
    new = app.world(project, build(2))
    async with aclosing(check(new, asked)) as events:  # type: ignore[type-var]
        async for event in events:
            watch(event)
            report = event.report if isinstance(event, Checked) else report
    if report is None:
        raise RuntimeError("the check ended without a report")
    return looked_up(report)


def looked_up(report: Report) -> Tour:
    """Hold a report against the table of what was planted."""
    seen = tuple(Seen(planted=one, root=_root(report, one)) for one in BREAKS)
    known = {one.root.id for one in seen if one.root is not None}
    return Tour(
        report=report,
        seen=seen,
        surprises=(*_strangers(report, known), *_unexplained(seen), *_alarms(report)),
    )


def _root(report: Report, planted: Planted) -> Root | None:
    found = {one.id for one in report.findings if _is(one, planted)}
    return next((root for root in report.roots if found & set(root.findings)), None)


def _is(finding: Finding, planted: Planted) -> bool:
    place = not planted.path or finding.path == planted.path
    same = finding.rule == planted.rule and finding.tool == planted.tool and place
    return same and finding.status == planted.status


def _strangers(report: Report, known: set[str]) -> tuple[str, ...]:
    """Alarms that nothing planted explains."""
    roots = [root for root in report.roots if root.status in _FAILING and root.id not in known]
    lost = [one for one in report.findings if one.status == "inconclusive"]
    return (
        *(f"not planted, yet {root.status}: {root.message}" for root in roots),
        *(f"no opinion: {one.message}" for one in lost),
    )


def _unexplained(seen: tuple[Seen, ...]) -> tuple[str, ...]:
    """A break without a cause or a fix, or two that were taken for one."""
    found = [one for one in seen if one.root is not None]
    bare = [
        f"without a cause or a fix: {one.planted.text}"
        for one in found
        if one.root is not None and (one.root.cause == "unknown" or not one.root.fix)
    ]
    ids = [one.root.id for one in found if one.root is not None]
    doubled = [
        f"taken for the root of something else: {one.planted.text}"
        for position, one in enumerate(found)
        if one.root is not None and one.root.id in ids[:position]
    ]
    return (*bare, *doubled)


def _alarms(report: Report) -> tuple[str, ...]:
    """Harmless changes that were taken for worse than acceptable."""
    return tuple(
        f"harmless, yet {finding.status}: {planted.text}"
        for planted in HARMLESS
        for finding in report.findings
        if planted.rule
        and finding.status in _FAILING
        and (finding.rule, finding.tool, finding.path) == (planted.rule, planted.tool, planted.path)
    )
