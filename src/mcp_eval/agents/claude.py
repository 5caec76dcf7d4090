"""The agent `claude`: claude-agent-sdk with its bundled client, which has the tap as its server."""

import asyncio
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from mcp_eval.agents.choices import hidden, read_choices
from mcp_eval.agents.claude_client import ClaudeChoices, Client, failure, first_line, started
from mcp_eval.agents.judging import Judge
from mcp_eval.agents.outing import AGENT_FAILED, Outing, begun, finished, outing, troubled
from mcp_eval.agents.story import plain
from mcp_eval.agents.walk import Pace
from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run, Usage
from mcp_eval.ports import Agent, Clock, Environment, Judging


class ClaudeAgent:
    """An Agent: Claude, with the target's tools and its client's own."""

    name = "claude"

    def __init__(self, choices: ClaudeChoices, *, spec: TargetSpec, pace: Pace) -> None:
        self._choices = choices
        self._spec = spec
        self._pace = pace
        self.model = choices.model
        self.bounds = choices.bounds

    async def run(
        self, scenario: Scenario, environment: Environment, *, surface: Surface, trial: int
    ) -> Run:
        """One run through the tap; trouble is a fact in the run, not an exception."""
        now = self._pace.clock.now()
        run = begun(scenario, trial=trial, agent=self.name, model=self.model, now=now)
        try:
            async with outing(scenario, environment, self._pace, surface) as out:
                await self._talk(out, [tool.name for tool in surface.tools])
                return await finished(run, out, self._pace, environment.build)
        except InconclusiveError as error:
            return troubled(run, error)

    async def _talk(self, out: Outing, tools: Sequence[str]) -> None:
        from claude_agent_sdk import ClaudeSDKError

        client = Client(
            folder=out.folder,
            choices=self._choices,
            servers=out.door.servers(out.server),
            allowed=tuple(f"mcp__{out.server}__{plain(tool)}" for tool in tools),
            hidden=hidden(self._spec),
        )
        heard: list[str] = []
        try:
            async with asyncio.timeout(self._choices.timeout):
                async with started(client.options(self._pace, heard)) as talk:
                    await _turns(out, talk)
        except TimeoutError:
            out.late(self._choices.timeout)
        except ClaudeSDKError as error:
            # After a result that is an error its client also ends with one: the first counts.
            out.fail(f"Claude's client failed: {first_line(str(error))}", "\n".join(heard))


async def _turns(out: Outing, talk: Any) -> None:  # noqa: ANN401 - the SDK's client
    """The agent's turns, and what a person does between them."""
    for number, turn in enumerate(out.turns):
        await out.act(turn.deeds)
        if out.restarted:
            await talk.reconnect_mcp_server(out.server)
            out.restarted = False
        if number:
            out.story.hear(turn.words)
        await talk.query(out.words(turn.words))
        async for message in talk.receive_response():
            _hear(out, message)
        if out.trouble or out.gave_up:
            return
    await out.act(out.after)


def claude(*, spec: TargetSpec, clock: Clock, options: JsonObject) -> Agent:
    """The entry point of the agent; UsageError where its SDK is not installed."""
    pace = Pace.of(spec, clock=clock, sleep=asyncio.sleep)
    return ClaudeAgent(_choices(options), spec=spec, pace=pace)


def judge(*, clock: Clock, options: JsonObject) -> Judging:
    """The entry point of the judge: the same client without any tool, for one reply."""
    choices = replace(_choices(options), tools=(), allow=(), max_turns=1)
    pace = Pace(clock=clock, sleep=asyncio.sleep)

    async def reply(prompt: str) -> str:
        from claude_agent_sdk import ClaudeSDKError

        try:
            return await _reply(prompt, choices, pace)
        except (ClaudeSDKError, TimeoutError) as error:
            raise InconclusiveError(first_line(str(error)), rule=AGENT_FAILED) from error

    return Judge("claude", reply)


async def _reply(prompt: str, choices: ClaudeChoices, pace: Pace) -> str:
    from claude_agent_sdk import ResultMessage

    answer = ""
    with tempfile.TemporaryDirectory(prefix="mcp-eval-judge-") as folder:
        options = Client(folder=Path(folder), choices=choices).options(pace, [])
        async with asyncio.timeout(choices.timeout):
            async with started(options) as talk:
                await talk.query(prompt)
                async for message in talk.receive_response():
                    if isinstance(message, ResultMessage):
                        if why := failure(message)[0]:
                            raise InconclusiveError(why, rule=AGENT_FAILED)
                        answer = message.result or ""
    return answer


def _choices(options: JsonObject) -> ClaudeChoices:
    if find_spec("claude_agent_sdk") is None:
        raise UsageError(
            "claude needs claude-agent-sdk, which is not installed",
            hint="pip install 'mcp-eval[claude]'",
        )
    return read_choices("claude", options, ClaudeChoices)


def _hear(out: Outing, message: Any) -> None:  # noqa: ANN401 - one of the SDK's nine
    from claude_agent_sdk import AssistantMessage, ResultMessage, UserMessage
    from claude_agent_sdk.types import SystemMessage

    if isinstance(message, AssistantMessage) and message.error is None:
        out.model = out.model or message.model
        _tell(out, message.content)
    elif isinstance(message, UserMessage) and isinstance(message.content, list):
        _tell(out, message.content)
    elif isinstance(message, ResultMessage):
        _end(out, message)
    elif isinstance(message, SystemMessage) and message.subtype == "init":
        _greeted(out, message.data)


def _tell(out: Outing, blocks: Sequence[Any]) -> None:
    from claude_agent_sdk import TextBlock, ToolResultBlock, ToolUseBlock
    from claude_agent_sdk.types import ServerToolResultBlock, ServerToolUseBlock

    for block in blocks:
        if isinstance(block, TextBlock):
            out.story.say(block.text)
        elif isinstance(block, ToolUseBlock | ServerToolUseBlock):
            out.story.use(block.id, block.name, block.input)
        elif isinstance(block, ToolResultBlock):
            failed = bool(block.is_error)
            out.story.answer(block.tool_use_id, _text(block.content), failed=failed)
        elif isinstance(block, ServerToolResultBlock):
            out.story.answer(block.tool_use_id, _text(block.content), failed=False)


def _greeted(out: Outing, init: dict[str, Any]) -> None:
    for server in init.get("mcp_servers", ()):
        if server.get("name") == out.server and server.get("status") == "failed":
            out.fail("Claude's client could not connect to the target", str(server))


def _end(out: Outing, result: Any) -> None:  # noqa: ANN401 - the SDK's ResultMessage
    used = result.usage or {}
    read = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    out.usage = Usage(
        input_tokens=out.usage.input_tokens + sum(used.get(name) or 0 for name in read),
        output_tokens=out.usage.output_tokens + (used.get("output_tokens") or 0),
        cost_usd=result.total_cost_usd,  # of the whole conversation; all else is of this turn
        turns=out.usage.turns + result.num_turns,
        seconds=out.usage.seconds + result.duration_ms / 1000,
    )
    message, evidence = failure(result)
    if result.subtype == "error_max_turns":
        out.gave_up = True
    elif message:
        out.fail(message, evidence)


def _text(content: Any) -> str:  # noqa: ANN401 - text, or blocks as the API has them
    if isinstance(content, list):
        return "\n".join(str(each.get("text", each.get("type", ""))) for each in content)
    return str(content or "")
