"""What the differ and the flow ask of two values, each at its edge."""

import pytest

from mcp_eval.compare import flow, masks, outcomes, text, values
from mcp_eval.compare.answers import answer
from mcp_eval.compare.catalogue import doubled_tools, growth, protocol_differences, wording
from mcp_eval.compare.view import View
from mcp_eval.model.comparison import Difference, Site
from mcp_eval.model.recording import Hole
from mcp_eval.model.surface import Surface, Tool
from tests.unit.compare.spoken import RECORDED_AT, SEEN_AT, rpc_error, step
from tests.unit.compare.spoken import text as said

VIEW = View(before_at=RECORDED_AT, after_at=SEEN_AT)
UUID = "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f1"
OTHER = "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f2"


def facts(before, after, **view):
    looking = View(before_at=RECORDED_AT, after_at=SEEN_AT, **view)
    return [(one.change, one.site.path) for one in values.differ(before, after, looking)]


# --- members ---


@pytest.mark.parametrize(
    ("name", "new", "before", "after", "renamed"),
    [
        ("a", "b", "same", "same", True),
        ("a", "b", "one", "two", False),
        ("user_id", "id", "one", "two", True),
        ("user_id", "id", "one", 2, False),
        ("user_id", "id", [1], [2], False),
        ("user_id", "id", [1], [1], True),
        ("user_id", "id", UUID, "two", False),
    ],
)
def test_a_member_is_renamed_by_its_value_or_its_kin_name(name, new, before, after, renamed):
    assert values._renamed(name, new, before, after, VIEW) is renamed


def test_of_several_flags_that_are_alike_nobody_knows_which_became_which():
    assert facts({"a": True, "b": True}, {"x": True, "y": True}) == [
        ("result-field-removed", "a"),
        ("result-field-removed", "b"),
        ("result-field-added", "x"),
        ("result-field-added", "y"),
    ]
    assert facts({"a": True}, {"x": True}) == [("result-field-renamed", "a")]
    assert facts({"a": "one", "b": "two"}, {"x": "two", "y": "one"}) == [
        ("result-field-renamed", "a"),
        ("result-field-renamed", "b"),
    ]


@pytest.mark.parametrize(
    ("value", "trivial"),
    [(None, True), ("", True), (0, True), (1, True), (2, False), (True, True), ([], True), ({}, True), ("a", False), ([1], False)],
)  # fmt: skip
def test_a_trivial_value_stands_anywhere(value, trivial):
    assert values._trivial(value) is trivial


def test_names_that_are_uuids_are_no_names():
    assert facts({UUID: {"n": 5}}, {OTHER: {"n": 5}}) == []
    (one,) = facts({UUID: {"n": 5}}, {UUID: {"n": 6}})
    assert one[0] == "result-value-changed"
    mixed = facts({UUID: 5, "a": 7}, {OTHER: 6, "a": 7})
    assert {one[0] for one in mixed} == {"result-field-renamed", "result-value-changed"}


def test_a_field_that_comes_and_goes_may_go():
    assert facts({"a": "x", "b": 5}, {"b": 5}, holes={"a": Hole(kind="optional")}) == []
    assert facts({"a": "x", "b": 5}, {"b": 5}, holes={"a": Hole(kind="counter")}) == [
        ("result-field-removed", "a")
    ]


# --- leaves ---


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (5, 5, []),
        (5, 6, ["result-value-changed"]),
        (5, "5", ["result-type-changed"]),
        (None, 5, ["improvement"]),
        (5, None, ["result-type-changed"]),
        (True, False, ["result-value-changed"]),
        ("a", "b", ["result-value-changed"]),
        ("x" * 40, "y" * 40, ["result-value-changed"]),
        ("word " * 10, "other " * 10, ["text-changed"]),
        ('{"a": 1}', '{"a": 2}', ["result-value-changed"]),
        (UUID, OTHER, []),
        (UUID, "none", ["result-value-changed"]),
    ],
)
def test_a_leaf_changes_by_its_kind(before, after, change):
    assert [one[0] for one in facts({"a": before}, {"a": after})] == change


def test_a_score_in_a_list_moves_and_a_count_is_marked():
    assert facts([{"id": "a", "score": 5.5}], [{"id": "a", "score": 6.5}]) == [
        ("score-moved", "[].score")
    ]
    assert facts({"score": 5.5}, {"score": 6.5}) == [("result-value-changed", "score")]
    (one,) = values.differ({"count": 5}, {"count": 6}, VIEW)
    assert one.details == {"counts": True}
    (one,) = values.differ({"count": "a"}, {"count": "b"}, VIEW)
    assert one.details == {}
    (one,) = values.differ({"level": 5}, {"level": 6}, VIEW)
    assert one.details == {}


@pytest.mark.parametrize(
    ("hole", "before", "after", "change"),
    [
        (Hole(kind="counter", examples=(5, 6)), 5, 9, []),
        (Hole(kind="counter", examples=(5, 6)), 5, "x", ["result-type-changed"]),
        (Hole(kind="choice", examples=(5, "x")), 5, "y", []),
        (Hole(kind="choice", examples=("a", "b")), "a", "c", []),
        (Hole(kind="choice", examples=("a",)), "a", "", ["result-value-changed"]),
    ],
)
def test_what_varies_keeps_its_type_and_form(hole, before, after, change):
    found = facts({"a": before}, {"a": after}, holes={"a": hole})
    assert [one[0] for one in found] == change


