"""What a catalogue tells beside its schemas: annotations, texts, capabilities, its own size."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from mcp_eval.compare.paths import key
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Difference, Site
from mcp_eval.model.surface import Surface, Tool

# What a client must take for granted where a hint is not given.
HINTS = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
_METHODS = {"tools": "tools/call", "prompts": "prompts/get", "resources": "resources/read"}
CHARACTERS_A_TOKEN = 4
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def fact(tool: str, path: str, change: str, **facts: Json) -> Difference:
    """A difference of the surface."""
    return Difference(site=Site(tool=tool, path=path), lane="surface", change=change, **facts)


def annotation_differences(before: Tool, after: Tool) -> Iterator[Difference]:
    """Hints that changed, read with the protocol's defaults."""
    old, new = before.annotations or {}, after.annotations or {}
    for hint in dict.fromkeys((*HINTS, *old, *new)):
        default = HINTS.get(hint)
        was, now = old.get(hint, default), new.get(hint, default)
        if was != now and hint != "title":
            path = key("annotations", hint)
            told = {"loosened": _loosened(hint, now, old, new)}
            yield fact(before.name, path, "annotation-changed", before=was, after=now, details=told)


def _loosened(hint: str, now: Json, old: JsonObject, new: JsonObject) -> bool:
    """Whether a client may now be less careful."""
    if hint == "readOnlyHint":
        return now is True
    # Of a tool that only reads, or that clients took for one, "destructive" said nothing.
    reads = old.get("readOnlyHint") is True or new.get("readOnlyHint") is True
    return hint == "destructiveHint" and now is False and not reads


def wording(before: Mapping[str, str], after: Mapping[str, str]) -> JsonObject | None:
    """How texts told by path changed; None where they did not."""
    changed = [
        path for path in dict.fromkeys((*before, *after)) if before.get(path) != after.get(path)
    ]
    if not changed:
        return None
    lengths = [(len(before.get(path) or ""), len(after.get(path) or "")) for path in changed]
    was, now = (sum(sides) for sides in zip(*lengths, strict=True))
    return {
        "parameters": [path for path in changed if path not in {"description", "title"}],
        "before_length": was,
        "after_length": now,
        "share": round(min(now / was, 1.0), 3) if was else 1.0,
        "emptied": any(old and not new for old, new in lengths),
        "halved": any(new < old / 2 for old, new in lengths),
    }


def instruction_differences(before: Surface, after: Surface) -> Iterator[Difference]:
    """The instructions a server gives to every client."""
    old, new = before.instructions or "", after.instructions or ""
    told = wording({"description": old}, {"description": new})
    if told is not None:
        del told["parameters"]
        yield fact("", "instructions", "instructions-changed", before=old, after=new, details=told)


def protocol_differences(before: Surface, after: Surface) -> Iterator[Difference]:
    """An older protocol than before: what the newer one brought cannot be used any more."""
    old, new = before.protocol, after.protocol
    if _DAY.fullmatch(old) and _DAY.fullmatch(new) and new < old:
        told = {"capability": f"protocol {old}", "unknown": True}
        yield fact("", "protocol", "capability-lost", before=old, after=new, details=told)


def capability_differences(before: Surface, after: Surface) -> Iterator[Difference]:
    """Capabilities and sub-capabilities that are gone."""
    for path, lost in _lost("capabilities", before.capabilities, after.capabilities):
        told: JsonObject = {"capability": path.removeprefix("capabilities.")}
        method = _METHODS.get(told["capability"])
        if method:
            told["method"] = method
        yield fact("", path, "capability-lost", before=lost, details=told)


def _lost(path: str, before: Json, after: Json) -> Iterator[tuple[str, Json]]:
    if not isinstance(before, dict):
        return
    for name, offered in before.items():
        kept = after.get(name) if isinstance(after, dict) else None
        if offered in (False, None):
            continue
        if kept in (False, None) and not isinstance(kept, dict):
            yield key(path, name), offered
        else:
            yield from _lost(key(path, name), offered, kept)


def doubled_tools(before: Surface, after: Surface) -> Iterator[Difference]:
    """Names that stand twice and did not."""
    old = Counter(tool.name for tool in before.tools)
    for name, count in Counter(tool.name for tool in after.tools).items():
        if count > 1 and old[name] <= 1:
            told = {"count": count}
            yield fact(name, "", "tool-doubled", before=old[name], after=count, details=told)


def growth(before: Surface, after: Surface) -> Iterator[Difference]:
    """What the catalogue costs a model to read, where it costs more."""
    was, now = catalogue_tokens(before), catalogue_tokens(after)
    if now > was:
        told = {"before_tokens": was, "after_tokens": now, "tools": len(after.tools)}
        yield fact("", "tools", "catalogue-grown", before=was, after=now, details=told)


def catalogue_tokens(surface: Surface) -> int:
    """The length of its `tools/list` in tokens, four characters each."""
    return len(msgspec.json.encode(surface.tools).decode()) // CHARACTERS_A_TOKEN
