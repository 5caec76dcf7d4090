"""Holes: what one build varies by itself, learned from looks, and what they never hide."""

import copy
import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.masks import learned
from mcp_eval.compare.paths import leaves, put, site
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from tests.unit.compare.spoken import RECORDED_AT, as_outcome, changes, step, text

UUIDS = [f"7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f{digit}" for digit in "0123456789"]


def holes_of(*looks):
    reads = [answer(as_outcome(look)) for look in looks]
    view = View(before_at=RECORDED_AT, after_at=RECORDED_AT, blocks=reads[0].parts > 1)
    return learned(reads[0].value, [(read.value, view) for read in reads[1:]])


def masked(looks, after):
    """What a candidate shows beside a step of these looks."""
    classes = Counter(classify(as_outcome(look)) for look in looks)
    return changes(step(looks[0], holes=holes_of(*looks), classes=dict(classes)), after)


def kinds(*looks):
    return {place: hole.kind for place, hole in holes_of(*looks).items()}


KINDS = {
    "a counter": ([{"n": 1}, {"n": 2}, {"n": 3}], {"n": "counter"}),
    "a measure": ([{"x": 0.123}, {"x": 2.5}], {"x": "number"}),
    "a choice": ([{"s": "up"}, {"s": "idle"}], {"s": "choice"}),
    "a flag": ([{"on": True}, {"on": False}], {"on": "choice"}),
    "a time far from the recording": ([{"d": "2020-03-01"}, {"d": "2020-03-02"}], {"d": "time"}),
    "something or nothing": ([{"s": "up"}, {"s": None}], {"s": "choice"}),
    "an optional field": ([{"a": "x", "w": 2}, {"a": "x"}], {"w": "optional"}),
    "an unordered list": ([{"l": ["a", "b"]}, {"l": ["b", "a"]}], {"l": "order"}),
    "a list that varies": ([{"l": ["a", "b"]}, {"l": ["a", "c"]}], {"l": "items"}),
    "names that are minted": (
        [{"m": {"k1": {"v": "a"}, "k2": {"v": "b"}}}, {"m": {"k3": {"v": "a"}, "k4": {"v": "b"}}}],
        {"m": "keys"},
    ),
    "a log": (["pid 77 listens on 8080", "pid 78 listens on 8080"], {"": "text"}),
    "a leaf in every item": (
        [{"l": [{"id": "a", "t": {"x": 1}}]}, {"l": [{"id": "a", "t": {"x": 2}}]}],
        {"l[].t.x": "counter"},
    ),
    "a leaf of JSON in a string": (
        [{"s": json.dumps({"n": 1, "k": "a"})}, {"s": json.dumps({"n": 2, "k": "a"})}],
        {"s.n": "counter"},
    ),
    "volatile by form: no hole is needed": ([{"id": UUIDS[0]}, {"id": UUIDS[1]}], {}),
    "float noise: nor here": ([{"x": 0.1 + 0.2}, {"x": 0.3}], {}),
    "nothing": ([{"a": 1}, {"a": 1}], {}),
}


@pytest.mark.parametrize("case", KINDS)
def test_a_hole_has_the_kind_of_what_varies(case):
    looks, wanted = KINDS[case]
    assert kinds(*looks) == wanted
    for look in looks:
        assert not [one for one in masked(looks, look) if one[0] != "result-field-added"]


