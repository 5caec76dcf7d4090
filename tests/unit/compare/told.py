"""Scenarios as they are recorded and looked at again."""

from mcp_eval.compare.bindings import bind
from mcp_eval.compare.compare import compare
from mcp_eval.compare.steady import distill
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Baseline
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation, Outcome, Run, Trajectory
from tests.unit.compare.spoken import RECORDED_AT, SEEN_AT, as_outcome

NAMES = ("add_item", "list_items", "get_item", "remove_item", "approve_item", "status", "now")
SURFACE = Surface(tools=tuple(Tool(name=name) for name in NAMES))
NOT_REACHED = Outcome(kind="not-reached")


def run(*calls, at=RECORDED_AT, replay=False, fresh=True, **facts):
    """One run: calls are (tool, arguments, answer)."""
    made = tuple(
        Invocation(
            name=name,
            arguments=arguments,
            outcome=as_outcome(said),
            step=number if replay else None,
        )
        for number, (name, arguments, said) in enumerate(calls)
    )
    facts = {"scenario": "s", "recorded_at": at, "fresh": fresh, **facts}
    return Run(trajectory=Trajectory(invocations=made), **facts)


def look(*calls, **facts):
    """A replay at the new build."""
    return run(*calls, **{"at": SEEN_AT, "replay": True, **facts})


def recorded(*runs, criteria=()):
    """The recording of some runs; the first is bound, the others are its looks."""
    scenario = Scenario(name="S", stem="s", success_criteria=criteria)
    provenance = Provenance(recorded_at=RECORDED_AT)
    return distill(scenario, (bind(runs[0]), *runs[1:]), provenance=provenance, surface=SURFACE)


def compared(recording, *looks, old=(), **facts):
    """The recording beside looks at the new build."""
    baseline = Baseline(surface=SURFACE, recordings={"s": recording})
    facts = {"resettable": True, **facts}
    candidate = Candidate(surface=SURFACE, runs={"s": looks}, old_runs={"s": old}, **facts)
    (scenario,) = compare(baseline, candidate).scenarios
    return scenario


def shown(recording, *looks, **facts):
    """Its differences as (step, change, path)."""
    found = compared(recording, *looks, **facts).differences
    return [(one.site.step, one.change, one.site.path) for one in found]
