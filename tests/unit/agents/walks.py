"""Scripted servers, scenarios and recordings, and the shortest way to walk them."""

from mcp_eval.agents.script import ScriptAgent, Walker
from mcp_eval.agents.walk import Pace
from mcp_eval.compare.answers import answer
from mcp_eval.compare.bindings import bind
from mcp_eval.compare.steady import distill
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface, Tool
from tests.flows.fakes import FakeTarget, HandClock, NoSleep, ScriptedServer
from tests.unit.tap.fakes import FakeServer


def call(tool, **args):
    return Step(tool=tool, args=args)


def scenario(*steps, **more):
    return Scenario(name="Story", stem="story", expected_trajectory=steps, **more)


def surface_of(server):
    """What a scripted server offers, as the probe would say it."""
    return Surface(
        tools=tuple(
            Tool(
                name=name,
                annotations={"readOnlyHint": True} if spec.get("reads", server.reads) else None,
            )
            for name, spec in server.tools.items()
        )
    )


class World:
    """A server, and an agent with endless patience that costs no time."""

    def __init__(self, tools=(), *, environ=None, workdir="/nowhere", reply=None, **target):
        tools = dict(tools)
        self.server = ScriptedServer(tools)
        self.surface = surface_of(self.server)
        self.target = FakeTarget(self.server, **target)
        self.sleep = NoSleep()
        self.workdir = workdir
        self.reply = reply  # instead of the scripted server: what is written for each message
        self.pace = Pace(clock=HandClock(), sleep=self.sleep, environ=environ or {}, call_timeout=5)

    async def environment(self):
        environment = await self.target.start()
        environment.workdir = self.workdir
        if self.reply is not None:
            environment.connect = self._connect
        return environment

    async def _connect(self):
        return FakeServer(self.reply)

    async def run(self, told, *, trial=1):
        environment = await self.environment()
        agent = ScriptAgent(self.pace)
        return await agent.run(told, environment, surface=self.surface, trial=trial)

    async def record(self, told):
        made = bind(await self.run(told))
        assert not made.troubles
        return distill(told, [made], provenance=Provenance(), surface=self.surface)

    async def replay(self, recording, changes=()):
        environment = await self.environment()
        return await Walker(self.pace).replay(
            recording, environment, surface=self.surface, changes=changes
        )


def kinds(run):
    return [made.outcome.kind for made in run.trajectory.invocations]


def values(run):
    return [answer(made.outcome).value for made in run.trajectory.invocations]
