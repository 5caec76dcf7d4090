"""A scenario as an agent is given it: the intent, and what a person does before its next turn."""

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Noun
from mcp_eval.model.scenario import Scenario, Step

_ON = "Go on."


class Turn(Noun):
    """What a person does, and then says."""

    words: str
    deeds: tuple[Step, ...] = ()


def turns_of(scenario: Scenario) -> tuple[tuple[Turn, ...], tuple[Step, ...]]:
    """The turns of an agent, and what a person does after the last one.

    The tools that `steps` name are for a script; where one stands, an agent takes its turn.
    """
    turns = [Turn(words=scenario.user_intent or scenario.description)]
    waiting: list[Step] = []
    theirs = any(step.tool for step in scenario.steps)
    for step in scenario.steps:
        if step.tool and waiting:
            turns.append(_next(waiting))
            waiting = []
        elif not step.tool:
            waiting.append(step)
    if waiting and not theirs:  # nothing says where it takes a turn: after them
        return (*turns, _next(waiting)), ()
    return tuple(turns), tuple(waiting)


def only_turn(scenario: Scenario, agent: str) -> str:
    """The words of an agent that takes one turn; InconclusiveError where the scenario has more."""
    turns, after = turns_of(scenario)
    if len(turns) > 1 or after:
        raise InconclusiveError(
            f"the agent '{agent}' takes one turn, and in {scenario.stem} a person acts in between",
            hint="record it with claude, models or script",
            rule="agent-failed",
        )
    return turns[0].words


def _next(deeds: list[Step]) -> Turn:
    """Labels are for people, and so for an agent that a person talks to."""
    told = " ".join(f"{step.action.rstrip('.')}." for step in deeds if step.action)
    return Turn(words=f"{told} {_ON}".strip(), deeds=tuple(deeds))
