"""Which class of outcome an answer is: ok, empty, refused, failed, crashed."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec import Raw

from mcp_eval.compare import words
from mcp_eval.compare.paths import key, leaves
from mcp_eval.compare.reading import CACHED_BYTES, Answer, answer
from mcp_eval.compare.shapes import masked, volatile
from mcp_eval.compare.substance import is_empty, substance
from mcp_eval.compare.words import named
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.trajectory import Outcome, OutcomeClass, OutcomeKind

__all__ = ["Answer", "answer", "classify", "guards", "is_empty", "keeps", "substance"]

_SHORT = 600  # a refusal is said in a few words; a document that mentions one is longer
_SENTENCE = 240
_BAD = 400  # HTTP's first code that is an error
_NOTHING = frozenset({"", "0", "none", "null", "no", "false", "n/a"})
_FUZZY = ("text", "key-value", "csv")


def classify(
    outcome: Outcome,
    *,
    known: Mapping[str, Iterable[Outcome]] | None = None,
    recorded: Outcome | None = None,
) -> OutcomeClass:
    """The class of an outcome; `known` outcomes of this call by class, `recorded` its exemplar."""
    if known is None and recorded is None:
        if answer(outcome).ordinary:
            return "ok"
        body = bytes(outcome.body)
        alone = _alone if len(body) <= CACHED_BYTES else _alone.__wrapped__
        return alone(outcome.kind, body, outcome.detail)
    return _class_of(answer(outcome), known or {}, answer(recorded) if recorded else None)


@lru_cache(maxsize=4096)
def _alone(kind: OutcomeKind, body: bytes, detail: str) -> OutcomeClass:
    """The class of an outcome that nothing is known about."""
    return _class_of(answer(Outcome(kind=kind, body=Raw(body), detail=detail)), {}, None)


def _class_of(
    read: Answer, known: Mapping[str, Iterable[Outcome]], recorded: Answer | None
) -> OutcomeClass:
    if read.kind in {"crashed", "timeout", "not-reached", "cancelled"}:
        return "crashed"
    if read.flagged:
        return "refused" if _refuses(read.text) else "failed"
    for name in ("refused", "failed"):
        if any(_same(read, answer(other)) for other in known.get(name, ())):
            return name
    if read.ordinary and (recorded is None or recorded.ordinary):
        return "ok"  # what the rest would find, too
    if shaped := _error_shaped(read):
        return shaped
    if _guarded(read, recorded):
        return "refused"
    return "empty" if is_empty(read.value) else "ok"


def _same(read: Answer, other: Answer) -> bool:
    if read.text and other.text:
        return read.text == other.text or masked(read.text, "") == masked(other.text, "")
    return bool(read.value == other.value)


def _refuses(text: str) -> bool:
    return bool(words.REFUSAL.search(text[: _SHORT * 2]))


# --- errors by their shape -----------------------------------------------------------------------


def _error_shaped(read: Answer) -> OutcomeClass | None:
    spoken = _spoken(read)
    if spoken and _says_so(spoken):
        return "refused" if _refuses(spoken[:_SHORT]) else "failed"
    body = _unwrapped(read.value)
    if isinstance(body, str) and body is not read.value and _says_so(body):
        return "refused" if _refuses(body[:_SHORT]) else "failed"
    if isinstance(body, dict) and _says_error(body):
        said = " ".join(message for message in _messages(body) if message)
        return "refused" if _refuses(said) else "failed"
    return None


def _spoken(read: Answer) -> str:
    """The words of an answer that is no JSON; of several blocks those of the first."""
    if read.parts > 1 and isinstance(read.value, list):
        return next((part for part in read.value[:1] if isinstance(part, str)), "")
    return read.text if read.encoding.startswith(_FUZZY) or isinstance(read.value, str) else ""


def _says_so(text: str) -> bool:
    """Whether a text says nothing but that something went wrong."""
    lead = text.lstrip()[:_SENTENCE]
    if words.ERROR_LEAD.match(lead):
        return len(text) <= _SHORT * 4
    return len(text.strip()) <= _SENTENCE and bool(words.ERROR_SENTENCE.match(text.strip()))


def _unwrapped(value: Json) -> Json:
    """What stands under a lone wrapper: `{"result": …}`, or a list of one error."""
    if isinstance(value, dict) and len(value) == 1:
        name, member = next(iter(value.items()))
        return member if name.lower() in words.WRAPPERS else value
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        return value[0] if not set(map(str.lower, value[0])) - _ERROR_ALONE else value
    return value


_ERROR_ALONE = frozenset({"error", "message", "code", "is_error", "iserror", "details"})


def _says_error(body: JsonObject) -> bool:
    flags = {name.lower().replace("_", ""): member for name, member in body.items()}
    if flags.get("iserror") is True or flags.get("success") is False or flags.get("ok") is False:
        return True
    if any(_says_failed(name, member) for name, member in body.items()):
        return not _substance_beside(body) and _explained(body)
    error = flags.get("error", flags.get("errormessage", flags.get("exception")))
    many = flags.get("errors")
    if _stated(error) or (many and isinstance(many, list | dict)):
        return not _substance_beside(body)
    return _says_only(body)


def _stated(error: Json) -> bool:
    return bool(error) and str(error).strip().lower() not in _NOTHING


def _says_failed(name: str, member: Json) -> bool:
    """`"status": "error"`, `"type": "error"`, `"code": 404`."""
    if isinstance(member, str):
        return name.lower() in words.VERDICTS and member.lower() in words.FAILED
    number = isinstance(member, int) and not isinstance(member, bool)
    return number and member >= _BAD and name.lower().replace("_", "") in _CODES


_CODES = frozenset({"code", "status", "statuscode", "errorcode", "httpstatus"})


def _explained(body: JsonObject) -> bool:
    """Whether a status stands alone or with its reason; beside facts it is the state of a thing."""
    beside = [name for name, member in body.items() if not _says_failed(name, member)]
    return not beside or any(named(name, words.SAID | words.ERRORS) for name in beside)


def _says_only(body: JsonObject) -> bool:
    """Whether a body is one message, and that message an error's."""
    said = [member for name, member in body.items() if named(name, words.SAID) and member]
    alone = len(body) == len(said) == 1 and isinstance(said[0], str)
    return alone and _says_so(said[0])


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


