"""What a scenario's author says of one argument, in place of how alike two values look."""

import pytest

from mcp_eval.compare.arguments import compare_arguments
from mcp_eval.compare.calls import recorded_call
from mcp_eval.compare.goals import Attempt, goal_facts
from mcp_eval.compare.matchers import complaint, matched
from mcp_eval.compare.steady import distill
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import RecordedStep
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Run, Trajectory
from tests.unit.compare.spoken import outcome


def similarity(matchers, before, after):
    return matched(compare_arguments(before, after), matchers, before, after)


@pytest.mark.parametrize(
    ("matcher", "before", "after", "fits"),
    [
        ("any", "environment", "weather in Oslo", True),
        ("fixed", "fixed", "fixed", True),
        ("fixed", "fixed", "other", False),
        (7, 7, 7, True),
        (7, 7, 8, False),
        ({"tolerance": 2}, 10, 12, True),
        ({"tolerance": 2}, 10, 12.5, False),
        ({"tolerance": 2}, 10, "12", False),
        ({"matches": r"^\d{4}$"}, "2025", "1999", True),
        ({"matches": r"^\d{4}$"}, "2025", "99", False),
        ({"one_of": ["a", "b"]}, "a", "b", True),
        ({"one_of": ["a", "b"]}, "a", "c", False),
        ({"contains": "env"}, "x", "ENV vars", True),
        ({"contains": "env"}, "x", "weather", False),
    ],
)
def test_the_authors_word_decides_about_an_argument(matcher, before, after, fits):
    found = similarity({"value": matcher}, {"value": before}, {"value": after})
    assert found.similarity == (1.0 if fits else 0.0)
    (argument,) = found.arguments
    assert (argument.name, argument.kind) == ("value", "matcher")
    assert argument.reason


def test_an_argument_that_is_missing_fits_nothing_but_any():
    assert similarity({"n": {"tolerance": 1}}, {"n": 1}, {}).similarity == 0.0
    assert similarity({"n": "any"}, {"n": 1}, {}).similarity == 1.0


def test_arguments_without_a_word_compare_as_ever():
    before, after = {"query": "list users", "limit": 5}, {"query": "weather", "limit": 5}
    found = similarity({"query": "any"}, before, after)
    assert found.similarity == 1.0
    assert {one.name: one.kind for one in found.arguments}["limit"] == "number"
    assert similarity({}, before, after) == compare_arguments(before, after)


@pytest.mark.parametrize(
    ("matcher", "said"),
    [
        ({"tolerance": "much"}, "`tolerance` is a number"),
        ({"one_of": "a"}, "`one_of` is a list"),
        ({"matches": "("}, "no regular expression"),
        ({"near": 1}, "a matcher is"),
        ({"tolerance": 1, "contains": "a"}, "a matcher is"),
        ("any", ""),
        ({"tolerance": 0.5}, ""),
        (["a"], ""),
    ],
)
def test_a_matcher_that_cannot_be_meant_says_why(matcher, said):
    assert said in complaint(matcher)
    assert bool(complaint(matcher)) == bool(said)


def test_a_recording_keeps_the_words_of_the_steps_it_came_from():
    scenario = Scenario(
        name="one",
        stem="one",
        expected_trajectory=(
            Step(tool="look", args={"q": "a"}),
            Step(tool="mcp__proxy__add", args={"title": "x"}, match={"title": "any"}),
        ),
    )
    made = tuple(Invocation(name=name, outcome=outcome({"a": 1})) for name in ("look", "add"))
    run = Run(scenario="one", trajectory=Trajectory(invocations=made))
    recording = distill(scenario, [run], provenance=Provenance())
    assert [step.match for step in recording.steps] == [{}, {"title": "any"}]


@pytest.mark.parametrize(("match", "reached"), [({}, 0), ({"id": "any"}, 1)])
def test_an_effect_the_author_let_free_is_the_same_effect(match, reached):
    step = RecordedStep(
        name="add_note", arguments={"id": "n-17"}, outcome=outcome({"added": True}), match=match
    )
    other = RecordedStep(name="add_note", arguments={"id": "n-99"}, outcome=step.outcome)
    before, after = (Attempt(calls=(recorded_call(one, 0, Surface()),)) for one in (step, other))
    assert goal_facts(before, [after], Surface(), Surface()).reached == reached
