"""Answers as servers write them, recorded steps, and the facts between two of them."""

import json

import msgspec

from mcp_eval.compare.outcomes import step_differences
from mcp_eval.compare.view import View
from mcp_eval.model.recording import RecordedStep
from mcp_eval.model.trajectory import Outcome

RECORDED_AT = "2026-03-01T12:00:00Z"
SEEN_AT = "2026-04-02T09:30:00Z"


def outcome(body, kind="result"):
    """A result (or an error of the protocol) as the frames carry it."""
    return Outcome(kind=kind, body=msgspec.Raw(json.dumps(body).encode()))


def text(*said, failed=False):
    """Text blocks."""
    body = {"content": [{"type": "text", "text": block} for block in said]}
    return outcome({**body, "isError": True} if failed else body)


def carried(value, **layout):
    """JSON in a text block, as most servers answer."""
    return text(json.dumps(value, **layout))


def structured(value):
    """JSON in a text block, and as structured content too."""
    block = {"type": "text", "text": json.dumps(value)}
    return outcome({"content": [block], "structuredContent": value})


def rpc_error(code, message):
    """An error of the protocol."""
    return outcome({"code": code, "message": message}, kind="error")


def crashed(detail="exit status 1"):
    """The process died."""
    return Outcome(kind="crashed", detail=detail)


def as_outcome(said):
    """An outcome as it stands; a text as text; any other value as JSON in a text."""
    if isinstance(said, Outcome):
        return said
    return text(said) if isinstance(said, str) else carried(said)


def step(said, arguments=None, **facts):
    """A recorded step."""
    facts = {"name": "look", "classes": {"ok": 2}, **facts}
    return RecordedStep(outcome=as_outcome(said), arguments=arguments or {}, **facts)


def differences(before, after, arguments=None, view=None, **facts):
    """What one look shows beside a recorded step."""
    recorded = before if isinstance(before, RecordedStep) else step(before, arguments, **facts)
    looking = {
        "holes": recorded.holes,
        "before_at": RECORDED_AT,
        "after_at": SEEN_AT,
        "arguments": recorded.arguments,
        **(view or {}),
    }
    return list(step_differences(recorded, as_outcome(after), View(**looking)))


def changes(before, after, arguments=None, view=None, **facts):
    """The same as (change, path)."""
    return [
        (one.change, one.site.path) for one in differences(before, after, arguments, view, **facts)
    ]
