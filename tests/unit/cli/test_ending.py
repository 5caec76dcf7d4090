import errno

import click
import pytest

from mcp_eval.cli import ending
from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.verdict import Report


def command_that(does):
    @click.command("try")
    @click.option("-v", "verbose", count=True)
    def command(verbose):
        return does()

    return command


def raising(error):
    def does():
        raise error

    return command_that(does)


@pytest.mark.parametrize(
    ("error", "code", "said", "hint"),
    [
        (UsageError("no such thing", hint="try this"), 2, "no such thing", "try this"),
        (InconclusiveError("it is gone", hint="start it"), 3, "it is gone", "start it"),
        (UsageError("a.yaml:3: 'x' is empty"), 2, "a.yaml:3: 'x' is empty", "correct it there"),
        (click.UsageError("bad words"), 2, "bad words", "--help"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "No space left", "intact"),
        (OSError(errno.EACCES, "Permission denied"), 2, "Permission denied", "--output"),
        (OSError(errno.ENOENT, "No such file"), 2, "No such file", "-vv"),
        (FileNotFoundError(2, "No usable temporary directory found"), 2, "usable", "TMPDIR"),
        (ZeroDivisionError("oh\nno"), 3, "mcp-eval itself failed: ZeroDivisionError: oh no", "bug"),
    ],
)
def test_each_error_is_one_line_with_a_hint_and_its_exit_code(capsys, error, code, said, hint):
    assert ending.ended(raising(error), []) == code
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("error: ")
    assert said in lines[0]
    assert lines[1].startswith("hint: ")
    assert hint in lines[1]


def test_the_last_words_of_a_target_stand_on_the_line_harmless_and_short(capsys):
    log = "starting\n\x1b[31mno licence\x1b[0m" + "x" * 1000 + "\n\n"
    ending.ended(raising(InconclusiveError("it ended", hint="h", evidence=log)), [])
    said = capsys.readouterr().err.splitlines()[0]
    assert said.startswith("error: it ended; last words: \\x1b[31mno licence")
    assert len(said) < 300


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_130(capsys, error):
    assert ending.ended(raising(error), []) == 130
    assert capsys.readouterr().err.strip().startswith("interrupted:")


@pytest.mark.parametrize(
    ("words", "traced"), [([], False), (["-v"], False), (["-vv"], True), (["-v", "-v"], True)]
)
def test_a_traceback_is_for_those_who_ask(capsys, words, traced):
    ending.ended(raising(UsageError("no", hint="h")), words)
    assert ("Traceback" in capsys.readouterr().err) == traced


def test_a_command_that_gives_a_status_ends_with_it():
    assert ending.ended(command_that(lambda: 1), []) == 1
    assert ending.ended(command_that(lambda: None), []) == 0


@pytest.mark.parametrize(
    ("status", "passed", "code"),
    [
        ("good", True, 0),
        ("good", False, 1),
        ("acceptable", True, 0),
        ("acceptable", False, 1),
        ("degraded", False, 1),
        ("degraded", True, 0),
        ("broken", False, 1),
        ("inconclusive", False, 3),
        ("inconclusive", True, 3),
    ],
)
def test_the_exit_code_of_a_verdict(status, passed, code):
    assert ending.status_of(Report(status=status, passed=passed)) == code
