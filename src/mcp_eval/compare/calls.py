"""Invocations as the sides of a pair: small enough for a report."""

from collections.abc import Sequence

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.outcomes import class_of
from mcp_eval.compare.steady import is_effect, key_of
from mcp_eval.model.comparison import Call
from mcp_eval.model.recording import RecordedStep
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation

_OUTCOME_SHOWN = 4000


def recorded_call(step: RecordedStep, number: int, surface: Surface) -> Call:
    """A recorded step as one side of a pair."""
    return Call(
        step=number,
        tool=key_of(step, surface),
        name=step.name,
        arguments=step.arguments,
        outcome_class=class_of(step)
        if bytes(step.outcome.body)
        else next(iter(step.classes), "ok"),
        outcome=_shown(answer(step.outcome).text),
        latency_ms=_median(step.latencies_ms),
        size=int(_median(step.sizes)),
        effect=is_effect(_as_made(step), surface),
    )


def made_call(
    made: Invocation, number: int, surface: Surface, step: RecordedStep | None = None
) -> Call:
    """An invocation of the candidate as one side of a pair."""
    lost = made.outcome.kind == "not-reached"
    found = class_of(step, made.outcome) if step is not None else classify(made.outcome)
    return Call(
        step=number,
        tool=key_of(made, surface),
        name=made.name,
        arguments=made.arguments,
        outcome_class="not-reached" if lost else found,
        outcome=_shown(answer(made.outcome).text),
        latency_ms=made.latency_ms,
        size=made.size,
        effect=is_effect(made, surface),
        waits_for=made.waits_for,
    )


def _as_made(step: RecordedStep) -> Invocation:
    return Invocation(
        name=step.name, method=step.method, arguments=step.arguments, outcome=step.outcome
    )


def _shown(text: str) -> str:
    return text if len(text) <= _OUTCOME_SHOWN else f"{text[:_OUTCOME_SHOWN]}…"


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else 0.0
