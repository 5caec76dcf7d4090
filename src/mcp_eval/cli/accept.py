"""`accept`: baseline changes that wait, shown and put in place by name."""

from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options


@click.command("accept", epilog="Example: mcp-eval accept search_tools")
@click.argument("names", nargs=-1)
@click.option("--baseline", "folder", type=options.FILE, metavar="DIR", help="default: baselines")
@click.option("--all", "everything", is_flag=True, help="every change that waits")
@click.option("-q", "--quiet", is_flag=True, help="without the differences")
def command(
    *, names: tuple[str, ...], folder: Path | None, everything: bool, quiet: bool
) -> int:
    """List the baseline changes that wait, or put those named in place.

    Each is shown as a difference first.
    """
    where = folder or Path(app.project().baselines)
    waiting = app.pending(where)
    if not waiting:
        click.echo(f"nothing waits in {where}")
        return 0
    if not (names or everything):
        for name in waiting:
            click.echo(name)
            if not quiet:
                click.echo(app.pending_diff(where, name))
        click.echo("hint: mcp-eval accept NAME, or --all", err=True)
        return 0
    for name in waiting if everything else names:
        click.echo(f"accepted {app.accept(where, name)}")
    return 0
