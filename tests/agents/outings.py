"""What the tests of agents share: a target in memory, a scenario, a run, its facts in short."""

from mcp_eval.agents import leash
from mcp_eval.agents.registry import make_agent
from mcp_eval.clock import SystemClock
from mcp_eval.compare.answers import answer
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.scenario import Scenario
from mcp_eval.targets.probe import Probe
from tests.flows.fakes import FakeTarget, ScriptedServer

SPEC = TargetSpec(name="mcpproxy", env={"PROXY_TOKEN": "${PROXY_TOKEN}"})
INTENT = "Find tools for environment variables"
FOUND = {"tools": [{"name": "printEnv", "score": 0.149}], "total": 1}


def proxy(**tools):
    """A small MCP proxy, as the document this project grew from shows one."""
    query = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    usual = {
        "retrieve_tools": {"does": lambda arguments, state: FOUND, "schema": query},
        "list_registries": {
            "does": lambda arguments, state: {"registries": ["docker-mcp-catalog"]}
        },
    }
    return FakeTarget(ScriptedServer({**usual, **tools}), name="mcpproxy", resettable=True)


def scenario(**more):
    return Scenario(**{"name": "Search", "stem": "search", "user_intent": INTENT, **more})


async def ran(agent, target, *, spec=SPEC, told=None, **options):
    """One run of an agent by name against a target."""
    clock = SystemClock()
    made = make_agent(agent, spec=spec, clock=clock, options=options)
    environment = await target.start()
    try:
        surface = await Probe(clock=clock)(environment)
        return await made.run(told or scenario(), environment, surface=surface, trial=1)
    finally:
        await environment.stop()


def calls(run):
    """The requests that reached the target: name and arguments."""
    return [(one.name, one.arguments) for one in run.trajectory.invocations if not one.foreign]


def own(run):
    """The names of the agent's own tools that it used."""
    return [one.name for one in run.trajectory.invocations if one.foreign]


def said(run):
    """What the agent said, and how many requests had been made by then."""
    return [(one.text, one.before) for one in run.trajectory.messages if one.role == "assistant"]


def answers(run):
    """What the target answered, read."""
    return [answer(one.outcome).value for one in run.trajectory.invocations if not one.foreign]


def children():
    """Whoever this process started and has not ended, with all that they started."""
    return list(leash._family())
