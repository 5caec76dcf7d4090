"""What a person must know of an agent: what its runs may cost, and whether they say anything."""

from mcp_eval.errors import UsageError
from mcp_eval.model.trajectory import OWN_TOOL, Run, Trouble
from mcp_eval.ports import Bounds
from mcp_eval.workflows.events import Line
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.stream import Say

_MINUTE = 60
_NAMED = 4


def announce(world: World, runs: int, limit: float, say: Say) -> None:
    """Say before an agent starts what it may cost; above the limit a person is asked.

    UsageError where the person says no.
    """
    bounds = world.agent.bounds
    if bounds == Bounds() or not runs:
        return
    text = f"{world.agent.name}: {_counted(runs)} of at most {_each(bounds)}{_all(bounds, runs)}"
    say(Line(text=text, hint=f"`agents: {world.agent.name}:` in mcp-eval.yaml bounds a run"))
    dear = (bounds.usd or 0) * runs > limit
    if dear and world.ask is not None and not world.ask(f"More than ${limit:.2f}. Go on?"):
        raise UsageError("nothing was run", hint="fewer scenarios or `--trials` cost less")


def worthless(made: Run) -> tuple[Trouble, ...]:
    """That a run never used the target, whatever its agent reached without it."""
    theirs = [one for one in made.trajectory.invocations if not one.foreign]
    own = [one.name for one in made.trajectory.invocations if one.method == OWN_TOOL]
    if theirs or not (own or made.trajectory.answer):
        return ()
    used = ", ".join([*dict.fromkeys(own)][:_NAMED])
    how = f"it used {used} instead" if used else "it merely answered"
    message = f"{made.agent} never used the target: {how}, so the run says nothing about it"
    return (Trouble(rule="agent-failed", message=message, evidence=made.trajectory.answer[:500]),)


def _counted(runs: int) -> str:
    return "1 run" if runs == 1 else f"{runs} runs"


def _each(bounds: Bounds) -> str:
    turns = f"{bounds.turns} turns" if bounds.turns else ""
    price = f"${bounds.usd:.2f}" if bounds.usd is not None else "a price nobody knows"
    return ", ".join(filter(None, [turns, price, _time(bounds.seconds)]))


def _all(bounds: Bounds, runs: int) -> str:
    if runs == 1:
        return ""
    price = [f"${bounds.usd * runs:.2f}"] if bounds.usd is not None else []
    return f": {' and '.join([*price, _time(bounds.seconds * runs)])} in all"


def _time(seconds: float) -> str:
    return f"{seconds / _MINUTE:g} min" if seconds >= _MINUTE else f"{seconds:g} s"
