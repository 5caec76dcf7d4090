"""`record`: scenarios against a target, kept as the baseline."""

import os
from importlib.util import find_spec
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.options import Choice, Reach, Voice
from mcp_eval.cli.running import run
from mcp_eval.cli.screen import Screen, watched
from mcp_eval.formats.lines import line_of
from mcp_eval.model.base import Stated
from mcp_eval.workflows.events import Recorded, RecordFinished
from mcp_eval.workflows.record import RecordPlan, record

COMMAND = "mcp_eval.command"  # where the words after `--` wait


class Made(Stated):
    """What `record --json` prints: what was written, and where."""

    folder: str
    surface: str
    recordings: tuple[Recorded, ...] = ()
    pages: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


class Attaching(click.Command):
    """After `--attach --` stand the words of a command, which are not ours to read."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Our own words, and those of the command put aside."""
        own = args[: args.index("--")] if "--" in args else args
        if "--attach" in own and len(own) < len(args):
            ctx.meta[COMMAND] = tuple(args[len(own) + 1 :])
            args = own
        return super().parse_args(ctx, args)


@click.command(
    "record",
    cls=Attaching,
    epilog='Example: mcp-eval record scenarios/ --target "npx server@1.0" --trials 3',
)
@options.taking("choice", "reach", "voice")
@click.option("--output", type=options.FILE, metavar="DIR", help="default: baselines")
@click.option("--trials", default=1, type=click.IntRange(min=1), help="runs of each scenario")
@click.option("--replace", is_flag=True, help="replace the baseline that is there, without accept")
@click.option("--lane", type=click.Choice(["surface"]), help="only snapshot what is offered")
@click.option("--agent", default="", metavar="A", help="default: script, which needs no model")
@click.option("--attach", is_flag=True, help="be the server of your own client: --attach -- CMD…")
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
    attach: bool,
) -> int:
    """Record scenarios against a target, as the baseline.

    Ends with one replay against the same build, where repeating is permitted, so that what varies
    by itself is known. Where a baseline is there already, the change waits for `accept`.

    `record --attach -- CMD…` is a stdio server: put it where your client's configuration names
    the server, work as usual, and get the recording and a scenario of your own work.
    """
    project = app.project()
    if attach:
        from mcp_eval.cli.attach import attached

        unfit = trials > 1 or replace or lane or agent or choice.keyword or choice.tags
        words = click.get_current_context().meta.get(COMMAND, ())
        return attached(project, choice, reach, voice, words, output, unfit=bool(unfit))
    paths = choice.paths + choice.named
    alone = lane is not None and not paths  # what is offered needs no scenario
    scenarios = (
        () if alone else app.scenarios(project, paths, keyword=choice.keyword, tags=choice.tags)
    )
    spec = app.target_spec(project, reach.target, scenarios, call_timeout=reach.call_timeout)
    plan = RecordPlan(
        scenarios=scenarios,
        trials=trials,
        replace=replace,
        lane="surface" if lane else "all",
        policy=project.policy,
    )
    folder = str(output or project.baselines)

    async def work() -> int:
        with Screen(quiet=voice.quiet) as screen:
            asker = screen if screen.asks else None
            world = app.world(project, spec, folder=folder, agent=agent, asker=asker)
            finished = await watched(record(world, plan), screen, RecordFinished)
        _say(finished, tuple(screen.recorded), project.reports, voice)
        if world.agent.name == "script" and finished.recordings and _a_model_is_at_hand():
            click.echo("recorded without a model; `--agent claude` records one", err=True)
        return 0

    return run(work())


def _a_model_is_at_hand() -> bool:
    return "ANTHROPIC_API_KEY" in os.environ and find_spec("claude_agent_sdk") is not None


def _say(
    finished: RecordFinished, recorded: tuple[Recorded, ...], reports: str, voice: Voice
) -> None:
    pages = app.write_pages(finished.recordings, finished.surface, reports)
    amount = len(finished.recordings)
    what = f"{amount} scenario{'' if amount == 1 else 's'}" if amount else "what is offered"
    skipped = f", {len(finished.skipped)} skipped" if finished.skipped else ""
    waiting = sum(one.pending for one in recorded)
    waits = f" ({waiting} waiting for `mcp-eval accept`)" if waiting else ""
    for page in pages:
        if not voice.quiet:
            click.echo(f"written: {page}", err=True)
    if voice.as_json:
        made = Made(
            folder=finished.folder,
            surface=str(Path(finished.folder) / "surface.json"),
            recordings=recorded,
            pages=tuple(str(page) for page in pages),
            skipped=finished.skipped,
        )
        click.echo(line_of(made))
    else:
        click.echo(f"recorded {what} in {finished.folder}{waits}{skipped}")
