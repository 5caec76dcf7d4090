"""The one differ over two answers: leaves, fields, and what holds for any JSON."""

import copy
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcp_eval.compare.outcomes import outcome_similarity
from mcp_eval.compare.paths import leaves, put
from mcp_eval.compare.shapes import volatile
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from mcp_eval.model.recording import Hole
from tests.unit.compare.spoken import carried, changes, differences, step

NAMES = ["id", "name", "score", "total", "status", "message", "items", "took_ms", "ok", "a.b", "x"]
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["active", "a longer text of words", "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=14,
)
objects = st.dictionaries(st.sampled_from(NAMES), json_values, min_size=1, max_size=5)
plain_objects = st.recursive(
    st.booleans() | st.integers(2, 10**6) | st.sampled_from(["active", "blue", "forty two"]),
    lambda inner: st.dictionaries(
        st.sampled_from(["id", "name", "mode", "size", "x"]), inner, min_size=1, max_size=4
    ),
    max_leaves=10,
).filter(lambda value: isinstance(value, dict))
HARMLESS = {
    "improvement",
    "item-added",
    "result-field-added",
    "score-moved",
    "count-followed",
    "hit-displaced",
    "error-flagged",
    "newly-guarded",
}


def shuffled(value):
    """The same value with its keys in another order."""
    if isinstance(value, dict):
        return {name: shuffled(value[name]) for name in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


def facts(before, after, **view):
    return [(one.change, one.site.path) for one in differ(before, after, View(**view))]


class TestLeaves:
    @pytest.mark.parametrize(
        ("before", "after", "change"),
        [
            (True, False, "result-value-changed"),
            ("active", "inactive", "result-value-changed"),
            (3, 4, "result-value-changed"),
            ("on 3 nodes", "on 4 nodes", "result-value-changed"),
            ("2020-03-01", "2021-03-01", "result-value-changed"),
            ("w " * 21, "w " * 20 + "v", "text-changed"),
            (3, "3", "result-type-changed"),
            (True, 1, "result-type-changed"),
            (1, True, "result-type-changed"),
            ("a", ["a"], "result-type-changed"),
            ([], None, "result-type-changed"),
            ([], {}, "result-type-changed"),
            ({"a": 1}, None, "result-type-changed"),
            (None, [], "improvement"),
            (None, "a", "improvement"),
        ],
    )
    def test_a_leaf_that_changed(self, before, after, change):
        assert facts({"x": before}, {"x": after}) == [(change, "x")]
        assert facts({"u": {"x": before}}, {"u": {"x": after}}) == [(change, "u.x")]

    @pytest.mark.parametrize(
        ("before", "after"), [(3, 3.0), (0.1 + 0.2, 0.3), (1e300, 1e300 * (1 + 1e-15)), (0, -0.0)]
    )
    def test_the_same_number_written_otherwise(self, before, after):
        assert not facts({"x": before}, {"x": after})

    def test_an_id_of_many_digits_has_no_noise(self):
        before, after = {"n": 1234567890123456789}, {"n": 1234567890123456788}
        assert facts(before, after) == [("result-value-changed", "n")]

    def test_a_float_is_no_noise_past_its_last_digits(self):
        assert facts({"x": 0.3}, {"x": 0.3001}) == [("result-value-changed", "x")]

    def test_a_score_counts_as_one_in_lists_only(self):
        assert facts({"score": 0.5}, {"score": 0.4}) == [("result-value-changed", "score")]

    def test_json_in_a_string_is_compared_as_json(self):
        before = {"said": json.dumps({"a": 1, "b": ["x", "y"]})}
        assert not facts(before, {"said": json.dumps({"b": ["x", "y"], "a": 1}, indent=1)})
        assert facts(before, {"said": json.dumps({"a": 2, "b": ["x", "y"]})}) == [
            ("result-value-changed", "said.a")
        ]
        assert facts(before, {"said": "{'a': 1}"}) == [("result-value-changed", "said")]

    def test_a_value_that_is_followed_is_the_same_by_its_symbol(self):
        symbols = {"srv-17": "srv-99", "42": "43"}
        before, after = {"id": "srv-17", "n": 42, "t": "made srv-17"}, {"id": "srv-99", "n": 43}
        assert not facts(before, {**after, "t": "made srv-99"}, symbols=symbols)
        assert facts(before, {**after, "id": "srv-17", "t": "made srv-99"}, symbols=symbols) == []
        assert facts(before, {**after, "id": "srv-98", "t": "made srv-99"}, symbols=symbols) == [
            ("result-value-changed", "id")
        ]


class TestFields:
    def test_nested_fields_come_and_go(self):
        assert facts({"a": {"b": {"c": 7}}}, {"a": {"b": {}}}) == [
            ("result-field-removed", "a.b.c")
        ]
        assert facts({"a": {"b": {}}}, {"a": {"b": {"c": 7}}}) == [("result-field-added", "a.b.c")]

    def test_a_field_moved_deeper_is_gone_from_its_place(self):
        found = facts({"name": "x1", "mail": "y1"}, {"user": {"name": "x1", "mail": "y1"}})
        assert set(found) == {
            ("result-field-removed", "name"),
            ("result-field-removed", "mail"),
            ("result-field-added", "user"),
        }

    def test_a_renamed_field_holds_the_same_or_has_a_kin_name(self):
        assert facts({"serverId": "s1"}, {"key": "s1"}) == [("result-field-renamed", "serverId")]
        assert facts({"server_name": "old"}, {"name": "new"}) == [
            ("result-field-renamed", "server_name"),
            ("result-value-changed", "server_name"),
        ]
        assert set(facts({"colour": "blue"}, {"flavour": "sweet"})) == {
            ("result-field-removed", "colour"),
            ("result-field-added", "flavour"),
        }

    def test_two_new_flags_do_not_both_stand_for_an_old_one(self):
        found = facts({"active": True}, {"cached": True, "fresh": True})
        assert ("result-field-removed", "active") in found

    def test_in_every_item_of_a_list_it_is_one_site(self):
        before = {"l": [{"id": number, "v": 7} for number in range(3)]}
        after = {"l": [{"id": number} for number in range(3)]}
        assert set(facts(before, after)) == {("result-field-removed", "l[].v")}

    def test_names_that_are_minted_are_no_fields(self):
        one, other = "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6", "11111111-2222-4333-8444-555555555555"
        assert not facts({one: {"v": "a"}}, {other: {"v": "a"}})
        assert facts({one: {"v": "a"}}, {other: {"v": "b"}})

    def test_a_name_with_dots_is_one_name(self):
        assert facts({"a.b": 2}, {"a.b": 3}) == [("result-value-changed", '["a.b"]')]


class TestVolatile:
    UUID = "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6"

    @pytest.mark.parametrize(
        ("name", "before", "after"),
        [
            ("id", UUID, "11111111-2222-4333-8444-555555555555"),
            (
                "sha",
                "9fceb02d0ae598e95dc970b74767f19372d61af8",
                "8fceb02d0ae598e95dc970b74767f19372d61af9",
            ),
            ("commit", "9fceb02", "8123456"),
            ("took", "12ms", "1.5 seconds"),
            ("took_ms", 3, 4),
            ("uptime", "3h 2m", "4 hours"),
            ("request_id", "abc-1", "abc-2"),
            ("requestId", 17, 18),
            ("at", "2026-03-01T12:00:01Z", "2026-04-02T09:30:11Z"),
            ("at", "2026-03-01T13:00:01+01:00", "2026-04-02T10:30:11+01:00"),
            ("at", "2026-03-01", "2026-04-02"),
            ("at", "Sun Mar  1 12:00:01 2026", "Thu Apr  2 09:30:11 2026"),
            ("at", 1772366400, 1775122200),
            ("at", 1772366400123, 1775122200456),
            ("at", "1772366400", "1775122200"),
        ],
    )
    def test_what_varies_by_form_or_name(self, name, before, after):
        assert not changes({name: before, "n": "x"}, {name: after, "n": "x"})

    @pytest.mark.parametrize(
        ("name", "before", "after", "change"),
        [
            ("id", UUID, "unknown", "result-value-changed"),
            ("id", UUID, "", "result-value-changed"),
            ("id", UUID, None, "result-type-changed"),
            ("id", UUID, [UUID], "result-type-changed"),
            ("took_ms", 3, "3 ms", "result-type-changed"),
            ("at", "2026-03-01T12:00:01Z", "2020-03-01T12:00:01Z", "result-value-changed"),
            ("at", "2026-03-01T12:00:01Z", "Thu Apr  2 09:30:11 2026", "result-value-changed"),
            ("at", "2026-03-01T12:00:01Z", 1775122200, "result-type-changed"),
            ("year", 2026, 2027, "result-value-changed"),
            (
                "sha",
                "9fceb02d0ae598e95dc970b74767f19372d61af8",
                "no commit has been made in it so far",
                "result-value-changed",
            ),
        ],
    )
    def test_its_type_and_shape_still_count(self, name, before, after, change):
        assert changes({name: before, "n": "x"}, {name: after, "n": "x"}) == [(change, name)]

    def test_it_may_not_vanish(self):
        assert changes({"id": self.UUID, "n": "x"}, {"n": "x"}) == [("result-field-removed", "id")]


class TestAnyJson:
    @given(json_values)
    def test_an_answer_is_itself(self, value):
        again = copy.deepcopy(value)
        assert not facts(value, again)
        assert not changes(carried(value), carried(again))

    @given(json_values)
    def test_the_order_of_keys_is_no_fact(self, value):
        assert not facts(value, shuffled(value))

    @given(json_values, json_values)
    def test_the_order_of_keys_changes_no_facts(self, before, after):
        assert set(facts(before, after)) == set(facts(shuffled(before), shuffled(after)))

    @given(json_values, json_values)
    def test_any_two_can_be_compared(self, before, after):
        hole = {"items": Hole(kind="items"), "x": Hole(kind="choice"), "": Hole(kind="text")}
        for one, other in ((before, after), (carried(before), carried(after))):
            list(differences(one, other))
        facts(before, after, holes=hole, symbols={"active": "blue"}, arguments={"limit": 2})

    @given(json_values, json_values)
    def test_what_differs_shows(self, before, after):
        """Another type at the top, another scalar: no pair of those passes."""
        assume(not isinstance(before, dict | list) or not isinstance(after, dict | list))
        assume(before != after or type(before) is not type(after))
        assume(not (isinstance(before, int | float) and isinstance(after, int | float)))
        assume(not (isinstance(before, str) and isinstance(after, str)))
        assert facts({"x": before}, {"x": after})

    @given(objects, st.data())
    def test_additions_never_lower(self, value, data):
        more = {**value, "fresh_field": data.draw(json_values)}
        found = differences(step(value, classes={}), carried(more))
        if any(one.change.startswith("newly-") for one in found):
            return  # what came may say that it failed
        assert {one.change for one in found} <= HARMLESS
        assert outcome_similarity(step(value), found) == 1.0

    @given(plain_objects, st.data())
    def test_a_leaf_that_is_gone_always_shows(self, value, data):
        path, _ = data.draw(st.sampled_from(list(leaves(value))))
        head, _, name = path.rpartition(".")
        less = put(value, head, {}) if head else dict(value)
        holder = less
        for part in head.split(".") if head else ():
            holder = holder[part]
        if head:
            before = value
            for part in head.split("."):
                before = before[part]
            holder.update({key: member for key, member in before.items() if key != name})
        else:
            del holder[name]
        assert set(facts(value, less)) - {(change, path) for change in HARMLESS}

    @given(plain_objects, st.data())
    def test_a_value_that_changed_always_shows(self, value, data):
        path, old = data.draw(st.sampled_from(list(leaves(value))))
        assume(not volatile(old, path, ""))
        new = (not old) if isinstance(old, bool) else old + 1 if isinstance(old, int) else "other"
        assert facts(value, put(value, path, new)) == [("result-value-changed", path)]
