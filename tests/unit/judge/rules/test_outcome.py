"""The outcome rows of the catalogue, each on each side of each line."""

import pytest

from mcp_eval.model.comparison import CriterionResult
from tests.unit.judge.constructed import at_replay, only, rules, status_of, verdict

ALWAYS = {
    "newly-guarded": "acceptable",
    "newly-refused": "broken",
    "improvement": "note",
    "error-swallowed": "degraded",
    "error-flagged": "note",
    "content-type-changed": "degraded",
    "result-emptied": "broken",
    "effect-lost": "broken",
    "hit-displaced": "note",
    "wrong-page": "degraded",
    "hit-lost": "degraded",
    "entry-doubled": "degraded",
    "result-type-changed": "degraded",
    "score-moved": "note",
    "count-followed": "note",
    "result-order-changed": "acceptable",
    "item-added": "note",
    "result-field-added": "note",
}
# How often: seen, looks, at the old build, and what an unconditional rule makes of it.
TIMES = [
    (1, 1, (0, 0), "as it stands"),
    (3, 3, (0, 0), "as it stands"),
    (3, 3, (3, 3), "as it stands"),
    (2, 3, (0, 0), "as it stands"),
    (2, 10, (0, 9), "as it stands"),
    (1, 2, (0, 0), "note"),
    (1, 10, (0, 9), "note"),
    (2, 10, (1, 9), "note"),
    (9, 10, (1, 9), "note"),
]


@pytest.mark.parametrize("change", ALWAYS)
@pytest.mark.parametrize(("seen", "looks", "old", "said"), TIMES)
def test_a_rule_without_conditions_holds_unless_it_was_a_passing_thing(
    change, seen, looks, old, said
):
    found = only(verdict(at_replay(change, path="a", seen=seen, looks=looks, old=old)))
    assert found.rule == change
    assert found.status == (ALWAYS[change] if said == "as it stands" else "note")
    assert ("transient" in found.marks) is (said == "note")
    assert ("intermittent" in found.marks) is (said != "note" and seen < looks)


# --- newly-failing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "looks", "old", "status", "marks"),
    [
        (1, 1, (0, 0), "broken", ()),
        (2, 2, (0, 0), "broken", ()),
        (10, 10, (0, 9), "broken", ()),
        (10, 10, (9, 9), "broken", ()),
        (10, 10, (1, 9), "broken", ()),
        (2, 3, (0, 0), "degraded", ("intermittent",)),
        (3, 10, (0, 9), "degraded", ("intermittent",)),
        (9, 10, (0, 9), "degraded", ("intermittent",)),
        (1, 2, (0, 0), "note", ("transient",)),
        (1, 10, (0, 9), "note", ("transient",)),
        (3, 10, (2, 9), "note", ("transient",)),
        (3, 10, (9, 9), "note", ("transient",)),
    ],
)
def test_newly_failing_is_counted_over_looks_at_both_builds(seen, looks, old, status, marks):
    found = only(verdict(at_replay("newly-failing", seen=seen, looks=looks, old=old)))
    assert (found.status, found.marks) == (status, marks)


@pytest.mark.parametrize(
    ("seen", "looks", "confidence"),
    [(1, 1, "unconfirmed"), (3, 3, "confirmed"), (2, 3, "confirmed"), (1, 3, "seen-once")],
)
def test_how_sure_a_failure_is_follows_from_its_looks(seen, looks, confidence):
    found = only(verdict(at_replay("newly-failing", seen=seen, looks=looks)))
    assert found.confidence == confidence


def test_a_crash_says_so():
    found = only(verdict(at_replay("newly-failing", was="failed", now="crashed")))
    assert "breaks the connection" in found.message
    found = only(verdict(at_replay("newly-failing", now="crashed", kind="timeout")))
    assert "does not answer in time" in found.message


# --- guards --------------------------------------------------------------------------------------


def criterion(*, now, before):
    return CriterionResult(text="the file is read", kind="result", result=now, baseline=before)


def test_a_guard_that_is_gone_is_degraded_where_no_criterion_wants_it():
    judged = verdict(at_replay("guard-lost"))
    assert status_of(judged) == "degraded"


@pytest.mark.parametrize(("before", "now"), [("yes", "yes"), ("no", "no"), ("yes", "no")])
def test_a_criterion_that_does_not_gain_by_it_wants_nothing(before, now):
    judged = verdict(at_replay("guard-lost"), criteria=(criterion(now=now, before=before),))
    assert status_of(judged) == "degraded"


def test_a_guard_that_a_criterion_wanted_gone_makes_no_finding():
    judged = verdict(at_replay("guard-lost"), criteria=(criterion(now="yes", before="no"),))
    assert judged.findings == ()
    assert judged.status == "good"


# --- errors --------------------------------------------------------------------------------------


def test_an_error_of_another_code_is_degraded_and_another_wording_acceptable():
    assert status_of(verdict(at_replay("error-changed", codes=["1", "2"]))) == "degraded"
    assert status_of(verdict(at_replay("error-changed", wording=True))) == "acceptable"


# --- fields that a later step needed -------------------------------------------------------------


