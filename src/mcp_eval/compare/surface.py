"""All that can be said about two surfaces: what changed, and which recorded requests it hits."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from mcp_eval.compare.catalogue import (
    annotation_differences,
    capability_differences,
    doubled_tools,
    fact,
    growth,
    instruction_differences,
    wording,
)
from mcp_eval.compare.narrowing import schema_changes
from mcp_eval.compare.paths import key
from mcp_eval.compare.promises import output_differences
from mcp_eval.compare.renames import Member, Signature, tool_renames
from mcp_eval.compare.requests import Requests, hit, hits_of
from mcp_eval.compare.schemas import read_shape
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.compare.tidy import Tidy, tidy
from mcp_eval.compare.validity import Validity
from mcp_eval.compare.witness import Contract, valid_request, witness
from mcp_eval.model.base import JsonObject
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import RecordedRequest
from mcp_eval.model.surface import Prompt, Resource, Surface, Tool

_TOOLS, _PROMPTS = "tools/call", "prompts/get"


def surface_differences(
    before: Surface, after: Surface, requests: Sequence[RecordedRequest] = ()
) -> tuple[Difference, ...]:
    """Every fact about two surfaces, with the recorded requests each one hits."""
    recorded = Requests(requests)
    return (
        *_capabilities(before, after, recorded),
        *_tools(before, after, recorded),
        *_prompts(before, after, recorded),
        *_resources(before, after, recorded),
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
        reason = "the server no longer offers this"
        hits = [hit(each, reason) for each in recorded.all(lost.details.get("method", ""))]
        told = {word: told for word, told in lost.details.items() if word != "method"}
        seen = hits[0].arguments if hits else None
        yield msgspec.structs.replace(lost, hits=tuple(hits), details=told, witness=seen)


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
        name: Member(
            shape=read_shape(schema, root), required=name in shape.required, position=position
        )
        for position, (name, schema) in enumerate(shape.properties.items())
    }
    return Signature(
        name=tool.name, title=tool.title or "", description=tool.description or "", members=members
    )


def _vanished(tool: Tool, change: str, recorded: Requests, now: str | None = None) -> Difference:
    reason = f"the tool is called {now} now" if now else "there is no such tool any more"
    hits = tuple(hit(each, reason) for each in recorded.named(_TOOLS, tool.name))
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
    if before == after:
        return
    renamed = before.name != after.name
    requests = recorded.named(_TOOLS, before.name)
    changes: tuple[SchemaChange, ...] = ()
    found: list[Difference] = []
    if before.input_schema != after.input_schema:
        sides = tidy(before.input_schema), tidy(after.input_schema)
        changes = schema_changes(*sides)
        found += _schema_differences(before.name, changes, sides, requests)
    found += _wording_differences(before, after, changes)
    found += output_differences(before, after)
    found += annotation_differences(before, after)
    for difference in found:
        yield _behind(difference, after.name) if renamed else difference


def _behind(difference: Difference, name: str) -> Difference:
    return msgspec.structs.replace(difference, details={**difference.details, "renamed_to": name})


def _schema_differences(
    name: str,
    changes: Iterable[SchemaChange],
    sides: tuple[Tidy, Tidy],
    requests: Sequence[RecordedRequest],
) -> Iterator[Difference]:
    contract = Contract.of(*sides)
    for change in changes:
        if change.change != "description-changed":
            yield _schema_difference(name, change, contract, requests)


def _schema_difference(
    name: str, change: SchemaChange, contract: Contract, requests: Sequence[RecordedRequest]
) -> Difference:
    hits = hits_of(change, contract, requests)
    seen = next((each.arguments for each in hits if each.reason), None)
    told = dict(change.details)
    rule = change.change
    if change.narrows and seen is None:
        seen = witness(contract, change)
    if change.narrows and seen is None:
        told["unknown" if change.demand else "ignored"] = True
    if hits and told.get("lost") == ["number"]:
        rule = "parameter-type-changed"  # a whole number is asked for, and another one was sent
    return fact(
        name, change.path, rule,
        before=change.before, after=change.after, details=told, hits=hits, witness=seen,
    )  # fmt: skip


def _wording_differences(
    before: Tool, after: Tool, changes: Iterable[SchemaChange]
) -> Iterator[Difference]:
    """All that changed in a tool's words, as one difference."""
    inside = [change for change in changes if change.change == "description-changed"]
    old, new = _texts(before), _texts(after)
    told = wording(
        old | {change.path: change.before for change in inside},
        new | {change.path: change.after for change in inside},
    )
    if told is None:
        return
    path = next((word for word in old if old[word] != new[word]), None)
    if path is None:
        path = key(inside[0].path, "description") if len(inside) == 1 else "description"
    was = inside[0].before if path not in old else old[path]
    now = inside[0].after if path not in new else new[path]
    yield fact(before.name, path, "description-changed", before=was, after=now, details=told)


