"""Recorded requests, found by what they ask for, and which of them a change hits."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from mcp_eval.compare.sites import SchemaChange
from mcp_eval.compare.witness import Contract, omits, sends
from mcp_eval.model.comparison import Hit
from mcp_eval.model.recording import RecordedRequest

_PREFIXED = re.compile(r"mcp__.+?__(?=.)")
_PLACE = re.compile(r"\\\{(\\?[?&/;#.])?[^{}]*\\\}")


class Requests:
    """The answered requests of a recording: what was answered is all that can be hit."""

    def __init__(self, requests: Iterable[RecordedRequest]) -> None:
        self._of: dict[str, dict[str, list[RecordedRequest]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for request in requests:
            if request.answered:
                named = self._of[request.method]
                named[request.name].append(request)
                bare = _PREFIXED.sub("", request.name, count=1)
                if bare != request.name:
                    named[bare].append(request)

    def all(self, method: str) -> list[RecordedRequest]:
        """Every request of a method, once."""
        listed = (request for named in self._of[method].values() for request in named)
        return list({(each.scenario, each.step): each for each in listed}.values())

    def named(self, method: str, name: str) -> Sequence[RecordedRequest]:
        """The requests of one tool or prompt."""
        return self._of[method][name]

    def reading(self, uri: str) -> list[RecordedRequest]:
        """The reads of one resource, or of any that a template covers."""
        return [each for each in self.all("resources/read") if covers(uri, read_uri(each))]


def read_uri(request: RecordedRequest) -> str:
    """What a read asked for."""
    return str(request.arguments.get("uri", request.name))


def covers(offered: str, uri: str) -> bool:
    """Whether a resource is what is offered, or fits the template that is."""
    return offered == uri or ("{" in offered and _fits(offered).fullmatch(uri) is not None)


@lru_cache(maxsize=1024)
def _fits(template: str) -> re.Pattern[str]:
    return re.compile(_PLACE.sub(_filled, re.escape(template)))


def _filled(place: re.Match[str]) -> str:
    """`{id}` is at least one letter; `{?query}`, `{/rest}` and the like may be nothing at all."""
    return ".*" if place[1] else ".+"


def hit(request: RecordedRequest, reason: str = "") -> Hit:
    """A request, hit."""
    return Hit(
        scenario=request.scenario, step=request.step, arguments=request.arguments, reason=reason
    )


def hits_of(
    change: SchemaChange, contract: Contract, requests: Sequence[RecordedRequest]
) -> tuple[Hit, ...]:
    """The requests one change of a schema hits."""
    touches = _TOUCHES.get(change.change)
    found = []
    for request in requests if change.narrows or touches else ():
        reason = contract.complaint_of_recorded(change, request.arguments)
        if reason or (touches is not None and touches(change, request)):
            found.append(hit(request, reason))
    return tuple(found)


def _relies(change: SchemaChange, request: RecordedRequest) -> bool:
    return bool(change.details.get("stated")) and omits(request.arguments, change.path)


def _sends(change: SchemaChange, request: RecordedRequest) -> bool:
    return sends(request.arguments, change.path)


_TOUCHES: dict[str, Callable[[SchemaChange, RecordedRequest], bool]] = {
    "default-changed": _relies,
    "parameter-removed": _sends,
    "parameter-renamed": _sends,
}
