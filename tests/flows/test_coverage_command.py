"""`check --coverage`: what no scenario touches, from the baseline alone."""

import json

from click.testing import CliRunner

from mcp_eval.cli.check import command
from mcp_eval.formats.envelope import encode
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {}}}


def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "baselines").mkdir()
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "find.yaml").write_text(
        "name: Find\nuser_intent: find it\nexpected_trajectory:\n  - tool: search\n"
    )
    surface = Surface(tools=(Tool(name="search", input_schema=SCHEMA), Tool(name="id\x1b[2Jle")))
    step = RecordedStep(name="search", arguments={"query": "x"}, classes={"ok": 2})
    recording = Recording(name="Find", stem="find", steps=(step,))
    (tmp_path / "baselines" / "surface.json").write_bytes(encode("surface", surface))
    (tmp_path / "baselines" / "find.json").write_bytes(encode("baseline", recording))


def test_it_names_what_nobody_touches_and_starts_nothing(tmp_path, monkeypatch):
    in_a_folder(tmp_path, monkeypatch)
    (tmp_path / "mcp-eval.yaml").write_text("targets:\n  gone: {command: [no-such-program]}\n")
    ran = CliRunner().invoke(command, ["--coverage"], standalone_mode=False)
    assert ran.return_value == 0
    counts, search, idle = ran.stdout.splitlines()
    assert counts.startswith("touched by some scenario: 1 of 2 tools, 1 of 2 parameters")
    assert search == "search: limit never sent, no call of it ever failed"
    assert idle.endswith("never called")
    assert "\x1b" not in ran.stdout


def test_as_json_it_is_one_document(tmp_path, monkeypatch):
    in_a_folder(tmp_path, monkeypatch)
    (tmp_path / "mcp-eval.yaml").write_text("targets:\n  gone: {command: [no-such-program]}\n")
    ran = CliRunner().invoke(command, ["--coverage", "--json"], standalone_mode=False)
    found = json.loads(ran.stdout)
    assert found["touched"]["tool"] == 1
    assert {"kind": "parameter", "tool": "search", "name": "limit"} in found["gaps"]
