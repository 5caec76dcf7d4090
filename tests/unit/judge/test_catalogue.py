"""The catalogue as a whole: all of it, in its order, and nothing that no rule speaks of."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

import mcp_eval.compare
from mcp_eval.judge.catalogue import CATALOGUE

INCONCLUSIVE = [
    "target-not-starting",
    "target-lost",
    "rate-limited",
    "auth-expired",
    "not-reset",
    "build-mismatch",
    "baseline-unusable",
    "scenario-edited",
    "agent-failed",
]
SURFACE = [
    "tool-renamed",
    "parameter-renamed",
    "tool-removed",
    "prompt-removed",
    "resource-removed",
    "capability-lost",
    "parameter-newly-required",
    "parameter-removed",
    "parameter-type-changed",
    "enum-value-removed",
    "bounds-narrowed",
    "default-changed",
    "output-schema-changed",
    "annotation-changed",
    "tool-doubled",
    "constraint-dropped",
    "description-changed",
    "instructions-changed",
    "catalogue-grown",
    "tool-added",
    "parameter-added",
    "enum-value-added",
    "bounds-widened",
]
OUTCOME = [
    "newly-failing",
    "newly-guarded",
    "newly-refused",
    "guard-lost",
    "improvement",
    "error-swallowed",
    "error-changed",
    "error-flagged",
    "content-type-changed",
    "result-field-renamed",
    "result-emptied",
    "result-field-removed",
    "effect-lost",
    "hit-displaced",
    "wrong-page",
    "hit-lost",
    "entry-doubled",
    "result-type-changed",
    "score-moved",
    "count-followed",
    "result-value-changed",
    "text-changed",
    "result-order-changed",
    "item-added",
    "result-field-added",
    "server-request-new",
    "slower",
    "costlier",
]
AGENT = [
    "criterion-failed",
    "goal-not-reached",
    "wrong-tool",
    "call-missing",
    "call-extra",
    "argument-drift",
    "call-moved",
]
SEVERITY = ("broken", "degraded", "acceptable", "note")


def test_every_rule_stands_in_its_order_of_precedence():
    ids = [rule.id for rule in CATALOGUE.rules]
    assert ids == [*INCONCLUSIVE, *SURFACE, *OUTCOME, *AGENT, "stale-expect"]
    assert [CATALOGUE.rank[name] for name in ids] == list(range(len(ids)))


@pytest.mark.parametrize("rule", CATALOGUE.rules, ids=lambda rule: rule.id)
def test_a_rule_s_cells_go_from_the_worst_down(rule):
    # A goal that was missed once and then always reached is told from one that is missed often.
    statuses = [cell.status for cell in rule.cells if not cell.mark or cell.mark == "intermittent"]
    if rule.kind == "inconclusive":
        assert statuses[-1] == "inconclusive"
        statuses = statuses[:-1]
    ranks = [SEVERITY.index(status) for status in statuses]
    assert all(one < other for one, other in pairwise(ranks))


@pytest.mark.parametrize("rule", CATALOGUE.rules, ids=lambda rule: rule.id)
def test_a_rule_says_what_it_means_and_when_it_holds(rule):
    assert rule.meaning.endswith(".")
    assert all(cell.when for cell in rule.cells)


def test_every_change_that_compare_can_tell_has_a_rule():
    sources = Path(mcp_eval.compare.__file__).parent.glob("*.py")
    known = re.compile(
        r"\"((?:tool|parameter|prompt|resource|capability|enum-value|bounds|default|output-schema"
        r"|annotation|constraint|description|instructions|catalogue|newly|result|hit|error|item"
        r"|score|count|text|effect|entry|guard|server-request|content-type|goal|criterion|call"
        r"|argument|wrong)-[a-z]+(?:-[a-z]+)*)\""
    )
    said = {name for source in sources for name in known.findall(source.read_text("utf-8"))}
    kinds = {"tool-call", "resource-template"}
    assert said - kinds - set(CATALOGUE.by_id) == set()
    assert len(said) > 40


@pytest.mark.parametrize("name", SURFACE[:11])
def test_what_can_make_a_request_fail_absorbs_its_failure(name):
    assert CATALOGUE.by_id[name].absorbs


@pytest.mark.parametrize("name", [*SURFACE[11:], *OUTCOME, *AGENT])
def test_nothing_else_absorbs(name):
    assert not CATALOGUE.by_id[name].absorbs
