"""`init`: from a command, a URL or a servers file to a project file and starter scenarios."""

from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.options import Reach, Voice
from mcp_eval.cli.running import run
from mcp_eval.cli.scaffold import WORKFLOWS, write_subagent, write_workflow
from mcp_eval.cli.screen import Screen, watched
from mcp_eval.errors import UsageError
from mcp_eval.formats.lines import line_of
from mcp_eval.model.base import Stated
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.workflows.events import InitFinished
from mcp_eval.workflows.init import InitPlan, init
from mcp_eval.workflows.sight import Sight


class Begun(Stated):
    """What `init --json` prints: what was seen, and what was written."""

    target: str
    sight: Sight
    project: str
    written: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@click.command("init", epilog='Example: mcp-eval init "npx -y @modelcontextprotocol/server-memory"')
@click.argument("what", default="", metavar="[CMD|URL|FILE]")
@options.taking("reach", "voice")
@click.option(
    "--clean/--no-clean",
    default=None,
    help="a new process in an empty folder starts clean, or does not; default: ask",
)
@click.option("-j", "jobs", default=1, type=click.IntRange(min=1), help="tools tried at once")
@click.option("--subagent", is_flag=True, help="write a Claude Code subagent that checks updates")
@click.option("--ci", "forge", type=click.Choice(sorted(WORKFLOWS)), help="write its workflow")
def command(
    *,
    what: str,
    reach: Reach,
    voice: Voice,
    clean: bool | None,
    jobs: int,
    subagent: bool,
    forge: str | None,
) -> int:
    """Begin: look at a target, say what it is like, write starter scenarios.

    Tools that read are tried with values from schemas, examples, defaults and earlier answers;
    tools that may write only where a new start is clean, else they are left in comments.
    --subagent and --ci write their files, with a target or without one.
    """
    if not (what or subagent or forge):
        raise UsageError("init wants a target", hint="a command, a URL or a servers file")
    _scaffold(voice, subagent=subagent, forge=forge)
    if not what:
        return 0
    project = app.project()
    spec = app.newcomer(project, what, clean=clean, call_timeout=reach.call_timeout)
    plan = InitPlan(places=app.places_in(spec), jobs=jobs)

    async def work() -> int:
        with Screen(quiet=voice.quiet) as screen:
            asker = screen if screen.asks else None
            world = app.beginning(project, spec, asker)
            finished = await watched(init(world, plan, app.person().steps), screen, InitFinished)
        _say(project, spec, finished, voice)
        return 0

    return run(work())


def _scaffold(voice: Voice, *, subagent: bool, forge: str | None) -> None:
    """What stands beside a suite, written first: it needs no target."""
    here = Path()
    written = (write_subagent(here) if subagent else ()) + (
        write_workflow(here, forge) if forge else ()
    )
    for path in written:
        _quietly(f"written: {path}", voice)


def _say(project: Project, spec: TargetSpec, finished: InitFinished, voice: Voice) -> None:
    named, place = app.begun(project, spec, finished.build, resettable=finished.resettable)
    written, there = app.write_starters(project, finished.survey)
    if voice.as_json:
        begun = Begun(
            target=named,
            sight=finished.sight,
            project=str(place or ""),
            written=tuple(map(str, written)),
            kept=tuple(map(str, there)),
        )
        click.echo(line_of(begun))
        return
    click.echo(f"{finished.sight.server}: {finished.sight.said}")
    for path in (*filter(None, [place]), *written):
        _quietly(f"written: {path}", voice)
    for path in there:
        _quietly(f"kept as it was: {path}", voice)
    if place is None:
        _quietly("not kept: write the target into mcp-eval.yaml yourself", voice)
    folder = Path(project.scenarios)
    click.echo(f"next: mcp-eval record {folder}" if written or there else "no tool answered")


def _quietly(text: str, voice: Voice) -> None:
    if not voice.quiet:
        click.echo(text, err=True)
