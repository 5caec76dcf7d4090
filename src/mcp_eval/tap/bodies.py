"""What an outcome holds, as far as a conversation needs to know it."""

import msgspec

from mcp_eval.model.base import Json
from mcp_eval.model.trajectory import Invocation

_NO_SUCH_METHOD = -32601


def body(invocation: Invocation) -> Json:
    """The decoded body of an outcome; None where there is none or it cannot be read."""
    try:
        return msgspec.json.decode(invocation.outcome.body)
    except (msgspec.DecodeError, RecursionError):
        return None


def failure(invocation: Invocation) -> str:
    """Why a request has no usable result, in a few words."""
    if invocation.outcome.kind == "error":
        failed = body(invocation)
        return str(failed.get("message", "")) if isinstance(failed, dict) else "an error"
    return invocation.outcome.detail.split("\n")[0] or "its answer is no object"


def no_such_method(invocation: Invocation) -> bool:
    """Whether the server says that it knows no such method."""
    failed = body(invocation) if invocation.outcome.kind == "error" else None
    return isinstance(failed, dict) and failed.get("code") == _NO_SUCH_METHOD


def detailed(ended: Invocation, more: str) -> Invocation:
    """The invocation, with more known of how it ended."""
    detail = "; ".join(filter(None, [ended.outcome.detail, more]))
    outcome = msgspec.structs.replace(ended.outcome, detail=detail)
    return msgspec.structs.replace(ended, outcome=outcome)


def crashed(ended: Invocation, reason: str) -> Invocation:
    """The invocation, as what it turned out to be."""
    outcome = msgspec.structs.replace(ended.outcome, kind="crashed", detail=reason)
    return msgspec.structs.replace(ended, outcome=outcome)
