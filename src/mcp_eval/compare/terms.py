"""What a tool, or a prompt, asks for and says: how that changed, and whom it hits."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from mcp_eval.compare.catalogue import fact, wording
from mcp_eval.compare.paths import key
from mcp_eval.compare.requests import hit, hits_of
from mcp_eval.compare.sites import NARROWING, SchemaChange
from mcp_eval.compare.tidy import Tidy
from mcp_eval.compare.witness import Contract, witness
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import RecordedRequest
from mcp_eval.model.surface import Tool


def schema_differences(
    name: str,
    changes: Iterable[SchemaChange],
    sides: tuple[Tidy, Tidy],
    requests: Sequence[RecordedRequest],
) -> list[Difference]:
    """The changes of one argument schema, with the recorded requests they hit."""
    contract = Contract.of(*sides)
    found = [
        _schema_difference(name, change, contract, requests)
        for change in changes
        if change.change != "description-changed"
    ]
    return _with_unexplained(name, found, contract, requests)


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
        told["ignored" if change.demand == {} else "unknown"] = True
    if hits and told.get("lost") == ["number"]:
        rule = "parameter-type-changed"  # a whole number is asked for, and another one was sent
    return fact(
        name, change.path, rule,
        before=change.before, after=change.after, details=told, hits=hits, witness=seen,
    )  # fmt: skip


def _with_unexplained(
    name: str,
    found: list[Difference],
    contract: Contract,
    requests: Sequence[RecordedRequest],
) -> list[Difference]:
    """No recorded request becomes invalid unseen, whatever the reading of the schemas missed."""
    explained = {(each.scenario, each.step) for one in found for each in one.hits if each.reason}
    for request in requests:
        if (request.scenario, request.step) in explained:
            continue
        fault = contract.fault(request.arguments)
        if fault is not None:
            found = _hitting(found, name, fault.path, fault.keyword, request, fault.reason)
    return found


def _hitting(
    found: list[Difference],
    name: str,
    path: str,
    keyword: str,
    request: RecordedRequest,
    reason: str,
) -> list[Difference]:
    more = hit(request, reason)
    for at, one in enumerate(found):
        if one.site.path == path and one.change in NARROWING:
            told = {word: told for word, told in one.details.items() if word != "unknown"}
            seen = more.arguments if one.witness is None else one.witness
            wider = replace(one, hits=(*one.hits, more), details=told, witness=seen)
            return [*found[:at], wider, *found[at + 1 :]]
    new = fact(
        name, path, "bounds-narrowed",
        details={"keywords": [keyword]}, hits=(more,), witness=more.arguments,
    )  # fmt: skip
    return [*found, new]


def wording_differences(
    before: Tool, after: Tool, changes: Iterable[SchemaChange]
) -> Iterator[Difference]:
    """All that changed in a tool's words, as one difference."""
    inside = [change for change in changes if change.change == "description-changed"]
    inside.sort(key=lambda change: change.path)
    old, new = _texts(before), _texts(after)
    told = wording(
        old | {change.path: change.before for change in inside},
        new | {change.path: change.after for change in inside},
    )
    if told is None:
        return
    told["parameters"] = [change.path for change in inside]
    path = next((word for word in old if old[word] != new[word]), None)
    if path is not None:
        was, now = old[path], new[path]
    else:
        path = key(inside[0].path, "description") if len(inside) == 1 else "description"
        was, now = inside[0].before, inside[0].after
    yield fact(before.name, path, "description-changed", before=was, after=now, details=told)


def _texts(tool: Tool) -> dict[str, str]:
    inside = (tool.annotations or {}).get("title")
    title = tool.title or (inside if isinstance(inside, str) else "")
    return {"description": tool.description or "", "title": title}
