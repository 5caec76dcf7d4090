"""`demo`: a small proxy in two builds, recorded and checked before your eyes."""

import tempfile
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.options import Voice
from mcp_eval.cli.running import run
from mcp_eval.cli.said import said
from mcp_eval.cli.screen import Screen
from mcp_eval.demo.tour import Tour, tour
from mcp_eval.reports.plain import line


@click.command("demo", epilog="Example: mcp-eval demo")
@click.argument("folder", required=False, type=options.FILE)
@options.taking("voice")
def command(*, folder: Path | None, voice: Voice) -> int:
    """Record one build of a small MCP proxy, check the next one, and see what broke and why.

    No key, no Docker, no network. Exits 0 when exactly what was planted in the second build was
    found. The files go to FOLDER, or to a new temporary one.
    """
    place = folder or Path(tempfile.mkdtemp(prefix="mcp-eval-demo-"))

    async def work() -> int:
        with Screen(quiet=voice.quiet) as screen:
            made = await tour(place.absolute(), screen.show)
        written = (place / "report.json", place / "report.html")
        for path in written:
            app.write(made.report, path)
        said(made.report, voice)
        if not voice.as_json:
            _compared(made, voice)
        for path in written:
            click.echo(f"{path.suffix[1:].upper()}: {path}", err=voice.as_json)
        return 0 if made.exact else 1

    return run(work())


def _compared(made: Tour, voice: Voice) -> None:
    found = sum(one.root is not None for one in made.seen)
    click.echo(f"\nplanted: {len(made.seen)} breaks; found: {found}, each with its cause and fix")
    for one in made.seen:
        if one.root is None:
            click.echo(f"  not found: {one.planted.text} ({one.planted.rule})")
        elif not voice.quiet:
            click.echo(f"  found: {one.planted.text}")
    for text in made.surprises:
        click.echo(f"  {line(text)}")
