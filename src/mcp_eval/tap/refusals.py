"""What an HTTP status means: an answer to one request, or the end of the conversation."""

import email.utils
import time

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.tap.client import Reply
from mcp_eval.tap.frames import Frame, FrameId, answer_frame, frames

UNAUTHORIZED, FORBIDDEN, MISSING, TOO_MANY = 401, 403, 404, 429
NOT_YET = frozenset({502, 503, 504})
_SAID = 300


def expired(url: str, status: int) -> InconclusiveError:
    """The server does not let us in."""
    return InconclusiveError(
        f"{url} does not let us in: HTTP {status}",
        hint="look at the target's `headers:` and the variables they name: "
        "a token may be missing or have expired",
        rule="auth-expired",
    )


def limited(url: str, said: bytes) -> InconclusiveError:
    """The server has had enough of us."""
    return InconclusiveError(
        f"{url} is rate limited: HTTP 429 Too Many Requests, however patiently it is asked",
        hint="wait, or raise the target's limit",
        rule="rate-limited",
        evidence=_text(said),
    )


def unreachable(url: str, why: str, evidence: str = "") -> InconclusiveError:
    """Nobody is there, or nobody who speaks MCP."""
    return InconclusiveError(
        f"{url} cannot be reached: {why}",
        hint="is it running, and is this its address?",
        rule="target-not-starting",
        evidence=evidence,
    )


def answered(id_: FrameId, reply: Reply, said: bytes) -> bytes:
    """The answer to a request that was met with a status: the server's own error, else ours."""
    for frame in frames(said.replace(b"\r", b" ").replace(b"\n", b" ").strip()) if said else ():
        if isinstance(frame, Frame) and bytes(frame.error):
            error: Json = msgspec.json.decode(frame.error)
            return answer_frame(id_, {"error": error})
    what = f"HTTP {reply.status} {reply.head.start[2]}".strip()
    about: JsonObject = {"status": reply.status, "body": _text(said)}
    if (pause := wanted_pause(reply)) is not None:
        about["retryAfter"] = pause
    return answer_frame(
        id_, {"error": {"code": _code(reply.status), "message": what, "data": about}}
    )


def wanted_pause(reply: Reply) -> float | None:
    """How many seconds the server asks us to wait; None where it does not."""
    said = reply.head.get("retry-after")
    if said.replace(".", "", 1).isdigit() and said.isascii():
        return float(said)
    try:
        when = email.utils.parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(when.timestamp() - time.time(), 0.0)


def _code(status: int) -> int:
    """A status as the code of an error: 429 is what it is called everywhere."""
    return status if status == TOO_MANY else -32000


def _text(said: bytes) -> str:
    return said[:_SAID].decode("utf-8", "replace")
