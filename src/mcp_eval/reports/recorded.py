"""A recording as a conversation: what was said and called in order, and what each call varies."""

from collections.abc import Iterator
from itertools import zip_longest

import msgspec

from mcp_eval.compare.toolkey import tool_key
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.trajectory import Outcome
from mcp_eval.reports.plain import block, line, shown

_ANSWER = 8000


def turns(recording: Recording) -> list[JsonObject]:
    """Messages and calls, interleaved as they happened."""
    return list(_turns(recording))


def _turns(recording: Recording) -> Iterator[JsonObject]:
    waiting = list(recording.messages)
    for position, step in zip_longest(range(len(recording.steps) + 1), recording.steps):
        while waiting and (waiting[0].before <= position or step is None):
            said = waiting.pop(0)
            yield {"role": said.role, "text": block(said.text, _ANSWER)}
        if step is not None:
            yield _called(position or 0, step)


def _called(position: int, step: RecordedStep) -> JsonObject:
    return {
        "role": "call",
        "step": position,
        "tool": line(tool_key(step.name, step.arguments), 160),
        "method": line(step.method, 40),
        "arguments": {line(name, 80): shown(one, 600) for name, one in step.arguments.items()},
        "answer": answer_text(step.outcome),
        "classes": {line(name, 20): count for name, count in step.classes.items()},
        "worst": next(
            (name for name in ("crashed", "failed", "refused") if name in step.classes), ""
        ),
        "holes": [
            {
                "path": line(path, 200) or "the whole answer",
                "kind": line(hole.kind, 20),
                "examples": [shown(one, 80) for one in hole.examples[:4]],
            }
            for path, hole in list(step.holes.items())[:200]
        ],
        "bindings": [
            f"{line(one.argument, 80)} ← step {one.step + 1} {line(one.path, 120)}"
            for one in step.bindings[:40]
        ],
        "nested": [line(one.method, 60) for one in step.nested[:20]],
        "latency": _middle(step.latencies_ms),
        "size": _middle(step.sizes),
        "looks": step.looks,
        "polls": step.polls,
    }


def answer_text(outcome: Outcome) -> str:
    """What a person reads of an outcome: the text in it, else its JSON, else what went wrong."""
    if not bytes(outcome.body):
        return block(outcome.detail or outcome.kind, _ANSWER)
    try:
        body = msgspec.json.decode(outcome.body)
    except (msgspec.DecodeError, RecursionError):
        return block(bytes(outcome.body).decode("utf-8", "replace"), _ANSWER)
    return block(_readable(body), _ANSWER)


def _readable(body: Json) -> str:
    if isinstance(body, dict):
        if body.get("structuredContent") is not None:
            return _indented(body["structuredContent"])
        texts = list(_texts(body.get("content")))
        if texts:
            return "\n".join(_indented_text(text) for text in texts)
    return _indented(body)


def _texts(content: Json) -> Iterator[str]:
    for part in content if isinstance(content, list) else ():
        text = part.get("text") if isinstance(part, dict) else None
        yield text if isinstance(text, str) else _indented(part)


def _indented_text(text: str) -> str:
    if len(text) > _ANSWER * 4:
        return text
    try:
        parsed = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return text
    return _indented(parsed) if isinstance(parsed, dict | list) else text


def _indented(value: Json) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _middle(values: tuple[float, ...] | tuple[int, ...]) -> float | None:
    return sorted(values)[len(values) // 2] if values else None
