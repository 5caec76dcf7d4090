"""Changes of a baseline before a person's eyes: one at a time, one key each."""

from collections.abc import Sequence
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.app import Change
from mcp_eval.errors import UsageError
from mcp_eval.model.verdict import Finding, Report
from mcp_eval.reports import words
from mcp_eval.reports.plain import line, shown
from mcp_eval.reports.terminal import print_report

_COLOURS = {"update": "green", "look again": "yellow", "break": "red"}
_OFFERED = {"update": "an update", "look again": "not sure yet", "break": "a break to fix"}
_KEYS = "(a)ccept  (r)eject  (e)xpect  (s)kip  (d)etails  (q)uit"
_DIFFERENCES = 12


def review(where: Path, changes: Sequence[Change], *, why: str = "") -> None:
    """One key for each change; whatever is skipped still waits."""
    decided = {"a": 0, "r": 0, "e": 0, "s": 0}
    for number, one in enumerate(changes, 1):
        show(one, changes, number)
        key = _key(one)
        if key == "q":
            break
        decided[_done(where, one, key, why)] += 1
    waits = len(changes) - decided["a"] - decided["r"] - decided["e"]
    click.echo(
        f"\n{decided['a']} accepted, {decided['r']} rejected, {decided['e']} expected, "
        f"{waits} still waiting"
    )


def show(change: Change, changes: Sequence[Change], number: int, *, quiet: bool = False) -> None:
    """The root, the difference and the scenarios one change touches, as a reviewer wants them."""
    offered = click.style(_OFFERED[change.proposal.kind], fg=_COLOURS[change.proposal.kind])
    click.echo(f"\n[{number}/{len(changes)}] {change.name}  ·  {offered}: {change.proposal.why}")
    if change.outdated:
        click.echo("  a newer run of it exists: it cannot be accepted as it is")
    if quiet:
        return
    report = change.report
    for root in words.ordered(report):
        click.echo(f"  {words.ICONS[root.status]} {root.status}: {line(root.message, 400)}")
        click.echo(f"     fix: {line(root.fix, 400)}")
        touched = _touched(change, changes, {one.rule for one in words.members(report, root)})
        click.echo(f"     touches: {words.few(touched, 8)}")
    found = _differences(report)
    for one in found[:_DIFFERENCES]:
        click.echo(_difference(one))
    if len(found) > _DIFFERENCES:
        click.echo(f"     … and {words.counted(len(found) - _DIFFERENCES, 'more difference')}")
    if not found:
        click.echo("  · nothing that counts differs")


def _differences(report: Report) -> tuple[Finding, ...]:
    return tuple(sorted(report.findings, key=lambda one: words.SEVERITY.index(one.status)))


def _difference(finding: Finding) -> str:
    sides = [
        click.style(f"     {sign} {shown(finding.evidence[side], 300)}", fg=colour)
        for sign, side, colour in (("-", "before", "red"), ("+", "after", "green"))
        if finding.evidence.get(side) is not None
    ]
    named = f"  {words.ICONS[finding.status]} {words.expect_name(finding)}"
    return "\n".join([named, *(sides or [f"     {line(finding.message, 300)}"])])


def _touched(change: Change, changes: Sequence[Change], rules: set[str]) -> tuple[str, ...]:
    """The changes that show the same, this one first."""
    others = (
        one.name
        for one in changes
        if one.name != change.name and any(found.rule in rules for found in one.report.findings)
    )
    return (change.name, *others)


def _key(change: Change) -> str:
    while True:
        click.echo(f"  {_KEYS} ", nl=False)
        key = click.getchar().lower()
        if key in {"\x03", "\x04"}:
            raise click.Abort
        click.echo(key if key.isprintable() else "")
        if key == "d":
            print_report(change.report, verbose=True)
        elif key in {"a", "r", "e", "s", "q"}:
            return key


def _done(where: Path, change: Change, key: str, why: str) -> str:
    """Carry a key out; what turns out to be impossible is said, and the change waits on."""
    try:
        if key == "a":
            click.echo(f"  accepted {app.accept(where, change.name, why=why)}")
        elif key == "r":
            app.reject(where, change.name, why=why)
            click.echo(f"  rejected: what is approved stays, {change.name} is to be mended")
        elif key == "e":
            reason = click.prompt("  reason")
            until = click.prompt("  until (YYYY-MM-DD, empty: for good)", "", show_default=False)
            said = app.expect(where, change.name, why=reason, until=until)
            click.echo(f"  expected in the project file: {', '.join(said)}")
    except UsageError as error:
        click.echo(f"  {error.message}; {error.hint}")
        return "s"
    return key
