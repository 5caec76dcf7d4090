"""What passed between a client and a server, as invocations: requests and answers matched by id."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.trajectory import Invocation, Outcome, ServerRequest
from mcp_eval.tap import eras
from mcp_eval.tap.frames import Frame, FrameId, Garbage, Lines, frames

Direction = Literal["to-server", "to-client"]
Ending = Literal["crashed", "timeout", "cancelled"]

RECORDED = frozenset({"tools/call", "resources/read", "prompts/get"})
NESTED = frozenset({"sampling/createMessage", "elicitation/create", "roots/list"})
_KEPT_GARBAGE = 20
_HELLO = ("initialize", "server/discover")


class _Asked:
    """A server's request that waits for the client's answer."""

    def __init__(self, method: str, params: Json) -> None:
        self.method, self.params = method, params
        self.answer: Json = None

    def noun(self) -> ServerRequest:
        return ServerRequest(method=self.method, params=self.params, answer=self.answer)


class _Open:
    """A client's request that waits for the server's answer."""

    def __init__(self, frame: Frame, at: float) -> None:
        self.method = frame.method or ""
        self.params = _decoded(frame.params)
        self.at = at
        self.nested: list[_Asked] = []
        self.ended: Invocation | None = None

    def tell(self, wanted: eras.Wanted, responses: JsonObject) -> None:
        """What the server wanted first, and what the client gave."""
        for key, request in wanted.requests.items():
            about = _object(request)
            asked = _Asked(str(about.get("method", "")), about.get("params"))
            asked.answer = responses.get(key)
            self.nested.append(asked)

    def end(self, outcome: Outcome, at: float, size: int = 0) -> Invocation:
        name, arguments = named(self.method, self.params)
        self.ended = Invocation(
            name=name,
            method=self.method,
            arguments=arguments,
            outcome=outcome,
            latency_ms=round(max(at - self.at, 0.0) * 1000, 3),
            size=size,
            nested=tuple(asked.noun() for asked in self.nested),
        )
        return self.ended


class Recorder:
    """Is fed what passes, either way, and yields each invocation as it ends."""

    def __init__(self, *, methods: frozenset[str] | None = RECORDED, keep: bool = True) -> None:
        self._methods = methods  # None: every request is an invocation
        self._keep = keep  # in `invocations`; whoever takes them as they end needs no second copy
        self._lines: dict[Direction, Lines] = {"to-server": Lines(), "to-client": Lines()}
        self._open: dict[FrameId, _Open] = {}
        self._asked: dict[FrameId, _Asked] = {}
        self._hello: tuple[FrameId, str] | None = None  # whose answer says who the server is
        self._halfway: list[tuple[_Open, eras.Wanted, Frame]] = []  # to be asked again with more
        self._order: list[_Open] = []
        self.initialize: JsonObject = {}  # the server's result
        self.client: JsonObject = {}  # what the client said of itself at initialize
        self.list_changed: list[str] = []  # which catalogues the server said changed
        self.garbage: list[Garbage] = []  # the first lines that were no frames
        self.garbage_lines = 0

    def feed(self, direction: Direction, chunk: bytes, at: float) -> list[Invocation]:
        """The invocations that ended with these bytes, seen at this monotonic second."""
        seen = (
            self.see(direction, frame, at)
            for line, size in self._lines[direction].feed(chunk)
            for frame in frames(line, size)
        )
        return [invocation for invocation in seen if invocation is not None]

    def see(self, direction: Direction, frame: Frame | Garbage, at: float) -> Invocation | None:
        """One frame; the invocation it ends."""
        if isinstance(frame, Garbage):
            return self._spoilt(direction, frame, at)
        if direction == "to-server":
            return self._from_client(frame, at)
        return self._from_server(frame, at)

    def withdraw(self, id_: FrameId, kind: Ending, detail: str, at: float) -> Invocation | None:
        """End a request that will have no answer any more."""
        opened = self._open.pop(id_, None)
        return None if opened is None else opened.end(Outcome(kind=kind, detail=detail), at)

    def end(self, detail: str, at: float, kind: Ending = "crashed") -> list[Invocation]:
        """The line is closed: whatever is still open has crashed, or as it is said."""
        pending = [self.withdraw(id_, kind, detail, at) for id_ in tuple(self._open)]
        halfway, self._halfway = self._halfway, []
        pending += [opened.end(_outcome(frame), at, frame.size) for opened, _, frame in halfway]
        return [invocation for invocation in pending if invocation is not None]

    @property
    def invocations(self) -> Sequence[Invocation]:
        """All that ended, in the order they were asked."""
        return tuple(opened.ended for opened in self._order if opened.ended is not None)

    @property
    def in_flight(self) -> int:
        """How many requests wait for their answer."""
        return len(self._open)

    def _from_client(self, frame: Frame, at: float) -> Invocation | None:
        if frame.method is None:
            self._answered(frame)
        elif frame.id is None:
            if frame.method == "notifications/cancelled":
                return self._cancelled(frame, at)
        elif self._methods is None or frame.method in self._methods:
            opened = _Open(frame, at)
            before = self._gone_on_with(opened)
            self._opened(frame.id, before or opened, known=before is not None)
        elif frame.method in _HELLO:
            self._hello = (frame.id, frame.method)
        if frame.method == "initialize":
            self.client = _object(_decoded(frame.params))
        return None

    def _opened(self, id_: FrameId, opened: _Open, *, known: bool) -> None:
        self.withdraw(id_, "cancelled", "the client used its id again", opened.at)
        self._open[id_] = opened
        if self._keep and not known:
            self._order.append(opened)

    def _gone_on_with(self, opened: _Open) -> _Open | None:
        """The request this one makes again, with what the server wanted to be told first."""
        told = _object(opened.params)
        for number, (before, wanted, _) in enumerate(self._halfway):
            same = named(before.method, before.params) == named(opened.method, opened.params)
            if same and told.get("requestState") == wanted.state:
                del self._halfway[number]
                before.tell(wanted, _object(told.get("inputResponses")))
                return before
        return None

    def _from_server(self, frame: Frame, at: float) -> Invocation | None:
        if frame.method is not None:
            self._said(frame.method, frame)
            return None
        if frame.id is None:
            return None
        if self._hello is not None and frame.id == self._hello[0]:
            (_, method), self._hello = self._hello, None
            said = _decoded(frame.result)
            self.initialize = _object(said if method == _HELLO[0] else eras.introduced(said))
            return None
        opened = self._open.pop(frame.id, None)
        if opened is None:
            return None
        if opened.method == "initialize":
            self.initialize = _object(_decoded(frame.result))
        if self._keep and b"input_required" in bytes(frame.result):
            wanted = eras.wanted(_decoded(frame.result))
            if wanted is not None:
                self._halfway.append((opened, wanted, frame))
                return None
        return opened.end(_outcome(frame), at, frame.size)

    def _said(self, method: str, frame: Frame) -> None:
        if method.endswith("/list_changed"):
            self.list_changed.append(method.removeprefix("notifications/").split("/")[0])
        elif frame.id is not None and method in NESTED:
            asked = _Asked(method, _decoded(frame.params))
            self._asked[frame.id] = asked
            if self._open:
                # Over stdio nothing says which call it belongs to: the latest is the best guess.
                next(reversed(self._open.values())).nested.append(asked)

    def _answered(self, frame: Frame) -> None:
        asked = None if frame.id is None else self._asked.pop(frame.id, None)
        if asked is not None:
            failed = _decoded(frame.error)
            asked.answer = _decoded(frame.result) if failed is None else {"error": failed}

    def _cancelled(self, frame: Frame, at: float) -> Invocation | None:
        params = _object(_decoded(frame.params))
        id_, reason = params.get("requestId"), params.get("reason") or ""
        if not isinstance(id_, int | str | float):
            return None
        return self.withdraw(id_, "cancelled", f"the client withdrew it: {reason}".strip(": "), at)

    def _spoilt(self, direction: Direction, line: Garbage, at: float) -> Invocation | None:
        if direction == "to-client":
            self.garbage_lines += 1
            if len(self.garbage) < _KEPT_GARBAGE:
                self.garbage.append(line)
        opened = None if line.id is None else self._open.get(line.id)
        if opened is None or direction == "to-server":
            return None
        self._open.pop(line.id or 0, None)
        return opened.end(_unreadable(line), at, line.size)


def named(method: str, params: Json) -> tuple[str, JsonObject]:
    """What a request is about: the tool, prompt or resource, and its arguments."""
    params = _object(params)
    if method == "resources/read":
        return str(params.get("uri", "")), {"uri": params.get("uri", "")}
    if method in RECORDED:
        return str(params.get("name", "")), _object(params.get("arguments"))
    return method, params


def params_of(method: str, name: str, arguments: JsonObject) -> JsonObject:
    """The params of a request about this tool, prompt or resource: what `named` took apart."""
    if method == "resources/read":
        return {"uri": arguments.get("uri", name)}
    if method in RECORDED:
        return {"name": name, "arguments": arguments}
    return arguments


def _outcome(frame: Frame) -> Outcome:
    if bytes(frame.error):
        return Outcome(kind="error", body=frame.error, detail=frame.note)
    if bytes(frame.result):
        return Outcome(kind="result", body=frame.result, detail=frame.note)
    return _failed("the answer holds neither a result nor an error")


def _unreadable(line: Garbage) -> Outcome:
    return _failed(f"the answer could not be read: {line.reason}")


def _failed(message: str) -> Outcome:
    body = msgspec.json.encode({"code": -32700, "message": message})
    return Outcome(kind="error", body=msgspec.Raw(body), detail=message)


def _decoded(raw: msgspec.Raw) -> Json:
    """The value of a small part of a frame; None where it is absent or cannot be read."""
    if not bytes(raw):
        return None
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