@pytest.mark.parametrize("change", ["result-field-removed", "result-field-renamed"])
def test_a_field_is_broken_where_a_later_step_needed_it_and_degraded_otherwise(change):
    plain = at_replay(change, path="id", after="ticket_id")
    needed = at_replay(change, path="id", after="ticket_id", needed_by=[1, 2])
    assert status_of(verdict(plain)) == "degraded"
    found = only(verdict(needed))
    assert (found.status, found.marks) == ("broken", ("not-reached",))
    assert found.evidence["not_reached"] == [1, 2]
    assert "2 later steps needed it and could not run" in found.message


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "status"),
    [
        pytest.param({"baseline": 2}, "degraded", id="two looks at the baseline agreed"),
        pytest.param({"baseline": 1}, "acceptable", id="the baseline was seen once"),
        pytest.param({"baseline": 0}, "acceptable", id="nobody agreed"),
        pytest.param({"alike": False}, "acceptable", id="the new looks differ among themselves"),
        pytest.param({"old": (3, 3)}, "acceptable", id="the old build says so too by now"),
        pytest.param({"old": (0, 3)}, "degraded", id="the old build says what it said"),
        pytest.param({"seen": 1, "looks": 1}, "degraded", id="one look at the new build"),
    ],
)
def test_a_value_is_degraded_where_it_was_steady(how, status):
    judged = verdict(at_replay("result-value-changed", path="on", before=1, after=2, **how))
    assert status_of(judged) == status


@pytest.mark.parametrize("change", ["result-value-changed", "text-changed"])
def test_a_value_alone_is_acceptable_where_the_world_may_have_moved(change):
    moved = at_replay(change, path="on", before="a", after="b", lost=["4711"])
    assert status_of(verdict(moved, world_may_have_moved=True)) == "acceptable"
    assert status_of(verdict(moved)) == "degraded"


@pytest.mark.parametrize("change", ["hit-lost", "result-field-removed", "result-type-changed"])
def test_what_is_gone_counts_even_where_the_world_may_have_moved(change):
    judged = verdict(at_replay(change, path="a"), world_may_have_moved=True)
    assert status_of(judged) == "degraded"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (True, False, "went from true to false"),
        (3, 4.5, "went from 3 to 4.5"),
        (True, 1, "has another value"),
        ("open", "closed", "has another value"),
        (None, 3, "has another value"),
    ],
)
def test_a_value_is_told_only_where_it_is_a_flag_or_a_number(before, after, said):
    judged = verdict(at_replay("result-value-changed", path="a", before=before, after=after))
    assert said in only(judged).message


# --- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "status"),
    [
        pytest.param({"truncated": True}, "degraded", id="truncated"),
        pytest.param({"truncated": True, "baseline": 1}, "degraded", id="truncated, seen once"),
        pytest.param({"mangled": True}, "degraded", id="mis-encoded"),
        pytest.param({"mangled": True, "baseline": 1}, "degraded", id="mis-encoded, seen once"),
        pytest.param({"lost": ["4711"]}, "degraded", id="a steady number is gone"),
        pytest.param({"lost": ["4711"], "baseline": 1}, "acceptable", id="seen once"),
        pytest.param({"lost": ["4711"], "old": (1, 1)}, "acceptable", id="gone at the old one too"),
        pytest.param({"lost": []}, "acceptable", id="other wording"),
        pytest.param({"reworded": True}, "acceptable", id="other words"),
    ],
)
def test_a_text_is_degraded_where_something_hard_in_it_went(how, status):
    assert status_of(verdict(at_replay("text-changed", path="text", **how))) == status


# --- server requests -----------------------------------------------------------------------------


@pytest.mark.parametrize(("answered", "status"), [(True, "acceptable"), (False, "degraded")])
def test_a_new_question_to_the_client_is_judged_by_whether_the_call_survived_it(answered, status):
    asked = at_replay("server-request-new", after="elicitation/create", answered=answered)
    found = only(verdict(asked))
    assert found.status == status
    assert "`elicitation/create`" in found.message


def asked(answered):
    return at_replay("server-request-new", after="elicitation/create", answered=answered)


@pytest.mark.parametrize("failure", ["newly-failing", "newly-refused"])
def test_the_question_nobody_answered_is_told_rather_than_the_error_it_led_to(failure):
    judged = verdict(at_replay(failure, now="failed"), asked(answered=False))
    assert rules(judged) == {("server-request-new", "degraded")}
    assert "fails without the answer it wants" in only(judged).message


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({"now": "crashed"}, id="a crash is no answer to a no"),
        pytest.param({"now": "failed", "needed_by": [1]}, id="a later step could not run"),
    ],
)
def test_a_question_does_not_excuse_everything(how):
    judged = verdict(at_replay("newly-failing", **how), asked(answered=False))
    assert rules(judged) == {("newly-failing", "broken")}


def test_a_question_that_was_answered_excuses_no_failure():
    judged = verdict(at_replay("newly-failing", now="failed"), asked(answered=True))
    assert rules(judged) == {("newly-failing", "broken")}


# --- precedence at one site ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("newly-failing", "result-emptied"),
        ("newly-guarded", "newly-refused"),
        ("improvement", "item-added"),
        ("error-swallowed", "error-changed"),
        ("content-type-changed", "text-changed"),
        ("result-field-renamed", "result-field-removed"),
        ("result-emptied", "hit-lost"),
        ("hit-displaced", "hit-lost"),
        ("wrong-page", "hit-lost"),
        ("hit-lost", "result-order-changed"),
        ("score-moved", "result-value-changed"),
        ("count-followed", "result-value-changed"),
        ("result-type-changed", "result-value-changed"),
    ],
)
def test_of_two_rules_at_one_site_the_first_of_the_catalogue_speaks(first, later):
    one, other = at_replay(first, path="a", after="b"), at_replay(later, path="a", after="b")
    assert {rule for rule, _ in rules(verdict(other, one))} == {first}
    assert {rule for rule, _ in rules(verdict(one, other))} == {first}


def test_two_sites_of_one_answer_make_two_findings_and_one_root():
    judged = verdict(at_replay("hit-lost", path="hits"), at_replay("entry-doubled", path="log"))
    assert rules(judged) == {("hit-lost", "degraded"), ("entry-doubled", "degraded")}
    assert len(judged.roots) == 1
