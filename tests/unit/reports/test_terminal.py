import io
import re
import unicodedata

import pytest
from rich.console import Console

from mcp_eval.model.verdict import Report
from mcp_eval.reports.terminal import TerminalReporter, print_report
from tests.unit.reports import samples

STATUSES = samples.all_statuses()


def printed(report, **how):
    out = io.StringIO()
    print_report(report, Console(file=out, width=100, color_system=None, markup=False), **how)
    return out.getvalue()


@pytest.mark.parametrize("status", STATUSES)
def test_the_finding_is_the_first_line_and_the_count_the_last(status):
    lines = printed(STATUSES[status]).splitlines()
    assert f"{status}:" in lines[0]
    assert re.match(r"\d+ passed, \d+ failed", lines[-1])


@pytest.mark.parametrize("status", STATUSES)
def test_quiet_is_the_verdict_and_the_count(status):
    lines = printed(STATUSES[status], quiet=True).splitlines()
    assert f"{status}:" in lines[0]
    assert re.match(r"\d+ passed, \d+ failed", lines[-1])
    assert len(lines) <= 6


def test_every_failing_root_stands_there_with_its_fix_and_both_ways_to_accept_it():
    report = samples.broken()
    text = " ".join(printed(report).split())
    failing = [root for root in report.roots if root.status in {"broken", "degraded"}]
    assert failing
    for root in failing:
        assert " ".join(root.message.split()) in text
        assert " ".join(root.fix.split()) in text
    assert "mcp-eval accept" in text
    assert "- {finding: " in text
    assert "`expect:`" in text


def test_verbose_lists_what_is_merely_worth_knowing():
    report = samples.broken()
    notes = [one for one in report.findings if one.status == "note"]
    assert notes
    shown, all_of_it = printed(report), printed(report, verbose=True)
    assert "-v lists them" in shown
    assert all(one.rule in all_of_it for one in notes)
    assert len(all_of_it) > len(shown)


def test_an_inconclusive_report_shows_no_number():
    assert re.search(r"score\s+– ", printed(samples.inconclusive()))


def test_a_surface_alone_needs_no_count():
    lines = printed(Report(status="good", score=1.0)).splitlines()
    assert not any("passed" in line for line in lines)


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_nothing_foreign_acts_on_a_terminal(payload):
    text = printed(samples.hostile(payload), verbose=True)
    acting = {one for one in text if unicodedata.category(one) in {"Cc", "Cf", "Cs"}}
    assert acting <= {"\n", "\u200c", "\u200d"}
    assert "\u202e" not in text
    assert max(map(len, text.splitlines())) < 400


def test_the_file_is_what_the_terminal_shows():
    written = TerminalReporter().render(samples.broken()).decode()
    assert "broken:" in written.splitlines()[0]
    assert "\x1b" not in written
    assert not any(line.endswith(" ") for line in written.splitlines())
