"""`FailureAwareScenarioRunner`: a scenario run by an agent, recorded or held against a baseline."""

from pathlib import Path
from typing import Literal

import msgspec

from mcp_eval import app
from mcp_eval.errors import McpEvalError
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.scenario import Scenario
from mcp_eval.workflows.attempt import attempt
from mcp_eval.workflows.events import RecordFinished
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.record import RecordPlan, record


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
            (scenario,) = app.scenarios(project, (Path(scenario_file),))
            folder = self._baselines or project.baselines
            spec = app.target_spec(project, self._target, (scenario,))
            surface, build = await app.started(project, spec)
            world = app.world(project, spec, folder=folder, agent=self._agent)
            facts |= {"available_tools": [tool.name for tool in surface.tools]}
            facts |= {"build": _plain(build), "mcpproxy_git_info": _plain(build.checkout)}
            if mode == "baseline":
                return True, facts | await _recorded(world, scenario)
            baseline = app.baseline(project, folder, (scenario,))
            made, report = await attempt(world, baseline, scenario, policy=project.policy)
        except McpEvalError as error:
            return False, facts | {"failures": [error.message], "hint": error.hint}
        failing = [one.message for one in report.roots if one.status not in {"note", "acceptable"}]
        facts |= {"status": report.status, "failures": failing, "report": _plain(report)}
        return report.passed, facts | {"run": _plain(made)}


async def _recorded(world: World, scenario: Scenario) -> JsonObject:
    plan = RecordPlan(scenarios=(scenario,), replace=True)
    said = [event async for event in record(world, plan)]
    made = next(event for event in said if isinstance(event, RecordFinished)).recordings[0]
    return {"recording": _plain(made), "failures": []}


def _plain(noun: Noun | None) -> JsonObject | None:
    return None if noun is None else msgspec.json.decode(msgspec.json.encode(noun))
