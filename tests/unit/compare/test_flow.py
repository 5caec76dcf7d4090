"""Facts that only the whole scenario shows."""

import pytest

from mcp_eval.model.trajectory import Outcome
from tests.unit.compare.spoken import crashed, text
from tests.unit.compare.told import NOT_REACHED, compared, look, recorded, run, shown

ID = "itm-8841"
FRESH = "itm-9915"
ADD = {"label": "tea pot"}
ITEM = {"id": ID, "label": "tea pot"}
BASE = (
    ("add_item", ADD, {"id": ID}),
    ("get_item", {"id": ID}, ITEM),
    ("approve_item", {"id": ID}, {"approved": True, "id": ID}),
    ("remove_item", {"id": ID}, {"removed": True, "id": ID}),
)
RECORDING = recorded(run(*BASE), run(*BASE))
LISTING = recorded(
    *(2 * [run(("add_item", ADD, "added"), ("list_items", {}, {"items": [{"label": "pan"}, {"label": "tea pot"}]}))])
)  # fmt: skip


def listing(answer, wrote="added"):
    return look(("add_item", ADD, wrote), ("list_items", {}, answer))


class TestFollowed:
    def test_a_minted_id_is_followed_by_its_symbol(self):
        calls = [
            ("add_item", ADD, {"id": FRESH}),
            ("get_item", {"id": FRESH}, {"id": FRESH, "label": "tea pot"}),
            ("approve_item", {"id": FRESH}, {"approved": True, "id": FRESH}),
            ("remove_item", {"id": FRESH}, {"removed": True, "id": FRESH}),
        ]
        found = shown(RECORDING, look(*calls))
        assert not [one for one in found if one[0] > 0]

    def test_what_a_later_step_used_and_does_not_stand_there_is_a_change(self):
        calls = [
            ("add_item", ADD, {"id": FRESH}),
            ("get_item", {"id": FRESH}, {"id": "itm-0000", "label": "tea pot"}),
            *((name, {"id": FRESH}, {**said, "id": FRESH}) for name, _, said in BASE[2:]),
        ]
        assert (1, "result-value-changed", "id") in shown(RECORDING, look(*calls))


class TestNeeded:
    LOST = (
        ("add_item", ADD, {"created": True}),
        *((name, args, NOT_REACHED) for name, args, _ in BASE[1:]),
    )

    def test_a_lost_id_names_the_steps_that_needed_it(self):
        (one,) = compared(RECORDING, look(*self.LOST)).differences[:1]
        assert (one.change, one.site.path) == ("result-field-removed", "id")
        assert one.details["needed_by"] == [1, 2, 3]

    def test_steps_that_were_not_reached_make_no_facts_of_their_own(self):
        assert {step for step, _, _ in shown(RECORDING, look(*self.LOST))} == {0}

    @pytest.mark.parametrize("answer", [{"id": None}, {"id": ""}])
    def test_an_id_that_holds_nothing_is_needed_as_well(self, answer):
        found = compared(RECORDING, look(("add_item", ADD, answer), *self.LOST[1:])).differences
        assert found[0].details["needed_by"] == [1, 2, 3]

    def test_a_field_nobody_needed_stops_nobody(self):
        calls = [*BASE[:3], ("remove_item", {"id": ID}, {"id": ID})]
        (one,) = compared(RECORDING, look(*calls)).differences
        assert "needed_by" not in one.details

    def test_pairs_say_what_they_need(self):
        pairs = compared(RECORDING, look(*BASE)).pairs
        assert [pair.needs for pair in pairs] == [(), (0,), (0,), (0,)]
        assert pairs[1].needs_paths == ("0:id",)


class TestEffects:
    def test_a_write_that_a_later_read_does_not_show(self):
        (one,) = compared(LISTING, listing({"items": [{"label": "pan"}]})).differences
        assert (one.change, one.site.step) == ("effect-lost", 1)
        assert (one.details["written_by"], one.details["mark"]) == (0, "tea pot")

    def test_or_shows_twice(self):
        twice = {"items": [{"label": "pan"}, {"label": "tea pot"}, {"label": "tea pot"}]}
        assert shown(LISTING, listing(twice)) == [(1, "effect-lost", "items")]

    def test_where_the_list_is_empty_it_does_not_show_either(self):
        assert shown(LISTING, listing({"items": []})) == [(1, "effect-lost", "")]

    def test_another_item_that_is_gone_is_a_hit_lost(self):
        assert shown(LISTING, listing({"items": [{"label": "tea pot"}]})) == [
            (1, "hit-lost", "items")
        ]

    def test_a_write_that_failed_has_no_effect_to_lose(self):
        found = shown(LISTING, listing({"items": [{"label": "pan"}]}, text("boom", failed=True)))
        assert (0, "newly-failing", "") in found
        assert "effect-lost" not in {change for _, change, _ in found}

    def test_a_reader_that_died_tells_nothing_of_the_write(self):
        found = shown(LISTING, listing(crashed()))
        assert found == [(1, "newly-failing", "")]

    def test_what_stood_there_before_the_write_is_no_mark_of_it(self):
        items = {"items": [{"label": "tea pot", "n": 1}, {"label": "pan", "n": 2}]}
        base = (("list_items", {}, items), ("add_item", ADD, "added"), ("list_items", {}, items))
        recording = recorded(run(*base), run(*base))
        now = look(*base[:2], ("list_items", {}, {"items": items["items"][1:]}))
        assert shown(recording, now) == [(2, "hit-lost", "items")]


class TestGuards:
    BASE = (
        ("add_item", ADD, {"added": True, "id": "k"}),
        ("approve_item", {"label": "tea pot"}, {"approved": True}),
    )
    RECORDING = recorded(run(*BASE), run(*BASE))

    def test_a_refusal_that_names_a_remedy_the_scenario_carries_out(self):
        said = text("Access denied: call approve_item first")
        found = compared(self.RECORDING, look(("add_item", ADD, said), self.BASE[1])).differences
        assert [one.change for one in found] == ["newly-guarded"]
        assert found[0].details["remedy"] == 1

    def test_one_that_names_none_is_a_refusal(self):
        said = text("Access denied")
        assert shown(self.RECORDING, look(("add_item", ADD, said), self.BASE[1])) == [
            (0, "newly-refused", "")
        ]

    def test_nor_does_a_remedy_help_that_failed_as_well(self):
        said = text("Access denied: call approve_item first")
        failed = ("approve_item", {"label": "tea pot"}, text("boom", failed=True))
        assert (0, "newly-refused", "") in shown(
            self.RECORDING, look(("add_item", ADD, said), failed)
        )


class TestPages:
    def test_the_items_of_another_recorded_page(self):
        base = (
            ("list_items", {"page": 1}, {"items": ["a1", "b1", "c1"]}),
            ("list_items", {"page": 2}, {"items": ["d1", "e1", "f1"]}),
        )
        recording = recorded(run(*base), run(*base))
        now = look(("list_items", {"page": 1}, base[1][2]), base[1])
        assert (0, "wrong-page", "items") in shown(recording, now)


def test_a_cancelled_step_says_nothing():
    calls = [*BASE[:3], ("remove_item", {"id": ID}, Outcome(kind="cancelled"))]
    assert not shown(RECORDING, look(*calls))
