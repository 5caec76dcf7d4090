"""What a tool promises and asks for, changed for the worse in finer ways."""

from typing import Any

from bench.faults.base import Call, Reply, register
from bench.faults.surfaces import SchemaInjection, Tool, ToolInjection


@register("narrow-length")
class NarrowLength(SchemaInjection):
    """A text may have `value` characters at most, a list as many items."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated so."""
        kind = schema["properties"].get(self.path, {}).get("type")
        word = "maxItems" if kind == "array" else "maxLength"
        self.parameter(schema, **{word: self.value})

    def call(self, call: Call) -> Call | Reply:
        """Refused beyond."""
        sent = call.arguments.get(self.path)
        if isinstance(sent, str | list) and len(sent) > self.value:
            return self.refused(call, f"'{self.path}' is too long, at most {self.value}")
        return call


@register("narrow-pattern")
class NarrowPattern(SchemaInjection):
    """A text must match `value`."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated so."""
        self.parameter(schema, pattern=self.value)

    def call(self, call: Call) -> Call | Reply:
        """Refused where it was sent: the pattern is chosen to exclude it."""
        if self.path in call.arguments:
            return self.refused(call, f"'{self.path}' does not match '{self.value}'")
        return call


@register("raise-minimum")
class RaiseMinimum(SchemaInjection):
    """A number must be `value` at least."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated so."""
        self.parameter(schema, minimum=self.value)

    def call(self, call: Call) -> Call | Reply:
        """Refused below."""
        sent = call.arguments.get(self.path)
        if isinstance(sent, int | float) and sent < self.value:
            return self.refused(call, f"{sent} is less than the minimum of {self.value}")
        return call


@register("promise-less")
class PromiseLess(ToolInjection):
    """The output schema no longer promises a member: `path`."""

    def change(self, tool: Tool) -> Tool:
        """Neither stated nor required."""
        stated = tool.get("outputSchema", {})
        members = {k: v for k, v in stated.get("properties", {}).items() if k != self.path}
        required = [name for name in stated.get("required", ()) if name != self.path]
        return {**tool, "outputSchema": {**stated, "properties": members, "required": required}}


@register("retype-promise")
class RetypePromise(ToolInjection):
    """The output schema promises another type of a member: `path`, `value`."""

    def change(self, tool: Tool) -> Tool:
        """Stated so."""
        stated = tool.get("outputSchema", {})
        members = {**stated.get("properties", {}), self.path: {"type": self.value or "string"}}
        return {**tool, "outputSchema": {**stated, "properties": members}}
