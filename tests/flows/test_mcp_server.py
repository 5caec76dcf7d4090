"""The suite as an MCP server: what a subagent sees of a planted regression, and what it may not do."""

import contextlib
import json
import subprocess

import pytest

from mcp_eval.reports.summary import tokens
from tests.flows.places import Place, alive, command, until

RENAMED = {"TINY_NAME": "getEnv"}


@pytest.fixture
def place(tmp_path):
    there = Place(tmp_path)
    there.project()
    assert there.run("record").returncode == 0
    return there


class Client:
    """A client by hand, on the command's own stdin and stdout."""

    def __init__(self, place, *words, capabilities=None, **environ):
        self.running = subprocess.Popen(
            command("mcp", *words),
            cwd=place.folder,
            env=place.environ(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.ident = 0
        self.heard = []
        self.person = {"action": "decline"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities=capabilities or {})

    def send(self, **message):
        self.running.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.running.stdin.flush()

    def ask(self, method, **params):
        self.ident += 1
        self.send(id=self.ident, method=method, params=params)
        while True:
            line = self.running.stdout.readline()
            assert line, self.running.stderr.read()
            message = json.loads(line)
            if message.get("id") == self.ident:
                return message.get("result") or message["error"]
            self.heard.append(message)
            if message.get("method") == "elicitation/create":
                self.send(id=message["id"], result=self.person)

    def call(self, tool, /, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments, _meta={"progressToken": 5})

    def end(self):
        self.running.stdin.close()
        status = self.running.wait(60)
        self.running.stdout.close()
        self.running.stderr.close()
        return status


@contextlib.contextmanager
def client(place, *words, **how):
    there = Client(place, *words, **how)
    try:
        yield there
        assert there.end() == 0
    finally:
        there.running.kill()


def text(result):
    return result["content"][0]["text"]


def test_an_unchanged_build_may_ship(place):
    with client(place) as there:
        listed = there.call("list_scenarios")
        assert listed["structuredContent"]["scenarios"][0]["name"] == "search_tools"
        assert listed["structuredContent"]["scenarios"][0]["recorded"] is True
        said = there.call("check")
    assert said["structuredContent"]["status"] == "good"
    assert "deploy with confidence" in text(said)
    assert [
        one["params"]["progressToken"]
        for one in there.heard
        if one["method"] == "notifications/progress"
    ]


def test_a_planted_regression_is_reported_with_its_root_and_nothing_moves(place):
    before = place.files()["baselines/search_tools.json"]
    with client(place, **RENAMED) as there:
        said = there.call("check")
        (root, *_) = said["structuredContent"]["roots"]
        explained = there.call("explain_finding", finding=root["findings"][0])
        proposed = there.call("propose_baseline_change")
        summary = there.call("summary")
        refused = there.call("accept_baseline_change", name="search_tools")
    assert said["structuredContent"]["status"] == "broken"
    assert "renamed" in root["message"] or "getEnv" in root["message"]
    assert root["fix"]
    assert text(summary) == text(said)
    assert tokens(text(summary)) < 500
    assert "untrusted" in text(explained)
    kinds = {one["name"]: one["proposal"] for one in proposed["structuredContent"]["changes"]}
    assert kinds == {"surface": "break", "search_tools": "break"}
    assert refused["code"] == -32602, "there is no such tool unless it was allowed"
    assert place.files()["baselines/search_tools.json"] == before


def test_only_a_persons_own_yes_moves_a_baseline(place):
    before = place.files()["baselines/search_tools.json"]
    place.run("check", **RENAMED)
    with client(place, "--allow-accept") as there:
        said = there.call("accept_baseline_change", name="search_tools", why="trust me")
        assert said["isError"] is True
        assert "no person said yes" in text(said)
    asks = {"elicitation": {}}
    with client(place, "--allow-accept", capabilities=asks) as there:
        for answer in ({"action": "decline"}, {"action": "accept", "content": {"approve": False}}):
            there.person = answer
            assert there.call("accept_baseline_change", name="search_tools")["isError"] is True
        assert place.files()["baselines/search_tools.json"] == before
        there.person = {"action": "accept", "content": {"approve": True}}
        said = there.call("accept_baseline_change", name="search_tools", why="renamed on purpose")
    assert "accepted" in text(said)
    assert place.files()["baselines/search_tools.json"] != before
    assert b"renamed on purpose" in place.files()["baselines/accepted.jsonl"]


def test_a_dead_target_means_that_the_check_did_not_happen(place):
    with client(place, TINY_HANG="") as there:
        (place.folder / "server.py").write_text("raise SystemExit(3)\n")
        said = there.call("check")
    assert said["structuredContent"]["status"] == "inconclusive"
    assert "the check did not happen" in text(said)


def test_a_client_starts_nothing_but_the_targets_of_the_project(place):
    with client(place) as there:
        said = there.call("check", target="touch owned")
        assert said["isError"] is True
        there.call("check", scenarios=["../../etc/passwd"])
        assert there.call("check", folder="/")["isError"] is True
    assert not (place.folder / "owned").exists()


def test_a_cancelled_check_ends_what_it_started(place):
    place.log.unlink()
    with client(place, TINY_HANG="call") as there:
        params = {"name": "check", "arguments": {}}
        there.send(id="slow", method="tools/call", params=params)
        until(lambda: "tools/call" in place.logged())
        there.send(method="notifications/cancelled", params={"requestId": "slow"})
        until(lambda: not any(alive(pid) for pid in place.servers()))
        assert there.call("list_scenarios")["structuredContent"]["scenarios"]
