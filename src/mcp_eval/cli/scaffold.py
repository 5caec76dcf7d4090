"""What `init` writes beside a suite: the subagent, and the workflow of a forge."""

from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

import msgspec

from mcp_eval.errors import UsageError
from mcp_eval.formats.lines import json_of
from mcp_eval.model.base import Json
from mcp_eval.store.atomic import read_file, write_atomic

SUBAGENT = Path(".claude/agents/mcp-eval.md")
SERVERS = Path(".mcp.json")
WORKFLOWS = {
    "github": Path(".github/workflows/mcp-eval.yml"),
    "gitlab": Path("mcp-eval.gitlab-ci.yml"),
}
_SERVER = {"command": "mcp-eval", "args": ["mcp"]}


def write_subagent(root: Path) -> tuple[Path, ...]:
    """The subagent, and the server it calls in the project's own .mcp.json."""
    servers = _with_server(root / SERVERS)
    written = [_written(root / SUBAGENT, _starter("mcp-eval.md"))]
    if servers is not None:
        write_atomic(root / SERVERS, servers)
        written.append(root / SERVERS)
    return tuple(written)


def write_workflow(root: Path, forge: str) -> tuple[Path, ...]:
    """The forge's workflow, with this version of mcp-eval in it."""
    text = _starter(f"{forge}.yml").replace(b"@VERSION@", _version().encode())
    return (_written(root / WORKFLOWS[forge], text),)


def _starter(name: str) -> bytes:
    return (files("mcp_eval.cli") / "starters" / name).read_bytes()


def _written(path: Path, text: bytes) -> Path:
    """Write a file that is not there, or that is ours as it was; what somebody edited stays."""
    if path.exists() and read_file(path) != text:
        raise UsageError(
            f"{path} is there already, and it is not what would be written",
            hint="move it away to have it written again",
        )
    write_atomic(path, text)
    return path


def _with_server(path: Path) -> bytes | None:
    """The servers file with ours in it; None where it is named there already."""
    held: Json = {}
    if path.exists():
        held = json_of(read_file(path).decode("utf-8", "replace"), where=str(path))
    servers = held.get("mcpServers", {}) if isinstance(held, dict) else None
    if not isinstance(servers, dict):
        raise UsageError(
            f"{path}: its mcpServers is no mapping",
            hint='put "mcp-eval": {"command": "mcp-eval", "args": ["mcp"]} there yourself',
        )
    if "mcp-eval" in servers:
        return None
    after = {**held, "mcpServers": {**servers, "mcp-eval": _SERVER}}
    return msgspec.json.format(msgspec.json.encode(after), indent=2) + b"\n"


def _version() -> str:
    try:
        return version("mcp-eval")
    except PackageNotFoundError:  # run from a checkout, with PYTHONPATH=src
        return "0.1.0"
