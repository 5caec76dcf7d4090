"""What a server offers, changed for the worse; calls are then held to the change."""

from typing import Any

from bench.faults.base import Call, Injection, Reply, error_result, register

Tool = dict[str, Any]


class ToolInjection(Injection):
    """A change of one listed tool."""

    def tools(self, tools: list[Tool]) -> list[Tool]:
        """The others as they are."""
        return [self.change(tool) if self.tool in {"", tool["name"]} else tool for tool in tools]

    def change(self, tool: Tool) -> Tool:
        """The changed tool."""
        raise NotImplementedError


class SchemaInjection(ToolInjection):
    """A change of one tool's input schema; `path` names the parameter."""

    def change(self, tool: Tool) -> Tool:
        """A copy with another schema."""
        held = tool.get("inputSchema", {})
        schema = {**held, "properties": dict(held.get("properties", {}))}
        self.schema(schema)
        return {**tool, "inputSchema": schema}

    def schema(self, schema: dict[str, Any]) -> None:
        """Change it in place."""
        raise NotImplementedError

    def parameter(self, schema: dict[str, Any], **changed: Any) -> None:
        """Change one parameter; None takes a word out."""
        stated = {**schema["properties"].get(self.path, {}), **changed}
        kept = {key: value for key, value in stated.items() if value is not None}
        schema["properties"][self.path] = kept

    def refused(self, call: Call, why: str) -> Reply:
        """As a validating server says it."""
        return Reply(result=error_result(f"Invalid arguments for {call.tool}: {why}"))


@register("remove-tool")
class RemoveTool(Injection):
    """A tool is gone."""

    def tools(self, tools: list[Tool]) -> list[Tool]:
        """Without it."""
        return [tool for tool in tools if tool["name"] != self.tool]

    def call(self, call: Call) -> Call | Reply:
        """Nobody knows it."""
        return Reply(error={"code": -32602, "message": f"Unknown tool: {call.tool}"})


@register("rename-tool")
class RenameTool(ToolInjection):
    """A tool has another name: `to`."""

    def touches(self, call: Call) -> bool:
        """Under either name."""
        return call.tool in {self.tool, self.to}

    def change(self, tool: Tool) -> Tool:
        """The same under the new name."""
        return {**tool, "name": self.to}

    def call(self, call: Call) -> Call | Reply:
        """The new name is known, the old one is not."""
        if call.tool == self.tool:
            return Reply(error={"code": -32602, "message": f"Unknown tool: {call.tool}"})
        return Call(self.tool, call.arguments)


@register("double-tool")
class DoubleTool(Injection):
    """One name stands there twice."""

    def tools(self, tools: list[Tool]) -> list[Tool]:
        """Again at the end."""
        return [*tools, *(tool for tool in tools if tool["name"] == self.tool)]


@register("require-parameter")
class RequireParameter(SchemaInjection):
    """A parameter is required now; a new one where it did not exist."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated as required."""
        schema["properties"].setdefault(self.path, {"type": "string"})
        schema["required"] = [*schema.get("required", ()), self.path]

    def call(self, call: Call) -> Call | Reply:
        """Refused without it; a new one is not passed on."""
        if self.path not in call.arguments:
            return self.refused(call, f"'{self.path}' is a required property")
        return call


@register("remove-parameter")
class RemoveParameter(SchemaInjection):
    """A parameter is gone, and ignored where it is sent."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Not stated any more."""
        schema["properties"].pop(self.path, None)
        schema["required"] = [name for name in schema.get("required", ()) if name != self.path]

    def call(self, call: Call) -> Call | Reply:
        """Without it."""
        kept = {name: held for name, held in call.arguments.items() if name != self.path}
        return Call(call.tool, kept)


