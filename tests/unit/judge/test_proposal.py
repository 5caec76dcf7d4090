import pytest

from mcp_eval.judge.proposal import adds, proposed
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.verdict import Finding, Report


def recording(*looks, repeats="yes"):
    steps = tuple(RecordedStep(name="search", classes=classes) for classes in looks)
    return Recording(name="story", stem="story", steps=steps, repeats=repeats)


STEADY = recording({"ok": 2}, {"empty": 3})


@pytest.mark.parametrize("status", ["good", "acceptable"])
def test_what_lowers_nothing_and_was_seen_alike_twice_is_offered_as_an_update(status):
    assert proposed(Report(status=status), STEADY).kind == "update"


@pytest.mark.parametrize("status", ["degraded", "broken", "inconclusive"])
@pytest.mark.parametrize("looks", [STEADY, recording({"ok": 9}), None])
def test_a_break_is_never_offered_however_often_it_was_seen(status, looks):
    said = proposed(Report(status=status), looks)
    assert said.kind == "break"
    assert status in said.why


@pytest.mark.parametrize(
    ("looks", "why"),
    [
        (recording({"ok": 2}, {"ok": 1}), "seen in 1 look:"),
        (recording({"ok": 1, "failed": 1}), "did not agree"),
        (recording({"ok": 2}, repeats="no"), "did not agree"),
        (recording(), "seen in 0 looks"),
    ],
)
def test_one_look_or_two_that_differ_want_another(looks, why):
    said = proposed(Report(status="acceptable"), looks)
    assert said.kind == "look again"
    assert why in said.why


@pytest.mark.parametrize("mark", ["transient", "intermittent"])
def test_what_comes_and_goes_is_no_update(mark):
    finding = Finding(id="F1", rule="newly-failing", status="note", marks=(mark,))
    assert proposed(Report(status="good", findings=(finding,)), STEADY).kind == "look again"


def test_a_surface_was_taken_once_it_was_quiet():
    assert proposed(Report(status="good"), None).kind == "update"


def test_only_what_a_build_gives_more_of_is_worth_taking_over():
    assert adds(frozenset({"score-moved", "item-added"}))
    assert not adds(frozenset({"score-moved", "description-changed"}))
