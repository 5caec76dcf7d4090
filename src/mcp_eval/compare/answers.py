"""Which class of outcome an answer is: ok, empty, refused, failed, crashed."""

from collections.abc import Iterable, Iterator, Mapping

from mcp_eval.compare import words
from mcp_eval.compare.paths import leaves
from mcp_eval.compare.reading import Answer, answer
from mcp_eval.compare.substance import is_empty, substance
from mcp_eval.compare.words import named
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.trajectory import Outcome, OutcomeClass

__all__ = ["Answer", "answer", "classify", "has_guard", "is_empty", "keeps", "substance"]

_SHORT = 600  # a refusal is said in a few words; a document that mentions one is longer
_LEAD = 240


def classify(
    outcome: Outcome,
    *,
    known: Mapping[str, Iterable[Outcome]] | None = None,
    recorded: Outcome | None = None,
) -> OutcomeClass:
    """The class of an outcome; `known` outcomes of this call by class, `recorded` its exemplar."""
    read = answer(outcome)
    if read.kind in {"crashed", "timeout", "not-reached", "cancelled"}:
        return "crashed"
    if read.flagged:
        return "refused" if _refuses(read.text) else "failed"
    for name in ("refused", "failed"):
        if any(_same(read, answer(other)) for other in (known or {}).get(name, ())):
            return name
    if shaped := _error_shaped(read):
        return shaped
    if _guarded(read, answer(recorded) if recorded else None):
        return "refused"
    return "empty" if is_empty(read.value) else "ok"


def _same(read: Answer, other: Answer) -> bool:
    if read.text and other.text:
        return read.text == other.text
    return bool(read.value == other.value)


def _refuses(text: str) -> bool:
    return bool(words.REFUSAL.search(text[: _SHORT * 2]))


def _error_shaped(read: Answer) -> OutcomeClass | None:
    if isinstance(read.value, str):
        lead = read.value.lstrip()[:_LEAD]
        if words.ERROR_LEAD.match(lead) and len(read.value) <= _SHORT * 4:
            return "refused" if _refuses(read.value[:_SHORT]) else "failed"
        return None
    if isinstance(read.value, dict) and _says_error(read.value):
        said = " ".join(message for message in _messages(read.value) if message)
        return "refused" if _refuses(said) else "failed"
    return None


def _says_error(body: JsonObject) -> bool:
    flags = {name.lower().replace("_", ""): member for name, member in body.items()}
    if flags.get("iserror") is True or flags.get("success") is False or flags.get("ok") is False:
        return True
    if str(flags.get("status", "")).lower() in words.ERRORS:
        return True
    error = flags.get("error", flags.get("errormessage"))
    if error and error is not False:
        return not _substance_beside(body)
    many = flags.get("errors")
    return bool(many) and isinstance(many, list | dict) and not _substance_beside(body)


def _substance_beside(body: JsonObject) -> bool:
    """Whether an answer with an error key carries something else worth having."""
    return any(
        isinstance(member, list | dict) and member
        for name, member in body.items()
        if not name.lower().startswith("error") and not named(name, words.HINTS)
    )


def _messages(body: Json) -> Iterator[str]:
    for path, member in leaves(body):
        if isinstance(member, str) and (
            named(path, words.MESSAGES) or named(path, words.ERRORS) or named(path, words.STATUSES)
        ):
            yield member[:_SHORT]


def _guarded(read: Answer, recorded: Answer | None) -> bool:
    """Whether approval or policy stands instead of what the call is for."""
    if recorded is not None and keeps(recorded.value, read.value):
        return False
    if isinstance(read.value, str):
        return len(read.value) <= _SHORT * 4 and bool(words.REFUSAL.search(read.value[:_LEAD]))
    if not isinstance(read.value, dict):
        return False
    if recorded is None and _carries_more(read.value):
        return False
    return has_guard(read.value) or any(_refuses(said) for said in _messages(read.value))


def _carries_more(body: JsonObject) -> bool:
    """Whether something beside guards, flags and messages stands in a body."""
    return any(
        not named(path, words.GUARDS | words.MESSAGES | words.FLAGS | words.STATUSES | words.ERRORS)
        for path, member in leaves(body)
        if member not in (None, "", [], {})
    )


def has_guard(value: Json) -> bool:
    """Whether a value says that a guard stands: quarantined, approval required and the like."""
    return any(
        (named(path, words.GUARDS) and member not in (None, False, "", 0, "false", [], {}))
        or (named(path, words.STATUSES) and str(member).lower() in words.GUARDED)
        for path, member in leaves(value)
    )


def keeps(before: Json, after: Json) -> bool:
    """Whether most of what a recorded answer carried still stands, by its keys."""
    if isinstance(before, dict) and isinstance(after, dict):
        solid = [name for name in before if not named(name, words.MESSAGES | words.ERRORS)]
        kept = [name for name in solid if name in after and not _gone(before[name], after[name])]
        return bool(solid) and len(kept) * 2 > len(solid)
    if isinstance(before, list) and isinstance(after, list):
        return bool(after) or not before
    return bool(before == after)


def _gone(before: Json, after: Json) -> bool:
    return before not in (None, [], {}, "") and after in (None, [], {}, "")
