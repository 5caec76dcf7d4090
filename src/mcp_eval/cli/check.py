"""`check`: my suite against its baselines."""

import sys
from collections.abc import Collection
from functools import partial
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.ending import status_of
from mcp_eval.cli.options import Choice, Judging, Reach, Voice
from mcp_eval.cli.running import run
from mcp_eval.cli.said import said
from mcp_eval.cli.screen import Screen, watched
from mcp_eval.cli.watching import watching
from mcp_eval.errors import UsageError
from mcp_eval.model.comparison import Lane
from mcp_eval.model.project import Project
from mcp_eval.model.recording import Baseline
from mcp_eval.model.scenario import Scenario
from mcp_eval.reports.registry import reporter_for
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked

_LANES: dict[str | None, tuple[Lane, ...]] = {
    None: ("surface", "replay"),
    "surface": ("surface",),
    "replay": ("replay",),
    "agent": ("agent",),
}


@click.command("check", epilog='Example: mcp-eval check scenarios/ --target "npx server@2.0"')
@options.taking("choice", "reach", "judging", "voice")
@click.option(
    "--baseline", type=options.FILE, metavar="P", help="folder or file; default: baselines"
)
@click.option("--no-baseline", is_flag=True, help="expected_trajectory stands in for a baseline")
@click.option("--old", default="", metavar="T", help="the old build, run beside the new one")
@click.option("--judge", default="", metavar="A", help="who weighs prose criteria: claude, models")
@click.option("--agent", default="", metavar="A", help="a model's runs beside the replay")
@click.option("-x", "stop_early", is_flag=True, help="stop at the first scenario that fails")
@click.option("-j", "jobs", default=1, type=click.IntRange(min=1), help="scenarios at once")
@click.option("--resume", is_flag=True, help="go on with the check that was interrupted")
@click.option(
    "--durations",
    default=0,
    type=click.IntRange(min=0),
    metavar="N",
    help="name the N slowest scenarios",
)
@click.option("--lf", "last_failed", is_flag=True, help="only what failed last time")
@click.option("--trials", default=1, type=click.IntRange(min=1), help="looks at each scenario")
@click.option("--lane", type=click.Choice(["surface", "replay", "agent"]), help="this one")
@click.option("--coverage", "covering", is_flag=True, help="what no scenario touches; runs nothing")
@click.option("--watch", "watched_", is_flag=True, help="again after every change, until Ctrl-C")
@click.option("--on-change", default="", metavar="CMD", help="with --watch: at another verdict")
@click.option("--affected", multiple=True, type=options.FILE, hidden=True)
@options.outputs
@options.summary
def command(
    *,
    choice: Choice,
    reach: Reach,
    judging: Judging,
    voice: Voice,
    baseline: Path | None,
    no_baseline: bool,
    old: str,
    judge: str,
    agent: str,
    stop_early: bool,
    jobs: int,
    resume: bool,
    durations: int,
    last_failed: bool,
    trials: int,
    lane: str | None,
    covering: bool,
    watched_: bool,
    on_change: str,
    affected: tuple[Path, ...],
    outputs: tuple[Path, ...],
    summary: bool,
) -> int:
    """Check my suite against its baselines: what broke, why, what to do.

    Every recorded request is re-issued without a model; what looks like a break is looked at
    again, wherever repeating is permitted, before it counts. With `--agent` a model is given the
    same intents too: one run that reaches its goal is enough, a missed goal is tried again.
    """
    for path in outputs:
        reporter_for(path)
    project = app.project()
    policy = judging.over(project.policy)
    only = app.failed_last_time() if last_failed else None
    offered = lane == "surface" and not no_baseline  # what is offered needs no scenario's file
    stored, scenarios = (
        _held(project, baseline)
        if offered and not (choice.paths or choice.named)
        else _chosen(project, choice, baseline, only, none=no_baseline)
    )
    if covering:
        return _covered(stored, voice)
    if affected:
        scenarios = tuple(one for one in scenarios if Path(one.path) in affected)
    spec = app.target_spec(project, reach.target, scenarios, call_timeout=reach.call_timeout)
    if watched_:
        places = [*choice.paths, *choice.named] or [Path(project.scenarios)]
        return watching(sys.argv[1:], partial(app.standing, spec, places), on_change)
    home = "" if no_baseline else app.home(project, baseline, scenarios)
    plan = CheckPlan(
        baseline=stored,
        scenarios=scenarios,
        policy=policy,
        trials=trials,
        jobs=jobs,
        stop_early=stop_early,
        resume=resume,
        lanes=options.lanes(_LANES[lane], app.agent_name(project, agent)),
        offer=bool(home) and lane is None,
        folder="" if home == project.baselines else home,
    )

    async def work() -> int:
        with Screen(quiet=voice.quiet) as screen:
            world = app.world(
                project,
                spec,
                old=old,
                folder=home,
                agent=agent,
                judge=judge or project.judge,
                asker=screen if screen.asks else None,
            )
            checked = await watched(check(world, plan), screen, Checked)
        app.keep(checked.report)
        app.tidy(home, checked.report)
        said(checked.report, voice, outputs, summary=summary)
        slowest = sorted(screen.took.items(), key=lambda took: -took[1])
        for stem, seconds in slowest[:durations]:
            click.echo(f"{seconds:8.2f} s  {stem}", err=True)
        return status_of(checked.report)

    return run(work())


def _held(project: Project, path: Path | None) -> tuple[Baseline, tuple[Scenario, ...]]:
    stored = app.baseline(project, path)
    return stored, app.recorded_scenarios(stored)


def _chosen(
    project: Project, choice: Choice, path: Path | None, only: Collection[str] | None, *, none: bool
) -> tuple[Baseline | None, tuple[Scenario, ...]]:
    scenarios = app.scenarios(
        project,
        choice.paths + choice.named,
        keyword=choice.keyword,
        tags=choice.tags,
        only=only,
    )
    return None if none else app.baseline(project, path, scenarios), scenarios


def _covered(baseline: Baseline | None, voice: Voice) -> int:
    """Say what the recordings touch of the recorded surface, and what they leave out."""
    from mcp_eval.compare.coverage import coverage, lines
    from mcp_eval.formats.lines import line_of
    from mcp_eval.reports.plain import line

    if baseline is None:
        raise UsageError(
            "coverage is read from a baseline", hint="leave --no-baseline out, or record one first"
        )
    found = coverage(baseline.surface, tuple(baseline.recordings.values()))
    if voice.as_json:
        click.echo(line_of(found))
        return 0
    for text in lines(found):
        click.echo(line(text, 400))
    return 0