@register("rename-parameter")
class RenameParameter(SchemaInjection):
    """A parameter has another name: `to`; the old one is refused."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Under the new name."""
        stated = schema["properties"].items()
        schema["properties"] = {self.to if k == self.path else k: v for k, v in stated}
        required = schema.get("required", ())
        schema["required"] = [self.to if name == self.path else name for name in required]

    def call(self, call: Call) -> Call | Reply:
        """Passed on under the name the server knows."""
        if self.path in call.arguments:
            return self.refused(call, f"'{self.path}' was unexpected")
        known = {self.path if k == self.to else k: v for k, v in call.arguments.items()}
        return Call(call.tool, known)


@register("retype-parameter")
class RetypeParameter(SchemaInjection):
    """A parameter has another type: `value`, or string."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated so."""
        self.parameter(
            schema, type=self.value or "string", minimum=None, maximum=None, default=None
        )

    def call(self, call: Call) -> Call | Reply:
        """Refused with the old one."""
        kinds = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
        wanted = self.value or "string"
        sent = call.arguments.get(self.path)
        if self.path in call.arguments and not isinstance(sent, kinds[wanted]):
            return self.refused(call, f"{sent!r} is not of type '{wanted}'")
        return call


@register("drop-enum-value")
class DropEnumValue(SchemaInjection):
    """A value of an enum is allowed no more: `value`."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Without it; a parameter without an enum gets one that excludes it."""
        stated = schema["properties"].get(self.path, {}).get("enum", ["other"])
        self.parameter(schema, enum=[held for held in stated if held != self.value])

    def call(self, call: Call) -> Call | Reply:
        """Refused."""
        if call.arguments.get(self.path) == self.value:
            return self.refused(call, f"{self.value!r} is not one of the allowed values")
        return call


@register("narrow-bounds")
class NarrowBounds(SchemaInjection):
    """A number may be `value` at most."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated so."""
        self.parameter(schema, maximum=self.value)

    def call(self, call: Call) -> Call | Reply:
        """Refused beyond."""
        sent = call.arguments.get(self.path)
        if isinstance(sent, int | float) and sent > self.value:
            return self.refused(call, f"{sent} is greater than the maximum of {self.value}")
        return call


@register("close-schema")
class CloseSchema(SchemaInjection):
    """Parameters that are not stated are refused."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated so, and one stated parameter (`path`) is not stated any more."""
        schema["properties"].pop(self.path, None)
        schema["additionalProperties"] = False

    def call(self, call: Call) -> Call | Reply:
        """Refused."""
        if self.path in call.arguments:
            return self.refused(call, f"additional properties are not allowed ('{self.path}')")
        return call


@register("change-default")
class ChangeDefault(SchemaInjection):
    """An omitted parameter means something else: `value`."""

    def schema(self, schema: dict[str, Any]) -> None:
        """Stated so."""
        self.parameter(schema, default=self.value)

    def call(self, call: Call) -> Call | Reply:
        """And meant so."""
        return Call(call.tool, {self.path: self.value, **call.arguments})


@register("loosen-annotation")
class LoosenAnnotation(ToolInjection):
    """A writing tool calls itself harmless."""

    def change(self, tool: Tool) -> Tool:
        """Read-only, as it says."""
        loosened = {"readOnlyHint": True, "destructiveHint": False}
        return {**tool, "annotations": {**tool.get("annotations", {}), **loosened}}


@register("drop-output-schema")
class DropOutputSchema(ToolInjection):
    """A tool promises nothing any more."""

    def change(self, tool: Tool) -> Tool:
        """Without it."""
        return {key: held for key, held in tool.items() if key != "outputSchema"}


@register("empty-description")
class EmptyDescription(ToolInjection):
    """Nobody says what a tool is for."""

    def change(self, tool: Tool) -> Tool:
        """No words."""
        return {**tool, "description": ""}


@register("drop-capability")
class DropCapability(Injection):
    """The server says it cannot do `value` (prompts, resources) any more."""

    def initialize(self, result: dict[str, Any]) -> dict[str, Any]:
        """Without it."""
        offered = {k: v for k, v in result.get("capabilities", {}).items() if k != self.value}
        return {**result, "capabilities": offered}
