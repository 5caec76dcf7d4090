"""Runs distilled into a recording, and looks counted beside it."""

import pytest
from msgspec.structs import replace

from mcp_eval.compare.expected import expected_recording
from mcp_eval.compare.looks import symbols
from mcp_eval.compare.outcomes import class_of
from mcp_eval.compare.steady import (
    distill,
    effects_of,
    is_effect,
    path_of,
    run_of,
    unusable,
    waiting,
)
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.scenario import Criterion, Scenario, Step
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation
from tests.unit.compare.spoken import RECORDED_AT, as_outcome, crashed, outcome, text
from tests.unit.compare.told import NOT_REACHED, SURFACE, compared, look, recorded, run, shown

ASK = ("status", {})


def asked(*answers, **facts):
    """A recording of one question, looked at once for each answer."""
    return recorded(*(run((*ASK, answer), **facts) for answer in answers))


class TestDistilling:
    def test_looks_are_counted_by_class(self):
        recording = asked({"a": "x"}, {"a": "x"}, text("boom", failed=True))
        (step,) = recording.steps
        assert step.classes == {"ok": 2, "failed": 1}
        assert step.looks == 3
        assert [class_of(step, other) for other in step.others] == ["failed"]

    def test_holes_are_learned_from_looks_of_one_class(self):
        recording = asked({"n": 1, "a": "x"}, {"n": 2, "a": "x"}, text("boom 7", failed=True))
        assert {place: hole.kind for place, hole in recording.steps[0].holes.items()} == {
            "n": "counter"
        }

    def test_so_are_those_of_structured_content_that_says_something_else(self):
        def both(number):
            block = {"type": "text", "text": "fine"}
            return outcome({"content": [block], "structuredContent": {"n": number, "a": "x"}})

        recording = asked(both(1), both(2))
        assert set(recording.steps[0].holes) == {"structuredContent.n"}
        assert not shown(recording, look((*ASK, both(3))))
        gone = outcome(
            {"content": [{"type": "text", "text": "fine"}], "structuredContent": {"a": "x"}}
        )
        assert shown(recording, look((*ASK, gone))) == [
            (0, "result-field-removed", "structuredContent.n")
        ]

    def test_and_of_texts_that_could_not_always_be_read_as_structure(self):
        recording = asked("Load: 1\nHost: a1", "Load: 2\nHost: a1\nall is well")
        assert recording.steps[0].holes[""].kind == "text"
        assert not shown(recording, look((*ASK, "Load: 7\nHost: a1\nall is quiet")))
        assert shown(recording, look((*ASK, "Load: 7\nHost: b2\nall is quiet"))) == [
            (0, "text-changed", "")
        ]

    def test_the_commonest_way_is_the_exemplar(self):
        short, long = run((*ASK, "a1")), run((*ASK, "a1"), ("now", {}, "b1"))
        recording = recorded(short, long, long)
        assert [step.name for step in recording.steps] == ["status", "now"]
        assert recording.paths == {"status": 1, "status → now": 2}
        assert recording.runs == 3

    def test_a_replay_is_a_look_but_no_run_of_an_agent(self):
        recording = recorded(run((*ASK, {"n": 1})), look((*ASK, {"n": 2})))
        assert (recording.runs, recording.steps[0].looks) == (1, 2)
        assert recording.steps[0].holes["n"].kind == "counter"

    def test_a_step_a_look_did_not_come_to_is_no_look_at_it(self):
        recording = recorded(run((*ASK, "a1")), look((*ASK, NOT_REACHED)))
        assert recording.steps[0].looks == 1
        assert recording.repeats == "no"

    @pytest.mark.parametrize(
        ("answers", "repeats"),
        [(["a1"], "unknown"), (["a1", "a2"], "yes"), (["a1", text("boom", failed=True)], "no")],
    )
    def test_whether_it_can_repeat_itself(self, answers, repeats):
        assert asked(*answers).repeats == repeats

    def test_two_fresh_looks_make_a_fresh_recording(self):
        assert asked("a1", "a1").fresh
        assert not asked("a1", "a1", fresh=False).fresh
        assert not asked("a1").fresh

    def test_what_a_build_showed_once_more_is_no_difference(self):
        looks = [{"n": 1, "l": ["a", "b"]}, {"n": 2, "l": ["b", "a"]}, {"n": 5, "l": ["b", "a"]}]
        recording = asked(*looks)
        for answer in looks:
            assert not shown(recording, look((*ASK, answer)))


class TestCounting:
    RECORDING = asked({"a": "x"}, {"a": "x"})

    def steadiness(self, *answers, recording=None, old=()):
        looks = [look((*ASK, answer)) for answer in answers]
        olds = tuple(look((*ASK, answer)) for answer in old)
        (one,) = compared(recording or self.RECORDING, *looks, old=olds).differences
        return one.steadiness

    def test_one_difference_a_site_with_how_often_it_was_seen(self):
        found = self.steadiness({"a": "y"}, {"a": "x"}, {"a": "y"})
        assert (found.baseline, found.seen, found.looks, found.alike) == (2, 2, 3, True)

    def test_looks_that_disagree_are_not_alike(self):
        assert not self.steadiness({"a": "y"}, {"a": "z"}).alike

    def test_the_old_build_in_turn_is_counted_too(self):
        found = self.steadiness({"a": "y"}, {"a": "y"}, old=[{"a": "y"}, {"a": "x"}, {"a": "x"}])
        assert (found.old_seen, found.old_looks) == (1, 3)

    def test_how_many_looks_at_the_baseline_agreed(self):
        assert self.steadiness({"a": "y"}, recording=asked({"a": "x"})).baseline == 1

    def test_a_loss_seen_once_of_several_looks_lowers_nothing(self):
        failing = look((*ASK, text("boom", failed=True)))
        fine = look((*ASK, {"a": "x"}))
        assert compared(self.RECORDING, failing, fine).similarity == 1.0
        assert compared(self.RECORDING, failing, failing).similarity == 0.0


