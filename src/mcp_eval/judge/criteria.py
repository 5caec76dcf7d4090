"""Typed criteria, held against a trajectory: yes, no, or not evaluated, with what was seen."""

import re
from collections.abc import Callable, Iterator, Sequence

from mcp_eval.compare.answers import answer, classify, is_empty
from mcp_eval.compare.paths import MISSING, get
from mcp_eval.compare.toolkey import bare_name, tool_key
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import CriterionResult
from mcp_eval.model.scenario import Criterion
from mcp_eval.model.trajectory import Invocation, Trajectory

_STEP = re.compile(r"steps(?:\.(\d+)|\[(\d+)\])\.result\.?(.*)", re.DOTALL)
_NUMBERED = re.compile(r"\.(\d+)(?=[.\[]|$)")
_ANSWERED = frozenset({"ok", "empty"})
_QUOTED = 120


def evaluate(criteria: Sequence[Criterion], trajectory: Trajectory) -> tuple[CriterionResult, ...]:
    """What became of each criterion; prose needs a judge and is not evaluated here."""
    return tuple(_evaluated(criterion, trajectory) for criterion in criteria)


def _evaluated(criterion: Criterion, trajectory: Trajectory) -> CriterionResult:
    if criterion.kind == "prose":
        return CriterionResult(text=criterion.text)
    result, quote = _KINDS[criterion.kind](criterion, trajectory)
    return CriterionResult(
        text=criterion.text, kind=criterion.kind, result=result, quote=quote[:_QUOTED]
    )


def _calls(criterion: Criterion, trajectory: Trajectory) -> tuple[str, str]:
    made = next(_called(criterion.subject, trajectory), None)
    return ("yes", made.name) if made is not None else ("no", "")


def _never_calls(criterion: Criterion, trajectory: Trajectory) -> tuple[str, str]:
    made = next(_called(criterion.subject, trajectory), None)
    return ("no", made.name) if made is not None else ("yes", "")


def _called(subject: str, trajectory: Trajectory) -> Iterator[Invocation]:
    """The requests that reached the target and go by this name or tool key."""
    wanted = bare_name(subject)
    for made in trajectory.invocations:
        if made.foreign or made.outcome.kind == "not-reached":
            continue
        if wanted in {made.name, bare_name(made.name), tool_key(made.name, made.arguments, None)}:
            yield made


def _answer_contains(criterion: Criterion, trajectory: Trajectory) -> tuple[str, str]:
    if not any(said.role == "assistant" for said in trajectory.messages):
        return "not evaluated", "nobody said anything: there was no model"
    held = criterion.subject.casefold() in trajectory.answer.casefold()
    return ("yes" if held else "no"), trajectory.answer


def _result(criterion: Criterion, trajectory: Trajectory) -> tuple[str, str]:
    found = _STEP.fullmatch(criterion.subject)
    made = trajectory.invocations
    if found is not None:
        number = int(found[1] or found[2])
        step = made[number] if number < len(made) else None
        path = found[3]
    else:
        step = next((one for one in reversed(made) if not one.foreign), None)
        path = criterion.subject
    if step is None or step.outcome.kind in {"not-reached", "cancelled"}:
        return "no", "that step has no answer"
    value = _at(step, path)
    held = _holds(criterion.operator, value, criterion.value)
    return ("yes" if held else "no"), "nothing" if value is MISSING else str(value)


def _at(step: Invocation, path: str) -> Json:
    read = answer(step.outcome)
    plain = _NUMBERED.sub(r"[\1]", f".{path}" if path and path[0] not in ".[" else path)
    if not plain:
        return read.value
    # An error has no fields: nothing can be found in it.
    if classify(step.outcome) not in _ANSWERED and not isinstance(read.value, dict | list):
        return MISSING
    return get(read.value, plain.removeprefix("."))


def _holds(operator: str, value: Json, wanted: Json) -> bool:
    if operator == "absent":
        return value is MISSING
    if value is MISSING:
        return False
    return _OPERATORS[operator](value, wanted)


def _number(value: Json) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _ordered(holds: Callable[[float, float], bool]) -> Callable[[Json, Json], bool]:
    def compared(value: Json, wanted: Json) -> bool:
        number, limit = _number(value), _number(wanted)
        return number is not None and limit is not None and holds(number, limit)

    return compared


def _equals(value: Json, wanted: Json) -> bool:
    if isinstance(value, bool) != isinstance(wanted, bool):
        return False
    return bool(value == wanted) or str(value) == wanted


def _contains(value: Json, wanted: Json) -> bool:
    if isinstance(value, str):
        return str(wanted).casefold() in value.casefold()
    if isinstance(value, list):
        return any(_equals(item, wanted) or _contains(item, wanted) for item in value)
    if isinstance(value, dict):
        return wanted in value or any(_contains(member, wanted) for member in value.values())
    return _equals(value, wanted)


_OPERATORS: dict[str, Callable[[Json, Json], bool]] = {
    "exists": lambda value, _: value is not None,
    "empty": lambda value, _: is_empty(value),
    "not_empty": lambda value, _: not is_empty(value),
    "equals": _equals,
    "not_equals": lambda value, wanted: not _equals(value, wanted),
    "at_least": _ordered(lambda number, limit: number >= limit),
    "at_most": _ordered(lambda number, limit: number <= limit),
    "more_than": _ordered(lambda number, limit: number > limit),
    "less_than": _ordered(lambda number, limit: number < limit),
    "contains": _contains,
    "not_contains": lambda value, wanted: not _contains(value, wanted),
    "matches": lambda value, wanted: re.search(str(wanted), str(value)) is not None,
}
_KINDS: dict[str, Callable[[Criterion, Trajectory], tuple[str, str]]] = {
    "calls": _calls,
    "never_calls": _never_calls,
    "answer_contains": _answer_contains,
    "result": _result,
}
