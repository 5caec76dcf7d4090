"""Prompts and resources: what is gone, what is new, and whom that hits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare.catalogue import fact, wording
from mcp_eval.compare.narrowing import schema_changes
from mcp_eval.compare.requests import Requests, covers, hit, read_uri
from mcp_eval.compare.terms import schema_differences, wording_differences
from mcp_eval.compare.tidy import Tidy, tidy
from mcp_eval.compare.validity import Validity
from mcp_eval.compare.witness import valid_request
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import RecordedRequest
from mcp_eval.model.surface import Prompt, Resource, Surface, Tool


def prompt_differences(before: Surface, after: Surface, recorded: Requests) -> Iterator[Difference]:
    """Prompts that went, came, or ask for something else."""
    old = {prompt.name: prompt for prompt in before.prompts}
    new = {prompt.name: prompt for prompt in after.prompts}
    for name, prompt in old.items():
        requests = recorded.named("prompts/get", name)
        if name not in new:
            yield _of_kind(_prompt_removed(prompt, requests), "prompt")
        elif prompt != new[name]:
            for difference in _prompt_changed(prompt, new[name], requests):
                yield _of_kind(difference, "prompt")
    for name in new:
        if name not in old:
            yield _of_kind(fact(name, "", "tool-added", after=name), "prompt")


def _prompt_removed(prompt: Prompt, requests: Sequence[RecordedRequest]) -> Difference:
    hits = tuple(hit(each, "there is no such prompt any more") for each in requests)
    seen = hits[0].arguments if hits else valid_request(Validity(asked(prompt)))
    return fact(prompt.name, "", "prompt-removed", before=prompt.name, hits=hits, witness=seen)


def _prompt_changed(
    before: Prompt, after: Prompt, requests: Sequence[RecordedRequest]
) -> Iterator[Difference]:
    sides = asked(before), asked(after)
    changes = schema_changes(*sides)
    yield from schema_differences(before.name, changes, sides, requests)
    yield from wording_differences(
        Tool(name=before.name, title=before.title, description=before.description),
        Tool(name=after.name, title=after.title, description=after.description),
        changes,
    )


def asked(prompt: Prompt) -> Tidy:
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
    return replace(difference, details={**difference.details, "kind": kind})


def resource_differences(
    before: Surface, after: Surface, recorded: Requests
) -> Iterator[Difference]:
    """Resources and templates that went, came, or are described otherwise."""
    offered = [each.uri for each in (*after.resources, *after.resource_templates)]
    for kind, old, new in (
        ("resource", before.resources, after.resources),
        ("resource-template", before.resource_templates, after.resource_templates),
    ):
        for difference in _kind_differences(_by_uri(old), _by_uri(new), offered, recorded):
            yield _of_kind(difference, kind)


def _by_uri(resources: Iterable[Resource]) -> dict[str, Resource]:
    return {each.uri: each for each in resources}


def _kind_differences(
    old: Mapping[str, Resource],
    new: Mapping[str, Resource],
    offered: Sequence[str],
    recorded: Requests,
) -> Iterator[Difference]:
    for uri, resource in old.items():
        there = new.get(uri)
        if there is not None:
            yield from _described_otherwise(resource, there)
        elif not any(covers(each, uri) for each in offered):
            yield _resource_removed(uri, offered, recorded)
    for uri in new:
        if uri not in old:
            yield fact(uri, "", "tool-added", after=uri)


def _resource_removed(uri: str, offered: Sequence[str], recorded: Requests) -> Difference:
    """A resource nothing answers for any more; of a template, the reads nothing else covers."""
    hits = tuple(
        hit(each, "there is no such resource any more")
        for each in recorded.reading(uri)
        if not any(covers(other, read_uri(each)) for other in offered)
    )
    seen = hits[0].arguments if hits else {"uri": uri}
    return fact(uri, "", "resource-removed", before=uri, hits=hits, witness=seen)


def _described_otherwise(before: Resource, after: Resource) -> Iterator[Difference]:
    old, new = before.description or "", after.description or ""
    told = wording({"description": old}, {"description": new})
    if told is not None:
        yield fact(
            before.uri, "description", "description-changed", before=old, after=new, details=told
        )
