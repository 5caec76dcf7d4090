"""All that can be said about two surfaces: what changed, and which recorded requests it hits."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mcp_eval.compare.catalogue import (
    annotation_differences,
    capability_differences,
    doubled_tools,
    fact,
    growth,
    instruction_differences,
    protocol_differences,
)
from mcp_eval.compare.narrowing import schema_changes
from mcp_eval.compare.offers import asked, prompt_differences, resource_differences
from mcp_eval.compare.promises import output_differences
from mcp_eval.compare.renames import Member, Signature, tool_renames
from mcp_eval.compare.requests import Requests, hit
from mcp_eval.compare.schemas import read_shape
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.compare.terms import schema_differences, wording_differences
from mcp_eval.compare.tidy import tidy
from mcp_eval.compare.validity import Validity
from mcp_eval.compare.witness import valid_request
from mcp_eval.model.base import JsonObject
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import RecordedRequest
from mcp_eval.model.surface import Surface, Tool


def surface_differences(
    before: Surface, after: Surface, requests: Sequence[RecordedRequest] = ()
) -> tuple[Difference, ...]:
    """Every fact about two surfaces, with the recorded requests each one hits."""
    recorded = Requests(requests)
    return (
        *protocol_differences(before, after),
        *_capabilities(before, after, recorded),
        *_tools(before, after, recorded),
        *prompt_differences(before, after, recorded),
        *resource_differences(before, after, recorded),
        *instruction_differences(before, after),
        *growth(before, after),
    )


def surface_digest(surface: Surface) -> str:
    """A short name for what a surface offers; the order it is listed in does not matter."""
    plain = msgspec.to_builtins(surface)
    for word, name in (
        ("tools", "name"), ("prompts", "name"), ("resources", "uri"), ("resource_templates", "uri")
    ):  # fmt: skip
        listed = plain.get(word, [])
        plain[word] = sorted(listed, key=lambda each: (each[name], _canonical(each)))
    return hashlib.sha256(_canonical(plain)).hexdigest()[:16]


def _canonical(plain: JsonObject) -> bytes:
    return msgspec.json.encode(plain, order="sorted")


def _capabilities(before: Surface, after: Surface, recorded: Requests) -> Iterator[Difference]:
    for lost in capability_differences(before, after):
        told = dict(lost.details)
        method = told.pop("method", "")
        reason = "the server no longer offers this"
        hits = tuple(hit(each, reason) for each in recorded.all(method))
        seen = hits[0].arguments if hits else _request(before, method)
        if seen is None:
            told["unknown"] = True
        yield msgspec.structs.replace(lost, hits=hits, details=told, witness=seen)


def _request(surface: Surface, method: str) -> JsonObject | None:
    """A request of this method that the surface invites; None where it offers nothing."""
    if method == "tools/call" and surface.tools:
        tool = surface.tools[0]
        return {"name": tool.name, "arguments": valid_request(Validity(tidy(tool.input_schema)))}
    if method == "prompts/get" and surface.prompts:
        prompt = surface.prompts[0]
        return {"name": prompt.name, "arguments": valid_request(Validity(asked(prompt)))}
    if method == "resources/read" and surface.resources:
        return {"uri": surface.resources[0].uri}
    return None


def _tools(before: Surface, after: Surface, recorded: Requests) -> Iterator[Difference]:
    old, new = _by_name(before.tools), _by_name(after.tools)
    gone = [tool for name, tool in old.items() if name not in new]
    come = [tool for name, tool in new.items() if name not in old]
    renamed: dict[str, str] = {}
    if gone and come:
        renamed = tool_renames(_signatures(gone), _signatures(come))
    yield from doubled_tools(before, after)
    for name, tool in old.items():
        there = new.get(renamed.get(name, name))
        if there is None:
            yield _vanished(tool, "tool-removed", recorded)
            continue
        if name in renamed:
            yield _vanished(tool, "tool-renamed", recorded, renamed[name])
        yield from _tool_differences(tool, there, recorded)
    for tool in come:
        if tool.name not in renamed.values():
            yield fact(tool.name, "", "tool-added", after=tool.name)


def _by_name(tools: Iterable[Tool]) -> dict[str, Tool]:
    """The first of each name."""
    found: dict[str, Tool] = {}
    for tool in tools:
        found.setdefault(tool.name, tool)
    return found


def _signatures(tools: Iterable[Tool]) -> list[Signature]:
    return [_signature(tool) for tool in tools]


def _signature(tool: Tool) -> Signature:
    root = tidy(tool.input_schema).schema
    shape = read_shape(root, root)
    members = {
        name: Member(shape=read_shape(schema, root), required=name in shape.required)
        for name, schema in shape.properties.items()
    }
    return Signature(
        name=tool.name, title=tool.title or "", description=tool.description or "", members=members
    )


def _vanished(tool: Tool, change: str, recorded: Requests, now: str | None = None) -> Difference:
    reason = f"the tool is called {now} now" if now else "there is no such tool any more"
    hits = tuple(hit(each, reason) for each in recorded.named("tools/call", tool.name))
    seen = hits[0].arguments if hits else valid_request(Validity(tidy(tool.input_schema)))
    told: JsonObject = {"renamed_to": now} if now else {}
    if seen is None:
        told["unknown"] = True
    return fact(
        tool.name, "", change,
        before=tool.name, after=now, details=told, hits=hits, witness=seen,
    )  # fmt: skip


def _tool_differences(before: Tool, after: Tool, recorded: Requests) -> Iterator[Difference]:
    """What changed about one tool, under its old name."""
    if repr(before) == repr(after):  # `==` takes 1 for true
        return
    changes: tuple[SchemaChange, ...] = ()
    found: list[Difference] = []
    if repr(before.input_schema) != repr(after.input_schema):
        sides = tidy(before.input_schema), tidy(after.input_schema)
        changes = schema_changes(*sides)
        requests = recorded.named("tools/call", before.name)
        found += schema_differences(before.name, changes, sides, requests)
    found += wording_differences(before, after, changes)
    found += output_differences(before, after)
    found += annotation_differences(before, after)
    for difference in found:
        yield difference if before.name == after.name else _behind(difference, after.name)


def _behind(difference: Difference, name: str) -> Difference:
    return msgspec.structs.replace(difference, details={**difference.details, "renamed_to": name})
