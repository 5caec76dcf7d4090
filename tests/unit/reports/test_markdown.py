import re

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from mcp_eval.reports.markdown import BUDGET, MARK, MarkdownReporter, code, prose
from tests.unit.reports import samples

OURS = {"<details>", "</details>", "<summary>", "</summary>", "<details", "<summary", MARK}


def rendered(report):
    return MarkdownReporter().render(report).decode()


def tokens(text):
    """Every token a reader of GitHub's dialect finds."""
    found = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)
    for token in found:
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("status", samples.all_statuses())
def test_the_finding_is_the_first_line_a_person_sees(status):
    lines = rendered(samples.all_statuses()[status]).splitlines()
    assert lines[0] == MARK
    assert lines[1].startswith("## ")
    assert f" {status}: " in lines[1]


def test_every_failing_root_stands_there_with_its_fix_and_both_ways_to_accept_it():
    report = samples.broken()
    text = rendered(report)
    for root in report.roots:
        assert prose(root.message) in text
        assert prose(root.fix) in text
    assert "mcp-eval accept" in text
    assert "- {finding: " in text


@pytest.mark.parametrize("payload", samples.PAYLOADS)
@pytest.mark.parametrize("status", ["broken", "acceptable", "inconclusive"])
def test_nothing_foreign_becomes_a_link_a_picture_markup_or_a_heading(payload, status):
    ours = samples.all_statuses()[status]
    theirs = samples.hostile(payload, ours)
    told = list(tokens(rendered(theirs)))
    kinds = {token.type for token in told}
    assert not kinds & {"link_open", "image", "fence", "code_block"}
    html = [token.content for token in told if token.type in {"html_block", "html_inline"}]
    assert all(
        re.fullmatch(r"(</?(details|summary)>|<!-- mcp-eval -->|\d+ \w+|Int.*?root|\s)+", one)
        for one in html
    ), html
    headings = [token for token in told if token.type == "heading_open"]
    assert len(headings) == 1 + len([root for root in theirs.roots if root.status != "note"])
    rows = [token for token in told if token.type == "tr_open"]
    assert len(rows) == len(theirs.scenarios) + 1
    cells = [token for token in told if token.type == "td_open"]
    assert len(cells) == 4 * len(theirs.scenarios)


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_outside_of_code_no_foreign_word_calls_anybody(payload):
    bare = " ".join(
        token.content
        for token in tokens(rendered(samples.hostile(payload)))
        if token.type == "text"
    )
    assert not re.search(r"@\w|#\d|\bGH-\d|://|www\.|javascript:", bare)


@pytest.mark.parametrize("text", ["a`b", "``", "`", "x``` y", " lead", "a|b", "```\n# x", ""])
def test_a_code_span_holds_whatever_it_is_given(text):
    inline = MarkdownIt().parseInline(f"before {code(text)} after")[0].children
    spans = [token.content for token in inline if token.type == "code_inline"]
    assert spans == ([" ".join(text.split())] if text.strip() else [])


def test_a_sentence_keeps_its_words_and_quotes_the_names_in_it():
    said = prose("upstream_servers now requires `protocol`; 4 of 20 scenarios send none")
    assert said == "`upstream_servers` now requires `protocol`; 4 of 20 scenarios send none"


def test_what_does_not_fit_is_counted_and_the_last_line_says_so():
    report = samples.many(scenarios=300, pairs=1, size=100)
    roots = tuple(
        replace(report.roots[0], id=f"R{n}", message=f"lost {'y' * 500}") for n in range(300)
    )
    text = rendered(replace(report, roots=roots))
    assert len(text.encode()) <= BUDGET
    left = int(re.search(r"did not fit: (\d+) roots", text)[1])
    assert text.count("\n### ") + left == 300
