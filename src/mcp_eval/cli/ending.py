"""How a command ends: its exit code, and one line what with one line `hint:` where it failed."""

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_eval.errors import InconclusiveError, McpEvalError

if TYPE_CHECKING:
    from mcp_eval.model.verdict import Report

JOURNAL = ".mcp-eval/journal"
USAGE = 2
INCONCLUSIVE = 3
INTERRUPTED = 130
_TRACEBACK = 2


def ended(command: click.Command, words: Sequence[str]) -> int:
    """Run the command; whatever happens becomes an exit code, and a line a person can act on."""
    try:
        status = command.main(list(words), prog_name="mcp-eval", standalone_mode=False)
        sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 - the last place that can say it kindly
        if isinstance(error, BrokenPipeError):
            return _nobody_reads()
        if _verbosity(words) >= _TRACEBACK and not isinstance(error, click.Abort):
            import traceback

            traceback.print_exception(error)
        return _said(error)
    except KeyboardInterrupt:
        return _interrupted()
    return status if isinstance(status, int) else 0


def swept() -> None:
    """End what a killed mcp-eval left running, and say so."""
    if not any(Path(JOURNAL).glob("*.json")):
        return  # the common case costs no import
    from mcp_eval import app

    for text in app.sweep():
        warn(f"note: {text}")


def status_of(report: "Report") -> int:
    """The exit code of a verdict."""
    if report.status == "inconclusive":
        return INCONCLUSIVE
    return 0 if report.passed else 1


def warn(text: str, hint: str = "") -> None:
    """One line what, one line hint, on stderr."""
    click.echo(text, err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)


def _said(error: Exception) -> int:
    if isinstance(error, McpEvalError):
        hint = _line(error.hint) or "correct it there and run this again; -vv shows where it broke"
        warn(f"error: {_line(error.message)}{_last_words(error)}", hint)
        return error.exit_code
    if isinstance(error, click.Abort):
        return _interrupted()
    if isinstance(error, click.ClickException):
        ctx = getattr(error, "ctx", None)
        path = ctx.command_path if ctx is not None else "mcp-eval"
        warn(f"error: {_line(error.format_message())}", f"{path} --help")
        return USAGE
    if isinstance(error, OSError):
        warn(f"error: {_line(str(error))}", _remedy(error))
        return USAGE
    warn(
        f"error: mcp-eval itself failed: {type(error).__name__}: {_line(str(error))}",
        "this is a bug of mcp-eval, not of the target; -vv shows where, please report it",
    )
    return INCONCLUSIVE


def _last_words(error: McpEvalError) -> str:
    """The end of the evidence, which is a target's own text: made harmless, and short."""
    from mcp_eval.reports.plain import line

    evidence = error.evidence if isinstance(error, InconclusiveError) else ""
    said = [text.strip() for text in evidence.splitlines() if text.strip()]
    last = line(said[-1], 200) if said else ""
    return f"; last words: {last}" if last and last not in error.message else ""


def _remedy(error: OSError) -> str:
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return "choose a folder you may write to (--output), or change its permissions"
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return "make room and run it again; what was recorded before is intact"
    if "temporary directory" in str(error):
        return "make room where temporary files go, or name another folder with TMPDIR"
    return "check the path; -vv shows where it happened"


def _interrupted() -> int:
    warn("interrupted: what was finished is kept, what was started has been ended")
    return INTERRUPTED


def _nobody_reads() -> int:
    # Python would complain once more while it closes stdout.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _verbosity(words: Sequence[str]) -> int:
    short = [word for word in words if word.startswith("-") and set(word[1:]) == {"v"}]
    return sum(len(word) - 1 for word in short) + words.count("--verbose")


def _line(text: str) -> str:
    return " ".join(text.split())
