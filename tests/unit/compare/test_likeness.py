"""How much evidence makes one name another, and how far one word stands for another."""

import pytest

from mcp_eval.compare import lexicon
from mcp_eval.compare.renames import Likeness, Member, parameter_renames
from mcp_eval.compare.renames import _shared_members as shared_members
from mcp_eval.compare.schemas import read_shape
from mcp_eval.compare.view import View
from mcp_eval.compare.wordforms import word_similarity


def likeness(named=0.0, told=0.0, shared=0.0, members=(2, 2), *, qualified=False):
    return Likeness(named=named, told=told, shared=shared, members=members, qualified=qualified)


@pytest.mark.parametrize(
    ("found", "convincing"),
    [
        (likeness(0.6, members=(0, 0)), True),
        (likeness(0.59, members=(0, 0)), False),
        (likeness(0.0, 0.6, members=(0, 0)), True),
        (likeness(0.9, 0.5, members=(0, 0), qualified=True), True),
        (likeness(0.9, 0.49, members=(0, 0), qualified=True), False),
        (likeness(0.9, members=(0, 2)), True),
        (likeness(0.89, members=(2, 0)), False),
        (likeness(0.0, 0.9, members=(2, 0)), True),
        (likeness(0.9, 0.5, members=(0, 2), qualified=True), False),
        (likeness(0.0, 0.9, members=(0, 2), qualified=True), True),
        (likeness(0.3, shared=0.99), True),
        (likeness(0.29, shared=0.99), False),
        (likeness(0.0, 0.3, shared=1.0), True),
        (likeness(0.3, 0.3, shared=1.0, members=(1, 1)), True),
        (likeness(0.3, 0.29, shared=1.0, members=(1, 1)), False),
        (likeness(0.3, 0.0, shared=1.0, members=(1, 2)), True),
        (likeness(0.7, shared=0.5), True),
        (likeness(0.69, shared=0.5), False),
        (likeness(0.35, 0.36, shared=0.5), False),
        (likeness(0.5, 0.21, shared=0.98), True),
        (likeness(0.9, 0.3, shared=0.6, qualified=True), False),
        (likeness(0.9, 0.4, shared=0.6, qualified=True), True),
        (likeness(0.9, 0.3, shared=0.0), True),
        (likeness(0.9, 0.29, shared=0.0), False),
        (likeness(0.9, 0.0, shared=0.1), True),
        (likeness(0.89, 0.8, shared=0.4), False),
        (likeness(1.0, 0.8, shared=0.4, qualified=True), False),
    ],
)
def test_names_that_could_mean_one_tool_do_by_what_else_is_known(found, convincing):
    assert found.convincing is convincing


@pytest.mark.parametrize(
    ("found", "same"),
    [
        (likeness(told=0.85, shared=0.99), True),
        (likeness(told=0.84, shared=1.0), False),
        (likeness(told=1.0, shared=0.98), False),
        (likeness(told=1.0, members=(0, 0)), True),
        (likeness(told=1.0, members=(0, 1)), False),
    ],
)
def test_a_body_is_the_same_by_its_words_and_parameters(found, same):
    assert found.same_body is same


def test_the_score_of_a_likeness_weighs_the_name_most():
    assert likeness(1.0).score == pytest.approx(0.4)
    assert likeness(0.0, 1.0).score == pytest.approx(0.3)
    assert likeness(0.0, 0.0, 1.0).score == pytest.approx(0.3)


def member(required=False, **schema):
    return Member(shape=read_shape(schema, schema), required=required)


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("old", "new", "renamed"),
    [
        ({"userId": member(**TEXT)}, {"user_id": member(**TEXT)}, True),
        ({"userId": member(**TEXT)}, {"user_id": member(type="integer")}, True),
        ({"q": member(**TEXT)}, {"query": member(**TEXT)}, True),
        ({"q": member(**TEXT)}, {"limit": member(type="integer")}, False),
        ({"min": member(**TEXT)}, {"max": member(**TEXT)}, False),
        ({"a": member(properties={"x": {}})}, {"zebra": member(properties={"x": {}})}, True),
        ({"a": member(properties={"x": {}})}, {"zebra": member(properties={"y": {}})}, False),
        (
            {"a": member(properties={"x": {}, "y": {}})},
            {"zebra": member(properties={"y": {}})},
            True,
        ),
        ({"a": member(**TEXT)}, {"zebra": member(**TEXT)}, True),
        ({"a": member(**TEXT)}, {"zebra": member(required=True, **TEXT)}, False),
        ({"mode": member(enum=["x", "y"])}, {"zebra": member(enum=["x", "y"])}, True),
        ({"mode": member(enum=["x", "y"])}, {"zebra": member(enum=["v", "w"])}, False),
        (
            {"mode": member(description="Where to look for files", **TEXT)},
            {"zebra": member(description="Where to look for files", **TEXT)},
            True,
        ),
        (
            {"mode": member(description="Where to look for files", **TEXT)},
            {"zebra": member(description="How loud it may be", **TEXT)},
            False,
        ),
    ],
)
def test_a_parameter_goes_on_under_another_name_on_evidence(old, new, renamed):
    assert bool(parameter_renames(old, new)) is renamed