def _texts(tool: Tool) -> dict[str, str]:
    title = tool.title or (tool.annotations or {}).get("title")
    return {"description": tool.description or "", "title": title or ""}


def _prompts(before: Surface, after: Surface, recorded: Requests) -> Iterator[Difference]:
    old = {prompt.name: prompt for prompt in before.prompts}
    new = {prompt.name: prompt for prompt in after.prompts}
    for name, prompt in old.items():
        requests = recorded.named(_PROMPTS, name)
        if name not in new:
            hits = tuple(hit(each, "there is no such prompt any more") for each in requests)
            seen = hits[0].arguments if hits else valid_request(Validity(_asked(prompt)))
            yield fact(
                name,
                "",
                "prompt-removed",
                before=name,
                hits=hits,
                witness=seen,
                details={"kind": "prompt"},
            )
        elif prompt != new[name]:
            for difference in _prompt_differences(prompt, new[name], requests):
                yield _of_kind(difference, "prompt")
    for name in new:
        if name not in old:
            yield fact(name, "", "tool-added", after=name, details={"kind": "prompt"})


def _prompt_differences(
    before: Prompt, after: Prompt, requests: Sequence[RecordedRequest]
) -> Iterator[Difference]:
    sides = _asked(before), _asked(after)
    changes = schema_changes(*sides)
    yield from _schema_differences(before.name, changes, sides, requests)
    yield from _wording_differences(
        Tool(name=before.name, title=before.title, description=before.description),
        Tool(name=after.name, title=after.title, description=after.description),
        changes,
    )


def _asked(prompt: Prompt) -> Tidy:
    """A prompt's arguments as the schema they amount to."""
    named = [each for each in prompt.arguments if isinstance(each.get("name"), str)]
    return tidy(
        {
            "type": "object",
            "properties": {
                each["name"]: {"type": "string", "description": each.get("description")}
                for each in named
            },
            "required": [each["name"] for each in named if each.get("required") is True],
        }
    )


def _of_kind(difference: Difference, kind: str) -> Difference:
    return msgspec.structs.replace(difference, details={**difference.details, "kind": kind})


def _resources(before: Surface, after: Surface, recorded: Requests) -> Iterator[Difference]:
    for kind, old, new in (
        ("resource", before.resources, after.resources),
        ("resource-template", before.resource_templates, after.resource_templates),
    ):
        for difference in _resource_differences(_by_uri(old), _by_uri(new), recorded):
            yield _of_kind(difference, kind)


def _by_uri(resources: Iterable[Resource]) -> dict[str, Resource]:
    return {each.uri: each for each in resources}


def _resource_differences(
    old: Mapping[str, Resource], new: Mapping[str, Resource], recorded: Requests
) -> Iterator[Difference]:
    for uri, resource in old.items():
        there = new.get(uri)
        if there is None:
            reason = "there is no such resource any more"
            hits = tuple(hit(each, reason) for each in recorded.reading(uri))
            seen = hits[0].arguments if hits else {"uri": uri}
            yield fact(uri, "", "resource-removed", before=uri, hits=hits, witness=seen)
            continue
        texts = (
            {"description": resource.description or ""},
            {"description": there.description or ""},
        )
        told = wording(*texts)
        if told is not None:
            yield fact(
                uri,
                "description",
                "description-changed",
                before=texts[0]["description"],
                after=texts[1]["description"],
                details=told,
            )
    for uri in new:
        if uri not in old:
            yield fact(uri, "", "tool-added", after=uri)
