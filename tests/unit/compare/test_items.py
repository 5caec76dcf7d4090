"""Which item of one list is which item of the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.items import identity_of, pair_items
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from mcp_eval.model.recording import Hole
from tests.unit.compare.spoken import RECORDED_AT, SEEN_AT

THINGS = [{"id": number, "name": f"n{number}", "v": number * 7} for number in range(5)]
UUIDS = [f"7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f{digit}" for digit in "0123456789"]
VIEW = View(before_at=RECORDED_AT, after_at=SEEN_AT)
scalars = st.none() | st.booleans() | st.integers(0, 5) | st.sampled_from(["a", "b", "a b c"])
items = st.lists(
    scalars | st.dictionaries(st.sampled_from(["id", "name", "v"]), scalars, max_size=3), max_size=6
)


def facts(before, after, **view):
    return [(one.change, one.site.path) for one in differ(before, after, View(**view))]


class TestIdentity:
    def test_the_first_name_that_tells_items_apart(self):
        assert identity_of(THINGS, THINGS[::-1], VIEW, "") == ("id",)
        twins = [{**thing, "id": 1} for thing in THINGS]
        assert identity_of(twins, twins, VIEW, "") == ("name",)

    def test_two_names_where_one_does_not_do(self):
        before = [{"server": s, "tool": t} for s in "ab" for t in "xy"]
        assert sorted(identity_of(before, before, VIEW, "")) == ["server", "tool"]

    def test_none_where_it_varies_by_itself(self):
        before = [{"id": UUIDS[0], "v": 1}, {"id": UUIDS[1], "v": 2}]
        assert identity_of(before, before, VIEW, "") is None
        holed = View(holes={"l[].id": Hole(kind="counter"), "l[].name": Hole(kind="text")})
        assert identity_of(THINGS, THINGS, holed, "l") is None

    def test_nor_for_what_are_no_objects(self):
        assert identity_of(["a"], ["a"], VIEW, "") is None
        assert identity_of([], THINGS, VIEW, "") is None


class TestPairs:
    def test_by_identity_whatever_else_changed(self):
        after = [{**thing, "v": 0, "name": "other"} for thing in THINGS[::-1]]
        assert pair_items(THINGS, after, VIEW, "").pairs == ((0, 4), (1, 3), (2, 2), (3, 1), (4, 0))

    def test_by_value(self):
        pairing = pair_items(["a", "b", "c"], ["c", "a", "x"], VIEW, "")
        assert (pairing.pairs, pairing.lost, pairing.gained) == (((0, 1), (2, 0)), (1,), (2,))
        assert pairing.reordered

    def test_by_more_than_half_of_the_leaves(self):
        before = [{"v": 1, "w": 2, "u": 3}, {"v": 4, "w": 5, "u": 6}]
        after = [{"v": 4, "w": 5, "u": 0}, {"v": 1, "w": 0, "u": 3}]
        assert pair_items(before, after, VIEW, "").pairs == ((0, 1), (1, 0))

    def test_what_varies_by_form_agrees(self):
        before = [{"ref": UUIDS[0], "t": "a"}, {"ref": UUIDS[1], "t": "b"}]
        after = [{"ref": UUIDS[2], "t": "b"}, {"ref": UUIDS[3], "t": "a"}]
        assert pair_items(before, after, VIEW, "").pairs == ((0, 1), (1, 0))

    def test_a_score_tells_nothing(self):
        before = [{"hit": "a", "score": 2}, {"hit": "b", "score": 1}]
        after = [{"hit": "a", "score": 3}, {"hit": "b", "score": 2}]
        assert set(facts({"r": before}, {"r": after})) == {("score-moved", "r[].score")}

    def test_a_leaf_under_another_name_agrees(self):
        before, after = [{"id": 11}, {"id": 12}], [{"uid": 12}, {"uid": 11}]
        assert pair_items(before, after, VIEW, "").pairs == ((0, 1), (1, 0))


class TestFacts:
    def test_an_id_that_changed_on_the_same_thing_is_a_value(self):
        after = [*THINGS[:4], {**THINGS[4], "id": 99}]
        assert facts({"l": THINGS}, {"l": after}) == [("result-value-changed", "l[].id")]

    def test_another_thing_in_its_place_is_another_thing(self):
        after = [*THINGS[:4], {"id": 99, "name": "n99", "v": 3}]
        assert set(facts({"l": THINGS}, {"l": after})) == {("hit-lost", "l"), ("item-added", "l")}

    def test_an_entry_that_stands_twice(self):
        assert facts({"l": THINGS}, {"l": [*THINGS[:2], *THINGS[1:]]}) == [("entry-doubled", "l")]
        assert facts({"l": ["a", "b"]}, {"l": ["a", "b", "b"]}) == [("entry-doubled", "l")]
        before = [{"uri": "x", "made": "10:05"}, {"uri": "y", "made": "10:06"}]
        after = [{"uri": "x", "made": "11:30"}, {"uri": "y", "made": "11:31"}]
        found = facts({"l": before}, {"l": [*after, after[1]]})
        assert ("entry-doubled", "l") in found
        assert ("item-added", "l") not in found

    def test_a_changed_field_of_one_item_is_a_value(self):
        after = [*THINGS[:4], {**THINGS[4], "v": 1}]
        assert facts({"l": THINGS}, {"l": after}) == [("result-value-changed", "l[].v")]

    @pytest.mark.parametrize("gone", range(5))
    def test_an_item_that_is_gone_is_named(self, gone):
        after = [thing for thing in THINGS if thing["id"] != gone]
        (one,) = differ({"l": THINGS}, {"l": after}, VIEW)
        assert (one.change, one.details["count"], one.details["of"]) == ("hit-lost", 1, 5)
        assert one.details["identities"] == [str(gone)]

    def test_of_items_with_minted_ids_one_is_lost_by_the_rest(self):
        before = [{"id": UUIDS[n], "t": f"word {n}"} for n in range(4)]
        after = [{"id": UUIDS[n + 5], "t": f"word {n}"} for n in (0, 1, 3)]
        (one,) = differ({"l": before}, {"l": after}, VIEW)
        assert (one.change, one.before[0]["t"]) == ("hit-lost", "word 2")

    def test_long_texts_in_a_list_are_compared_as_texts(self):
        one = "The service listens on port 8080 and answers politely."
        other = "Nothing else is known about the machine in the cellar."
        assert facts({"l": [one, other]}, {"l": [one.replace("8080", "9090"), other]}) == [
            ("text-changed", "l[]")
        ]

    @given(items)
    def test_a_list_is_itself(self, value):
        pairing = pair_items(value, list(value), VIEW, "")
        assert pairing.pairs == tuple((n, n) for n in range(len(value)))

    @given(items, items)
    def test_every_index_is_paired_once_or_stands_alone(self, before, after):
        pairing = pair_items(before, after, VIEW, "")
        olds = [old for old, _ in pairing.pairs] + list(pairing.lost)
        news = [new for _, new in pairing.pairs] + list(pairing.gained)
        assert sorted(olds) == list(range(len(before)))
        assert sorted(news) == list(range(len(after)))


def test_lists_of_thousands_are_compared():
    before = [{"id": number, "at": f"row {number}"} for number in range(3000)]
    after = [{"id": -number - 1, "at": f"line {number}"} for number in range(3000)]
    found = list(differ({"l": before}, {"l": after}, VIEW))
    assert [(one.change, one.details["count"]) for one in found] == [
        ("hit-lost", 3000),
        ("item-added", 3000),
    ]
