"""What passes between client and server beside one question and one answer, for the worse."""

import re
from typing import Any

from bench.faults.base import Call, Injection, Reply, register


@register("double-write")
class DoubleWrite(Injection):
    """A call is carried out twice; one answer comes back."""

    def copies(self, call: Call) -> int:
        """One more than was asked for."""
        return int(self.value or 1)


@register("part-write")
class PartWrite(Injection):
    """Of a list of things to write, only the first is; `path` names the argument."""

    def call(self, call: Call) -> Call | Reply:
        """The others never reach the server."""
        sent = call.arguments.get(self.path)
        kept = sent[:1] if isinstance(sent, list) else sent
        return Call(call.tool, {**call.arguments, self.path: kept})


@register("ask-back")
class AskBack(Injection):
    """Before it works, the server asks the client: `to` is the method; refused, it fails."""

    def asks(self, call: Call) -> dict[str, Any] | None:
        """The request the client gets, with `value` as its params."""
        schema = {"type": "object", "properties": {"sure": {"type": "boolean"}}}
        form = {"message": f"Really {call.tool}?", "requestedSchema": schema}
        return {
            "method": self.to or "elicitation/create",
            "params": form if self.value is None else self.value,
        }


@register("leak")
class Leak(Injection):
    """What was refused is handed out: `value` is the text."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Where it was an error that holds `to`."""
        said = str(result.get("content", ""))
        if not result.get("isError") or not re.search(self.to, said):
            return result
        return {"content": [{"type": "text", "text": self.value or "root:x:0:0:root:/root"}]}


@register("reclass-error")
class ReclassError(Injection):
    """An error becomes one of another class: a failure is told as a refusal, with `value`."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Where it was one that holds `to`."""
        said = str(result.get("content", ""))
        if not result.get("isError") or not re.search(self.to, said):
            return result
        text = self.value or "Permission denied: this is not allowed by policy"
        return {"content": [{"type": "text", "text": text}], "isError": True}


@register("empty-error")
class EmptyError(Injection):
    """An error comes as ordinary content that says its error is none."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """No flag, the words prefixed: the error stands in ordinary content."""
        if not result.get("isError"):
            return result
        said = "".join(block.get("text", "") for block in result.get("content", []))
        return {"content": [{"type": "text", "text": f"Error: {said}"}]}
