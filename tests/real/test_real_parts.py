"""Every real part starts and answers: what the other real tests stand on."""

import json
import subprocess
import sys

import pytest

from scripts.real_parts import PARTS, LibraryPart, MissingPartError, command_of

OFFERED = {
    "server-everything@2025.12.18": 11,
    "server-everything@2026.1.14": 12,
    "server-filesystem@2025.7.1": 12,
    "server-filesystem@2025.7.29": 14,
    "server-memory@2026.1.26": 9,
    "mcp-server-time@2026.1.26": 2,
    "mcp-server-git@2026.1.14": 12,
}


LIBRARIES = [name for name, part in PARTS.items() if isinstance(part, LibraryPart)]


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_is_imported_from_an_environment_of_its_own(name, real_part):
    (place,) = real_part(name)
    code = f"import sys; sys.path.append({place!r}); import {PARTS[name].module}"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "name", [name for name in PARTS if name not in LIBRARIES and PARTS[name].serves]
)
def test_a_real_part_starts_and_lists_its_tools(name, real_part, tmp_path):
    command = real_part(name) + ([str(tmp_path)] if "filesystem" in name else [])
    frames = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "parts", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
    ) as server:
        try:
            answers = (json.loads(line) for line in server.stdout)
            for frame in frames:
                server.stdin.write(json.dumps(frame) + "\n")
                server.stdin.flush()
                if "id" in frame:  # some servers are not themselves before they have answered
                    answer = next(a for a in answers if a.get("id") == frame["id"])
        finally:
            server.kill()
    assert len(answer["result"]["tools"]) == OFFERED[name]


def test_a_part_that_is_not_installed_says_what_installs_it(monkeypatch, tmp_path):
    monkeypatch.setenv("MCP_EVAL_CACHE", str(tmp_path))
    with pytest.raises(MissingPartError, match=r"not installed .*real_parts\.py installs it"):
        command_of("server-memory@2026.1.26")
