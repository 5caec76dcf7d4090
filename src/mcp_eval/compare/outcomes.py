"""How one step's outcome differs from what was recorded: its class first, then its answer."""

from collections.abc import Iterable, Iterator, Mapping

from mcp_eval.compare.answers import Answer, answer, classify, guards, substance
from mcp_eval.compare.contents import content_differences, only_header
from mcp_eval.compare.facts import fact
from mcp_eval.compare.paths import get, leaf, leaves
from mcp_eval.compare.view import View
from mcp_eval.compare.words import COUNTS, FLAGS, GUARDS, NOTICES, STATUSES, named
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import RecordedStep
from mcp_eval.model.trajectory import Outcome, OutcomeClass

_ANSWERED = frozenset({"ok", "empty"})
_ORDERLY = frozenset({"failed", "refused"})


def class_of(step: RecordedStep, outcome: Outcome | None = None) -> OutcomeClass:
    """The class of a look at a recorded step; of its exemplar where none is given."""
    if outcome is None or outcome == step.outcome:
        return classify(step.outcome)
    if not step.others and answer(step.outcome).ordinary and answer(outcome).ordinary:
        return "ok"  # there is nothing recorded that it could be taken for
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
    if outcome == step.outcome:
        return  # to the letter: it need not be read
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
        if was != now and step.classes.get(now):
            return  # the baseline's own looks were empty now and then
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
        yield from _lost_beside(before, after, view)
        return
    if was == "ok" and emptied(before, after, now, view):
        yield fact("result-emptied", "", said(before), said(after), leaves=size_of(before.value))
        return
    guarded = guards(after) and not guards(before)
    if guarded:
        yield fact("newly-guarded", "", said(before), said(after), beside=True)
    for one in content_differences(before, after, view):
        if not (guarded and _tells_guard(one)):
            yield one


def _tells_guard(one: Difference) -> bool:
    """Whether a value only says again that a guard stands."""
    return one.change == "result-value-changed" and named(one.site.path, GUARDS | STATUSES)


_GONE = frozenset({"result-field-removed", "result-field-renamed", "result-type-changed"})


def _lost_beside(before: Answer, after: Answer, view: View) -> Iterator[Difference]:
    """What an empty answer said beside its emptiness and does not say any more."""
    for one in content_differences(before, after, view):
        if one.site.path and one.change in _GONE and one.before is not None:
            name = leaf(one.site.path)
            if one.before not in ([], {}, "") and not named(name, NOTICES | COUNTS | FLAGS):
                yield one


def emptied(before: Answer, after: Answer, now: OutcomeClass, view: View) -> bool:
    """Whether all that an answer carried is gone; a key that is gone is a field removed."""
    if not any(substance(before.value, view.arguments, view.before_at)):
        return False
    if now != "empty" and any(substance(after.value, view.arguments, view.after_at)):
        return only_header(before, after)
    if now != "empty" and _still_there(before, after, view):
        return False
    if isinstance(before.value, dict) and isinstance(after.value, dict) and after.value:
        told = substance(before.value, view.arguments, view.before_at)
        held = {path.partition("[")[0].partition(".")[0] for path, _ in told}
        return any(name in after.value for name in held) or now == "empty"
    return now == "empty" or not after.value


def _still_there(before: Answer, after: Answer, view: View) -> bool:
    """Whether a value stands where one stood, be it one that varies by form now."""
    told = substance(before.value, view.arguments, view.before_at)
    return any(get(after.value, path, None) not in (None, "", [], {}) for path, _ in told)


def size_of(value: Json) -> int:
    """How many leaves a value has."""
    return sum(1 for _ in leaves(value))


# --- errors --------------------------------------------------------------------------------------


def _errors(
    was: OutcomeClass, now: OutcomeClass, before: Answer, after: Answer, view: View
) -> Iterator[Difference]:
    if before.flagged and not after.flagged:
        yield fact("error-swallowed", "", said(before), said(after), was=was, now=now)
    elif after.flagged and not before.flagged:
        yield fact("error-flagged", "", said(before), said(after), was=was, now=now)
    if was != now or (before.code and after.code and before.code != after.code):
        yield fact(
            "error-changed",
            "error",
            said(before),
            said(after),
            was=was,
            now=now,
            codes=[before.code, after.code],
        )
        return
    if before.flagged != after.flagged:
        return  # that it comes in another dress is said already
    if _reworded(before, after, view):
        yield fact(
            "error-changed", "error", said(before), said(after), was=was, now=now, wording=True
        )


_MORE = frozenset({"result-field-added", "item-added", "improvement"})


def _reworded(before: Answer, after: Answer, view: View) -> bool:
    """Whether an error says something else; what is only said besides does not count."""
    if isinstance(before.value, dict) and isinstance(after.value, dict):
        return any(one.change not in _MORE for one in content_differences(before, after, view))
    old, new = view.masked(before.text or said(before), after.text or said(after))
    return old.split() != new.split()


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
    "slower": 0.0,
    "costlier": 0.0,
    "server-request-new": 0.0,
}
_WHOLE = frozenset({"newly-failing", "newly-refused", "result-emptied", "guard-lost"})


def outcome_similarity(step: RecordedStep, facts: Iterable[Difference]) -> float:
    """The share of the recorded answer that still stands; additions never lower it."""
    found = tuple(facts)
    if not found:
        return 1.0
    if any(one.change in _WHOLE for one in found):
        return 0.0
    total = max(1, size_of(answer(step.outcome).value)) if bytes(step.outcome.body) else 1
    cost = sum(_COSTS.get(one.change, 1.0) * int(one.details.get("leaves", 1)) for one in found)
    return max(0.0, 1.0 - cost / total)
