"""A client's side of one conversation with a server: hello, requests, lists, goodbye."""

import asyncio
from typing import Protocol, runtime_checkable

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.trajectory import Invocation
from mcp_eval.tap import eras
from mcp_eval.tap.bodies import body, failure, no_such_method
from mcp_eval.tap.exchange import Answer, Exchange, Lingering
from mcp_eval.tap.polite import introduction
from mcp_eval.tap.recorder import params_of

__all__ = ["Answer", "Lingering", "Session", "Wishing", "body"]

_PAGES = 1000
_AGAIN_SECONDS = 0.1  # where a server only wants to be asked again


@runtime_checkable
class Wishing(Protocol):
    """A Channel whose target was said to speak a certain version."""

    wish: str


class Session(Exchange):
    """One conversation over a channel; a target's failure is an outcome, never an exception."""

    async def initialize(self, timeout: float = 30.0) -> JsonObject:  # noqa: ASYNC109 - the port's word
        """Open the conversation; InconclusiveError(target-not-starting) where nobody answers."""
        newer = isinstance(self._channel, Wishing) and self._channel.wish >= eras.STATELESS
        if newer and await self._discovered(timeout):
            return self.initialized
        opened = await self.request("initialize", introduction() | self._client, timeout=timeout)
        result = body(opened) if opened.outcome.kind == "result" else None
        if isinstance(result, dict):
            self.initialized = result
            await self.notify("notifications/initialized")
        elif newer or opened.outcome.kind != "error" or not await self._discovered(timeout):
            raise InconclusiveError(
                f"the target did not answer initialize: {failure(opened)}",
                hint="start its command by hand: it must speak MCP on stdin and stdout",
                rule="target-not-starting",
                evidence=self._evidence(opened),
            )
        return self.initialized

    async def _discovered(self, timeout: float) -> bool:  # noqa: ASYNC109
        """Whether it speaks the newer era, where no conversation is opened."""
        self._version = eras.STATELESS
        for _ in range(2):
            found = await self._once("server/discover", {}, timeout=timeout)
            said = eras.introduced(body(found)) if found.outcome.kind == "result" else None
            if said is not None:
                self.initialized, self._version = said, str(said["protocolVersion"])
                return True
            if not (version := eras.supported(body(found))) or version == self._version:
                break
            self._version = version
        self._version = ""
        return False

    async def request(
        self,
        method: str,
        params: JsonObject,
        *,
        timeout: float,  # noqa: ASYNC109 - the port's word
    ) -> Invocation:
        """Ask and wait; what went wrong is in the outcome.

        InconclusiveError where it says nothing of the target: a login that expired.
        """
        made = await self._once(method, params, timeout=timeout)
        for _ in range(eras.ROUNDS):
            wanted = eras.wanted(body(made)) if self._version and _answered(made) else None
            if wanted is None:
                break
            more, asked = eras.told(wanted, self._answer)
            nested = made.nested + asked
            if eras.declined(asked):
                return msgspec.structs.replace(made, nested=nested)
            if not asked:
                await asyncio.sleep(_AGAIN_SECONDS)
            again = await self._once(method, params | more, timeout=timeout)
            made = msgspec.structs.replace(
                again,
                arguments=made.arguments,
                nested=nested + again.nested,
                latency_ms=round(made.latency_ms + again.latency_ms, 3),
            )
        return made

    async def call(self, name: str, arguments: JsonObject, timeout: float) -> Invocation:  # noqa: ASYNC109
        """Call a tool."""
        return await self.ask("tools/call", name, arguments, timeout)

    async def ask(
        self,
        method: str,
        name: str,
        arguments: JsonObject,
        timeout: float,  # noqa: ASYNC109
    ) -> Invocation:
        """Re-issue what an invocation's method, name and arguments say."""
        return await self.request(method, params_of(method, name, arguments), timeout=timeout)

    async def list_all(
        self,
        method: str,
        key: str,
        timeout: float = 30.0,  # noqa: ASYNC109
        *,
        optional: bool = False,
    ) -> tuple[Json, ...]:
        """Every page of a list; InconclusiveError(target-lost) where it cannot be had.

        Of an optional one, an orderly error says that there is nothing more.
        """
        items: list[Json] = []
        asked: JsonObject = {}
        seen: set[str] = set()
        for _ in range(_PAGES):
            page = await self.request(method, asked, timeout=timeout)
            result = body(page) if page.outcome.kind == "result" else None
            if not isinstance(result, dict) or not isinstance(result.get(key, []), list):
                if no_such_method(page) or (optional and page.outcome.kind == "error"):
                    return tuple(items)
                raise InconclusiveError(
                    f"the target did not answer {method}: {failure(page)}",
                    hint="its log says more; `mcp-eval doctor` tries each step by itself",
                    rule="target-lost",
                    evidence=self._evidence(page),
                )
            items.extend(result.get(key, []))
            cursor = result.get("nextCursor")
            if not isinstance(cursor, str) or not cursor or cursor in seen:
                return tuple(items)
            seen.add(cursor)
            asked = {"cursor": cursor}
        return tuple(items)


def _answered(made: Invocation) -> bool:
    return made.outcome.kind == "result" and b"input_required" in bytes(made.outcome.body)