class TestSymbols:
    def test_what_was_minted_then_is_what_was_minted_now(self):
        base = (("add_item", {}, {"id": "itm-8841"}), ("get_item", {"id": "itm-8841"}, "a1"))
        recording = recorded(run(*base))
        now = look(("add_item", {}, {"id": "itm-9915"}), ("get_item", {"id": "itm-9915"}, "a1"))
        made = dict(enumerate(now.trajectory.invocations))
        assert symbols(recording, made) == {"itm-8841": "itm-9915"}
        assert symbols(recording, {0: made[0]}) == {}


class TestEffects:
    @pytest.mark.parametrize(
        ("name", "hint", "answer", "effect"),
        [
            ("add_item", None, "added", True),
            ("add_item", None, text("boom", failed=True), False),
            ("add_item", True, "added", False),
            ("list_items", None, "a1", False),
            ("list_items", False, "a1", True),
            ("frobnicate", None, "a1", False),
        ],
    )
    def test_a_successful_write_is_one(self, name, hint, answer, effect):
        annotations = {} if hint is None else {"readOnlyHint": hint}
        surface = Surface(tools=(Tool(name=name, annotations=annotations),))
        assert is_effect(Invocation(name=name, outcome=as_outcome(answer)), surface) is effect

    def test_they_are_named_by_tool_key_with_their_arguments(self):
        made = run(("add_item", {"label": "pan"}, "added"), ("list_items", {}, "pan"))
        assert effects_of(made.trajectory, SURFACE) == (
            {"tool": "add_item", "arguments": {"label": "pan"}},
        )
        assert path_of(made, SURFACE) == "add_item → list_items"


class TestWaiting:
    def waits(self, before, after):
        return waiting(asked(before).steps[0], as_outcome(after))

    def test_a_status_that_differs_is_asked_again(self):
        assert self.waits({"status": "ready", "n": 2}, {"status": "starting", "n": 2})
        assert self.waits({"ready": True, "a": "x"}, {"ready": False, "a": "x"})
        assert self.waits("Status: ready\nHost: a1", "Status: starting\nHost: a1")

    def test_nothing_else_is(self):
        assert not self.waits({"status": "ready", "a": "x"}, {"status": "ready", "a": "y"})
        assert not self.waits({"status": "ready"}, text("boom", failed=True))
        assert not self.waits({"status": "ready"}, crashed())
        assert not self.waits(text("boom", failed=True), {"status": "ready"})


class TestOtherRecordings:
    def test_an_exemplar_is_a_run_again(self):
        recording = asked({"a": "x"}, {"a": "x"})
        again = run_of(recording)
        assert [made.name for made in again.trajectory.invocations] == ["status"]
        assert (again.scenario, again.recorded_at, again.fresh) == ("s", RECORDED_AT, True)

    def test_an_expected_trajectory_stands_in_for_one(self):
        scenario = Scenario(
            name="S",
            stem="s",
            expected_trajectory=(Step(tool="status", args={"a": 1}), Step(action="think")),
        )
        recording = expected_recording(scenario)
        assert [(step.name, step.classes) for step in recording.steps] == [("status", {"ok": 1})]
        assert not shown(recording, look(("status", {"a": 1}, {"any": "thing"})))
        assert shown(recording, look(("status", {"a": 1}, text("boom", failed=True)))) == [
            (0, "newly-failing", "")
        ]

    def test_what_a_person_does_keeps_its_place_and_templates_still_find_their_step(self):
        scenario = Scenario(
            name="S",
            stem="s",
            setup=(Step(run="touch x"), Step(tool="seed")),
            steps=(
                Step(action="think"),
                Step(tool="add"),
                Step(wait=0.5),
                Step(restart=True),
                Step(tool="get", args={"id": ["{{ steps.1.result.id }}", 7]}),
            ),
        )
        steps = expected_recording(scenario).steps
        told = [(step.name, step.method, step.foreign) for step in steps]
        assert told == [
            ("run", "user/run", True),
            ("add", "tools/call", False),
            ("wait", "user/wait", True),
            ("restart", "user/restart", True),
            ("get", "tools/call", False),
        ]
        assert steps[0].arguments == {"command": "touch x"}
        assert steps[4].arguments == {"id": ["{{ steps.1.result.id }}", 7]}
        bare = replace(scenario, setup=())
        shifted = expected_recording(bare).steps[3].arguments
        assert shifted == {"id": ["{{ steps.0.result.id }}", 7]}


class TestUnusable:
    BAD = asked(text("boom", failed=True))
    GOOD = asked({"a": "x"})
    SCENARIO = Scenario(name="S", stem="s")

    def test_a_recording_of_failures_is_refused(self):
        assert "1 of 1 scenarios" in unusable([self.BAD], [self.SCENARIO])
        assert "2 of 3" in unusable([self.BAD, self.BAD, self.GOOD], [self.SCENARIO])

    def test_half_of_them_may_fail(self):
        assert not unusable([self.BAD, self.GOOD], [self.SCENARIO])
        assert not unusable([], [])

    def test_so_may_one_whose_criteria_want_it(self):
        wants = replace(
            self.SCENARIO, success_criteria=(Criterion(text="calls: status", kind="calls"),)
        )
        assert not unusable([self.BAD], [wants])


def test_a_recording_can_be_made_without_a_surface():
    recording = distill(Scenario(name="S", stem="s"), (run((*ASK, "a1")),), provenance=Provenance())
    assert recording.paths == {"status": 1}
