"""`accept`: baseline changes that wait, reviewed with one key each, or decided by name."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.review import review, show
from mcp_eval.errors import UsageError
from mcp_eval.formats.lines import line_of
from mcp_eval.store import pending

_DECISIONS = ("accept", "reject", "expect")


@click.command("accept", epilog='Example: mcp-eval accept search_tools -m "ids are longer now"')
@click.argument("names", nargs=-1)
@click.option("--baseline", "folder", type=options.FILE, metavar="DIR", help="default: baselines")
@click.option("--all", "everything", is_flag=True, help="every change that waits")
@click.option("--updates", is_flag=True, help="those that are offered as updates, no others")
@click.option("--drop", is_flag=True, help="turn them down: what is approved stays")
@click.option("--expect", "expected", is_flag=True, help="meant for a while: needs -m, see --until")
@click.option("--until", default="", metavar="DAY", help="when --expect ends: YYYY-MM-DD")
@click.option("-m", "--why", default="", metavar="TEXT", help="kept beside the baseline")
@click.option("--json", "as_json", is_flag=True, help="the names that wait, nothing else")
@click.option("-q", "--quiet", is_flag=True, help="without the differences")
def command(
    *,
    names: tuple[str, ...],
    folder: Path | None,
    everything: bool,
    updates: bool,
    drop: bool,
    expected: bool,
    until: str,
    why: str,
    as_json: bool,
    quiet: bool,
) -> int:
    """Review the baseline changes that wait: the root, the difference, the scenarios touched.

    On a terminal one key decides each: accept, reject, expect (with a reason and a day on which
    that ends), skip. By name they are decided at once; elsewhere, without a name, they are listed.
    Additions and acceptable changes seen alike in two looks are offered as updates, all others
    are breaks to fix. Who decided what, when, why and at which commit is kept: `show --log`.
    """
    where = folder or Path(app.project().baselines)
    waiting = pending.pending(where)
    if as_json and not (names or everything or updates):
        click.echo(line_of(waiting))
        return 0
    if not waiting and not names:
        click.echo(f"nothing waits in {where}")
        return 0
    if updates:
        names = tuple(one.name for one in app.changes(where) if one.proposal.kind == "update")
        if not names:
            click.echo(f"nothing in {where} is offered as an update")
    if names or everything or updates:
        decision = _DECISIONS[2 if expected else 1 if drop else 0]
        _decided(where, waiting if everything else names, decision, why=why, until=until)
        return 0
    changes = app.changes(where)
    if sys.stdin.isatty():
        review(where, changes, why=why)
        return 0
    for number, one in enumerate(changes, 1):
        show(one, changes, number, quiet=quiet)
    click.echo(
        "hint: mcp-eval accept NAME, --updates or --all; --drop turns a change down", err=True
    )
    return 0


def _decided(where: Path, names: Sequence[str], decision: str, *, why: str, until: str) -> None:
    if decision == "expect" and not why:
        raise UsageError("--expect needs a reason", hint='say it with -m "…", and --until a day')
    for name in names:
        pending.versions(where, name)  # all of them can be read before the first is decided
    for name in names:
        if decision == "accept":
            click.echo(f"accepted {app.accept(where, name, why=why)}")
        elif decision == "reject":
            app.reject(where, name, why=why)
            click.echo(f"dropped {name}")
        else:
            said = app.expect(where, name, why=why, until=until)
            click.echo(f"expected {', '.join(said) or name}")
