"""`record --attach`: a stdio server in a client's configuration; stdout belongs to the client."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli.options import Choice, Reach, Voice
from mcp_eval.cli.running import run
from mcp_eval.cli.screen import Screen
from mcp_eval.errors import UsageError
from mcp_eval.model.project import Project
from mcp_eval.workflows.attach import AttachPlan, attach
from mcp_eval.workflows.events import RecordFinished


def attached(
    project: Project,
    choice: Choice,
    reach: Reach,
    voice: Voice,
    words: Sequence[str],
    output: Path | None,
    *,
    unfit: bool,
) -> int:
    """Stand between a client and its server until the client hangs up."""
    places = choice.paths + choice.named
    if unfit or len(places) > 1 or voice.as_json or (words and reach.target):
        raise UsageError(
            "--attach records one person's work as it is done: it takes a scenario file to write, "
            "--output, and one target",
            hint="mcp-eval record --attach -- npx some-server, or --attach --target NAME",
        )
    spec = app.started_by(project, words, reach.target, call_timeout=reach.call_timeout)
    folder = str(output or project.baselines)
    place = app.session_place(project, places[0] if places else None, folder)

    async def work() -> int:
        world = app.world(project, spec, folder=folder)
        plan = AttachPlan(stem=place.stem, path=str(place), policy=project.policy)
        with Screen(quiet=voice.quiet) as screen:
            async for event in attach(world, app.person(), app.desk(folder), plan):
                screen.show(event)
                if isinstance(event, RecordFinished) and not voice.quiet:
                    _say(place, project, spec.name, event)
        return 0

    return run(work())


def _say(place: Path, project: Project, name: str, event: RecordFinished) -> None:
    command = event.recordings[0].provenance.build.command
    target = name if name in project.targets else shlex.quote(shlex.join(command))
    click.echo(f"written: {place}", err=True)
    click.echo(f"check it: mcp-eval check {place} --target {target}", err=True)