class TestNeverHidden:
    @pytest.mark.parametrize(
        ("looks", "after", "change"),
        [
            ([{"n": 1, "a": "x"}, {"n": 2, "a": "x"}], {"a": "x"}, ("result-field-removed", "n")),
            ([{"n": 1, "a": "x"}, {"n": 2, "a": "x"}], {"n": "3", "a": "x"}, ("result-type-changed", "n")),
            ([{"n": 1, "a": "x"}, {"n": 2, "a": "x"}], {"n": None, "a": "x"}, ("result-type-changed", "n")),
            ([{"n": 1, "a": "x"}, {"n": 2, "a": "x"}], {"n": 3, "a": "y"}, ("result-value-changed", "a")),
            ([{"s": None, "a": "x"}, {"s": "up", "a": "x"}], {"a": "x"}, ("result-field-removed", "s")),
            ([{"s": "up", "a": "x"}, {"s": None, "a": "x"}], {"s": 3, "a": "x"}, ("result-type-changed", "s")),
            ([{"s": "up", "a": "x"}, {"s": "idle", "a": "x"}], {"s": "", "a": "x"}, ("result-value-changed", "s")),
            ([{"w": 2, "a": "x"}, {"a": "x"}], {"w": "2", "a": "x"}, ("result-type-changed", "w")),
            ([{"w": 2, "a": "x"}, {"a": "x"}], {"w": 2}, ("result-field-removed", "a")),
            ([{"l": ["a", "b"]}, {"l": ["b", "a"]}], {"l": ["b"]}, ("hit-lost", "l")),
            ([{"l": ["a", "b", "c"]}, {"l": ["a", "b", "d"]}], {"l": ["a", "c", "d"]}, ("hit-lost", "l")),
            ([{"l": ["a", "b"]}, {"l": ["a", "c"]}], {"l": ["a", 3]}, ("result-type-changed", "l[]")),
            ([{"l": ["a", "b"], "k": "x"}, {"l": ["a", "c"], "k": "x"}], {"l": None, "k": "x"}, ("result-type-changed", "l")),
            (["pid 77 listens on 8080", "pid 78 listens on 8080"], "pid 99 listens on 9090", ("text-changed", "")),
        ],
    )  # fmt: skip
    def test_a_mask_hides_no_missing_field_and_no_other_type(self, looks, after, change):
        assert change in masked(looks, after)

    LOOKS = (
        {"l": [{"id": "a", "v": 1, "t": {"x": "p"}}, {"id": "b", "v": 2, "t": {"x": "q"}}]},
        {"l": [{"id": "a", "v": 1, "t": {"x": "p"}}, {"id": "c", "v": 3, "t": {"x": "r"}}]},
    )

    @pytest.mark.parametrize(
        ("stranger", "change"),
        [
            ({"id": "e", "t": {"x": "s"}}, ("result-field-removed", "l[].v")),
            ({"id": "e", "v": "9", "t": {"x": "s"}}, ("result-type-changed", "l[].v")),
            ({"id": "e", "v": 9, "t": {}}, ("result-field-removed", "l[].t.x")),
            ({"id": "e", "v": 9, "t": {"x": None}}, ("result-type-changed", "l[].t.x")),
            ("e", ("result-type-changed", "l[]")),
        ],
    )
    def test_a_new_item_has_what_every_item_had(self, stranger, change):
        kept = self.LOOKS[0]["l"][0]
        assert not masked(self.LOOKS, {"l": [kept, {"id": "e", "v": 9, "t": {"x": "s"}}]})
        assert change in masked(self.LOOKS, {"l": [kept, stranger]})

    def test_a_block_that_varies_loosens_no_other(self):
        looks = [text("served on port_8080", "pid 77"), text("served on port_8080", "pid 78")]
        assert not masked(looks, text("served on port_8080", "pid 99"))
        assert masked(looks, text("served on port_9090", "pid 99")) == [("text-changed", "[]")]
        assert masked(looks, text("served on port_8080")) == [("hit-lost", "")]

    def test_a_list_that_always_had_three_items_has_three(self):
        looks = [{"load": [0.5, 1.5, 2.5]}, {"load": [0.1, 1.1, 2.1]}, {"load": [3.5, 4.5, 5.5]}]
        assert not masked(looks, {"load": [7.5, 8.5, 9.5]})
        assert not masked(looks, {"load": [7.5, 8.5, 9.5, 10.5]})
        assert masked(looks, {"load": [7.5, 8.5]}) == [("hit-lost", "load")]
        assert ("result-type-changed", "load") in masked(looks, {"load": 7})

    def test_one_that_was_longer_and_shorter_may_be_either(self):
        looks = [{"l": ["a1", "b1"], "k": "x"}, {"l": ["c1"], "k": "x"}]
        assert not masked(looks, {"l": [], "k": "x"})

    LOG = (
        "[1] start pid 771\n[2] author Jo\n[3] loaded port_8080",
        "[2] start pid 9341\n[3] author Jo\n[4] loaded port_8080",
        "[3] start pid 12\n[4] author Jo\n[5] loaded port_8080",
    )

    def test_numbers_that_move_from_line_to_line_are_not_steady(self):
        assert not masked(self.LOG, "[8] start pid 40\n[9] author Jo\n[10] loaded port_8080")

    @pytest.mark.parametrize("gone", range(3))
    def test_a_line_of_a_log_does_not_vanish(self, gone):
        now = ["[8] start pid 40", "[9] author Jo", "[10] loaded port_8080"]
        assert masked(self.LOG, "\n".join(now[:gone] + now[gone + 1 :])) == [("text-changed", "")]

    def test_minted_names_keep_what_they_name(self):
        looks, _ = KINDS["names that are minted"]
        assert not masked(looks, {"m": {"k7": {"v": "b"}, "k8": {"v": "a"}}})
        assert ("hit-lost", "m") in masked(looks, {"m": {"k7": {"v": "a"}}})
        assert ("hit-lost", "m") in masked(looks, {"m": {"k7": {"v": "a"}, "k8": {"v": "z"}}})

    def test_answers_that_were_now_and_then_empty_may_be(self):
        recorded = step(
            {"l": ["a"]}, classes={"ok": 2, "empty": 1}, others=(as_outcome({"l": []}),)
        )
        assert not changes(recorded, {"l": []})


