"""`FailureAwareScenarioRunner`: a scenario run by an agent, recorded or held against a baseline."""

from pathlib import Path
from typing import Literal

import msgspec

from mcp_eval import app
from mcp_eval.errors import McpEvalError
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.comparison import Lane
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, RecordFinished
from mcp_eval.workflows.record import RecordPlan, record

_LANES: tuple[Lane, ...] = ("surface", "replay", "agent")
_FAILING = frozenset({"degraded", "broken", "inconclusive"})


class FailureAwareScenarioRunner:
    """Runs scenarios with an agent; why one failed is in what it gives back, never an exception."""

    def __init__(self, *, target: str = "", agent: str = "claude", baselines: str = "") -> None:
        self._target, self._agent, self._baselines = target, agent, baselines

    async def execute_scenario(
        self, scenario_file: str | Path, mode: Literal["baseline", "evaluation"] = "baseline"
    ) -> tuple[bool, JsonObject]:
        """Record a scenario, or run it against its baseline: whether all is well, and all facts."""
        facts: JsonObject = {"scenario": str(scenario_file), "mode": mode, "agent": self._agent}
        try:
            project = app.project()
            wanted = app.scenarios(project, (Path(scenario_file),))
            folder, policy = self._baselines or project.baselines, project.policy
            spec = app.target_spec(project, self._target, wanted)
            surface, build = await app.started(project, spec)
            facts |= {"available_tools": [tool.name for tool in surface.tools]}
            facts |= {"build": _plain(build), "mcpproxy_git_info": _plain(build.checkout)}
            world = app.world(project, spec, folder=folder, agent=self._agent)
            if mode == "baseline":
                events = record(world, RecordPlan(scenarios=wanted, replace=True, policy=policy))
            else:
                stored = app.baseline(project, folder, wanted)
                plan = CheckPlan(baseline=stored, scenarios=wanted, policy=policy, lanes=_LANES)
                events = check(world, plan)
            *_, last = [event async for event in events]
        except McpEvalError as error:
            return False, facts | {"failures": [error.message], "hint": error.hint}
        if isinstance(last, Checked):
            failing = [one.message for one in last.report.roots if one.status in _FAILING]
            facts |= {"status": last.report.status, "failures": failing}
            return last.report.passed, facts | {"report": _plain(last.report)}
        made = last.recordings[0] if isinstance(last, RecordFinished) else None
        return True, facts | {"recording": _plain(made), "failures": []}


def _plain(noun: Noun | None) -> JsonObject | None:
    return None if noun is None else msgspec.json.decode(msgspec.json.encode(noun))
