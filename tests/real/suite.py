"""A real server as a person would have it: scenarios, a baseline, and checks in a folder."""

from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from mcp_eval import app
from mcp_eval.model.policy import Policy
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, RecordFinished
from mcp_eval.workflows.record import RecordPlan, record

SCENARIOS = Path(__file__).parent / "scenarios"


@dataclass
class Suite:
    """Scenarios against one server, in a folder of their own."""

    folder: Path
    scenarios: Path

    def __post_init__(self):
        self.project = Project(
            path=str(self.folder / "mcp-eval.yaml"),
            scenarios=str(self.scenarios),
            baselines=str(self.folder / "baselines"),
            reports=str(self.folder / "reports"),
        )
        self.read = app.scenarios(self.project, (self.scenarios,))

    def target(self, command):
        """The server, which a new process resets."""
        env = {"MEMORY_FILE_PATH": "${workdir}/memory.jsonl"}  # beside its code, unless it is told
        return TargetSpec(name="real", command=tuple(command), resettable=True, env=env)

    async def record(self, command, *, trials=1):
        """Record the scenarios as the baseline."""
        world = app.world(self.project, self.target(command), folder=self.project.baselines)
        plan = RecordPlan(scenarios=self.read, replace=True, trials=trials)
        return await _last(record(world, plan), RecordFinished)

    async def check(self, command, **facts):
        """Check the scenarios against the baseline; the report."""
        world = app.world(self.project, self.target(command))
        baseline = app.baseline(self.project, None, self.read)
        plan = CheckPlan(baseline=baseline, scenarios=self.read, **{"policy": Policy(), **facts})
        return (await _last(check(world, plan), Checked)).report


async def _last(events, kind):
    found = None
    async with aclosing(events) as stream:
        async for event in stream:
            found = event if isinstance(event, kind) else found
    return found
