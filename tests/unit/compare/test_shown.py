"""What an answer says of itself: errors, guards, substance; and which of two items is which."""

import pytest

from mcp_eval.compare import answers, items, toolkey
from mcp_eval.compare.answers import answer, classify, guards, keeps
from mcp_eval.compare.steady import effects_of, path_of, run_of, unusable, waiting
from mcp_eval.compare.view import View
from mcp_eval.model.recording import Hole
from tests.unit.compare.spoken import RECORDED_AT, SEEN_AT, carried, step, text
from tests.unit.compare.told import SURFACE, compared, look, recorded, run

VIEW = View(before_at=RECORDED_AT, after_at=SEEN_AT)


# --- errors by their shape ---


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"isError": True, "message": "x"}, "failed"),
        ({"is_error": True, "message": "permission denied"}, "refused"),
        ({"is_error": 1, "items": [1]}, "ok"),
        ({"success": False}, "failed"),
        ({"success": 0, "items": [1]}, "ok"),
        ({"ok": False, "items": [1]}, "failed"),
        ({"ok": True, "items": [1]}, "ok"),
        ({"status": "error", "message": "x"}, "failed"),
        ({"status": "error"}, "failed"),
        ({"status": "error", "items": [1]}, "ok"),
        ({"status": "error", "name": "disk 1"}, "ok"),
        ({"name": "error", "message": "x"}, "ok"),
        ({"code": 404, "message": "x"}, "failed"),
        ({"code": 399, "message": "x"}, "ok"),
        ({"code": 400, "message": "x"}, "failed"),
        ({"code": True, "message": "x"}, "ok"),
        ({"size": 404, "message": "x"}, "ok"),
        ({"error": "boom"}, "failed"),
        ({"error": "none"}, "ok"),
        ({"error": None, "items": [1]}, "ok"),
        ({"error": "boom", "items": [1]}, "ok"),
        ({"error": "boom", "items": []}, "failed"),
        ({"error": "boom", "suggestions": ["a"]}, "failed"),
        ({"error": "boom", "error_path": ["a"]}, "failed"),
        ({"errorMessage": "boom"}, "failed"),
        ({"exception": "boom"}, "failed"),
        ({"errors": ["boom"]}, "failed"),
        ({"errors": [], "items": [1]}, "ok"),
        ({"errors": 3, "items": [1]}, "ok"),
        ({"message": "Error: boom"}, "failed"),
        ({"message": "all is well"}, "ok"),
        ({"message": "Error: boom", "name": "x"}, "ok"),
        ({"result": "Error: boom"}, "failed"),
        ({"title": "Error: boom"}, "ok"),
        ({"result": {"error": "boom"}}, "failed"),
        ([{"error": "boom"}], "failed"),
        ([{"error": "boom", "name": "x"}], "ok"),
        ([{"error": "boom"}, {"error": "bang"}], "ok"),
        ("Error: permission denied", "refused"),
    ],
)
def test_a_body_is_an_error_by_its_shape(body, kind):
    assert classify(carried(body)) == kind


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Error: " + "x" * 100, "failed"),
        ("Branch x does not exist", "failed"),
        ("Error: boom\n" + "a line of a log\n" * 400, "ok"),
        ("A page about errors", "ok"),
    ],
)
def test_a_text_is_an_error_where_it_says_nothing_else(said, kind):
    assert classify(text(said)) == kind


# --- guards ---


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"quarantined": True}, "refused"),
        ({"quarantined": False, "name": "x"}, "ok"),
        ({"quarantined": True, "name": "x"}, "ok"),
        ({"quarantined": True, "message": "wait"}, "refused"),
        ({"status": "pending_approval"}, "refused"),
        ({"status": "pending_approval", "name": "x"}, "ok"),
        ({"status": "ready", "name": "x"}, "ok"),
        ({"message": "approval is required"}, "refused"),
        ({"message": "approval is required", "added": True}, "ok"),
        ({"message": "approval is required", "tools": ["a"]}, "ok"),
        ({"items": [{"quarantined": True}], "name": "x"}, "ok"),
    ],
)
def test_a_guard_that_stands_alone_refuses(body, kind):
    assert classify(carried(body)) == kind


@pytest.mark.parametrize(
    ("body", "guarded"),
    [
        ({"quarantined": True, "name": "x"}, True),
        ({"quarantined": "false"}, False),
        ({"quarantined": 0}, False),
        ({"status": "Blocked", "name": "x"}, True),
        ({"status": "was_blocked"}, True),
        ({"status": "nobody blocked it"}, False),
        ({"status": 3}, False),
        ({"message": "It requires approval", "name": "x"}, True),
        ({"title": "It requires approval", "name": "x"}, False),
        ("the server was quarantined", True),
        ("the server was added", False),
        ([{"quarantined": True}], False),
    ],
)
def test_a_guard_shows_by_name_status_or_words(body, guarded):
    said = text(body) if isinstance(body, str) else carried(body)
    assert guards(answer(said)) is guarded


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2}, True),
        ({"message": "x"}, {"message": "x"}, False),
        ([1], [2], True),
        ([1], [], False),
        ([], [], True),
        ("a b c d e", "a b c d", True),
        ("a b c d e", "a b c", False),
        ("", "", True),
        ("", "a", False),
        (1, 1, True),
        (1, 2, False),
        ([1], {"a": 1}, False),
    ],
)
def test_most_of_an_answer_still_stands(before, after, kept):
    assert keeps(before, after) is kept


def test_of_several_blocks_the_first_speaks():
    assert answers._spoken(answer(text("a", "b"))) == "a"
    assert answers._spoken(answer(text("a"))) == "a"
    assert answers._spoken(answer(carried({"a": 1}))) == ""


