"""Changes nobody should be woken for."""

import json
import time
import uuid
from functools import partial
from typing import Any

from bench.faults.base import BodyInjection, Call, Injection, Reply, register
from bench.faults.paths import each
from bench.faults.surfaces import SchemaInjection, Tool, ToolInjection

harmless = partial(register, harmless=True)


@harmless("add-field")
class AddField(BodyInjection):
    """Objects at `path` have a field more."""

    def body(self, body: Any) -> Any:
        """At the end."""
        new = {self.to or "build_label": "blue" if self.value is None else self.value}

        def add(container: Any, key: Any) -> None:
            if isinstance(container[key], dict):
                container[key] = {**container[key], **new}

        return each(body, self.path, add)


@harmless("add-item")
class AddItem(BodyInjection):
    """A list has an item more: `value`, or like its last one with other texts."""

    def body(self, body: Any) -> Any:
        """At the end."""

        def add(container: Any, key: Any) -> None:
            items = container[key]
            fresh = self.value if self.value is not None else _fresh(items[-1])
            container[key] = [*items, fresh]

        return each(body, self.path, add)


def _fresh(item: Any) -> Any:
    if isinstance(item, dict):
        return {key: _fresh(held) for key, held in item.items()}
    if isinstance(item, str):
        return f"{item}-too"
    return item + 1000 if isinstance(item, int) and not isinstance(item, bool) else item


@harmless("reorder-keys")
class ReorderKeys(BodyInjection):
    """Keys stand in another order, all the way down."""

    def body(self, body: Any) -> Any:
        """Back to front."""
        if isinstance(body, dict):
            return {key: self.body(body[key]) for key in reversed(body)}
        return [self.body(item) for item in body] if isinstance(body, list) else body


@harmless("move-score")
class MoveScore(BodyInjection):
    """Scores are others, their order is not."""

    def body(self, body: Any) -> Any:
        """All by one factor."""
        factor = self.value or 0.75
        return each(body, self.path, lambda c, key: c.__setitem__(key, round(c[key] * factor, 4)))


@harmless("add-timestamp")
class AddTimestamp(BodyInjection):
    """The answer says when it was made."""

    def body(self, body: Any) -> Any:
        """A new instant every time."""
        instant = (
            time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{time.time_ns() % 1000:03}Z"
        )
        return {**body, "generated_at": instant} if isinstance(body, dict) else body


@harmless("add-request-id")
class AddRequestId(BodyInjection):
    """The answer says which request it answers."""

    def body(self, body: Any) -> Any:
        """A new one every time."""
        return {**body, "request_id": str(uuid.uuid4())} if isinstance(body, dict) else body


@harmless("add-duration")
class AddDuration(BodyInjection):
    """The answer says how long it took."""

    def body(self, body: Any) -> Any:
        """Never twice the same."""
        took = time.perf_counter_ns() % 9973 / 100
        return {**body, "took_ms": took} if isinstance(body, dict) else body


@harmless("pretty-print")
class PrettyPrint(BodyInjection):
    """JSON is written with indents."""

    def body(self, body: Any) -> Any:
        """The same JSON."""
        return body if isinstance(body, str) else json.dumps(body, indent=4)

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """In text alone: structured content has no layout."""
        return {**result, "content": [self._block(block) for block in result.get("content", [])]}


@harmless("escape-unicode")
class EscapeUnicode(Injection):
    """Letters are written as escapes."""

    def line(self, line: bytes) -> list[bytes]:
        """The same JSON."""
        return [json.dumps(json.loads(line), ensure_ascii=True).encode() + b"\n"]


