"""Calls that fail, and failures that change."""

import os
import time
from typing import Any

from bench.faults.base import Call, Injection, Reply, error_result, register


@register("fail")
class Fail(Injection):
    """The tool answers an error: `value` is its text."""

    def call(self, call: Call) -> Call | Reply:
        """Without asking the server."""
        return Reply(result=error_result(self.value or f"{call.tool} failed: internal error"))


@register("fail-in-body")
class FailInBody(Injection):
    """An error that only the body tells."""

    def call(self, call: Call) -> Call | Reply:
        """An ordinary result, by its flag."""
        text = '{"is_error": true, "message": "Connection failed"}'
        return Reply(result={"content": [{"type": "text", "text": self.value or text}]})


@register("rpc-error")
class RpcError(Injection):
    """The protocol itself reports an error."""

    def call(self, call: Call) -> Call | Reply:
        """`value` is the code."""
        return Reply(
            error={"code": self.value or -32603, "message": f"{call.tool}: internal error"}
        )


@register("unknown-tool")
class UnknownTool(Injection):
    """Listed, but not found when called."""

    def call(self, call: Call) -> Call | Reply:
        """As servers say it."""
        return Reply(error={"code": -32602, "message": f"Tool {call.tool} not found"})


@register("refuse")
class Refuse(Injection):
    """Policy says no."""

    def call(self, call: Call) -> Call | Reply:
        """In ordinary content, as proxies do."""
        text = self.value or f"Permission denied: {call.tool} is not allowed by policy"
        return Reply(result={"content": [{"type": "text", "text": text}]})


@register("crash")
class Crash(Injection):
    """The server dies in the middle of a call."""

    silent = True

    def call(self, call: Call) -> Call | Reply:
        """At once; the relay's end takes the server along."""
        os._exit(self.value or 70)


@register("hang")
class Hang(Injection):
    """A call is never answered."""

    def call(self, call: Call) -> Call | Reply:
        """Neither passed on nor answered."""
        return Reply()


@register("delay")
class Delay(Injection):
    """A call takes `value` seconds more."""

    silent = True

    def call(self, call: Call) -> Call | Reply:
        """Later."""
        time.sleep(0.2 if self.value is None else self.value)
        return call


@register("swallow-error")
class SwallowError(Injection):
    """An error comes as ordinary content."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """No flag any more."""
        return {key: held for key, held in result.items() if key != "isError"}


@register("flag-error")
class FlagError(Injection):
    """An answer is flagged as an error."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Only the flag."""
        return {**result, "isError": True}


@register("reword-error")
class RewordError(Injection):
    """An error has other words: `value`."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Where it was one."""
        if not result.get("isError"):
            return result
        return error_result(self.value or "Something went wrong")


@register("garbage-line")
class GarbageLine(Injection):
    """A line that is no JSON stands on stdout before the answer."""

    def line(self, line: bytes) -> list[bytes]:
        """As a stray print does."""
        return [b"DEBUG answering now\n", line]


@register("cut-line")
class CutLine(Injection):
    """The answer's JSON ends in its middle."""

    def line(self, line: bytes) -> list[bytes]:
        """Half of it."""
        return [line[: len(line) // 2] + b"\n"]