# --- items ---


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        ({"a": 5, "b": 6}, {"a": 5, "b": 6}, 1.0),
        ({"a": 5, "b": 6}, {"a": 5, "b": 7}, 0.5),
        ({"a": 5, "b": 6}, {"a": 5, "c": 6}, 1.0),
        ({"a": 5, "b": True}, {"a": 5, "c": True}, 0.5),
        ({"a": 5, "score": 6}, {"a": 5, "score": 7}, 1.0),
        ({"score": 6}, {"score": 7}, 1.0),
        ({"a": 5}, [5], 0.0),
        (5, 5, 1.0),
        (5, 6, 0.0),
        ("a", "a", 1.0),
        ("a", "b", 0.0),
        ("word " * 20, "word " * 20 + "more", 0.67),
        ("x" * 41, "x" * 42, 0.0),
        ("word " * 8, "word " * 7, 0.0),
    ],
)
def test_an_item_is_like_another_by_its_leaves(old, new, share):
    found = items._alike(items._Read.of(old), items._Read.of(new), VIEW, "l")
    assert found == pytest.approx(share)


@pytest.mark.parametrize(
    ("value", "tells"),
    [(None, False), (0, False), (1, False), ("", False), ([], False), ({}, False), (True, False), (False, False), (2, True), ("a", True), (0.5, True)],
)  # fmt: skip
def test_a_value_tells_where_it_would_not_stand_by_chance(value, tells):
    assert items._tells(value) is tells


def test_a_hole_lets_a_leaf_differ_within_its_type():
    holed = View(holes={"l[].n": Hole(kind="counter")})
    assert items._agree(5, 6, holed, "l", "n")
    assert not items._agree(5, "6", holed, "l", "n")
    assert not items._agree(5, 6, holed, "l", "m")
    assert items._may_vary(5, "n", holed, "l")
    assert not items._may_vary(5, "m", holed, "l")
    assert items._may_vary(0.5, "m", holed, "l")


def test_blocks_that_are_left_over_are_the_same_blocks():
    pairs = {0: 1}
    items._in_order(pairs, ["a", "b", {"c": 1}, 4], ["x", "y", "z", {"d": 1}])
    assert pairs == {0: 1, 1: 0, 2: 3}


def test_items_are_reordered_where_those_that_stayed_are():
    assert items.Pairing(pairs=((0, 1), (1, 0))).reordered
    assert not items.Pairing(pairs=((1, 2), (0, 0))).reordered
    assert not items.Pairing().reordered


# --- a run, and a recording ---

READ = ("list_items", {"query": "pan"}, ["pan"])
ADD = ("add_item", {"label": "pan"}, "added")
FAILED = ("add_item", {"label": "pan"}, text("boom", failed=True))


def test_the_path_of_a_run_is_its_tools():
    assert path_of(run(READ, ADD), SURFACE) == "list_items → add_item"
    assert path_of(run(READ), None) == "list_items"


def test_the_pairs_of_a_replay_are_those_of_its_first_look():
    first = look(("list_items", {"query": "pan"}, ["pan"]))
    other = look(("list_items", {"query": "pan"}, text("boom", failed=True)))
    recording = recorded(run(READ), run(READ))
    for looks, kind in (((first, other), "ok"), ((other, first), "failed")):
        (pair,) = compared(recording, *looks).pairs
        assert pair.candidate.outcome_class == kind


@pytest.mark.parametrize(
    ("choices", "says"),
    [(["add", "x"], False), (["add", "remove"], True), (["add", "remove", "x"], True), ([], False)],
)
def test_an_argument_says_which_tool_where_most_of_its_choices_are_verbs(choices, says):
    assert toolkey._discriminates("what", "x", {"enum": choices}) is says
    assert toolkey._discriminates("what", "add", {})
    assert toolkey._discriminates("command", "x", {"enum": ["x"]})
    assert not toolkey._discriminates("command", "x", {})
    assert not toolkey._discriminates("what", "", {"enum": ["add"]})


def test_effects_are_the_writes_that_succeeded():
    assert effects_of(run(READ, ADD, FAILED).trajectory, SURFACE) == (
        {"tool": "add_item", "arguments": {"label": "pan"}},
    )


def test_a_recording_is_a_run_again():
    recording = recorded(run(READ, ADD), run(READ, ADD))
    again = run_of(recording)
    assert [made.name for made in again.trajectory.invocations] == ["list_items", "add_item"]
    assert [(made.latency_ms, made.size) for made in again.trajectory.invocations] == [
        (0.0, 0),
        (0.0, 0),
    ]
    assert (again.scenario, again.agent, again.recorded_at) == ("s", "script", RECORDED_AT)


def test_a_recording_of_failures_is_no_baseline():
    good, bad = recorded(run(READ)), recorded(run(FAILED))
    assert unusable([], []) == ""
    assert unusable([good], []) == ""
    assert unusable([good, bad], []) == ""
    assert unusable([good, bad, bad], []) == (
        "2 of 3 scenarios hold nothing but failed or refused calls: s, s"
    )


@pytest.mark.parametrize(
    ("before", "after", "waits"),
    [
        ({"status": "indexing"}, {"status": "ready"}, True),
        ({"status": "ready"}, {"status": "ready"}, False),
        ({"name": "a"}, {"name": "b"}, False),
    ],
)
def test_a_status_that_differs_is_asked_again(before, after, waits):
    assert waiting(step(before), carried(after)) is waits
    assert not waiting(step(text("boom", failed=True)), carried(after))