def test_two_parameters_that_say_nothing_are_not_guessed():
    old = {"a": member(**TEXT), "b": member(**TEXT)}
    new = {"y": member(**TEXT), "z": member(**TEXT)}
    assert parameter_renames(old, new) == {}


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        ("", "", 0.5),
        ("a", "", 0.0),
        ("", "a", 0.0),
        ("ab", "ab", 1.0),
        ("ab", "abcd", 0.5),
        ("abcd", "ab", 0.5),
        ("abc", "abd", 0.5),
        ("ab", "cd", 0.0),
    ],
)
def test_parameters_are_shared_by_name_and_type(old, new, share):
    text = {name: member(**TEXT) for name in old}
    assert shared_members(text, {name: member(**TEXT) for name in new}) == share
    assert not shared_members(text, {name: member(type="integer") for name in new or "z"})


# --- words ---


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        ("users", "user", 1.0),
        ("10", "ten", 1.0),
        ("10", "11", 0.0),
        ("remove", "delete", 0.9),
        ("enable", "disable", -0.9),
        ("upload", "download", -0.9),
        ("visible", "invisible", -0.9),
        ("powerful", "powerless", -0.9),
        ("zebra", "quartz", 0.0),
        ("kubernetes", "kubrenetes", 0.85),
        ("kubernetes", "kubarnetas", 0.85),
        ("frobn", "frobx", 0.0),
        ("frobnicate", "frobnication", 0.95),
        ("cat", "car", 0.0),
        ("frob", "frobni", 0.0),
        ("frob", "frobnic", 0.85),
    ],
)
def test_one_word_stands_for_another(one, other, similarity):
    assert word_similarity(one, other) == similarity


@pytest.mark.parametrize(
    ("one", "other", "turned"),
    [
        ("lock", "unlock", True),
        ("do", "undo", False),
        ("run", "unrun", True),
        ("valid", "invalid", True),
        ("side", "inside", False),
        ("inbound", "outbound", True),
        ("upgrade", "downgrade", True),
        ("upon", "downon", False),
        ("careful", "careless", True),
        ("careful", "carefree", False),
        ("careless", "careless", False),
        ("same", "same", False),
    ],
)
def test_a_beginning_or_an_ending_turns_a_word(one, other, turned):
    assert lexicon.opposite(one, other) is turned
    assert lexicon.opposite(other, one) is turned


@pytest.mark.parametrize(
    ("form", "stem"),
    [
        ("queries", "queri"),
        ("ties", "tie"),
        ("prs", "pr"),
        ("boxes", "box"),
        ("classes", "class"),
        ("status", "status"),
        ("bus", "bus"),
        ("files", "fil"),
        ("running", "run"),
        ("walked", "walk"),
        ("mapping", "map"),
        ("calling", "call"),
        ("passed", "pass"),
        ("string", "string"),
        ("query", "queri"),
        ("day", "day"),
        ("1,000", "1000"),
        ("twenty", "20"),
        ("tree", "tre"),
        ("the", "the"),
    ],
)
def test_a_word_loses_its_inflection(form, stem):
    assert lexicon.stem(form) == stem


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("don't", "do not"),
        ("cannot", "can not"),
        ("w/o tags", "without tags"),
        ("w/tags", "with tags"),
        ("the user's id", "the user of_  id"),
        ("5 min", "5 minutes"),
        ("5min", "5 minutes"),
        ("$5", "5 dollars"),
        ("€1.5", "1.5 euros"),
        ("£ 3", "3 pounds"),
        ("50%", "50 percent"),
        ("a & b", "a  and  b"),
        ("café", "cafe"),
        ("min size", "min size"),
    ],
)
def test_signs_and_contractions_are_spelt_out(said, plain):
    assert lexicon.plain(said) == plain


# --- values ---


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (1, True, False),
        (0.1 + 0.2, 0.3, True),
        (0.3, 0.30001, False),
        (10**18, 10**18 + 1, False),
        (-1.0, 1.0, False),
        ("a", "a", True),
        ("a", "b", False),
        ("4711", "9915", True),
        ("id 4711.", "id 9915.", True),
        ("47110", "99150", False),
        (4711, 9915, True),
        (4711, "9915", True),
        ([4711], [9915], False),
        ("ab", "xy", False),
    ],
)
def test_two_values_are_the_same_symbol(one, other, same):
    view = View(symbols={"4711": "9915", "ab": "xy"})
    if one == "ab":
        assert view.translated("ab") == "ab"
    assert view.same(one, other) is same
