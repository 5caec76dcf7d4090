"""The looks at one recorded step side by side: symbols, views, and facts counted over looks."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from mcp_eval.compare.answers import answer
from mcp_eval.compare.outcomes import step_differences
from mcp_eval.compare.paths import MISSING, get
from mcp_eval.compare.view import View
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference, Site, Steadiness
from mcp_eval.model.recording import Recording
from mcp_eval.model.trajectory import Invocation, Run

_FEWEST = 3


def by_step(run: Run) -> dict[int, Invocation]:
    """The invocations of a replay by the recorded step they re-issue."""
    return {
        made.step: made
        for made in run.trajectory.invocations
        if made.step is not None and not made.foreign
    }


def symbols(recording: Recording, made: Mapping[int, Invocation]) -> dict[str, str]:
    """What the baseline minted and sent again -> what this look minted and sent in its place."""
    found: dict[str, str] = {}
    for number, step in enumerate(recording.steps):
        here = made.get(number)
        if here is None or here.outcome.kind == "not-reached":
            continue
        for binding in step.bindings:
            old = get(step.arguments, binding.argument)
            new = get(here.arguments, binding.argument)
            if old is MISSING or new is MISSING or isinstance(old, dict | list):
                continue
            old_part, new_part = (
                _inner(str(old), binding.template),
                _inner(str(new), binding.template),
            )
            if old_part != new_part and len(old_part) >= _FEWEST:
                found[old_part] = new_part
    return found


def _inner(text: str, template: str) -> str:
    head, _, tail = template.partition("{}")
    if text.startswith(head) and text.endswith(tail) and len(text) >= len(head) + len(tail):
        return text[len(head) : len(text) - len(tail)]
    return text


def view_of(recording: Recording, number: int, run: Run, known: Mapping[str, str]) -> View:
    """How to look at one step of one run."""
    step = recording.steps[number]
    return View(
        holes=step.holes,
        before_at=recording.provenance.recorded_at,
        after_at=run.recorded_at,
        symbols=known,
        arguments=step.arguments,
        pages=_Pages(recording, number),
    )


class _Pages:
    """The lists other requests of this kind answered with: what another page would hold."""

    def __init__(self, recording: Recording, number: int) -> None:
        self._recording, self._number = recording, number

    def __iter__(self) -> Iterator[Json]:
        # Gathered only when somebody asks: it means to read every answer of the scenario.
        step = self._recording.steps[self._number]
        for other in self._recording.steps:
            if other.name == step.name and other.arguments != step.arguments:
                value = answer(other.outcome).value
                yield from (part for part in _lists(value) if part)


def _lists(value: Json) -> Iterator[list[Json]]:
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from _lists(member)


def look_facts(recording: Recording, run: Run) -> dict[int, tuple[Difference, ...]]:
    """What one look shows at each step that it reached."""
    made = by_step(run)
    known = symbols(recording, made)
    return {
        number: tuple(
            step_differences(
                recording.steps[number], here.outcome, view_of(recording, number, run, known)
            )
        )
        for number, here in made.items()
        if number < len(recording.steps)
    }


def merged(
    looks: Sequence[Sequence[Difference]],
    old: Sequence[Sequence[Difference]],
    agreed: int,
    site: Site,
) -> Iterator[Difference]:
    """One difference a site and change, with how many looks at each build show it."""
    seen, before = _grouped(looks), _grouped(old)
    for mark, shown in seen.items():
        first = shown[0]
        steadiness = Steadiness(
            baseline=agreed,
            seen=len(shown),
            looks=len(looks),
            alike=all(_same_after(first, other) for other in shown),
            old_seen=len(before.get(mark, ())),
            old_looks=len(old),
        )
        place = replace(site, path=first.site.path)
        yield replace(first, site=place, steadiness=steadiness)


def _same_after(first: Difference, other: Difference) -> bool:
    return msgspec.json.encode(first.after) == msgspec.json.encode(other.after)


def _grouped(looks: Sequence[Sequence[Difference]]) -> dict[tuple[str, str], list[Difference]]:
    """The differences by change and site, the first of each look."""
    found: dict[tuple[str, str], list[Difference]] = {}
    for facts in looks:
        here: dict[tuple[str, str], Difference] = {}
        for one in facts:
            here.setdefault((one.change, one.site.path), one)
        for mark, one in here.items():
            found.setdefault(mark, []).append(one)
    return found
