"""One scenario, tried once by an agent, against what was recorded of it."""

from msgspec.structs import replace

from mcp_eval.judge.verdict import judge
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import Baseline
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.trajectory import Run
from mcp_eval.model.verdict import Report
from mcp_eval.workflows import looks
from mcp_eval.workflows.agents import worthless
from mcp_eval.workflows.case import Case, Side
from mcp_eval.workflows.environments import probed
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.weighing import weigh


async def attempt(
    world: World, baseline: Baseline, scenario: Scenario, *, policy: Policy, trial: int = 1
) -> tuple[Run, Report]:
    """The agent's run and the report on it; InconclusiveError where the target does not start."""
    surface, build = await probed(world, world.target)
    made = await looks.run(world, scenario, surface=surface, trial=trial)
    case = Case(
        baseline=replace(baseline, recordings={scenario.stem: baseline.recordings[scenario.stem]}),
        scenarios={scenario.stem: scenario},
        new=Side(surface=surface, build=build),
        old=None,
        resettable=bool(world.target.resettable),
        lanes=("surface", "agent"),
        policy=replace(policy, today=policy.today or world.clock.now()[:10]),
        runs={scenario.stem: [made]},
    )
    await weigh(world, case)
    if _reached(case, scenario.stem) and (why := worthless(made)):
        made = replace(made, troubles=why)
        case.runs[scenario.stem] = [made]
    comparison = case.compared()
    verdict = judge(comparison, case.policy)
    now, version = world.clock.now(), world.version
    return made, Report.of(verdict, comparison, created_at=now, mcp_eval=version)


def _reached(case: Case, stem: str) -> bool:
    (compared,) = case.compared([stem]).scenarios
    return compared.goal is not None and compared.goal.reached == compared.goal.runs
