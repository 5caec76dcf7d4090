"""What an outcome carried: its value, its words, and how it was written."""

import hashlib
from functools import lru_cache

import msgspec

from mcp_eval.compare import words
from mcp_eval.compare.glance import ordinary
from mcp_eval.compare.parsing import loads, parse
from mcp_eval.compare.paths import leaves
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.trajectory import Outcome

_LEAD = 240
_STRUCTURED = frozenset({"json", "none"})


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
    ordinary: bool = False  # surely carries something, and nothing in it speaks of errors


CACHED_BYTES = 200_000  # what is larger is read each time: memory is dearer then


def answer(outcome: Outcome) -> Answer:
    """The outcome, read; small ones are read once."""
    body = bytes(outcome.body)
    read = _read if len(body) <= CACHED_BYTES else _read.__wrapped__
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
    return Answer(value=plain, encoding="json", text=_text_of(plain), ordinary=ordinary(plain))


def _decoded(raw: bytes) -> Json:
    try:
        return msgspec.json.decode(raw) if raw else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass  # not UTF-8, maybe: what can be read of it is
    try:
        return loads(raw.decode(errors="replace"))
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
        ordinary=not flagged and encoding in _STRUCTURED and ordinary(value),
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
            return {**block, name: _digest(block[name])}, "blob", ""
    return block, "json", _text_of(block)


# Letters only: a digest is compared as a value, and must not pass for what varies by form.
_LETTERS = str.maketrans("0123456789", "ghijklmnop")


def _digest(data: str) -> str:
    digest = hashlib.sha256(data.encode(errors="replace")).hexdigest()[:16]
    return f"{len(data)}:{digest.translate(_LETTERS)}"


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
