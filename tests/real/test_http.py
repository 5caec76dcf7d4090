"""Targets over HTTP: a real server, real proxies before it, foreign clients through the front."""

import re
import textwrap

import pytest

from mcp_eval.agents.script import ScriptAgent, Walker
from mcp_eval.agents.walk import Pace
from mcp_eval.clock import SystemClock
from mcp_eval.compare.bindings import bind
from mcp_eval.compare.steady import distill
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface
from tests.flows.fakes import NoSleep
from tests.real import http

STEPS = (
    Step(tool="echo", args={"message": "hello"}),
    Step(tool="sampleLLM", args={"prompt": "say hi", "maxTokens": 20}),
    Step(
        tool="test://static/resource/1",
        method="resources/read",
        args={"uri": "test://static/resource/1"},
    ),
    Step(tool="complex_prompt", method="prompts/get", args={"temperature": "0.1"}),
    Step(tool="listRoots", args={}),
)


async def walked(spec, folder, steps=STEPS):
    """A run along the steps, and a replay of what was recorded."""
    told = Scenario(name="Real", stem="real", expected_trajectory=steps)
    pace = Pace.of(spec, clock=SystemClock(), sleep=NoSleep())
    async with http.started(spec, folder) as environment:
        made = await ScriptAgent(pace).run(told, environment, surface=Surface(), trial=1)
    assert made.troubles == ()
    recording = distill(told, [bind(made)], provenance=Provenance())
    async with http.started(spec, folder) as environment:
        return made, await Walker(pace).replay(recording, environment, surface=Surface())


def bodies(run):
    return [bytes(made.outcome.body) for made in run.trajectory.invocations]


def kinds(run):
    return [made.outcome.kind for made in run.trajectory.invocations]


@pytest.mark.parametrize("transport", ["streamableHttp", "sse"])
async def test_tools_resources_and_prompts_are_recorded_and_replayed(
    real_part, tmp_path, transport
):
    spec = http.direct(real_part)
    if transport == "sse":
        url = spec.url.replace("/mcp", "/sse")
        command = (*spec.command[:-1], "sse")
        spec = TargetSpec(name="older", command=command, url=url, env=spec.env, resettable=True)
    made, again = await walked(spec, tmp_path)
    assert kinds(made) == kinds(again) == ["result"] * len(STEPS)
    assert bodies(made)[:4] == bodies(again)[:4]
    methods = [one.method for one in made.trajectory.invocations]
    assert methods[2:4] == ["resources/read", "prompts/get"]
    for run in (made, again):
        nested = run.trajectory.invocations[1].nested
        assert [one.method for one in nested] == ["sampling/createMessage"]
        assert nested[0].answer["model"] == "mcp-eval"


@pytest.mark.parametrize(
    "name", ["mcp-proxy@0.13.0", "mcp-proxy@6.7.19", "supergateway@4.0.0", "fastmcp@4.1.2"]
)
async def test_a_proxy_offers_what_stands_behind_it(real_part, tmp_path, name):
    spec = http.proxied(real_part, tmp_path, name)
    surface = await http.probed(spec, tmp_path)
    behind = await http.probed(http.direct(real_part), tmp_path)
    offered, expected = ({tool.name for tool in each.tools} for each in (surface, behind))
    # Some tools of it are offered to clients alone that can sample, elicit or list roots.
    assert expected - offered <= {"startElicitation", "listRoots", "sampleLLM"}
    made, again = await walked(spec, tmp_path, STEPS[:1])
    assert kinds(made) == kinds(again) == ["result"]
    assert b"Echo: hello" in bodies(made)[0]


async def test_a_proxy_that_answers_nothing_to_the_newest_protocol_is_seen(real_part, tmp_path):
    spec = http.proxied(real_part, tmp_path, "fastmcp@4.1.2")
    older = await http.probed(spec, tmp_path)
    newest = http.proxied(real_part, tmp_path, "fastmcp@4.1.2", options={"protocol": "2026-07-28"})
    newer = await http.probed(newest, tmp_path)
    assert (older.protocol, newer.protocol) == ("2025-11-25", "2026-07-28")
    assert len(older.tools) >= 11
    assert newer.tools == ()