@pytest.mark.parametrize(
    ("change", "hole"),
    [
        ("result-order-changed", Hole(kind="order")),
        ("result-field-removed", Hole(kind="optional")),
    ],
)
def test_what_comes_and_goes_or_moves_has_no_examples(change, hole):
    listed = {"l": [{"id": "a"}, {"id": "b"}]}
    one = Difference(site=Site(tool="t", path="l"), lane="replay", change=change)
    assert masks._hole(one, listed, [(listed, VIEW)]) == ("l", hole)


# --- the catalogue ---


def test_words_that_changed_are_measured():
    assert wording({"description": "a"}, {"description": "a"}) is None
    assert wording({"description": "abcd", "p": "xx"}, {"description": "a", "p": "xx"}) == {
        "parameters": [],
        "before_length": 4,
        "after_length": 1,
        "share": 0.25,
        "emptied": False,
        "halved": True,
    }
    half = wording({"p": "abcd"}, {"p": "ab"})
    assert (half["share"], half["halved"], half["emptied"]) == (0.5, False, False)
    assert half["parameters"] == ["p"]
    more = wording({"p": "ab"}, {"p": "abcd"})
    assert (more["share"], more["halved"]) == (1.0, False)
    gone = wording({"p": "ab"}, {})
    assert (gone["share"], gone["halved"], gone["emptied"]) == (0.0, True, True)
    come = wording({}, {"p": "ab"})
    assert (come["share"], come["halved"], come["emptied"]) == (1.0, False, False)


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("2025-06-18", "2025-03-26", True),
        ("2025-03-26", "2025-06-18", False),
        ("2025-03-26", "2025-03-26", False),
        ("2025-03-26", "1", False),
        ("", "2025-03-26", False),
    ],
)
def test_an_older_protocol_is_a_capability_lost(old, new, lost):
    assert bool(list(protocol_differences(Surface(protocol=old), Surface(protocol=new)))) is lost


def tools(*names):
    return Surface(tools=tuple(Tool(name=name) for name in names))


def test_a_name_that_stands_twice_now_is_doubled():
    (one,) = doubled_tools(tools("a", "b"), tools("a", "a", "b"))
    assert (one.site.tool, one.before, one.after, one.details) == ("a", 1, 2, {"count": 2})
    assert not list(doubled_tools(tools("a", "a"), tools("a", "a", "a")))
    assert [one.before for one in doubled_tools(tools(), tools("a", "a"))] == [0]


def test_a_catalogue_grows_where_it_costs_more_to_read():
    assert not list(growth(tools("a"), tools("a")))
    assert not list(growth(tools("a", "b"), tools("a")))
    (one,) = growth(tools("a"), tools("a", "long" * 9))
    assert one.details["tools"] == 2
    assert one.before < one.after


# --- the flow ---


@pytest.mark.parametrize(
    ("mark", "told", "stands"),
    [
        ("pan", ("pan",), True),
        ("pan", ("a pan",), False),
        ("pans", ("two pans",), True),
        ("pans", ("pan", "pots"), False),
        ("pan", (), False),
    ],
)
def test_a_mark_stands_whole_or_within_where_it_is_long(mark, told, stands):
    assert flow._stands(mark, told) is stands


@pytest.mark.parametrize(
    ("used", "path", "under"),
    [
        ("items[0].id", "items[].id", True),
        ("items[0].id", "items", True),
        ("items[0].id", "other", False),
        ("user_id", "id", True),
        ("id", "user_id", False),
        ("a", "", True),
    ],
)
def test_a_value_is_lost_with_the_place_it_stood_at(used, path, under):
    assert flow._under(used, path) is under


def test_what_a_person_would_recognise_again():
    assert list(flow._marks({"a": " pan ", "b": "ab", "c": 123, "d": ["pots"]})) == ["pan", "pots"]
    assert flow._texts({"a": 5, "b": "x", "c": 1.5, "d": None}) == ("5", "x")
    assert flow._said({"id": "a", "label": "pan", "made": UUID}) == {"label": "pan"}


@pytest.mark.parametrize(
    ("refusal", "named"),
    [("call approve_item first", True), ("approve item first", True), ("no way", False)],
)
def test_a_refusal_names_its_way_out(refusal, named):
    assert flow._named_in(refusal, step("x", name="approve_item")) is named


# --- outcomes ---


def test_an_outcome_in_its_own_words_is_capped():
    assert outcomes.said(answer(said("x" * 300))) == "x" * 300
    assert outcomes.said(answer(said("x" * 301))) == "x" * 300 + "…"


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (said("boom", failed=True), said("boom", failed=True), []),
        (said("boom", failed=True), said("bang", failed=True), [("error-changed", True)]),
        (said("boom", failed=True), said("Error: boom"), [("error-swallowed", None)]),
        (said("Error: boom"), said("Error: boom", failed=True), [("error-flagged", None)]),
        (rpc_error(-1, "a"), rpc_error(-2, "a"), [("error-changed", None)]),
        (rpc_error(-1, "a"), rpc_error(-1, "b"), [("error-changed", True)]),
        (said("boom", failed=True), said("permission denied", failed=True), [("error-changed", None)]),
    ],
)  # fmt: skip
def test_an_error_changes_its_dress_its_code_or_its_words(before, after, changes):
    found = list(outcomes.step_differences(step(before, classes={"failed": 2}), after, VIEW))
    assert [(one.change, one.details.get("wording")) for one in found] == changes


# --- words in order ---


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [
        ("abc", "abc", 1.0),
        ("abc", "cba", 0.0),
        ("abc", "acb", 0.5),
        ("a", "a", 1.0),
        ("ab", "xy", 1.0),
        ("axb", "ab", 1.0),
    ],
)
def test_common_words_stand_in_one_order(a, b, share):
    assert text._order(a, b) == share