NAMES = st.sampled_from(["id", "name", "size", "mode", "x"])
OF_TYPE = {
    int: st.integers(2, 99),
    str: st.sampled_from(["up", "idle", "some words", "b7"]),
    bool: st.booleans(),
}
VALUES = st.one_of(*OF_TYPE.values())
documents = st.dictionaries(
    NAMES,
    VALUES
    | st.dictionaries(NAMES, VALUES, min_size=1, max_size=3)
    | st.lists(VALUES, min_size=1, max_size=3).map(
        lambda held: [{"key": 1000 + place, "v": one} for place, one in enumerate(held)]
    ),
    min_size=2,
    max_size=4,
)


def varied(document, data):
    """The document with some leaves of the same type changed."""
    for path, leaf in list(leaves(document)):
        if not path.endswith("key") and data.draw(st.booleans()):
            document = put(document, path, data.draw(OF_TYPE[type(leaf)]))
    return document


def without(document, path):
    """The document without one member, or one item."""
    less = copy.deepcopy(document)
    holder, steps = less, list(_steps(path))
    for one in steps[:-1]:
        holder = holder[one]
    del holder[steps[-1]]
    return less


def _steps(path):
    for part in path.replace("]", "").replace("[", ".").split("."):
        yield int(part) if part.isdigit() else part


class TestAnyLooks:
    @given(documents, st.data())
    @settings(deadline=None, max_examples=100)
    def test_every_look_is_equal_behind_its_mask(self, document, data):
        looks = [document, varied(document, data), varied(document, data)]
        holes = holes_of(*looks)
        for look in looks:
            assert not list(differ(document, look, View(holes=holes)))

    @given(documents, st.data())
    @settings(deadline=None, max_examples=100)
    def test_a_field_that_is_gone_is_never_hidden(self, document, data):
        looks = [document, varied(document, data), varied(document, data)]
        after = varied(document, data)
        path, _ = data.draw(st.sampled_from(list(leaves(after))))
        found = list(differ(document, without(after, path), View(holes=holes_of(*looks))))
        assert found

    @given(documents, st.data())
    @settings(deadline=None, max_examples=100)
    def test_another_type_is_never_hidden(self, document, data):
        looks = [document, varied(document, data), varied(document, data)]
        after = looks[1]
        path, old = data.draw(st.sampled_from(list(leaves(after))))
        for other in (None, [old], {"a": old}):
            found = differ(document, put(after, path, other), View(holes=holes_of(*looks)))
            assert any(one.site.path.startswith(site(path).rpartition("[]")[0]) for one in found)

    @given(st.lists(documents, min_size=1, max_size=4))
    @settings(deadline=None, max_examples=100)
    def test_any_looks_can_be_learned_from(self, looks):
        holes_of(*looks)
