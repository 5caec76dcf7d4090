"""What an outcome carried: its value, how it was written, and which class of outcome it is."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from mcp_eval.compare import words
from mcp_eval.compare.parsing import loads, parse
from mcp_eval.compare.paths import leaf as last_name
from mcp_eval.compare.paths import leaves
from mcp_eval.compare.shapes import json_type, volatile
from mcp_eval.compare.words import named
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.trajectory import Outcome, OutcomeClass

_SHORT = 600  # a refusal is said in a few words; a document that mentions one is longer
_LEAD = 240


class Answer(Noun):
    """One outcome, read."""

    value: Json = None  # what it carried, whatever the writing
    extra: Json = None  # structured content that says something else than the text
    parts: int = 1  # content blocks
    encoding: str = ""  # how it was written: json, text, csv:, …
    structured: bool = False  # also, or only, as structuredContent
    flagged: bool = False  # isError, or an error of the protocol
    protocol: bool = False  # an error of the protocol, not of the tool
    code: str = ""  # of an error
    text: str = ""  # all its words, for people and word lists
    kind: str = "result"


_CACHED_BYTES = 200_000


def answer(outcome: Outcome) -> Answer:
    """The outcome, read; small ones are read once."""
    body = bytes(outcome.body)
    read = _read if len(body) <= _CACHED_BYTES else _read.__wrapped__
    return read(outcome.kind, body, outcome.detail)


@lru_cache(maxsize=4096)
def _read(kind: str, raw: bytes, detail: str) -> Answer:
    body = _decoded(raw)
    if kind == "error":
        return _protocol_error(body)
    if kind != "result":
        return Answer(kind=kind, text=detail, value=detail or None)
    if not isinstance(body, dict):
        return Answer(value=body, encoding="json", text=_text_of(body))
    if "contents" in body:
        return _blocks(body["contents"], body)
    if "content" in body or "structuredContent" in body:
        return _blocks(body.get("content"), body)
    plain = {name: member for name, member in body.items() if name != "_meta"}
    return Answer(value=plain, encoding="json", text=_text_of(plain))


def _decoded(raw: bytes) -> Json:
    try:
        return loads(raw.decode(errors="replace")) if raw else None
    except ValueError:
        return raw.decode(errors="replace")


def _protocol_error(body: Json) -> Answer:
    error = body if isinstance(body, dict) else {"message": body}
    message = str(error.get("message", ""))
    code = error.get("code")
    return Answer(
        value=message or error.get("data"),
        encoding="text",
        flagged=True,
        protocol=True,
        code=str(code) if code is not None else "",
        text=message,
        kind="error",
    )


def _blocks(content: Json, body: JsonObject) -> Answer:
    blocks = [block for block in content if block] if isinstance(content, list) else []
    structured = body.get("structuredContent")
    flagged = body.get("isError") is True
    value, encoding, text = _joined([_block(block) for block in blocks])
    extra = None
    if structured is not None:
        value, extra = _beside(structured, value, encoding)
    return Answer(
        value=value,
        extra=extra,
        parts=max(1, len(blocks)),
        encoding=encoding,
        structured=structured is not None,
        flagged=flagged,
        code=_code(text) if flagged else "",
        text=text or _text_of(value),
    )


def _block(block: Json) -> tuple[Json, str, str]:
    """Value, encoding and words of one content block."""
    if not isinstance(block, dict):
        return block, "json", _text_of(block)
    if isinstance(block.get("text"), str) and block.get("type", "text") == "text":
        parsed = parse(block["text"])
        # Resource contents carry their URI beside the text; a tool's text carries nothing else.
        if "uri" in block:
            return {**block, "text": parsed.value}, parsed.encoding, block["text"]
        return parsed.value, parsed.encoding, block["text"]
    if block.get("type") == "resource" and isinstance(block.get("resource"), dict):
        inner = _block({"type": "text", **block["resource"]})
        plain = inner[0]
        if isinstance(plain, dict):
            plain = {name: member for name, member in plain.items() if name != "type"}
        return {"resource": plain}, "resource", inner[2]
    for name in ("data", "blob"):
        if isinstance(block.get(name), str):
            digest = hashlib.sha256(block[name].encode()).hexdigest()[:16]
            # A digest is compared as a value: the prefix keeps it from passing for volatile.
            return (
                {**block, name: f"content of {len(block[name])} characters, {digest}"},
                "blob",
                "",
            )
    return block, "json", _text_of(block)


def _joined(parts: list[tuple[Json, str, str]]) -> tuple[Json, str, str]:
    if not parts:
        return [], "none", ""
    text = "\n".join(words_ for _, _, words_ in parts if words_)
    if len(parts) == 1:
        return parts[0][0], parts[0][1], text
    return [part[0] for part in parts], "+".join(sorted({part[1] for part in parts})), text


def _beside(structured: Json, value: Json, encoding: str) -> tuple[Json, Json]:
    """The value, and the structured content where it says something else than the text."""
    wrapped = isinstance(structured, dict) and set(structured) == {"result"}
    inner = structured["result"] if wrapped else structured
    if encoding == "none" or value in (inner, structured):
        return inner, None
    if isinstance(value, str) and isinstance(inner, str) and inner.strip() == value.strip():
        return inner, None
    if isinstance(value, str) and isinstance(inner, dict) and value in inner.values():
        return inner, None
    return value, inner


def _text_of(value: Json) -> str:
    return "\n".join(str(part) for _, part in leaves(value) if isinstance(part, str))


_CODE = words.ERROR_CODE


def _code(text: str) -> str:
    found = _CODE.search(text[:_LEAD])
    return next((group for group in found.groups() if group), "") if found else ""


# --- classes -------------------------------------------------------------------------------------


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


# --- substance -----------------------------------------------------------------------------------


def is_empty(value: Json) -> bool:
    """Whether an answer carries nothing: empty containers, or null, and no other substance."""
    if isinstance(value, str):
        return not value.strip() or bool(words.EMPTY.match(value.strip()))
    if value is None or value in ([], {}):
        return True
    if not isinstance(value, dict | list):
        return False
    signs = [member for path, member in leaves(value) if _sign_of_emptiness(path, member)]
    return bool(signs) and not any(True for _ in substance(value))


def _sign_of_emptiness(path: str, member: Json) -> bool:
    if member is None or member in ([], {}):
        return True
    if isinstance(member, str):
        return bool(named(path, words.MESSAGES) or not path) and bool(
            words.EMPTY.match(member.strip())
        )
    return False


def substance(
    value: Json, arguments: JsonObject | None = None, moment: str = ""
) -> Iterator[tuple[str, Json]]:
    """The leaves that count: no echoes, counts, flags, messages, volatile or empty ones."""
    echoes = {
        _comparable(member) for _, member in leaves(arguments or {}) if member not in ("", None)
    }
    for path, member in leaves(value):
        if member is None or member in ([], {}, ""):
            continue
        if path and _formal(path, member):
            continue
        if _comparable(member) in echoes or volatile(member, path, moment):
            continue
        yield path, member


def _formal(path: str, member: Json) -> bool:
    """A count, a flag or a message: about the answer rather than the answer."""
    if isinstance(member, bool):
        return True
    if isinstance(member, int | float):
        return named(path, words.COUNTS | words.LIMITS | words.DURATIONS)
    name = last_name(path)
    nested = "[" in path
    if named(path, words.FLAGS | words.STATUSES):
        return not nested
    return bool(name) and not nested and named(path, words.NOTICES)


def _comparable(member: Json) -> str:
    return f"{json_type(member)}:{member}".casefold()


def echo_paths(value: Json, arguments: JsonObject) -> set[str]:
    """Where an answer merely repeats its arguments."""
    echoes = {_comparable(member) for _, member in leaves(arguments) if member not in ("", None)}
    return {path for path, member in leaves(value) if _comparable(member) in echoes}
