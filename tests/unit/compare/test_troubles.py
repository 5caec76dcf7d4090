"""Facts that forbid an opinion."""

import pytest
from msgspec.structs import replace

from mcp_eval.compare.compare import compare
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.recording import Baseline
from mcp_eval.model.trajectory import Trouble
from tests.unit.compare.spoken import crashed, text
from tests.unit.compare.told import SURFACE, compared, look, recorded, run

ADD = ("add_item", {"label": "pan"})
BASE = ((*ADD, "added"), ("list_items", {}, ["pan"]))


def failing(said):
    return text(said, failed=True)


def troubles(*calls, recording=None, fresh=False, **facts):
    known = recording or recorded(run(*BASE, fresh=False))
    found = compared(known, look(*calls, fresh=fresh), **{"resettable": False, **facts}).troubles
    return [one.rule for one in found]


class TestNotReset:
    EXISTS = (*ADD, failing("Item pan already exists"))

    def test_what_an_earlier_run_left_forbids_an_opinion(self):
        assert troubles(self.EXISTS, BASE[1]) == ["not-reset"]

    def test_not_where_the_environment_is_fresh(self):
        assert not troubles(self.EXISTS, BASE[1], resettable=True)
        assert not troubles(self.EXISTS, BASE[1], fresh=True)

    def test_nor_where_two_fresh_trials_succeeded(self):
        twice = recorded(run(*BASE), run(*BASE))
        assert not troubles(self.EXISTS, BASE[1], recording=twice)

    def test_a_delete_that_finds_nothing_is_one_too(self):
        base = (("remove_item", {"label": "pan"}, "removed"),)
        recording = recorded(run(*base, fresh=False))
        gone = failing("Item pan not found")
        assert troubles((*base[0][:2], gone), recording=recording) == ["not-reset"]

    def test_a_read_that_finds_nothing_is_none(self):
        assert not troubles(BASE[0], ("list_items", {}, failing("Item pan not found")))

    def test_nor_is_what_already_existed_then(self):
        recording = recorded(run(self.EXISTS, fresh=False))
        assert not troubles(self.EXISTS, recording=recording)


class TestRates:
    @pytest.mark.parametrize(
        "said", ["429 Too Many Requests", "Rate limit exceeded", "Error: quota exceeded"]
    )
    def test_a_limit_forbids_an_opinion(self, said):
        assert troubles((*ADD, failing(said)), BASE[1]) == ["rate-limited"]
        assert troubles((*ADD, said), BASE[1]) == ["rate-limited"]

    def test_a_page_about_limits_does_not(self):
        page = "A page about rate limits: after 429 one should wait, as RFC 6585 has it."
        assert not troubles(BASE[0], ("list_items", {}, page))


class TestScenario:
    def test_one_that_was_edited(self):
        recording = replace(recorded(run(*BASE)), fingerprint="abc")
        assert troubles(*BASE, recording=recording, fingerprints={"s": "xyz"}) == [
            "scenario-edited"
        ]
        assert not troubles(*BASE, recording=recording, fingerprints={"s": "abc"})

    def test_what_a_run_itself_reports(self):
        lost = look(*BASE, troubles=(Trouble(rule="agent-failed", message="no model"),))
        found = compared(recorded(run(*BASE)), lost).troubles
        assert [one.rule for one in found] == ["agent-failed"]
        assert not compared(recorded(run(*BASE)), lost, look(*BASE)).troubles


class TestTarget:
    DOWN = "Connection refused by api.example"

    def found(self, first, second, old=None):
        candidate = Candidate(
            surface=SURFACE,
            runs={"s": (look((*ADD, first), ("list_items", {}, second)),)},
            old_runs={"s": (look(*old),)} if old else {},
        )
        baseline = Baseline(surface=SURFACE, recordings={"s": recorded(run(*BASE))})
        return [one.rule for one in compare(baseline, candidate).troubles]

    def test_two_tools_that_fail_alike_lost_their_target(self):
        assert self.found(failing(self.DOWN), failing(self.DOWN)) == ["target-lost"]
        assert self.found(failing("Unauthorized"), failing("Unauthorized")) == ["target-lost"]

    def test_one_tool_or_two_messages_did_not(self):
        assert not self.found(failing(self.DOWN), ["pan"])
        assert not self.found(failing(self.DOWN), failing("Unauthorized"))
        assert not self.found(failing("boom"), failing("boom"))
        assert not self.found(crashed(self.DOWN), crashed(self.DOWN))

    def test_nor_where_the_old_build_is_fine_here(self):
        down = (failing(self.DOWN), failing(self.DOWN))
        assert not self.found(*down, old=BASE)
        same = ((*ADD, down[0]), ("list_items", {}, down[1]))
        assert self.found(*down, old=same) == ["target-lost"]
