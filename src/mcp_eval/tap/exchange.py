"""Requests out, invocations back: frames over a channel, whatever they are about."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol, runtime_checkable

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.trajectory import Invocation, Outcome
from mcp_eval.ports import Channel, Clock
from mcp_eval.tap import eras
from mcp_eval.tap.bodies import crashed, detailed
from mcp_eval.tap.frames import (
    Frame,
    FrameId,
    Lines,
    answer_frame,
    frames,
    notification_frame,
    request_frame,
)
from mcp_eval.tap.polite import polite_answer
from mcp_eval.tap.recorder import Ending, Recorder, named

_PING_SECONDS = 2.0

Answer = Callable[[str, Json], Json]


@runtime_checkable
class Lingering(Protocol):
    """A Channel whose server may still want to ask something before we hang up."""

    async def linger(self) -> None:
        """Come back when it has had the time to."""


class Exchange:
    """A client's end of a channel; a target's failure is an outcome, never an exception."""

    def __init__(
        self,
        channel: Channel,
        *,
        clock: Clock,
        answer: Answer | None = None,
        client: JsonObject | None = None,
        post_mortem: Callable[[], Awaitable[str]] | None = None,
    ) -> None:
        self._channel = channel
        self._clock = clock
        self._answer: Answer = answer or polite_answer
        self._client = client or {}  # what differs from how we introduce ourselves
        self._post_mortem = post_mortem
        self._lines = Lines()
        self._waiting: dict[FrameId, asyncio.Future[Invocation]] = {}
        self._ids = 0
        self._reader: asyncio.Task[None] | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self._broken = ""  # why nobody is there any more
        self._lost: InconclusiveError | None = None  # that, where it is no fault of the target
        self._hangs = False
        self._version = ""  # which each request says it speaks; "": it was agreed on at hello
        self.recorder = Recorder(methods=None, keep=False)
        self.initialized: JsonObject = {}

    @property
    def alive(self) -> bool:
        """Whether a further request can be answered: not closed, and not hanging."""
        return not self._broken and not self._hangs

    async def _once(
        self,
        method: str,
        params: JsonObject,
        *,
        timeout: float,  # noqa: ASYNC109
    ) -> Invocation:
        self._start()
        if self._version:
            params = eras.stamped(params, self._version, self._client)
        if self._broken:
            self._refuse_lost()
            return self._unsent(method, params)
        self._ids += 1
        id_ = self._ids
        waiting: asyncio.Future[Invocation] = asyncio.get_running_loop().create_future()
        self._waiting[id_] = waiting
        try:
            async with asyncio.timeout(timeout):
                await self._send(request_frame(id_, method, params))
                ended = await waiting
            self._refuse_lost()
            return await self._explained(ended)
        except TimeoutError:
            if waiting.done() and not waiting.cancelled():
                return waiting.result()
            return await self._late(id_, method, params, timeout)
        except asyncio.CancelledError:
            self.recorder.withdraw(id_, "cancelled", "withdrawn", self._clock.monotonic())
            raise
        finally:
            self._waiting.pop(id_, None)

    async def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Tell the server something; a broken line shows at the next request."""
        self._start()
        if not self._broken:
            await self._send(notification_frame(method, params))

    async def close(self) -> None:
        """Hang up; idempotent. Whoever asked us something has had an answer by then."""
        if not self._broken and isinstance(self._channel, Lingering):
            await self._channel.linger()
        if self._answers and not self._broken:
            await asyncio.wait(self._answers, timeout=_PING_SECONDS)
        self._broken = self._broken or "the session was closed"
        for task in (*self._answers, *filter(None, [self._reader])):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._reader = None
        self._crash(self._broken)
        await self._channel.close()

    def _start(self) -> None:
        if self._reader is None and not self._broken:
            self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        reason = "the server closed the line"
        try:
            while chunk := await self._channel.receive():
                self._take(self._lines.feed(chunk))
            self._take(self._lines.end())
        except InconclusiveError as error:
            self._lost, reason = error, error.message
        except OSError as error:
            reason = f"the line broke: {error or type(error).__name__}"
        self._crash(reason)

    def _take(self, lines: list[tuple[bytes, int]]) -> None:
        at = self._clock.monotonic()
        for line, size in lines:
            for frame in frames(line, size):
                ended = self.recorder.see("to-client", frame, at)
                if isinstance(frame, Frame):
                    self._hangs = False
                    self._serve(frame)
                if ended is not None and frame.id is not None:
                    self._resolve(frame.id, ended)

    def _serve(self, frame: Frame) -> None:
        if frame.method is None or frame.id is None:
            return
        if frame.method == "ping":
            answer: Json = {}
        else:
            answer = self._asked(frame.method, frame)
        task = asyncio.create_task(self._send(answer_frame(frame.id, answer)))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    def _asked(self, method: str, frame: Frame) -> Json:
        try:
            params = msgspec.json.decode(frame.params) if bytes(frame.params) else None
        except (msgspec.DecodeError, RecursionError):
            return {"error": {"code": -32700, "message": "the params could not be read"}}
        answer = self._answer(method, params)
        if answer is None:
            return {"error": {"code": -32601, "message": f"method not found: {method}"}}
        return answer

    async def _send(self, line: bytes) -> None:
        at = self._clock.monotonic()
        for frame in frames(line[:-1]):
            self.recorder.see("to-server", frame, at)
        try:
            await self._channel.send(line)
        except OSError as error:
            if not self._broken:
                self._crash(f"the line broke: {error or type(error).__name__}")

    def _crash(self, reason: str) -> None:
        self._broken = self._broken or reason
        at = self._clock.monotonic()
        for id_ in tuple(self._waiting):
            if (ended := self.recorder.withdraw(id_, "crashed", reason, at)) is not None:
                self._resolve(id_, ended)

    def _refuse_lost(self) -> None:
        """InconclusiveError where it is not for the target that nobody is there any more."""
        if self._lost is not None:
            raise self._lost

    def _resolve(self, id_: FrameId, ended: Invocation) -> None:
        waiting = self._waiting.get(id_)
        if waiting is not None and not waiting.done():
            waiting.set_result(ended)

    async def _explained(self, ended: Invocation) -> Invocation:
        """A crash says what the environment knows of it."""
        if ended.outcome.kind != "crashed" or self._post_mortem is None:
            return ended
        return detailed(ended, await self._post_mortem())

    async def _late(
        self, id_: FrameId, method: str, params: JsonObject, seconds: float
    ) -> Invocation:
        ended = self._withdrawn(id_, method, params, "timeout", f"no answer in {seconds:g} s")
        if method == "initialize":
            self._hangs = True
            return ended
        await self._quickly(
            self.notify(
                "notifications/cancelled",
                {"requestId": id_, "reason": f"no answer in {seconds:g} s"},
            )
        )
        if method == "ping":
            return ended
        if await self._pings():
            return detailed(ended, "a ping is still answered")
        if self._broken:
            return await self._explained(crashed(ended, self._broken))
        self._hangs = True
        return detailed(ended, "not even to a ping")

    async def _pings(self) -> bool:
        reply = await self._once("ping", {}, timeout=_PING_SECONDS)
        return reply.outcome.kind in {"result", "error"}

    async def _quickly(self, sending: Awaitable[None]) -> None:
        """A server that does not read its input must not hold us up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PING_SECONDS):
                await sending

    def _withdrawn(
        self, id_: FrameId, method: str, params: JsonObject, kind: Ending, detail: str
    ) -> Invocation:
        ended = self.recorder.withdraw(id_, kind, detail, self._clock.monotonic())
        return ended or self._unsent(method, params)

    def _unsent(self, method: str, params: JsonObject) -> Invocation:
        name, arguments = named(method, params)
        outcome = Outcome(kind="crashed", detail=f"not sent: {self._broken}")
        return Invocation(name=name, method=method, arguments=arguments, outcome=outcome)

    def _evidence(self, invocation: Invocation) -> str:
        lines = [invocation.outcome.detail]
        if bytes(invocation.outcome.body):
            lines.append(bytes(invocation.outcome.body)[:500].decode("utf-8", "replace"))
        if self.recorder.garbage_lines:
            lines.append(f"{self.recorder.garbage_lines} lines on stdout were no MCP frames:")
            lines.extend(garbage.text for garbage in self.recorder.garbage[:5])
        return "\n".join(filter(None, lines))
