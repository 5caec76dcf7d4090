"""The probe, the agent `script` and the walker against real servers."""

import asyncio

import pytest

from mcp_eval.agents.script import ScriptAgent, Walker
from mcp_eval.agents.walk import Pace
from mcp_eval.clock import SystemClock
from mcp_eval.compare.bindings import bind
from mcp_eval.compare.steady import distill
from mcp_eval.compare.surface import surface_digest
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface
from mcp_eval.targets.probe import Probe
from mcp_eval.targets.registry import make_target


class Bench:
    """One target, and everything that talks to it."""

    def __init__(self, command, folder, **more):
        clock = SystemClock()
        spec = TargetSpec(name="real", command=tuple(command), resettable=True, **more)
        pace = Pace.of(spec, clock=clock, sleep=asyncio.sleep)
        self.target = make_target(spec, workspace=folder / ".mcp-eval", clock=clock)
        self.probe = Probe(clock=clock)
        self.agent = ScriptAgent(pace)
        self.walker = Walker(pace)

    async def surface(self):
        environment = await self.target.start()
        try:
            return await self.probe(environment)
        finally:
            await environment.stop()

    async def recorded(self, told):
        environment = await self.target.start()
        try:
            made = await self.agent.run(told, environment, surface=Surface(), trial=1)
        finally:
            await environment.stop()
        assert made.troubles == ()
        return distill(told, [bind(made)], provenance=Provenance())

    async def replayed(self, recording):
        environment = await self.target.start()
        try:
            return await self.walker.replay(recording, environment, surface=Surface())
        finally:
            await environment.stop()


def scenario(*steps):
    return Scenario(name="Real", stem="real", user_intent="Try it.", expected_trajectory=steps)


def kinds(run):
    return [made.outcome.kind for made in run.trajectory.invocations]


@pytest.mark.parametrize("version", ["2025.12.18", "2026.1.14"])
async def test_everything_is_probed_to_the_same_surface_twice(real_part, tmp_path, version):
    bench = Bench(real_part(f"server-everything@{version}"), tmp_path)
    one, other = await bench.surface(), await bench.surface()
    assert surface_digest(one) == surface_digest(other)
    assert len(one.tools) >= 11
    assert one.prompts
    assert one.resources or one.resource_templates


async def test_server_requests_of_a_real_server_are_answered_at_record_and_at_replay(
    real_part, tmp_path
):
    bench = Bench(real_part("server-everything@2025.12.18"), tmp_path)
    told = scenario(
        Step(tool="echo", args={"message": "hello"}),
        Step(tool="sampleLLM", args={"prompt": "say hi", "maxTokens": 20}),
    )
    recording = await bench.recorded(told)
    assert [asked.method for asked in recording.steps[1].nested] == ["sampling/createMessage"]
    made = await bench.replayed(recording)
    assert kinds(made) == ["result", "result"]
    assert made.trajectory.invocations[1].nested[0].answer == recording.steps[1].nested[0].answer


async def test_files_of_one_look_are_found_in_the_folder_of_the_next(real_part, tmp_path):
    bench = Bench([*real_part("server-filesystem@2025.7.29"), "${workdir}"], tmp_path)
    told = scenario(
        Step(run='printf "one\\n" > "${workdir}/a.txt"'),
        Step(tool="read_file", args={"path": "${workdir}/a.txt"}),
        Step(tool="write_file", args={"path": "${workdir}/b.txt", "content": "two"}),
        Step(restart=True),
        Step(tool="list_directory", args={"path": "${workdir}"}),
    )
    recording = await bench.recorded(told)
    made = await bench.replayed(recording)
    assert made.troubles == ()
    now = [bytes(one.outcome.body) for one in made.trajectory.invocations]
    assert now == [bytes(step.outcome.body) for step in recording.steps]
    assert b"a.txt" in now[4]
    assert b"b.txt" in now[4]
    assert all(str(tmp_path).encode() not in body and b"mcp-eval-" not in body for body in now)


async def test_memory_in_a_file_of_its_own_starts_empty_at_each_look(real_part, tmp_path):
    command = real_part("server-memory@2026.1.26")
    bench = Bench(command, tmp_path, env={"MEMORY_FILE_PATH": "${workdir}/memory.json"})
    entity = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    told = scenario(
        Step(tool="create_entities", args={"entities": [entity]}), Step(tool="read_graph")
    )
    recording = await bench.recorded(told)
    made = await bench.replayed(recording)
    assert [bytes(one.outcome.body) for one in made.trajectory.invocations] == [
        bytes(step.outcome.body) for step in recording.steps
    ]
