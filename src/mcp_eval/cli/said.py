"""The verdict, said: on a terminal, or as the document alone; and written where that was asked."""

from collections.abc import Sequence
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli.options import Voice
from mcp_eval.model.verdict import Report
from mcp_eval.reports.terminal import print_report


def said(
    report: Report, voice: Voice, places: Sequence[Path] = (), *, summary: bool = False
) -> None:
    """Say a report on stdout, then write it: a full disk must not swallow a verdict."""
    if summary:
        click.echo(app.rendered(report, ".summary"), nl=False)
    elif voice.as_json:
        click.echo(app.rendered(report, ".json"), nl=False)
    else:
        print_report(report, verbose=voice.verbose > 0, quiet=voice.quiet)
    for path in places:
        app.write(report, path)
        if not voice.quiet:
            click.echo(f"written: {path}", err=True)
