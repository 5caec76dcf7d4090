"""Claude recorded through the tap, offline: the SDK's own bundled client, a model on loopback."""

import pytest

from tests.agents.outings import FOUND, INTENT, answers, calls, children, own, proxy, ran, said
from tests.loopback.anthropic import AnthropicServer
from tests.loopback.plays import Fail, Play, Say, Use

pytestmark = [pytest.mark.usefixtures("claude_sdk", "key"), pytest.mark.timeout(180)]

SEARCH = Play(
    [Say("I'll search for environment-related tools"), Use("retrieve_tools", query="environment")],
    Say("Found printEnv tool for environment variables"),
)


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-made-up-for-this-test")


async def claude(play, target=None, **options):
    """A run of Claude, and what its model was asked."""
    async with AnthropicServer(play) as model:
        options = {"base_url": model.url, "model": "claude-sonnet-5", **options}
        run = await ran("claude", target or proxy(), **options)
        return run, model.asked


async def test_calls_results_words_and_usage_are_recorded():
    run, asked = await claude(SEARCH)
    assert run.troubles == ()
    assert (run.agent, run.model, run.trajectory.ended) == ("claude", "claude-sonnet-5", "done")
    assert calls(run) == [("retrieve_tools", {"query": "environment"})]
    assert answers(run) == [FOUND]
    assert said(run) == [
        ("I'll search for environment-related tools", 0),
        ("Found printEnv tool for environment variables", 1),
    ]
    assert run.trajectory.messages[0].text == INTENT
    usage = run.trajectory.usage
    assert (usage.turns, usage.input_tokens, usage.output_tokens) == (2, 200, 40)
    assert usage.cost_usd > 0
    assert run.build.server_name == "fake"
    assert INTENT in str(asked[0]["messages"])


async def test_the_model_is_offered_what_the_surface_offers_and_no_credential_of_the_target(
    monkeypatch,
):
    monkeypatch.setenv("PROXY_TOKEN", "tok-made-up-0123456789")
    play = Play(Use("Bash", command="printenv PROXY_TOKEN CLAUDE_CONFIG_DIR; echo end"), Say("x"))
    run, asked = await claude(play, tools=["Bash"], allow=["Bash"])
    names = {tool["name"] for tool in asked[0]["tools"]}
    assert {"mcp__mcpproxy__retrieve_tools", "mcp__mcpproxy__list_registries", "Bash"} <= names
    assert "WebFetch" not in names
    shown = bytes(run.trajectory.invocations[0].outcome.body).decode()
    assert "end" in shown
    assert "tok-made-up" not in shown
    assert "mcp-eval-agent-" in shown  # its configuration is a folder of its own


async def test_tools_of_its_own_are_recorded_in_their_place_and_never_scored():
    play = Play(
        [Use("TodoWrite", todos=[]), Use("Bash", command="touch made-by-bash")],
        Use("retrieve_tools", query="environment"),
        Use("WebSearch", query="environment"),
        Say("Found printEnv"),
    )
    run, _ = await claude(play)
    assert run.troubles == ()
    assert calls(run) == [("retrieve_tools", {"query": "environment"})]
    assert own(run) == ["TodoWrite", "Bash", "WebSearch"]
    names = [one.name for one in run.trajectory.invocations]
    assert names == ["TodoWrite", "Bash", "retrieve_tools", "WebSearch"]
    assert {one.method for one in run.trajectory.invocations if one.foreign} == {"agent/tool"}


async def test_a_tool_that_is_gone_stands_as_one_that_was_refused():
    run, _ = await claude(Play(Use("mcp__mcpproxy__add_server", name="github"), Say("I cannot")))
    (made,) = run.trajectory.invocations
    assert (made.name, made.foreign, made.outcome.kind) == ("add_server", False, "error")
    assert "No such tool" in made.outcome.detail


async def test_parallel_calls_are_told_apart_by_their_arguments():
    play = Play(
        [Use("retrieve_tools", query="one"), Use("retrieve_tools", query="two")], Say("Both done")
    )
    run, _ = await claude(play)
    assert calls(run) == [
        ("retrieve_tools", {"query": "one"}),
        ("retrieve_tools", {"query": "two"}),
    ]


async def test_turns_that_are_spent_mean_that_it_gave_up():
    run, _ = await claude(Play(Use("retrieve_tools", query="again")), max_turns=2)
    assert (run.troubles, run.trajectory.ended) == ((), "gave-up")


async def test_a_budget_that_is_spent_is_no_opinion():
    run, _ = await claude(Play(Use("retrieve_tools", query="again")), budget_usd=0.0005)
    (trouble,) = run.troubles
    assert trouble.rule == "agent-failed"
    assert "budget was spent" in trouble.message


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fail(529), "HTTP 529"),
        (Fail(429), "HTTP 429"),
        (Fail(401), "HTTP 401"),
        (Fail("silence"), "timed out"),
        (Fail("stall"), "the model did not answer"),
        (Fail("hang up"), "the model did not answer"),
    ],
    ids=lambda value: str(getattr(value, "how", "")),
)
async def test_a_model_that_fails_is_no_opinion(fault, says):
    run, _ = await claude(Play(fault), answer_timeout=5)
    (trouble,) = run.troubles
    assert trouble.rule == "agent-failed"
    assert says in trouble.message
    assert run.trajectory.ended == "broke"


async def test_a_model_that_fails_later_leaves_what_was_done():
    run, _ = await claude(Play(Use("retrieve_tools", query="environment"), Fail(529)))
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]
    assert calls(run) == [("retrieve_tools", {"query": "environment"})]


async def test_a_model_nobody_serves_is_no_opinion():
    run = await ran("claude", proxy(), base_url="http://127.0.0.1:9", model="claude-sonnet-5")
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]
    assert "refused" in run.troubles[0].message


async def test_a_run_that_takes_too_long_is_ended_with_all_it_started():
    run, _ = await claude(Play(Fail("silence")), timeout=4, answer_timeout=60)
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]
    assert "not done after 4 s" in run.troubles[0].message
    assert children() == []
