"""Invocations as the sides of a pair: small enough for a report."""

from collections.abc import Sequence

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.effects import writes
from mcp_eval.compare.outcomes import class_of
from mcp_eval.compare.toolkey import bare_name, tool_key
from mcp_eval.model.comparison import Call
from mcp_eval.model.recording import RecordedStep
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation

_OUTCOME_SHOWN = 4000
_ANSWERED = frozenset({"ok", "empty"})


def recorded_call(step: RecordedStep, number: int, surface: Surface) -> Call:
    """A recorded step as one side of a pair."""
    found = class_of(step) if bytes(step.outcome.body) else next(iter(step.classes), "ok")
    tool, key = _used(step, surface)
    return Call(
        step=number,
        tool=key,
        name=step.name,
        arguments=step.arguments,
        outcome_class=found,
        outcome=_shown(answer(step.outcome).text),
        latency_ms=_median(step.latencies_ms),
        size=int(_median(step.sizes)),
        effect=_effect(step, tool, key, found),
        match=step.match,
    )


def made_call(
    made: Invocation, number: int, surface: Surface, step: RecordedStep | None = None
) -> Call:
    """An invocation of the candidate as one side of a pair."""
    lost = made.outcome.kind == "not-reached"
    found = class_of(step, made.outcome) if step is not None else classify(made.outcome)
    tool, key = _used(made, surface)
    return Call(
        step=number,
        tool=key,
        name=made.name,
        arguments=made.arguments,
        outcome_class="not-reached" if lost else found,
        outcome=_shown(answer(made.outcome).text),
        latency_ms=made.latency_ms,
        size=made.size,
        effect=_effect(made, tool, key, found),
        waits_for=made.waits_for,
    )


def _used(made: Invocation | RecordedStep, surface: Surface) -> tuple[Tool | None, str]:
    tool = surface.tool(bare_name(made.name))
    return tool, tool_key(made.name, made.arguments, tool)


def _effect(made: Invocation | RecordedStep, tool: Tool | None, key: str, found: str) -> bool:
    if made.foreign or made.method != "tools/call" or found not in _ANSWERED:
        return False
    return writes(made.name, tool, key)


def _shown(text: str) -> str:
    return text if len(text) <= _OUTCOME_SHOWN else f"{text[:_OUTCOME_SHOWN]}…"


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else 0.0
