"""How one step's outcome differs from what was recorded: its class first, then its answer."""

from collections.abc import Iterable, Iterator, Mapping

from mcp_eval.compare.answers import Answer, answer, classify, guards, substance
from mcp_eval.compare.facts import fact
from mcp_eval.compare.paths import leaves
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import RecordedStep
from mcp_eval.model.trajectory import Outcome, OutcomeClass

_FUZZY = ("text", "key-value", "csv", "json-lines", "table")
_ANSWERED = frozenset({"ok", "empty"})
_ORDERLY = frozenset({"failed", "refused"})


def class_of(step: RecordedStep, outcome: Outcome | None = None) -> OutcomeClass:
    """The class of a look at a recorded step; of its exemplar where none is given."""
    if outcome is None:
        return classify(step.outcome)
    known: dict[str, list[Outcome]] = {}
    for other in (*step.others, step.outcome):
        found = classify(other)
        if found in _ORDERLY:
            known.setdefault(found, []).append(other)
    return classify(outcome, known=known, recorded=step.outcome)


def step_differences(step: RecordedStep, outcome: Outcome, view: View) -> Iterator[Difference]:
    """Every fact in which one look differs from the recorded step."""
    if outcome.kind in {"not-reached", "cancelled"}:
        return
    if not bytes(step.outcome.body) and step.outcome.kind == "result":
        yield from _expected_only(step, outcome)
        return
    before, after = answer(step.outcome), answer(outcome)
    was, now = class_of(step), class_of(step, outcome)
    yield from _between(was, now, before, after, step, view)


def _expected_only(step: RecordedStep, outcome: Outcome) -> Iterator[Difference]:
    """A written step has no recorded answer: only its class is expected."""
    now = classify(outcome)
    if now not in _ANSWERED:
        change = "newly-refused" if now == "refused" else "newly-failing"
        yield fact(change, "", "ok", said(answer(outcome)), was="ok", now=now)
    del step


def _between(
    was: OutcomeClass,
    now: OutcomeClass,
    before: Answer,
    after: Answer,
    step: RecordedStep,
    view: View,
) -> Iterator[Difference]:
    """The facts of a pair of classes."""
    classes: dict[str, Json] = {"was": was, "now": now}
    if was in _ANSWERED and now in _ANSWERED:
        yield from _answers(was, now, before, after, view)
    elif now == "crashed" and was != "crashed":
        yield fact("newly-failing", "", said(before), said(after), **classes, kind=after.kind)
    elif was in _ANSWERED:
        if any(name in _ORDERLY or name == "crashed" for name in step.classes if name != was):
            return  # the baseline's own looks failed now and then: this is not new
        change = "newly-refused" if now == "refused" else "newly-failing"
        yield fact(change, "", said(before), said(after), **classes, code=after.code)
    elif was in _ORDERLY and now in _ORDERLY:
        yield from _errors(was, now, before, after, view)
    elif now in _ANSWERED:
        change = "guard-lost" if was == "refused" else "improvement"
        yield fact(change, "", said(before), said(after), **classes)


def said(read: Answer, limit: int = 300) -> str:
    """An outcome in its own words, capped."""
    text = read.text or ("" if read.value is None else str(read.value))
    return text if len(text) <= limit else f"{text[:limit]}…"


# --- answers -------------------------------------------------------------------------------------


def _answers(
    was: OutcomeClass, now: OutcomeClass, before: Answer, after: Answer, view: View
) -> Iterator[Difference]:
    if was == "empty" and now == "ok":
        yield fact("improvement", "", said(before), said(after), was=was, now=now)
        return
    if emptied(before, after, now, view):
        yield fact("result-emptied", "", _sample(before), said(after), leaves=size_of(before.value))
        return
    if guards(after) and not guards(before):
        yield fact("newly-guarded", "", said(before), said(after), beside=True)
    facts = tuple(_values(before, after, view))
    writing = tuple(_writing(before, after, facts))
    yield from writing
    if not any(one.site.path == "" for one in writing):
        yield from counted(facts)
    else:
        yield from (one for one in counted(facts) if one.site.path)


def emptied(before: Answer, after: Answer, now: OutcomeClass, view: View) -> bool:
    """Whether all that an answer carried is gone; a key that is gone is a field removed."""
    if not any(substance(before.value, view.arguments, view.before_at)):
        return False
    if any(substance(after.value, view.arguments, view.after_at)):
        return False
    if isinstance(before.value, dict) and isinstance(after.value, dict) and after.value:
        held = {path.partition("[")[0].partition(".")[0] for path, _ in substance(before.value)}
        return any(name in after.value for name in held) or now == "empty"
    return now == "empty" or not after.value


