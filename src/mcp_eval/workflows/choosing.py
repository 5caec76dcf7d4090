"""Which scenarios the words of a command mean."""

from collections.abc import Collection, Sequence

from mcp_eval.errors import UsageError
from mcp_eval.model.scenario import Scenario


def matching(
    scenarios: Sequence[Scenario],
    *,
    keyword: str = "",
    tags: Sequence[str] = (),
    only: Collection[str] | None = None,
) -> tuple[Scenario, ...]:
    """The scenarios that were meant; UsageError where none was."""
    word = keyword.lower()
    found = tuple(
        one
        for one in scenarios
        if word in f"{one.stem} {one.name}".lower()
        and (not tags or set(tags) & set(one.tags))
        and (only is None or one.stem in only)
    )
    if not found:
        raise UsageError("no scenario was chosen", hint=_why_none(scenarios, tags))
    return found


def _why_none(scenarios: Sequence[Scenario], tags: Sequence[str]) -> str:
    if not scenarios:
        return "name a scenario file, or a folder that holds some"
    if tags:
        known = sorted({tag for one in scenarios for tag in one.tags})
        return f"tags in use: {', '.join(known) or 'none'}"
    return f"{len(scenarios)} were looked at; -k wants part of a name"
