"""A check's own looks, laid down as changes of the baseline that wait for a person."""

from collections.abc import Iterator

from msgspec.structs import replace

from mcp_eval.compare.renewed import renewed
from mcp_eval.errors import UsageError
from mcp_eval.judge.proposal import adds
from mcp_eval.model.recording import Recording
from mcp_eval.model.verdict import Report, ScenarioVerdict
from mcp_eval.workflows.case import Case
from mcp_eval.workflows.events import Line
from mcp_eval.workflows.looks import REPLAY
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.stream import Say


def offer(world: World, case: Case, report: Report, say: Say) -> None:
    """Let what changed wait beside the baseline; where it cannot, the verdict is still said."""
    try:
        _offered(world, case, report, say)
    except UsageError as error:
        text = f"nothing waits for `mcp-eval accept`: {error.message}"
        say(Line(text=text, level="warning"))


def _offered(world: World, case: Case, report: Report, say: Say) -> None:
    surface = case.new.surface
    if surface is None:
        return
    waiting = []
    for scenario in report.scenarios:
        if scenario.stem not in case.runs or not _changed(report, scenario):
            continue
        recording = _renewed(world, case, scenario.stem)
        if recording is None:
            _unusable(say, scenario.stem)
        elif world.store.recording(recording, surface, replace=False).pending:
            waiting.append(scenario.stem)
    if _surface_changed(report) and world.store.surface(surface, replace=False).pending:
        waiting.append("surface")
    if waiting:
        named = ", ".join(waiting[:6]) + (" …" if len(waiting) > 6 else "")  # noqa: PLR2004
        text = f"what these looks saw waits as a change of the baseline: {named}"
        say(Line(text=text, hint="`mcp-eval accept` reviews it; nothing changes by itself"))


def _changed(report: Report, scenario: ScenarioVerdict) -> bool:
    if scenario.status != "good":
        return scenario.status != "inconclusive"
    return adds(frozenset(_rules(report, scenario)))


def _rules(report: Report, scenario: ScenarioVerdict) -> Iterator[str]:
    mine = {scenario.stem, scenario.name}
    return (one.rule for one in report.findings if mine.intersection(one.scenarios))


def _surface_changed(report: Report) -> bool:
    return report.comparison is not None and bool(report.comparison.surface)


def _renewed(world: World, case: Case, stem: str) -> Recording | None:
    before, surface = case.recording(stem), case.new.surface
    scenario = case.scenarios.get(stem)
    if scenario is None or surface is None:
        return None
    looks = case.runs[stem]
    stated = case.candidate([stem]).criteria.get(stem, ())
    return renewed(
        before,
        looks,
        scenario,
        provenance=replace(
            before.provenance,
            mcp_eval=world.version,
            agent=REPLAY,
            recorded_at=looks[0].recorded_at,
            build=case.new.build,
        ),
        surface=surface,
        criteria={one.text: one.result for one in stated},
    )


def _unusable(say: Say, stem: str) -> None:
    text = f"{stem}: no look at it went through, so there is nothing to accept"
    say(Line(text=text, hint=f"mend the target, or record the scenario again: {stem}"))