def size_of(value: Json) -> int:
    """How many leaves a value has."""
    return sum(1 for _ in leaves(value))


def _sample(read: Answer) -> str:
    return said(read)


def _values(before: Answer, after: Answer, view: View) -> Iterator[Difference]:
    old, new = _comparable(before, after)
    prose = isinstance(old, str) and isinstance(new, str)
    yield from differ(old, new, View(**{**_fields(view), "structured": not prose}))
    if before.extra is not None and after.extra is not None:
        yield from differ(before.extra, after.extra, view, "structuredContent")


def _fields(view: View) -> dict[str, Json]:
    return {name: getattr(view, name) for name in view.__struct_fields__}


def _comparable(before: Answer, after: Answer) -> tuple[Json, Json]:
    """Both values; their texts where reading them as structure went two ways."""
    if before.encoding != after.encoding and _fuzzy(before) and _fuzzy(after):
        return before.text, after.text
    if before.parts == 1 and after.parts > 1 and isinstance(after.value, list):
        return [before.value], after.value
    if after.parts == 1 and before.parts > 1 and isinstance(before.value, list):
        return before.value, [after.value]
    return before.value, after.value


def _fuzzy(read: Answer) -> bool:
    return read.encoding.startswith(_FUZZY)


_TABULAR = ("csv:", "table", "json×")


def _writing(before: Answer, after: Answer, facts: tuple[Difference, ...]) -> Iterator[Difference]:
    """How the answer is written: structured content, encoding depth, delimiter, header."""
    if before.structured and not after.structured:
        yield fact("content-type-changed", "structuredContent", "structuredContent", None)
    old, new = before.encoding, after.encoding
    if old == new:
        return
    tabular = old.startswith(_TABULAR) or new.startswith(_TABULAR)
    if tabular and (facts or not (old.startswith("json") and new == "json" and not facts)):
        yield fact("content-type-changed", "", old, new, encodings=[old, new])


# --- counts that follow their lists ---

_MEMBERSHIP = frozenset(
    {"item-added", "hit-lost", "hit-displaced", "wrong-page", "entry-doubled", "effect-lost"}
)


def counted(facts: tuple[Difference, ...]) -> Iterator[Difference]:
    """A count that moved beside a list that gained or lost items follows it."""
    moved = any(one.change in _MEMBERSHIP for one in facts)
    for one in facts:
        if one.change == "result-value-changed" and one.details.get("counts") and moved:
            yield Difference(
                site=one.site,
                lane=one.lane,
                change="count-followed",
                before=one.before,
                after=one.after,
            )
        else:
            yield one


# --- errors --------------------------------------------------------------------------------------


def _errors(
    was: OutcomeClass, now: OutcomeClass, before: Answer, after: Answer, view: View
) -> Iterator[Difference]:
    if before.flagged and not after.flagged:
        yield fact("error-swallowed", "", said(before), said(after), was=was, now=now)
    elif after.flagged and not before.flagged:
        yield fact("error-flagged", "", said(before), said(after), was=was, now=now)
    if was != now or _code(before) != _code(after):
        yield fact(
            "error-changed",
            "error",
            said(before),
            said(after),
            was=was,
            now=now,
            codes=[_code(before), _code(after)],
        )
        return
    old, new = view.masked(before.text or said(before), after.text or said(after))
    if old != new:
        yield fact(
            "error-changed", "error", said(before), said(after), was=was, now=now, wording=True
        )


def _code(read: Answer) -> str:
    return read.code


# --- numbers -------------------------------------------------------------------------------------

_COSTS: Mapping[str, float] = {
    "text-changed": 0.5,
    "result-field-renamed": 0.5,
    "result-order-changed": 0.1,
    "content-type-changed": 0.5,
    "error-changed": 0.5,
    "error-swallowed": 0.5,
    "newly-guarded": 0.3,
    "score-moved": 0.0,
    "count-followed": 0.0,
    "item-added": 0.0,
    "result-field-added": 0.0,
    "improvement": 0.0,
    "error-flagged": 0.0,
    "hit-displaced": 0.0,
}
_WHOLE = frozenset({"newly-failing", "newly-refused", "result-emptied", "guard-lost"})


def outcome_similarity(step: RecordedStep, facts: Iterable[Difference]) -> float:
    """The share of the recorded answer that still stands; additions never lower it."""
    found = tuple(facts)
    if any(one.change in _WHOLE for one in found):
        return 0.0
    total = max(1, size_of(answer(step.outcome).value)) if bytes(step.outcome.body) else 1
    cost = sum(_COSTS.get(one.change, 1.0) * int(one.details.get("leaves", 1)) for one in found)
    return max(0.0, 1.0 - cost / total)
