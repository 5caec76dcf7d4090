"""The report on a terminal: what broke first, then why, then the numbers."""

import io
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_eval.model.verdict import Finding, Report, Root
from mcp_eval.reports import words
from mcp_eval.reports.plain import line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

STYLES = {
    "broken": "bold red",
    "degraded": "yellow",
    "acceptable": "green",
    "good": "green",
    "inconclusive": "magenta",
    "note": "dim",
}
_WIDTH = 100
_FINDINGS = 12
_SCENARIOS = 30


class TerminalReporter:
    """Writes what the terminal shows, without its colours."""

    suffixes = (".txt",)

    def render(self, report: Report) -> bytes:
        """The whole report as plain lines."""
        from rich.console import Console

        out = io.StringIO()
        console = Console(
            file=out, width=_WIDTH, color_system=None, force_terminal=False, markup=False
        )
        print_report(report, console, verbose=True)
        lines = (row.rstrip() for row in out.getvalue().splitlines())
        return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def print_report(
    report: Report, console: "Console | None" = None, *, verbose: bool = False, quiet: bool = False
) -> None:
    """Say the verdict on a console (stdout by default; rich minds NO_COLOR and pipes)."""
    from rich.console import Console

    screen = console or Console(markup=False, highlight=False, emoji=False)
    if console is None and not screen.is_terminal and "COLUMNS" not in os.environ:
        screen.width = _WIDTH  # a log has no edge at which to break
    parts = _short(report) if quiet else _whole(report, verbose=verbose)
    for part in parts:
        # Nothing here is markup: every text is a Text, and foreign ones were made visible before.
        screen.print(part, markup=False, highlight=False, emoji=False)


def _whole(report: Report, *, verbose: bool) -> "Iterator[Table | Text]":
    yield from _heading(report)
    yield from _remarks(report)
    for number, root in enumerate(words.ordered(report), 1):
        yield from _root(report, root, number, verbose=verbose)
    yield from _loose(report)
    yield from _fine(report)
    yield from _notes(report, verbose=verbose)
    yield from _scenarios(report, verbose=verbose)
    yield _footer(report)
    yield from _closing(report)


def _short(report: Report) -> "Iterator[Table | Text]":
    yield from _heading(report)
    yield from _closing(report)


def _closing(report: Report) -> "Iterator[Table | Text]":
    from rich.text import Text

    if report.scenarios:
        yield Text(words.closing(report))


def _heading(report: Report) -> "Iterator[Table | Text]":
    from rich.text import Text

    head = Text(f"{words.ICONS[report.status]} ")
    status, _, rest = words.headline(report).partition(":")
    head.append(status, style=STYLES[report.status])
    head.append(f":{rest}", style="bold")
    yield head
    if report.action:
        yield _aside(f"→ {line(report.action)}")


def _remarks(report: Report) -> "Iterator[Table | Text]":
    for remark in report.remarks:
        yield _aside(f"! {line(remark)}", style="yellow")


def _root(report: Report, root: Root, number: int, *, verbose: bool) -> "Iterator[Table | Text]":
    from rich.text import Text

    title = Text(f"{number} {root.status}  ", style=STYLES[root.status])
    title.append(line(root.message, 600), style="bold")
    yield Text("")
    yield _hanging(words.ICONS[root.status], title)
    chief = words.chief(report, root)
    yield _facts(
        ("fix", line(root.fix, 600)),
        ("where", words.where(report, root)),
        ("evidence", words.evidence(chief) if chief else ""),
        ("sure", words.sure(report, root)),
    )
    found = words.members(report, root)
    if verbose and len(found) > 1:
        yield _facts(*(("", _finding(one)) for one in found[:_FINDINGS]), dim=True)
        yield from _more(len(found) - _FINDINGS, "finding")


def _finding(finding: Finding) -> str:
    facts = words.evidence(finding, 120)
    named = f"{words.expect_name(finding)}: {line(finding.message, 300)}"
    return f"{named} ({words.certainty(finding)})" + (f" · {facts}" if facts else "")


