"""What a tool promises about its answers, and whether it promises less."""

from collections.abc import Iterator

from mcp_eval.compare.catalogue import fact
from mcp_eval.compare.narrowing import schema_changes
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.compare.tidy import tidy
from mcp_eval.model.comparison import Difference
from mcp_eval.model.surface import Tool

_LESS = frozenset(
    [
        "parameter-removed",
        "parameter-renamed",
        "enum-value-added",
        "bounds-widened",
        "constraint-dropped",
    ]
)
_MORE = frozenset(
    ["parameter-added", "parameter-newly-required", "enum-value-removed", "bounds-narrowed"]
)
_SILENT = frozenset({"description-changed", "default-changed"})


def output_differences(before: Tool, after: Tool) -> Iterator[Difference]:
    """What changed in the output schema, one difference a site."""
    old, new = before.output_schema, after.output_schema
    if old == new:
        return
    if old is None or new is None:
        told = {"promises": "more" if old is None else "less"}
        yield fact(
            before.name,
            "outputSchema",
            "output-schema-changed",
            before=old,
            after=new,
            details=told,
        )
        return
    sites: dict[str, list[SchemaChange]] = {}
    for change in schema_changes(tidy(old), tidy(new)):
        if change.change not in _SILENT:
            sites.setdefault(change.path, []).append(change)
    for path, changes in sites.items():
        ways = {_promises(change) for change in changes}
        way = next(iter(ways)) if len(ways) == 1 else "less" if "less" in ways else "other"
        yield fact(
            before.name, f"outputSchema.{path}" if path else "outputSchema",
            "output-schema-changed", before=changes[0].before, after=changes[0].after,
            details={"promises": way, "changes": [change.change for change in changes]},
        )  # fmt: skip


def _promises(change: SchemaChange) -> str:
    """For an answer everything is the other way round: to let more through is to promise less."""
    if change.details.get("cut"):
        return "other"
    keywords = {*change.details.get("keywords", ()), change.details.get("keyword")}
    if change.change == "parameter-type-changed":
        return "less" if change.details.get("gained") else "more"
    if change.change == "constraint-dropped" and "additionalProperties" in keywords:
        return "other"  # nobody counts on what is not there
    if change.change == "bounds-narrowed" and keywords & {"pattern", "format"} and change.before:
        return "other"
    return "less" if change.change in _LESS else "more" if change.change in _MORE else "other"
