"""How a build answers rather than what: how long it takes, how much it says, what it asks back."""

from collections.abc import Iterator, Sequence
from statistics import median

from mcp_eval.compare.catalogue import CHARACTERS_A_TOKEN
from mcp_eval.compare.outcomes import class_of
from mcp_eval.model.comparison import Difference, Site, Steadiness
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.trajectory import Invocation, Run, Usage

_ANSWERED = frozenset({"result"})
_ANSWERS = ("ok", "empty")


def conduct(
    step: RecordedStep, looks: Sequence[Invocation], old: Sequence[Invocation], site: Site
) -> Iterator[Difference]:
    """What changed about one step's time, size and questions, over all looks at it."""
    reached = [made for made in looks if made.outcome.kind != "not-reached"]
    if not reached:
        return
    answered = [made for made in reached if made.outcome.kind in _ANSWERED]
    if answered and len(answered) == len(reached):
        yield from _slower(step, answered, old, site)
        yield from _costlier(step, answered, site)
    yield from _asking(step, reached, site)


def _slower(
    step: RecordedStep, looks: Sequence[Invocation], old: Sequence[Invocation], site: Site
) -> Iterator[Difference]:
    before = (*step.latencies_ms, *(round(made.latency_ms, 1) for made in old))
    after = tuple(round(made.latency_ms, 1) for made in looks)
    # A poll waits for a state, so its time is the state's.
    if step.polls > 1 or any(made.polls > 1 for made in looks) or not before:
        return
    if min(after) > max(before):
        yield Difference(
            site=site, lane="replay", change="slower", before=list(before), after=list(after)
        )


def _costlier(step: RecordedStep, looks: Sequence[Invocation], site: Site) -> Iterator[Difference]:
    if not step.sizes:
        return
    before = int(median(step.sizes)) // CHARACTERS_A_TOKEN
    after = int(median(made.size for made in looks)) // CHARACTERS_A_TOKEN
    if after > before:
        yield Difference(
            site=site,
            lane="replay",
            change="costlier",
            before=before,
            after=after,
            details={"unit": "tokens"},
        )


def _asking(step: RecordedStep, looks: Sequence[Invocation], site: Site) -> Iterator[Difference]:
    """Server requests that no recorded look knows."""
    known = {asked.method for asked in step.nested}
    asking = {
        asked.method: made for made in looks for asked in made.nested if asked.method not in known
    }
    for method, made in asking.items():
        seen = sum(any(asked.method == method for asked in one.nested) for one in looks)
        yield Difference(
            site=site,
            lane="replay",
            change="server-request-new",
            after=method,
            steadiness=Steadiness(baseline=step.looks, seen=seen, looks=len(looks)),
            details={"answered": class_of(step, made.outcome) in {class_of(step), *_ANSWERS}},
        )


def run_costs(recording: Recording, runs: Sequence[Run]) -> Iterator[Difference]:
    """What a model's runs cost beside the recorded ones: tokens, and money where it is known."""
    site = Site(tool="", path="run", scenario=recording.stem)
    for unit in ("tokens", "usd"):
        before = [_spent(usage, unit) for usage in recording.usages]
        after = [_spent(run.trajectory.usage, unit) for run in runs]
        if not any(before) or not any(after):
            continue
        was, now = median(before), median(after)
        if now > was:
            yield Difference(
                site=site,
                lane="agent",
                change="costlier",
                before=was,
                after=now,
                details={"unit": unit},
            )


def _spent(usage: Usage, unit: str) -> float:
    if unit == "usd":
        return usage.cost_usd or 0.0
    return float(usage.input_tokens + usage.output_tokens)
