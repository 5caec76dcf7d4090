"""Surfaces as others write them: `tools/list` results, with or without what surrounds them."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from mcp_eval.errors import UsageError
from mcp_eval.formats.envelope import decode
from mcp_eval.formats.limits import Refusal, read_json
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.surface import Prompt, Resource, Surface, Tool

T = TypeVar("T", Tool, Prompt, Resource)

_LISTS = ("tools", "prompts", "resources", "resourceTemplates")


def read_surface(payload: bytes, *, where: str, refuse: Refusal = UsageError) -> Surface:
    """A surface: our document, a bare tools/list, or `{"initialize", "tools", …}`."""
    dump = read_json(payload, object, where=where, refuse=refuse)
    if isinstance(dump, dict) and str(dump.get("format")).startswith("mcp-eval/"):
        return decode("surface", payload, where=where, refuse=refuse)
    return _Dump(where, refuse).surface(dump)


class _Dump:
    """One dump, read with what real servers get wrong in mind."""

    def __init__(self, where: str, refuse: Refusal) -> None:
        self.where, self.refuse = where, refuse

    def surface(self, dump: Json) -> Surface:
        parts = self._parts(dump)
        greeting = _object(parts.get("initialize"))
        greeting = _object(greeting.get("result")) or greeting
        server = _object(greeting.get("serverInfo"))
        return Surface(
            server_name=_text(server.get("name")) or "",
            server_version=_text(server.get("version")) or "",
            protocol=_text(greeting.get("protocolVersion")) or "",
            capabilities=_object(greeting.get("capabilities")),
            instructions=_text(greeting.get("instructions")),
            tools=self._each(parts, "tools", self._tool),
            prompts=self._each(parts, "prompts", self._prompt),
            resources=self._each(parts, "resources", self._resource),
            resource_templates=self._each(parts, "resourceTemplates", self._template),
        )

    def _parts(self, dump: Json) -> JsonObject:
        """The lists by name, whatever they are wrapped in."""
        if isinstance(dump, list):
            return {"tools": dump}
        parts = _object(dump)
        if "error" in parts and not any(name in parts for name in _LISTS):
            raise self._off("a JSON-RPC error, not a surface", "dump the answer of a tools/list")
        if isinstance(parts.get("result"), dict):
            parts = {**parts, **parts["result"]}
        if parts.get("nextCursor"):
            # Half a catalogue would read as tools removed.
            raise self._off("holds one page of several", "dump every page of tools/list")
        if "protocolVersion" in parts and "initialize" not in parts:
            parts = {**parts, "initialize": dict(parts)}
        if not any(name in parts for name in (*_LISTS, "initialize")):
            raise self._off(
                "holds no tools",
                'a surface is a mcp-eval document, {"tools": […]}, a list of tools, '
                'or {"initialize": …, "tools": […]}',
            )
        return parts

    def _each(
        self, parts: JsonObject, name: str, read: Callable[[JsonObject, str], T]
    ) -> tuple[T, ...]:
        listed = parts.get(name)
        if isinstance(listed, dict):  # a whole answer stands where its list should
            listed = (_object(listed.get("result")) or listed).get(name)
        if listed is None:
            return ()
        if not isinstance(listed, list):
            raise self._off(f"'{name}' is no list", f'expected "{name}": [{{…}}, …]')
        return tuple(read(_object(item), f"{name}[{at}]") for at, item in enumerate(listed))

    def _tool(self, entry: JsonObject, place: str) -> Tool:
        return Tool(
            name=self._name(entry, "name", place),
            title=_text(entry.get("title")),
            description=_text(entry.get("description")),
            input_schema=_schema(entry.get("inputSchema", entry.get("input_schema"))) or {},
            output_schema=_schema(entry.get("outputSchema", entry.get("output_schema"))),
            annotations=_object(entry.get("annotations")) or None,
        )

    def _prompt(self, entry: JsonObject, place: str) -> Prompt:
        arguments = entry.get("arguments")
        return Prompt(
            name=self._name(entry, "name", place),
            title=_text(entry.get("title")),
            description=_text(entry.get("description")),
            arguments=tuple(
                _object(argument)
                for argument in (arguments if isinstance(arguments, list) else ())
                if isinstance(argument, dict)
            ),
        )

    def _resource(self, entry: JsonObject, place: str, key: str = "uri") -> Resource:
        return Resource(
            uri=self._name(entry, key, place),
            name=_text(entry.get("name")) or "",
            description=_text(entry.get("description")),
            mime_type=_text(entry.get("mimeType", entry.get("mime_type"))),
        )

    def _template(self, entry: JsonObject, place: str) -> Resource:
        return self._resource(entry, place, "uriTemplate")

    def _name(self, entry: JsonObject, key: str, place: str) -> str:
        name = entry.get(key)
        if not isinstance(name, str):
            raise self._off(f"{place} has no {key}", f"each has a '{key}', and it is text")
        return name

    def _off(self, message: str, hint: str) -> Exception:
        return self.refuse(f"{self.where}: {message}", hint=hint)


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _schema(value: Json) -> JsonObject | None:
    """A schema as an object: JSON Schema also knows true (anything) and false (nothing)."""
    if value is False:
        return {"not": {}}
    if value is True:
        return {}
    return value if isinstance(value, dict) else None


def _text(value: Json) -> str | None:
    """A text; what is no text is shown as the JSON it is."""
    if value is None or isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
