"""The agent `claude`: claude-agent-sdk with its bundled client, which has the tap as its server."""

import asyncio
import contextlib
import shlex
import sys
from collections.abc import AsyncGenerator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_eval.agents import leash
from mcp_eval.agents.choices import ModelChoices, expanded, hidden, read_choices
from mcp_eval.agents.outing import Outing, begun, finished, outing, troubled
from mcp_eval.agents.story import plain
from mcp_eval.agents.walk import Pace
from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run, Usage
from mcp_eval.ports import Agent, Clock, Environment

if TYPE_CHECKING:
    from claude_agent_sdk import ClaudeAgentOptions

_WHOLE = 64 * 1024 * 1024  # bytes of one answer: its client hands them over as one line
_WATCH_FLOOR = 10.0  # seconds; its client takes no less


class ClaudeChoices(ModelChoices):
    """What a project file may say of it."""

    answer_timeout: float = 25.0  # seconds until the model says anything, or goes on
    retries: int = 1  # of a request to the model
    tools: tuple[str, ...] | None = None  # of its own; None: all that it comes with
    allow: tuple[str, ...] = ()  # of its own, used without being asked; others are denied


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

        heard: list[str] = []
        options = self._options(out, tools, heard)
        try:
            async with asyncio.timeout(self._choices.timeout):
                async with contextlib.aclosing(_said(out.intent, options)) as messages:
                    async for message in messages:
                        _hear(out, message)
        except TimeoutError:
            out.late(self._choices.timeout)
        except ClaudeSDKError as error:
            # After a result that is an error its client also ends with one: the first counts.
            out.fail(f"Claude's client failed: {_first(str(error))}", "\n".join(heard))

    def _options(self, out: Outing, tools: Sequence[str], heard: list[str]) -> "ClaudeAgentOptions":
        from claude_agent_sdk import ClaudeAgentOptions

        choices = self._choices
        own = None if choices.tools is None else [*choices.tools]
        return ClaudeAgentOptions(
            model=choices.model or None,
            system_prompt=choices.system_prompt or None,
            max_turns=choices.max_turns,
            max_budget_usd=choices.budget_usd,
            tools=own,
            allowed_tools=[
                *(f"mcp__{out.server}__{plain(tool)}" for tool in tools),
                *choices.allow,
            ],
            permission_mode="dontAsk",
            mcp_servers=out.door.servers(out.server),
            strict_mcp_config=True,
            setting_sources=[],
            verbatim_prompts=True,
            cwd=_made(out.folder / "work"),
            cli_path=_leashed(out.folder),
            env=self._environ(out),
            stderr=heard.append,
            max_buffer_size=_WHOLE,
        )

    def _environ(self, out: Outing) -> dict[str, str]:
        """What bounds its client: unset, its patience with a dead model is ten minutes."""
        choices = self._choices
        patience = str(round(choices.answer_timeout * 1000))
        stall = str(round(max(choices.answer_timeout, _WATCH_FLOOR) * 1000))
        address = {"ANTHROPIC_BASE_URL": choices.base_url} if choices.base_url else {}
        return {
            **hidden(self._spec),
            "CLAUDE_CONFIG_DIR": str(_made(out.folder / "config")),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ENABLE_TOOL_SEARCH": "false",  # it would hide the target's tools behind one of its own
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_MAX_RETRIES": str(choices.retries),
            "API_TIMEOUT_MS": patience,
            "CLAUDE_ENABLE_BYTE_WATCHDOG": "1",
            "CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS": stall,
            "MCP_TIMEOUT": str(round(self._pace.start_timeout * 1000)),
            "MCP_TOOL_TIMEOUT": str(round(self._pace.call_timeout * 1000)),
            **address,
            **expanded(choices.env, self._pace.environ),
        }


def claude(*, spec: TargetSpec, clock: Clock, options: JsonObject) -> Agent:
    """The entry point; UsageError where its SDK is not installed."""
    if find_spec("claude_agent_sdk") is None:
        raise UsageError(
            "the agent 'claude' needs claude-agent-sdk, which is not installed",
            hint="pip install 'mcp-eval[claude]'",
        )
    choices = read_choices("claude", options, ClaudeChoices)
    return ClaudeAgent(choices, spec=spec, pace=Pace.of(spec, clock=clock, sleep=asyncio.sleep))


async def _said(intent: str, options: "ClaudeAgentOptions") -> AsyncGenerator[Any, None]:
    """All that its client says, to the end of the intent's one turn."""
    from claude_agent_sdk import ClaudeSDKClient

    async with ClaudeSDKClient(options) as client:
        await client.query(intent)
        async for message in client.receive_response():
            yield message


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
        input_tokens=sum(used.get(name) or 0 for name in read),
        output_tokens=used.get("output_tokens") or 0,
        cost_usd=result.total_cost_usd,
        turns=result.num_turns,
        seconds=result.duration_ms / 1000,
    )
    if result.subtype == "error_max_turns":
        out.gave_up = True
    elif result.subtype == "error_max_budget_usd":
        out.fail("the agent's budget was spent before it was done", _why(result))
    elif result.is_error:  # its subtype may say `success` all the same
        status = f" (HTTP {result.api_error_status})" if result.api_error_status else ""
        out.fail(f"the model did not answer{status}: {_first(_why(result))}", _why(result))


def _why(result: Any) -> str:  # noqa: ANN401 - the SDK's ResultMessage
    return "\n".join(filter(None, [result.result, *(result.errors or ())])) or result.subtype


def _first(text: str) -> str:
    return text.strip().splitlines()[0][:300] if text.strip() else "it gave no reason"


def _text(content: Any) -> str:  # noqa: ANN401 - text, or blocks as the API has them
    if isinstance(content, list):
        return "\n".join(str(each.get("text", each.get("type", ""))) for each in content)
    return str(content or "")


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def _leashed(folder: Path) -> Path:
    """Its bundled client, started by our leash: the SDK wants one file to start."""
    import claude_agent_sdk

    bundled = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
    client = str(bundled) if bundled.exists() else "claude"
    words = shlex.join([sys.executable, "-I", str(leash.__file__), client])
    script = folder / "client"
    script.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
    script.chmod(0o700)
    return script
