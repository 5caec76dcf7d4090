"""`accept`: baseline changes that wait, shown, then put in place or turned down by name."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.formats.lines import line_of
from mcp_eval.reports.terminal import print_report
from mcp_eval.store import pending


@click.command("accept", epilog='Example: mcp-eval accept search_tools -m "ids are longer now"')
@click.argument("names", nargs=-1)
@click.option("--baseline", "folder", type=options.FILE, metavar="DIR", help="default: baselines")
@click.option("--all", "everything", is_flag=True, help="every change that waits")
@click.option("--drop", is_flag=True, help="turn them down: what is approved stays")
@click.option("-m", "--why", default="", metavar="TEXT", help="kept beside the baseline")
@click.option("--json", "as_json", is_flag=True, help="the names that wait, nothing else")
@click.option("-q", "--quiet", is_flag=True, help="without the differences")
def command(
    *,
    names: tuple[str, ...],
    folder: Path | None,
    everything: bool,
    drop: bool,
    why: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Review the baseline changes that wait: each as a difference, then yes or no.

    By name they are put in place at once; off a terminal, and without a name, they are listed.
    """
    where = folder or Path(app.project().baselines)
    waiting = pending.pending(where)
    if as_json and not (names or everything):
        click.echo(line_of(waiting))
        return 0
    if not waiting and not names:
        click.echo(f"nothing waits in {where}")
        return 0
    if names or everything:
        _settled(where, waiting if everything else names, drop=drop, why=why)
        return 0
    for name in waiting:
        click.echo(f"\n{name}")
        if not quiet:
            print_report(app.change(where, name), verbose=True)
        if sys.stdin.isatty():
            _asked(where, name, why)
    if not sys.stdin.isatty():
        click.echo("hint: mcp-eval accept NAME, or --all; --drop turns a change down", err=True)
    return 0


def _settled(where: Path, names: Sequence[str], *, drop: bool, why: str) -> None:
    for name in names:
        if drop:
            pending.drop(where, name)
            click.echo(f"dropped {name}")
        else:
            click.echo(f"accepted {app.accept(where, name, why=why)}")


def _asked(where: Path, name: str, why: str) -> None:
    said = click.prompt(
        f"accept {name}? (y)es, (n)o drop it, (s)kip",
        type=click.Choice(["y", "n", "s"]),
        default="s",
        show_choices=False,
        err=True,
    )
    if said != "s":
        _settled(where, [name], drop=said == "n", why=why)