async def test_a_server_of_both_eras_offers_the_same_in_both(real_part, tmp_path):
    spec = http.reference(real_part)
    older = await http.probed(spec(), tmp_path)
    newer = await http.probed(spec(options={"protocol": "2026-07-28"}), tmp_path)
    assert (older.protocol, newer.protocol) == ("2025-11-25", "2026-07-28")
    assert [tool.name for tool in older.tools] == [tool.name for tool in newer.tools]
    assert older.server_name == newer.server_name == "mcp-conformance-test-server"


async def test_what_a_stateless_server_asks_for_is_answered_at_record_and_at_replay(
    real_part, tmp_path
):
    spec = http.reference(real_part)(options={"protocol": "2026-07-28"})
    steps = (
        Step(tool="test_input_required_result_sampling"),
        Step(tool="test_input_required_result_list_roots"),
        Step(tool="test_simple_text"),
    )
    made, again = await walked(spec, tmp_path, steps)
    for run in (made, again):
        asked = [[one.method for one in made.nested] for made in run.trajectory.invocations]
        assert asked == [["sampling/createMessage"], ["roots/list"], []]
        assert b"fixed answer by mcp-eval" in bodies(run)[0]
        assert b"input_required" not in b"".join(bodies(run))


async def test_the_inspector_sees_the_same_through_the_front(real_part, tmp_path):
    inspector = real_part("inspector@0.15.0")
    call = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hi"]
    async with http.started(http.direct(real_part), tmp_path) as environment:
        client = await environment.reach()
        await client.close()
        async with http.fronted(environment) as front:
            seen = [
                await http.ran(*inspector, "--cli", url, "--transport", "http", *asked)
                for url in (client.url, front.url)
                for asked in (["--method", "tools/list"], call)
            ]
    assert seen[0][0] == 0
    assert seen[:2] == seen[2:]
    assert [(made.name, made.arguments) for made in front.invocations] == [
        ("echo", {"message": "hi"})
    ]


CLIENT = """
import asyncio, json, sys
from mcp import Client

async def main():
    async with Client(sys.argv[1], mode=sys.argv[2]) as client:
        tools = await client.list_tools()
        made = await client.call_tool("test_simple_text", {})
        read = await client.read_resource("test://static-text")
        print(json.dumps([client.protocol_version, len(tools.tools),
                          made.model_dump(mode="json"), read.model_dump(mode="json")]))

asyncio.run(main())
"""


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_official_client_sees_the_same_through_the_front(real_part, tmp_path, mode):
    python = real_part("mcp-everything-server@2.3.0")[0]
    (tmp_path / "client.py").write_text(textwrap.dedent(CLIENT))
    async with http.started(http.reference(real_part)(), tmp_path) as environment:
        client = await environment.reach()
        await client.close()
        async with http.fronted(environment) as front:
            command = [python, str(tmp_path / "client.py")]
            seen = [await http.ran(*command, url, mode) for url in (client.url, front.url)]
    assert seen[0][0] == 0
    assert seen[0] == seen[1]
    made = [(one.method, one.name, one.outcome.kind) for one in front.invocations]
    assert made == [
        ("tools/call", "test_simple_text", "result"),
        ("resources/read", "test://static-text", "result"),
    ]


@pytest.mark.parametrize(
    ("version", "revision", "total"),
    [
        ("0.1.16", (), 44),
        ("0.2.0-alpha.12", ("--spec-version", "2025-11-25"), 84),
        ("0.2.0-alpha.12", ("--spec-version", "2026-07-28"), 152),
    ],
)
async def test_the_conformance_suite_finds_the_same_direct_and_through_the_front(
    real_part, tmp_path, version, revision, total
):
    program = real_part(f"conformance@{version}")
    suite = [*program, "server", "--suite", "all", *revision, "--url"]
    async with http.started(http.reference(real_part)(), tmp_path) as environment:
        client = await environment.reach()
        await client.close()
        async with http.fronted(environment) as front:
            through = front.url.replace("127.0.0.1", "localhost")
            seen = [
                await http.ran(*suite, url, "-o", str(tmp_path / name), cwd=tmp_path)
                for name, url in (("direct", client.url), ("through", through))
            ]
    results = [re.findall(r"^[✓✗] .*|^Total.*", said, re.MULTILINE) for _, said in seen]
    assert results[0][-1].startswith(f"Total: {total} passed, 0 failed")
    assert results[0] == results[1]
    assert len(front.invocations) >= 20
    assert front.introduced["serverInfo"]["name"] == "mcp-conformance-test-server"
