"""More changes nobody should be woken for."""

import json
import uuid
from typing import Any

from bench.faults.base import BodyInjection, Injection
from bench.faults.harmless import harmless
from bench.faults.surfaces import SchemaInjection, Tool, ToolInjection


@harmless("end-with-newline")
class EndWithNewline(BodyInjection):
    """The text ends with an empty line."""

    def body(self, body: Any) -> Any:
        """White space alone."""
        return f"{body}\n" if isinstance(body, str) else json.dumps(body) + "\n"

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """In text alone."""
        return {**result, "content": [self._block(block) for block in result.get("content", [])]}


@harmless("add-block")
class AddBlock(Injection):
    """One more block of text after the others: `value`."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """At the end."""
        text = self.value or "See the manual for more."
        return {**result, "content": [*result.get("content", []), {"type": "text", "text": text}]}


@harmless("annotate-blocks")
class AnnotateBlocks(Injection):
    """Blocks say for whom they are meant."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Where nothing was said."""
        said = {"audience": ["assistant"], "priority": 0.5}
        blocks = [{"annotations": said, **block} for block in result.get("content", [])]
        return {**result, "content": blocks}


@harmless("reorder-parameters")
class ReorderParameters(SchemaInjection):
    """Parameters are stated in another order."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Back to front."""
        schema["properties"] = dict(reversed(schema["properties"].items()))
        schema["required"] = list(reversed(schema.get("required", ())))


@harmless("describe-parameter")
class DescribeParameter(SchemaInjection):
    """A parameter is described."""

    def schema(self, schema: dict[str, Any]) -> None:
        """In a sentence; it changes no request."""
        self.parameter(schema, description="As it is written in the manual")


@harmless("give-examples")
class GiveExamples(SchemaInjection):
    """A parameter has examples and a title."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Words that restrict nothing."""
        self.parameter(schema, title="As you like", examples=["one", "two"])


@harmless("tighten-annotation")
class TightenAnnotation(ToolInjection):
    """A tool says more carefully what it does."""

    def change(self, tool: Tool) -> Tool:
        """Open to the world, as far as anybody knows."""
        return {**tool, "annotations": {**tool.get("annotations", {}), "openWorldHint": True}}


@harmless("add-output-schema")
class AddOutputSchema(ToolInjection):
    """A tool says that it answers an object, where it said nothing."""

    def change(self, tool: Tool) -> Tool:
        """A promise more: `value`."""
        return {"outputSchema": self.value or {"type": "object"}, **tool}


@harmless("add-capability")
class AddCapability(Injection):
    """The server can log, too."""

    def initialize(self, result: dict[str, Any]) -> dict[str, Any]:
        """One capability more."""
        return {**result, "capabilities": {"logging": {}, **result.get("capabilities", {})}}


@harmless("notify-progress")
class NotifyProgress(Injection):
    """A notification nobody knows comes before the answer."""

    def line(self, line: bytes) -> list[bytes]:
        """One frame more."""
        note = {"jsonrpc": "2.0", "method": "notifications/garden/grown", "params": {"by": 1}}
        return [json.dumps(note).encode() + b"\n", line]


@harmless("add-hash")
class AddHash(BodyInjection):
    """The answer carries a new digest every time."""

    def body(self, body: Any) -> Any:
        """Of nothing in particular."""
        digest = uuid.uuid4().hex + uuid.uuid4().hex
        return {**body, "etag": digest} if isinstance(body, dict) else body


@harmless("reword-sentence")
class RewordSentence(BodyInjection):
    """A message is told in other words: `value` is the whole of it, with the same facts."""

    def body(self, body: Any) -> Any:
        """The other words."""
        return self.value if isinstance(body, str) else body