def _loose(report: Report) -> "Iterator[Table | Text]":
    loose = words.loose(report)
    if loose:
        yield _title("also")
        rows = (
            (f"{words.ICONS[one.status]} {one.status}", _finding(one)) for one in loose[:_FINDINGS]
        )
        yield _facts(*rows)
        yield from _more(len(loose) - _FINDINGS, "finding")


def _fine(report: Report) -> "Iterator[Table | Text]":
    """Both ways to say "this is fine", once, for the roots that fail."""
    failing = [root for root in words.ordered(report) if root.status in {"broken", "degraded"}]
    if not failing:
        return
    yield _title("intended?")
    rows = []
    for number, root in enumerate(failing[:_FINDINGS], 1):
        chief = words.chief(report, root)
        rows.append((str(number), words.accept_command(report, root)))
        rows.append(
            ("" if rows[-1][1] else str(number), words.expect_entry(chief) if chief else "")
        )
    yield _facts(*(row for row in rows if row[1]))
    yield _aside("the lines with a finding go under `expect:` in mcp-eval.yaml", style="dim")


def _notes(report: Report, *, verbose: bool) -> "Iterator[Table | Text]":
    from rich.text import Text

    known = words.notes(report)
    if not known:
        return
    hint = "" if verbose else "  (-v lists them)"
    counted = words.counted(len(known), "note")
    yield Text(f"\n· {counted}: {words.rules(known)}{hint}", style="dim")
    if verbose:
        limit = _FINDINGS * 4
        yield _facts(*(("", _finding(one)) for one in known[:limit]), dim=True)
        yield from _more(len(known) - limit, "note")


def _scenarios(report: Report, *, verbose: bool) -> "Iterator[Table | Text]":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = [one for one in words.worst_first(report) if verbose or one.status != "good"]
    rest = len(report.scenarios) - len(shown[:_SCENARIOS] if not verbose else shown)
    if shown:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, header_style="dim")
        table.add_column("status", no_wrap=True)
        table.add_column("score", justify="right", no_wrap=True)
        table.add_column("trajectory", justify="right", no_wrap=True)
        table.add_column("scenario", overflow="fold", ratio=1)
        table.add_column("lanes", overflow="fold")
        for one in shown if verbose else shown[:_SCENARIOS]:
            status = Text(f"{words.ICONS[one.status]} {one.status}", style=STYLES[one.status])
            lanes = " ".join(
                f"{line(lane, 20)}:{line(state, 20)}" for lane, state in one.lanes.items()
            )
            table.add_row(
                status,
                words.number(one.score),
                words.number(one.trajectory_score),
                Text(line(one.name or one.stem, 120)),
                Text(lanes, style="dim"),
            )
        yield table
    if rest and report.scenarios:
        good = sum(one.status == "good" for one in report.scenarios)
        said = f"{good} good" if rest == good else f"{rest} more"
        yield _aside(f"{said}, not listed (-v lists all)", style="dim")


def _footer(report: Report) -> "Table":
    scores = (
        f"{words.number(report.score)} · trajectory score {words.number(report.trajectory_score)}"
    )
    policy = f" · policy {line(report.policy, 40)}" if report.policy != "default" else ""
    return _facts(
        ("", ""),
        ("lanes", words.lanes(report)),
        ("builds", words.builds(report)),
        ("score", scores + policy),
        keep_first=True,
    )


def _facts(*rows: tuple[str, str], dim: bool = False, keep_first: bool = False) -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    table.add_column(width=2)
    table.add_column(no_wrap=True, min_width=8, style="dim")
    table.add_column(overflow="fold", ratio=1)
    for position, (name, text) in enumerate(rows):
        if text or (keep_first and not position):
            table.add_row("", Text(name), Text(text, style="dim" if dim else ""))
    return table


def _aside(text: str, style: str = "") -> "Table":
    from rich.text import Text

    return _hanging("", Text(text, style=style))


def _hanging(mark: str, text: "Text") -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table.grid()
    table.add_column(width=3)
    table.add_column(overflow="fold", ratio=1)
    table.add_row(Text(mark), text)
    return table


def _title(text: str) -> "Text":
    from rich.text import Text

    return Text(f"\n{text}", style="bold")


def _more(amount: int, noun: str) -> "Iterator[Table]":
    if amount > 0:
        yield _aside(f"… and {words.counted(amount, f'more {noun}')}", style="dim")
