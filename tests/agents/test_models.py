"""Any model behind an OpenAI-compatible address, offered the target's tools from our session."""

import pytest

from mcp_eval.agents import models as room
from mcp_eval.agents.registry import make_agent
from mcp_eval.clock import SystemClock
from mcp_eval.errors import UsageError
from mcp_eval.model.scenario import Step
from tests.agents.outings import (
    FOUND,
    INTENT,
    SPEC,
    answers,
    calls,
    own,
    proxy,
    ran,
    said,
    scenario,
)
from tests.flows.fakes import failure
from tests.loopback.openai import OpenAIServer
from tests.loopback.plays import Fail, Play, Say, Use

pytestmark = [pytest.mark.usefixtures("models_sdk"), pytest.mark.timeout(180)]

SEARCH = Play(
    [Say("I'll search for environment-related tools"), Use("retrieve_tools", query="environment")],
    Say("Found printEnv tool for environment variables"),
)


async def model(play, target=None, **options):
    """A run of a model, and what it was asked."""
    told = options.pop("told", None)
    async with OpenAIServer(play) as served:
        options = {"base_url": f"{served.url}/v1", "model": "tiny", **options}
        run = await ran("models", target or proxy(), told=told, **options)
        return run, served.asked


async def test_calls_results_words_and_usage_are_recorded():
    run, asked = await model(SEARCH, system_prompt="Be brief.")
    assert run.troubles == ()
    assert (run.agent, run.model, run.trajectory.ended) == ("models", "tiny", "done")
    assert calls(run) == [("retrieve_tools", {"query": "environment"})]
    assert answers(run) == [FOUND]
    assert said(run) == [
        ("I'll search for environment-related tools", 0),
        ("Found printEnv tool for environment variables", 1),
    ]
    usage = run.trajectory.usage
    assert (usage.turns, usage.input_tokens, usage.output_tokens) == (2, 200, 40)
    assert usage.cost_usd is None  # nobody knows what this model costs
    assert run.build.server_name == "fake"
    assert "Be brief." in str(asked[0]["messages"])
    assert INTENT in str(asked[0]["messages"])
    assert {tool["function"]["name"] for tool in asked[0]["tools"]} == {
        "retrieve_tools",
        "list_registries",
    }
    assert "printEnv" in str(asked[1]["messages"])


async def test_an_error_of_a_tool_is_shown_to_the_model_and_recorded_as_it_came():
    failing = proxy(list_registries={"does": lambda arguments, state: failure("Connection failed")})
    run, asked = await model(Play(Use("list_registries"), Say("It failed")), failing)
    assert run.troubles == ()
    assert b'"isError":true' in bytes(run.trajectory.invocations[0].outcome.body).replace(b" ", b"")
    assert "Error: Connection failed" in str(asked[1]["messages"])


async def test_parallel_calls_stand_in_the_order_they_were_asked():
    play = Play([Use("retrieve_tools", query="one"), Use("retrieve_tools", query="two")], Say("x"))
    run, _ = await model(play)
    assert calls(run) == [
        ("retrieve_tools", {"query": "one"}),
        ("retrieve_tools", {"query": "two"}),
    ]


async def test_a_placeholder_in_hostile_text_is_never_filled_in(monkeypatch):
    monkeypatch.setenv("PROXY_TOKEN", "tok-made-up-0123456789")
    seen = []
    spy = proxy(retrieve_tools={"does": lambda arguments, state: seen.append(arguments) or FOUND})
    await model(Play(Use("retrieve_tools", query="${secret:PROXY_TOKEN}"), Say("x")), spy)
    assert seen == [{"query": "${secret:PROXY_TOKEN}"}]


async def test_the_set_up_runs_first_on_the_same_line_and_is_not_scored():
    told = scenario(setup=(Step(tool="list_registries"),))
    run, _ = await model(SEARCH, told=told)
    assert own(run) == ["list_registries"]
    assert calls(run) == [("retrieve_tools", {"query": "environment"})]


async def test_turns_that_are_spent_mean_that_it_gave_up():
    run, _ = await model(Play(Use("retrieve_tools", query="again")), max_turns=2)
    assert (run.troubles, run.trajectory.ended) == ((), "gave-up")
    assert len(calls(run)) == 2


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fail(529), "529"),
        (Fail(429), "429"),
        (Fail(401), "401"),
        (Fail("silence"), "said nothing for 4 s"),
        (Fail("stall"), "said nothing for 4 s"),
        (Fail("hang up"), "did"),
    ],
    ids=lambda value: str(getattr(value, "how", "")),
)
async def test_a_model_that_fails_is_no_opinion(fault, says):
    run, _ = await model(Play(Use("retrieve_tools", query="x"), fault), answer_timeout=4)
    (trouble,) = run.troubles
    assert (trouble.rule, run.trajectory.ended) == ("agent-failed", "broke")
    assert says in trouble.message
    assert calls(run) == [("retrieve_tools", {"query": "x"})]


async def test_a_model_nobody_serves_is_no_opinion():
    run = await ran("models", proxy(), base_url="http://127.0.0.1:9/v1", model="tiny")
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]


async def test_a_run_that_takes_too_long_is_no_opinion():
    run, _ = await model(Play(Fail("silence")), timeout=2)
    assert "not done after 2 s" in run.troubles[0].message


async def test_a_provider_nobody_knows_is_said():
    run = await ran("models", proxy(), model="nobody:tiny")
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]
    assert "nobody" in run.troubles[0].message


def test_without_a_model_or_its_library_it_is_said(monkeypatch):
    with pytest.raises(UsageError, match="names no model"):
        make_agent("models", spec=SPEC, clock=SystemClock())
    monkeypatch.setattr(room, "find_spec", lambda name: None)
    with pytest.raises(UsageError) as caught:
        make_agent("models", spec=SPEC, clock=SystemClock(), options={"model": "x:y"})
    assert caught.value.hint == "pip install 'mcp-eval[models]'"
