"""`record`: scenarios against a target, kept as the baseline."""

from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.ending import run
from mcp_eval.cli.options import Choice, Reach, Voice
from mcp_eval.cli.screen import Screen, watched
from mcp_eval.model.project import Project
from mcp_eval.workflows.events import RecordFinished
from mcp_eval.workflows.record import RecordPlan, record


@click.command(
    "record", epilog='Example: mcp-eval record scenarios/ --target "npx server@1.0" --trials 3'
)
@options.taking("choice", "reach", "voice")
@click.option("--output", type=options.FILE, metavar="DIR", help="default: baselines")
@click.option("--trials", default=1, type=click.IntRange(min=1), help="runs of each scenario")
@click.option("--replace", is_flag=True, help="replace the baseline that is there, without accept")
@click.option("--lane", type=click.Choice(["surface"]), help="only snapshot what is offered")
@click.option("--agent", default="", metavar="A", help="default: script, which needs no model")
def command(
    *,
    choice: Choice,
    reach: Reach,
    voice: Voice,
    output: Path | None,
    trials: int,
    replace: bool,
    lane: str | None,
    agent: str,
) -> int:
    """Record scenarios against a target, as the baseline.

    Ends with one replay against the same build, where repeating is permitted, so that what varies
    by itself is known. Where a baseline is there already, the change waits for `accept`.
    """
    app.sweep()
    project = app.project()
    scenarios = () if lane and not (choice.paths or choice.named) else app.scenarios(
        project, choice.paths + choice.named, keyword=choice.keyword, tags=choice.tags
    )
    spec = app.target_spec(project, reach.target, scenarios, call_timeout=reach.call_timeout)
    plan = RecordPlan(
        scenarios=scenarios,
        trials=trials,
        replace=replace,
        lane="surface" if lane else "all",
        policy=project.policy,
    )

    async def work() -> int:
        with Screen(quiet=voice.quiet) as screen:
            world = app.world(
                project,
                spec,
                folder=str(output or project.baselines),
                agent=agent,
                ask=screen.ask if screen.asks else None,
            )
            finished = await watched(record(world, plan), screen, RecordFinished)
        _say(finished, project, voice)
        return 0

    return run(work())


def _say(finished: RecordFinished, project: Project, voice: Voice) -> None:
    amount = len(finished.recordings)
    said = [f"recorded {amount} of {amount + len(finished.skipped)} in {finished.folder}"]
    if finished.report is not None:
        where = Path(project.reports)
        for stem in finished.recordings:
            path = where / f"{stem}_baseline_{app.stamp(finished.report)}.html"
            app.write(app.part(finished.report, stem), path)
            said.append(f"report: {path}")
        if voice.as_json:
            click.echo(app.rendered(finished.report, ".json"), nl=False)
    if not voice.quiet:
        for text in said:
            click.echo(text, err=voice.as_json)
