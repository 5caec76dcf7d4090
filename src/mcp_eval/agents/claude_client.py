"""Claude's own client, as claude-agent-sdk brings it: what it is told, and what it says."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_eval.agents import leash
from mcp_eval.agents.choices import ModelChoices, expanded
from mcp_eval.agents.walk import Pace
from mcp_eval.model.base import JsonObject, Noun

if TYPE_CHECKING:
    from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient

_WHOLE = 64 * 1024 * 1024  # bytes of one answer: it hands them over as one line
_WATCH_FLOOR = 10.0  # seconds; it takes no less


class ClaudeChoices(ModelChoices):
    """What a project file may say of it."""

    answer_timeout: float = 20.0  # seconds until the model says anything, or goes on
    retries: int = 1  # of a request to the model
    tools: tuple[str, ...] | None = None  # of its own; None: all that it comes with
    allow: tuple[str, ...] = ()  # of its own, used without being asked; others are denied


class Client(Noun):
    """One start of it: where it may write, and what it is offered beside its own tools."""

    folder: Path
    choices: ClaudeChoices
    servers: JsonObject = {}
    allowed: tuple[str, ...] = ()
    hidden: dict[str, str] = {}

    def options(self, pace: Pace, heard: list[str]) -> "ClaudeAgentOptions":
        """All of it, as the SDK wants it; its last words go to `heard`."""
        from claude_agent_sdk import ClaudeAgentOptions

        choices = self.choices
        return ClaudeAgentOptions(
            model=choices.model or None,
            system_prompt=choices.system_prompt or None,
            max_turns=choices.max_turns,
            max_budget_usd=choices.budget_usd,
            tools=None if choices.tools is None else [*choices.tools],
            allowed_tools=[*self.allowed, *choices.allow],
            permission_mode="dontAsk",
            mcp_servers=self.servers,
            strict_mcp_config=True,
            setting_sources=[],
            verbatim_prompts=True,
            cwd=_made(self.folder / "work"),
            cli_path=_leashed(self.folder),
            env=self._environ(pace),
            stderr=heard.append,
            max_buffer_size=_WHOLE,
        )

    def _environ(self, pace: Pace) -> dict[str, str]:
        """What bounds it: unset, its patience with a dead model is ten minutes."""
        choices = self.choices
        stall = max(choices.answer_timeout, _WATCH_FLOOR)
        address = {"ANTHROPIC_BASE_URL": choices.base_url} if choices.base_url else {}
        return {
            **self.hidden,
            "CLAUDE_CONFIG_DIR": str(_made(self.folder / "config")),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ENABLE_TOOL_SEARCH": "false",  # it would hide the target's tools behind one of its own
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_MAX_RETRIES": str(choices.retries),
            "API_TIMEOUT_MS": _milliseconds(choices.answer_timeout),
            "CLAUDE_ENABLE_BYTE_WATCHDOG": "1",
            "CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS": _milliseconds(stall),
            "MCP_TIMEOUT": _milliseconds(pace.start_timeout),
            "MCP_TOOL_TIMEOUT": _milliseconds(pace.call_timeout),
            **address,
            **expanded(choices.env, pace.environ),
        }


def started(options: "ClaudeAgentOptions") -> "ClaudeSDKClient":
    """The client, to be entered, asked and heard."""
    from claude_agent_sdk import ClaudeSDKClient

    return ClaudeSDKClient(options)


def failure(result: Any) -> tuple[str, str]:  # noqa: ANN401 - the SDK's ResultMessage
    """Why a result is no success, in one line and whole; nothing where it is one.

    Where the model did not answer, its subtype says `success` all the same.
    """
    if not result.is_error:
        return "", ""
    why = "\n".join(filter(None, [result.result, *(result.errors or ())])) or result.subtype
    if result.subtype == "error_max_budget_usd":
        return "the agent's budget was spent before it was done", why
    status = f" (HTTP {result.api_error_status})" if result.api_error_status else ""
    return f"the model did not answer{status}: {first_line(why)}", why


def first_line(text: str) -> str:
    """The line of an error that a person reads first."""
    return text.strip().splitlines()[0][:300] if text.strip() else "it gave no reason"


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1000))


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def _leashed(folder: Path) -> Path:
    """The client that comes with the SDK, started by our leash: one file, as the SDK wants it."""
    import claude_agent_sdk

    bundled = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
    client = str(bundled) if bundled.exists() else "claude"
    words = shlex.join([sys.executable, "-I", str(leash.__file__), str(folder), client])
    script = folder / "client"
    script.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
    script.chmod(0o700)
    return script
