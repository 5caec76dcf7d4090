"""What a project file may say of an agent."""

import pytest

from mcp_eval.agents.choices import Choices, ModelChoices, expanded, hidden, read_choices
from mcp_eval.agents.claude_client import ClaudeChoices
from mcp_eval.errors import UsageError
from mcp_eval.model.project import TargetSpec
from mcp_eval.ports import Bounds


def test_choices_are_read_and_the_rest_has_defaults():
    found = read_choices("claude", {"model": "m", "max_turns": 3, "tools": []}, ClaudeChoices)
    assert (found.model, found.max_turns, found.tools, found.retries) == ("m", 3, (), 1)
    assert found.bounds == Bounds(turns=3, usd=1.0, seconds=300.0)
    assert Choices(timeout=5).bounds == Bounds(seconds=5)


@pytest.mark.parametrize(
    ("options", "says", "hint"),
    [
        ({"max_turn": 3}, "unknown key 'max_turn'", "did you mean 'max_turns'?"),
        ({"zzz": 3}, "unknown key 'zzz'", "known: kind, model"),
        ({"max_turns": "many"}, "Expected `int`, got `str` - at `max_turns`", "docs/agents.md"),
    ],
)
def test_what_is_off_is_said(options, says, hint):
    with pytest.raises(UsageError) as caught:
        read_choices("mine", options, ModelChoices)
    assert caught.value.message == f"the agent 'mine': {says}"
    assert hint in caught.value.hint


def test_what_the_target_is_told_in_variables_no_agent_is_told():
    spec = TargetSpec(
        name="x",
        env={"A": "${TOKEN}", "B": "plain", "C": "${env:OTHER:-none}"},
        headers={"Authorization": "Bearer ${secret:KEY}"},
    )
    assert hidden(spec) == {"TOKEN": "", "OTHER": "", "KEY": ""}


def test_variables_are_put_into_what_a_client_is_told():
    assert expanded({"A": "x${ONE}${NONE}"}, {"ONE": "1"}) == {"A": "x1"}
