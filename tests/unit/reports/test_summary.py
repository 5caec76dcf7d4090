import json
import re

import pytest

from mcp_eval.reports.summary import SummaryReporter, quoted, tokens
from tests.unit.reports import samples

STATUSES = samples.all_statuses()


def said(report):
    return SummaryReporter().render(report).decode()


@pytest.mark.parametrize("status", STATUSES)
def test_it_is_short_and_says_the_status_what_to_do_and_the_roots(status):
    text = said(STATUSES[status])
    assert tokens(text) < 500
    assert text.startswith(f"mcp-eval: {status} (")
    assert STATUSES[status].action in text
    assert "untrusted" in text
    for root in STATUSES[status].roots[:1]:
        assert root.message[:80] in text
        assert quoted(root.fix)[:60] in text


def test_what_there_was_no_room_for_is_counted():
    report = samples.many(scenarios=100, pairs=3, size=300)
    roots = report.roots * 20
    text = said(
        type(report)(**{f: getattr(report, f) for f in report.__struct_fields__} | {"roots": roots})
    )
    shown = len(re.findall(r"^\d+\. ", text, re.MULTILINE))
    assert shown >= 1
    assert f"{len(roots) - shown} more parts" in text
    assert tokens(text) < 500


@pytest.mark.parametrize("payload", samples.PAYLOADS)
@pytest.mark.parametrize("status", ["broken", "inconclusive"])
def test_foreign_words_stand_in_quotes_alone_and_the_budget_holds(payload, status):
    text = said(samples.hostile(payload, STATUSES[status]))
    assert tokens(text) < 500
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    assert '"' not in bare.replace('""', "")
    ours = re.sub(r'"(?:[^"\\]|\\.)*"', '""', said(STATUSES[status]))
    known = set(re.findall(r"[A-Za-z]+", ours)) | {
        "fix",
        "scenarios",
        "rule",
        "evidence",
        "and",
        "more",
        "part",
        "parts",
        "mcp",
        "eval",
        "explain",
    }
    assert set(re.findall(r"[A-Za-z]+", bare)) <= known, bare


def test_a_quoted_text_is_one_json_string_on_one_line():
    said_once = quoted('a "b"\nc \u202e d')
    assert json.loads(said_once) == 'a "b" c \\u202e d'
    assert "\n" not in said_once


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("word", 1), ("longer words", 4), ("a, b", 3), ("日本", 4), ("123456", 2)],
)
def test_tokens_are_counted_rather_too_high(text, count):
    assert tokens(text) == count