@harmless("write-in-pieces")
class WriteInPieces(Injection):
    """A line comes in three pieces."""

    def line(self, line: bytes) -> list[bytes]:
        """The same bytes."""
        third = max(1, len(line) // 3)
        return [line[:third], line[third : 2 * third], line[2 * third :]]


@harmless("log-before")
class LogBefore(Injection):
    """A log notification comes before the answer."""

    def line(self, line: bytes) -> list[bytes]:
        """One frame more."""
        params = {"level": "info", "data": "answering"}
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": params}
        return [json.dumps(note).encode() + b"\n", line]


@harmless("small-delay")
class SmallDelay(Injection):
    """A call takes 20 ms more."""

    silent = True

    def call(self, call: Call) -> Call | Reply:
        """A little later."""
        time.sleep(0.02)
        return call


@harmless("add-meta")
class AddMeta(Injection):
    """The result carries `_meta`."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Beside what it carried."""
        return {**result, "_meta": {**result.get("_meta", {}), "node": str(uuid.uuid4())}}


@harmless("state-no-error")
class StateNoError(Injection):
    """`isError: false` is stated where nothing was, and the other way round."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """The default either way."""
        if result.get("isError"):
            return result
        if "isError" in result:
            return {key: held for key, held in result.items() if key != "isError"}
        return {**result, "isError": False}


@harmless("add-structured")
class AddStructured(Injection):
    """JSON in the text comes as structured content, too."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Where it is an object."""
        try:
            body = json.loads(result["content"][0]["text"])
        except (ValueError, KeyError, IndexError):
            return result
        return {**result, "structuredContent": body} if isinstance(body, dict) else result


@harmless("whole-as-float")
class WholeAsFloat(BodyInjection):
    """3 is written 3.0."""

    def body(self, body: Any) -> Any:
        """The same number."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, float(c[key])))


@harmless("reword-text")
class RewordText(BodyInjection):
    """A message says the same politely: its words stay."""

    def body(self, body: Any) -> Any:
        """`value`, or with a word in front."""

        def reword(container: Any, key: Any) -> None:
            container[key] = self.value or f"Please note: {container[key]}"

        return each(body, self.path, reword)


@harmless("add-tool")
class AddTool(Injection):
    """A tool more."""

    def tools(self, tools: list[Tool]) -> list[Tool]:
        """At the end."""
        schema = {"type": "object", "properties": {}}
        words = "Rest for a while and do nothing at all"
        new = {"name": self.to or "take_a_nap", "description": words, "inputSchema": schema}
        return [*tools, new]


@harmless("reorder-tools")
class ReorderTools(Injection):
    """Tools are listed in another order."""

    def tools(self, tools: list[Tool]) -> list[Tool]:
        """Back to front."""
        return tools[::-1]


@harmless("add-parameter")
class AddParameter(SchemaInjection):
    """An optional parameter more: `path`."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated, not required."""
        schema["properties"][self.path or "verbose"] = {"type": "boolean"}

    def call(self, call: Call) -> Call | Reply:
        """The server behind does not know it."""
        known = {k: v for k, v in call.arguments.items() if k != (self.path or "verbose")}
        return Call(call.tool, known)


@harmless("add-enum-value")
class AddEnumValue(SchemaInjection):
    """One more value is allowed."""

    def schema(self, schema: dict[str, Any]) -> None:
        """At the end, where there is an enum."""
        stated = schema["properties"].get(self.path, {}).get("enum")
        if stated:
            self.parameter(schema, enum=[*stated, self.value or "anything"])


@harmless("widen-bounds")
class WidenBounds(SchemaInjection):
    """A number may be greater."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Ten times, where there is a bound."""
        stated = schema["properties"].get(self.path, {}).get("maximum")
        if stated:
            self.parameter(schema, maximum=stated * 10)


@harmless("make-optional")
class MakeOptional(SchemaInjection):
    """A required parameter may be left out."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Not required any more."""
        schema["required"] = [name for name in schema.get("required", ()) if name != self.path]


@harmless("reword-description")
class RewordDescription(ToolInjection):
    """A tool is described at more length."""

    def change(self, tool: Tool) -> Tool:
        """One sentence more."""
        return {**tool, "description": f"{tool.get('description', '')} Works as before."}


@harmless("add-title")
class AddTitle(ToolInjection):
    """A tool has a title for people."""

    def change(self, tool: Tool) -> Tool:
        """Its name, written nicely."""
        return {**tool, "title": tool["name"].replace("_", " ").capitalize()}


@harmless("reword-instructions")
class RewordInstructions(Injection):
    """The server introduces itself in other words."""

    def initialize(self, result: dict[str, Any]) -> dict[str, Any]:
        """One sentence more."""
        return {**result, "instructions": f"{result.get('instructions') or ''} Take your time."}


@harmless("bump-version")
class BumpVersion(Injection):
    """The server has another version."""

    def initialize(self, result: dict[str, Any]) -> dict[str, Any]:
        """As a release does."""
        told = {**result.get("serverInfo", {}), "version": "99.0.0"}
        return {**result, "serverInfo": told}
