"""How long the walker waits: until a state has settled, and until a busy server serves again."""

import re
from collections.abc import Awaitable, Callable, Iterator

import msgspec

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.paths import leaves
from mcp_eval.compare.words import RATE, STATUSES, named
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json
from mcp_eval.model.trajectory import Invocation, Outcome

Sleep = Callable[[float], Awaitable[None]]

TRIES = 3  # of a request that meets a rate limit
LONGEST = 10.0  # a server that wants more than this will not be waited for
_FIRST, _FACTOR, _STEADY = 0.1, 1.6, 1.0
_SHORT = 400  # a longer text merely mentions rate limits
_AFTER = re.compile(
    r"(?:retry|try again|wait|available|reset)[\s\w\"':=-]{0,24}?"
    r"(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?)?\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"\W*(?:error\W+)?(?:http\W+|status\W+)?"
    r"(?:429\b|rate[ -]?limit(?:ed| exceeded| reached| hit)|too many requests|quota exceeded)",
    re.IGNORECASE,
)
_MILLISECONDS, _MINUTE = 0.001, 60.0
_MOVING = re.compile(
    r"pend|queu|wait|starting|load|initiali[sz]|process|progress|running|connecting|building"
    r"|index|creating|schedul|sync|warm|prepar|provision|not[ _-]?ready|submitted|working",
    re.IGNORECASE,
)
_ON_THE_WAY = frozenset({"pending", "running", "loading"})


def pauses() -> Iterator[float]:
    """Between two looks at a state that has not settled: soon at first, then once a second."""
    pause = _FIRST
    while True:
        yield pause
        pause = min(pause * _FACTOR, _STEADY)


def moving(outcome: Outcome) -> bool:
    """Whether a status-like leaf says that something is still on its way."""
    return any(
        named(path, STATUSES) and _on_the_way(path, member)
        for path, member in leaves(answer(outcome).value)
    )


def _on_the_way(path: str, member: Json) -> bool:
    if isinstance(member, bool):
        return member is named(path, _ON_THE_WAY)
    if isinstance(member, int | float):
        return True
    return isinstance(member, str) and _MOVING.search(member) is not None


def wanted_pause(outcome: Outcome, attempt: int) -> float | None:
    """How long a rate-limited request should wait; None where it is no such thing, or too long."""
    said = _complaint(outcome)
    if not said:
        return None
    pause = _asked_for(outcome, said)
    pause = 0.5 * 2**attempt if pause is None else pause
    return pause if pause <= LONGEST else None


def limited(outcome: Outcome) -> bool:
    """Whether the server said that it was asked too often."""
    return bool(_complaint(outcome))


def refuse_limits(made: Invocation) -> None:
    """InconclusiveError(rate-limited) where a request met its limit to the last."""
    if said := _complaint(made.outcome):
        raise InconclusiveError(
            f"`{made.name}` is rate limited, however patiently it is asked",
            hint="wait, or raise the target's limit",
            rule="rate-limited",
            evidence=said[:_SHORT],
        )


def _complaint(outcome: Outcome) -> str:
    if outcome.kind not in {"result", "error"}:
        return ""
    read = answer(outcome)
    text = read.text or str(read.value or "")
    if read.code == "429":
        return text or "429"
    if len(text) <= _SHORT and _BARE.match(text):
        return text
    # A page about rate limits is no complaint: the answer itself must be an error.
    failed = classify(outcome) in {"failed", "refused"}
    return text if failed and RATE.search(text[:_SHORT]) else ""


def _asked_for(outcome: Outcome, said: str) -> float | None:
    for path, member in leaves(_decoded(outcome)):
        name = re.sub(r"[^a-z]", "", path.rpartition(".")[2].lower())
        if name.startswith("retryafter") and not isinstance(member, bool | list | dict | None):
            try:
                seconds = float(member)
            except ValueError:
                continue
            return seconds * _MILLISECONDS if name.endswith("ms") else seconds
    if (found := _AFTER.search(said)) is None:
        return None
    unit = (found[2] or "s").lower()
    if unit.startswith(("ms", "milli")):
        return float(found[1]) * _MILLISECONDS
    return float(found[1]) * (_MINUTE if unit.startswith("m") else 1.0)


def _decoded(outcome: Outcome) -> Json:
    try:
        return msgspec.json.decode(outcome.body)
    except (msgspec.DecodeError, RecursionError):
        return None
