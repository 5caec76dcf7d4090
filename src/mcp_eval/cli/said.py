"""The verdict, said: on a terminal, or as the document alone."""

from collections.abc import Sequence
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli.options import Voice
from mcp_eval.model.verdict import Report
from mcp_eval.reports.terminal import print_report
from mcp_eval.reports.words import closing


def said(report: Report, voice: Voice, written: Sequence[Path] = ()) -> None:
    """Say a report on stdout, and where it was written."""
    if voice.as_json:
        click.echo(app.rendered(report, ".json"), nl=False)
    else:
        print_report(report, verbose=voice.verbose > 0, quiet=voice.quiet)
    for path in written:
        click.echo(f"written: {path}", err=True)
    if not voice.as_json and report.scenarios:
        click.echo(closing(report))
