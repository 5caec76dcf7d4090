"""A scenario as an agent is given it: turns, and what a person does between them."""

import pytest

from mcp_eval.agents.turns import only_turn, turns_of
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.scenario import Scenario, Step

ADD, LIST = Step(tool="add"), Step(tool="list")
APPROVE = Step(run="./approve.sh", action="I approved the server")
WAIT, RESTART = Step(wait=1), Step(restart=True)


def told(*steps, **more):
    return Scenario(name="x", stem="x", user_intent="Add it", steps=steps, **more)


@pytest.mark.parametrize(
    ("steps", "words", "deeds", "after"),
    [
        ((), ["Add it"], [()], ()),
        ((ADD, LIST), ["Add it"], [()], ()),
        ((ADD, WAIT), ["Add it"], [()], (WAIT,)),
        ((ADD, WAIT, LIST), ["Add it", "Go on."], [(), (WAIT,)], ()),
        ((ADD, APPROVE, WAIT, LIST), ["Add it", "I approved the server. Go on."], [(), (APPROVE, WAIT)], ()),
        ((APPROVE, RESTART), ["Add it", "I approved the server. Go on."], [(), (APPROVE, RESTART)], ()),
        ((ADD, WAIT, LIST, RESTART, LIST, WAIT), ["Add it", "Go on.", "Go on."], [(), (WAIT,), (RESTART,)], (WAIT,)),
    ],
)  # fmt: skip
def test_an_agent_takes_its_turn_where_a_tool_stands_after_what_a_person_does(
    steps, words, deeds, after
):
    turns, last = turns_of(told(*steps))
    assert [turn.words for turn in turns] == words
    assert [turn.deeds for turn in turns] == deeds
    assert last == after


def test_without_an_intent_the_description_is_one():
    scenario = Scenario(name="x", stem="x", description="What it is about")
    assert only_turn(scenario, "command") == "What it is about"


def test_an_agent_of_one_turn_cannot_do_more():
    with pytest.raises(InconclusiveError, match="takes one turn") as caught:
        only_turn(told(ADD, WAIT, LIST), "command")
    assert caught.value.rule == "agent-failed"