# --- guards --------------------------------------------------------------------------------------


def _guarded(read: Answer, recorded: Answer | None) -> bool:
    """Whether approval or policy stands instead of what the call is for."""
    if recorded is not None and keeps(recorded.value, read.value):
        return _guarded(recorded, None)  # what stands there again is what it was
    spoken = _spoken(read)
    if spoken:
        return len(spoken) <= _SHORT * 4 and bool(words.REFUSED.match(spoken[:_SENTENCE]))
    if not isinstance(read.value, dict):
        return False
    told = any(words.REFUSED.match(said) for said in _reasons(read.value))
    if recorded is None:
        return (told and not _took_place(read.value)) or (
            _has_guard(read.value) and not _carries_more(read.value)
        )
    return told or _has_guard(read.value)


def _reasons(body: JsonObject) -> Iterator[str]:
    """Why an answer is none, where it says so itself rather than in what it carries."""
    for path, member in _plain(body):
        if isinstance(member, str) and named(path, words.SAID):
            yield member[:_SENTENCE]


def _plain(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """The leaves that stand in no list: what an answer says of itself."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _plain(member, key(path, name))
    elif not isinstance(value, list):
        yield path, value


def _took_place(body: JsonObject) -> bool:
    """Whether something beside its guards says yes, or a list of things stands there."""
    return any(
        (member is True and not named(name, words.GUARDS)) or (isinstance(member, list) and member)
        for name, member in body.items()
    )


def _carries_more(body: JsonObject) -> bool:
    """Whether something beside guards, flags and messages stands in a body."""
    return any(
        not named(path, words.GUARDS | words.MESSAGES | words.FLAGS | words.STATUSES | words.ERRORS)
        for path, member in leaves(body)
        if member not in (None, "", [], {}) and not volatile(member, path, "")
    )


def guards(read: Answer) -> bool:
    """Whether an answer says that a guard stands, by a name, a status, or in its words."""
    if isinstance(read.value, str):
        return bool(words.GUARD_SAID.search(read.value[: _SHORT * 4]))
    said = _reasons(read.value) if isinstance(read.value, dict) else ()
    return _has_guard(read.value) or any(words.GUARD_SAID.search(one) for one in said)


def _has_guard(value: Json) -> bool:
    return any(
        (named(path, words.GUARDS) and member not in (None, False, "", 0, "false", [], {}))
        or (named(path, words.STATUSES) and _guarded_status(member))
        for path, member in _plain(value)
    )


def _guarded_status(member: Json) -> bool:
    return isinstance(member, str) and (
        member.lower() in words.GUARDED
        or (not member.count(" ") and bool(words.GUARDED & set(words.words_of(member))))
    )


def keeps(before: Json, after: Json) -> bool:
    """Whether most of what a recorded answer carried still stands, by its keys or its words."""
    if isinstance(before, dict) and isinstance(after, dict):
        solid = [name for name in before if not named(name, words.MESSAGES | words.ERRORS)]
        kept = [name for name in solid if name in after and not _gone(before[name], after[name])]
        return bool(solid) and len(kept) * 2 > len(solid)
    if isinstance(before, list) and isinstance(after, list):
        return bool(after) or not before
    if isinstance(before, str) and isinstance(after, str):
        said, still = set(words.words_of(before)), set(words.words_of(after))
        return before == after or (bool(said) and len(said & still) * 5 >= len(said) * 4)
    return bool(before == after)


def _gone(before: Json, after: Json) -> bool:
    return before not in (None, [], {}, "") and after in (None, [], {}, "")
