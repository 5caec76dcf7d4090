"""Any program as an agent: it is given an mcpServers file, and its exit and output end the run."""

import sys
from pathlib import Path

import pytest

from mcp_eval.agents.registry import make_agent
from mcp_eval.clock import SystemClock
from mcp_eval.errors import UsageError
from tests.agents.outings import FOUND, SPEC, answers, calls, children, proxy, ran, said, scenario

CLERK = str(Path(__file__).with_name("clerk.py"))
COMMAND = [sys.executable, CLERK, "{servers}"]


async def clerk(intent, target=None, **options):
    told = scenario(user_intent=intent)
    return await ran("command", target or proxy(), told=told, **{"command": COMMAND, **options})


async def test_its_calls_and_its_words_are_recorded():
    intent = 'retrieve_tools {"query": "environment"}\nlist_registries\nsay Found printEnv'
    run = await clerk(intent)
    assert run.troubles == ()
    assert (run.agent, run.trajectory.ended) == ("command", "done")
    assert calls(run) == [("retrieve_tools", {"query": "environment"}), ("list_registries", {})]
    assert answers(run)[0] == FOUND
    assert [text for text, _ in said(run)] == ["Found printEnv"]
    assert run.trajectory.messages[0].text == intent
    assert run.build.server_name == "fake"


async def test_a_command_may_be_one_line_and_take_its_intent_as_a_word():
    shell = 'sh -c "printf %s \\"$0\\"; cat $1 $MCP_EVAL_SERVERS" {intent} {servers}'
    run = await clerk("find tools", command=shell)
    (text,) = (text for text, _ in said(run))
    assert text.startswith("find tools{")
    assert text.count('"mcpServers"') == 2


async def test_it_is_told_no_credential_of_the_target(monkeypatch):
    monkeypatch.setenv("PROXY_TOKEN", "tok-made-up-0123456789")
    monkeypatch.setenv("OWN_KEY", "mine")
    run = await clerk("say [$PROXY_TOKEN] [$GIVEN]", env={"GIVEN": "${OWN_KEY}"})
    assert [text for text, _ in said(run)] == ["[] [mine]"]


async def test_a_program_that_fails_is_no_opinion():
    run = await clerk('retrieve_tools {"query": "x"}\nexit 7')
    (trouble,) = run.troubles
    assert (trouble.rule, run.trajectory.ended) == ("agent-failed", "broke")
    assert "ended with 7" in trouble.message
    assert "I was told to" in trouble.evidence
    assert calls(run) == [("retrieve_tools", {"query": "x"})]


async def test_a_program_that_is_not_there_is_no_opinion():
    run = await clerk("say x", command=["no-such-program-anywhere"])
    (trouble,) = run.troubles
    assert trouble.rule == "agent-failed"
    assert "no-such-program-anywhere" in trouble.message


async def test_a_program_that_hangs_is_ended_with_whoever_it_left_behind():
    run = await clerk("leave 600\nhang", timeout=2)
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]
    assert "not done after 2 s" in run.troubles[0].message
    assert children() == []


async def test_an_answer_nobody_waited_for_is_no_crash_of_the_target():
    def asks(arguments, state):
        yield {"method": "sampling/createMessage", "params": {}}

    run = await clerk("forget asks", proxy(asks={"does": asks}))
    (made,) = run.trajectory.invocations
    assert (made.outcome.kind, made.outcome.detail) == ("cancelled", "the agent hung up")
    assert run.troubles == ()


async def test_a_target_that_dies_says_so_in_the_outcome():
    dying = proxy(dies={"does": lambda arguments, state: None})
    run = await clerk("forget dies\nhang", dying, timeout=2)
    assert [one.outcome.kind for one in run.trajectory.invocations] == ["crashed"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "names no command"),
        ({"comand": "x"}, "unknown key 'comand'"),
        ({"command": 7}, "Expected"),
    ],
)
def test_what_is_off_in_its_options_is_said(options, says):
    with pytest.raises(UsageError, match=says):
        make_agent("command", spec=SPEC, clock=SystemClock(), options=options)


def test_a_project_may_call_an_agent_what_it_likes():
    options = {"kind": "command", "command": "my-agent"}
    made = make_agent("mine", spec=SPEC, clock=SystemClock(), options=options)
    assert made.name == "command"
