"""`compare`: any two things; with --scenario, the seed's spelling of `check` for one scenario."""

from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.ending import status_of
from mcp_eval.cli.options import Judging, Reach, Voice
from mcp_eval.cli.running import run
from mcp_eval.cli.said import said
from mcp_eval.cli.screen import Screen, watched
from mcp_eval.clock import stamp
from mcp_eval.errors import UsageError
from mcp_eval.model.verdict import Report
from mcp_eval.reports.registry import reporter_for
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.compare import compare
from mcp_eval.workflows.events import Checked


@click.command(
    "compare", epilog='Example: mcp-eval compare "npx server@1.0" "npx server@2.0" -o diff.html'
)
@click.argument("sides", nargs=-1, metavar="[A B]")
@click.option("--scenario", type=options.FILE, help="check this one scenario (with --baseline)")
@click.option("--baseline", metavar="P", default="", help="its recording: a folder or a file")
@click.option("--output", type=options.FILE, metavar="DIR", help="DIR/comparison.json")
@click.option("--no-baseline", is_flag=True, help="expected_trajectory stands in for a baseline")
@click.option("--old", default="", metavar="T", help="the old build, run beside the new one")
@click.option("--judge", default="", metavar="A", help="who weighs prose criteria: claude, models")
@click.option("--agent", default="", metavar="A", help="a model's runs beside the replay")
@click.option("--trials", default=1, type=click.IntRange(min=1), help="looks at the scenario")
@options.taking("reach", "judging", "voice")
@options.outputs
@options.summary
def command(
    *,
    sides: tuple[str, ...],
    scenario: Path | None,
    baseline: str,
    output: Path | None,
    no_baseline: bool,
    old: str,
    judge: str,
    agent: str,
    trials: int,
    reach: Reach,
    judging: Judging,
    voice: Voice,
    outputs: tuple[Path, ...],
    summary: bool,
) -> int:
    """Compare A and B: recordings, surfaces (tools/list dumps too) or targets.

    Two targets are compared by what they offer, and by what their tools that merely read answer:
    it says which of them it tried. `--scenario S --baseline P --output DIR` checks one
    scenario against its recording instead.
    """
    for path in outputs:
        reporter_for(path)
    project = app.project()
    policy = judging.over(project.policy)
    if (scenario is None) == (len(sides) != 2):  # noqa: PLR2004 - A and B
        raise UsageError(
            "compare takes two things, or --scenario",
            hint="mcp-eval compare A B, or mcp-eval compare --scenario S --baseline P",
        )

    async def work() -> int:
        home = ""
        with Screen(quiet=voice.quiet) as screen:
            if scenario is None:
                world, before, after = app.sides(project, *sides)
                events = compare(world, app.side_by_side(before, after, policy, sides))
            else:
                (one,) = app.scenarios(project, (scenario,))
                stored = None if no_baseline else app.baseline(project, baseline, (one,))
                spec = app.target_spec(
                    project, reach.target, (one,), call_timeout=reach.call_timeout
                )
                if not no_baseline:
                    home = app.home(project, baseline, (one,))
                asked = CheckPlan(
                    baseline=stored,
                    scenarios=(one,),
                    policy=policy,
                    trials=trials,
                    lanes=options.lanes(("surface", "replay"), app.agent_name(project, agent)),
                    offer=bool(home),
                    folder="" if home == project.baselines else home,
                )
                world = app.world(
                    project,
                    spec,
                    old=old,
                    folder=home,
                    agent=agent,
                    judge=judge or project.judge,
                    asker=screen if screen.asks else None,
                )
                events = check(world, asked)
            checked = await watched(events, screen, Checked)
        app.keep(checked.report)
        app.tidy(home, checked.report)
        places = _places(checked.report, project.reports, scenario, output)
        said(checked.report, voice, (*outputs, *places), summary=summary)
        return status_of(checked.report)

    return run(work())


def _places(
    report: Report, reports: str, scenario: Path | None, output: Path | None
) -> tuple[Path, ...]:
    """Where this form of the command writes, asked or not."""
    places = [output / "comparison.json"] if output is not None else []
    if scenario is not None:
        name = f"{scenario.stem}_comparison_{stamp(report.created_at)}.html"
        places.append(Path(reports) / name)
    return tuple(places)
