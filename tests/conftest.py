"""What every test may ask for: real servers; and what a session says about the missing ones."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from scripts.real_parts import PARTS, MissingPartError, command_of

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts us in the background has Ctrl-C ignored, and so would all that we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ALL_REQUIRED = os.environ.get("MCP_EVAL_REQUIRE") == "all"
PREFIX = "real part missing: "

# No test fails on a clock, and a deadline is one.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def real_part() -> Callable[[str], list[str]]:
    """The command that starts a real server: `real_part("server-memory@2026.1.26")`."""

    def started_by(name: str) -> list[str]:
        if name not in PARTS:
            pytest.fail(f"no such real part: {name}; there are {', '.join(PARTS)}")
        try:
            return command_of(name)
        except MissingPartError as error:
            pytest.skip(f"{PREFIX}{error}")

    return started_by


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    return required(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    report = yield
    return required(report)


def required(report):
    """Where everything is required, a skip is a failure: its reason is what failed."""
    if ALL_REQUIRED and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        report.longrepr = f"skipped, and MCP_EVAL_REQUIRE=all: {reason_of(report)}"
        report.outcome = "failed"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What could not be exercised; and where everything is required, where the time went."""
    _name_missing(terminalreporter)
    if ALL_REQUIRED:
        _share_time(terminalreporter)


def _name_missing(terminalreporter: pytest.TerminalReporter) -> None:
    """A green line must not stand for what was never tried."""
    missing = sorted(
        {
            reason.partition(PREFIX)[2].strip()
            for outcome in ("skipped", "failed", "error")
            for report in terminalreporter.stats.get(outcome, ())
            if PREFIX in (reason := reason_of(report))
        }
    )
    if missing:
        terminalreporter.section("real parts that could not be exercised", yellow=True)
        for line in missing:
            terminalreporter.write_line(line)


def _share_time(terminalreporter: pytest.TerminalReporter) -> None:
    """Each room's part of the time all tests took."""
    spent = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                spent[report.nodeid.partition("::")[0].rpartition("/")[0]] += report.duration
    whole = sum(spent.values())
    if not whole:
        return
    terminalreporter.section("time by room")
    for room, seconds in spent.most_common():
        terminalreporter.write_line(f"{room:<24} {seconds:7.1f} s {seconds / whole:4.0%}")


def reason_of(report) -> str:
    """Why a test was skipped, in its own words."""
    longrepr = report.longrepr
    return str(longrepr[2] if isinstance(longrepr, tuple) else longrepr or "")
