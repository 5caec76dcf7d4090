import json

import pytest

from mcp_eval.errors import UsageError
from mcp_eval.formats.project import read_project
from mcp_eval.formats.servers import read_servers
from mcp_eval.model.policy import Expectation
from mcp_eval.model.project import Project

WHOLE = """\
targets:
  proxy:
    command: ./bin/proxy serve --port ${port}
    url: http://127.0.0.1:${port}/mcp
    transport: streamable-http
    headers: {Authorization: "Bearer ${TOKEN}"}
    env: {DEBUG: true, WORKERS: 2}
    cwd: ${workdir}
    checkout: .
    build: make proxy
    preflight: [./bin/proxy --version]
    sha256: abc
    previous: ./old/proxy serve
    resettable: ./reset ${workdir}
    home: fresh
    start_timeout: 5
    call_timeout: 2.5
  list: {command: [python, -m, server]}
  remote: https://example.org/mcp
  short: python server.py
  packed: {image: "search:1", resettable: true}
  composed: {compose: docker-compose.yml}
  special: {kind: pypi, release: "1.2", options: {index: own}}
default_target: proxy
agent: script
agents: {claude: {model: small}}
judge: claude
lanes: [surface, replay]
policy:
  name: default
  scorer: formula
  threshold: 0.7
  fail_on: acceptable
  tools: ["mcp__*"]
  rounds: 5
expect:
  - {finding: "tool-added@echo", reason: we added it, expires: 2030-01-31, scenario: search}
paths: {scenarios: cases, baselines: kept, reports: pages}
"""


def read(text, path="mcp-eval.yaml"):
    return read_project(text.encode(), path=path)


def test_every_key_of_a_project_file_is_read():
    project = read(WHOLE)
    proxy = project.targets["proxy"]
    assert proxy.command == ("./bin/proxy", "serve", "--port", "${port}")
    assert proxy.url == "http://127.0.0.1:${port}/mcp"
    assert proxy.transport == "streamable-http"
    assert proxy.headers == {"Authorization": "Bearer ${TOKEN}"}
    assert proxy.env == {"DEBUG": "true", "WORKERS": "2"}
    assert (proxy.cwd, proxy.checkout, proxy.build) == ("${workdir}", ".", "make proxy")
    assert proxy.preflight == ("./bin/proxy --version",)
    assert (proxy.sha256, proxy.previous) == ("abc", "./old/proxy serve")
    assert (proxy.resettable, proxy.home) == ("./reset ${workdir}", "fresh")
    assert (proxy.start_timeout, proxy.call_timeout) == (5.0, 2.5)
    assert project.targets["list"].command == ("python", "-m", "server")
    assert project.targets["remote"].url == "https://example.org/mcp"
    assert project.targets["short"].command == ("python", "server.py")
    assert project.targets["packed"].resettable is True
    assert project.targets["composed"].compose == {"file": "docker-compose.yml"}
    assert project.targets["special"].options == {"index": "own", "release": "1.2"}
    assert (project.default_target, project.agent, project.judge) == ("proxy", "script", "claude")
    assert project.agents == {"claude": {"model": "small"}}
    assert project.lanes == ("surface", "replay")
    policy = project.policy
    assert (policy.scorer, policy.threshold, policy.fail_on, policy.rounds) == (
        "formula",
        0.7,
        "acceptable",
        5,
    )
    assert policy.expect == (
        Expectation(
            finding="tool-added@echo",
            reason="we added it",
            expires="2030-01-31",
            scenario="search",
        ),
    )
    assert (project.scenarios, project.baselines, project.reports) == ("cases", "kept", "pages")


def test_an_empty_file_is_a_project_of_defaults():
    assert read("# nothing yet\n") == Project(path="mcp-eval.yaml")


def test_places_and_targets_start_from_the_folder_of_the_file():
    project = read("targets: {a: ./serve}\n", path="deep/mcp-eval.yaml")
    assert project.targets["a"].base == "deep"
    assert project.baselines == "deep/baselines"


def test_a_policy_may_be_a_name_alone():
    assert read("policy: seed\n").policy.name == "seed"


def test_an_old_build_may_be_a_target_of_its_own():
    project = read("targets: {a: {command: new, previous: {command: old, env: {A: b}}}}\n")
    assert project.targets["a"].previous == {"command": "old", "env": {"A": "b"}}


def test_a_plain_servers_mapping_is_a_project_too():
    text = json.dumps({"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}})
    assert read(text).targets["time"].command == ("uvx", "mcp-server-time")


@pytest.mark.parametrize(
    ("text", "where", "hint"),
    [
        ("target: {}\n", "mcp-eval.yaml:1:1: unknown key 'target'", "did you mean 'targets'?"),
        (
            "targets:\n  a:\n    comand: x\n",
            "mcp-eval.yaml:3:5: unknown key 'comand'",
            "did you mean 'command'?",
        ),
        (
            "targets:\n  a:\n    kind: pypi\n    resetable: true\n",
            "mcp-eval.yaml:4:5: unknown key 'resetable'",
            "did you mean 'resettable'?",
        ),
        ("baselines: kept\n", "mcp-eval.yaml:1:1: unknown key 'baselines'", "paths:"),
        ("threshold: 0.5\n", "mcp-eval.yaml:1:1: unknown key 'threshold'", "policy:"),
        ("policy:\n  treshold: 1\n", "mcp-eval.yaml:2:3: unknown key 'treshold'", "'threshold'"),
        ("policy: seeds\n", "mcp-eval.yaml:1:9: no policy is called 'seeds'", "'seed'"),
        ("policy: {threshold: 8}\n", "from 0 to 1", ""),
        ("policy: {threshold: high}\n", "'threshold' expects a number, not text", ""),
        ("policy: {rounds: 1.5}\n", "'rounds' expects a whole number", ""),
        ("policy: {rounds: -1}\n", "from 0 up", ""),
        ("policy: {fail_on: brokn}\n", "'fail_on' cannot be 'brokn'", "did you mean 'broken'?"),
        ("expect: [{finding: a}]\n", "has no reason", "say why"),
        ("expect: [{reason: a}]\n", "names no finding", ""),
        ("expect: [{finding: a, reason: b, expires: soon}]\n", "'soon' is no day", "2030-01-31"),
        ("lanes: [replays]\n", "no lane is called 'replays'", "did you mean 'replay'?"),
        ("default_target: a\n", "no target is called 'a'", "names no target"),
        ("targets: {proxy: x}\ndefault_target: proxi\n", "'proxi'", "did you mean 'proxy'?"),
        ("targets: {a: {env: {}}}\n", "does not say how to reach it", "command"),
        ("targets: {a: {command: x, image: y}}\n", "says 'command' and 'image'", "keep one"),
        ('targets: {a: {command: "x \'y"}}\n', "'command': No closing quotation", "quote"),
        ("targets: {a: {command: []}}\n", "'command' is empty", ""),
        ("targets: {a: {command: x, resettable: 3}}\n", "'resettable' expects true", "clean"),
        ("targets: {a: {command: x, previous: {comand: y}}}\n", "unknown key 'comand'", "command"),
        ("targets: {a: {command: x, previous: 3}}\n", "'previous' expects", ""),
        ("targets: {a: {command: x, home: clean}}\n", "'home' cannot be 'clean'", "fresh"),
        ("targets: {a: {command: x, call_timeout: 0}}\n", "more than 0 seconds", ""),
        ("targets: {a: {url: x, transport: htp}}\n", "'transport' cannot be 'htp'", ""),
        ("- a\n", "a project file is a mapping, not a list", ""),
        ("targets: {a: b\n", "mcp-eval.yaml:2", "valid YAML"),
    ],
)
def test_what_is_off_is_said_with_its_place_and_a_hint(text, where, hint):
    with pytest.raises(UsageError) as caught:
        read(text)
    assert where in caught.value.message
    assert "\n" not in caught.value.message
    assert hint in caught.value.hint


def test_servers_are_read_as_clients_keep_them():
    listed = {
        "mcpServers": {
            "time": {"command": "uvx", "args": ["t", 1], "env": {"TZ": "UTC"}, "autoApprove": []},
            "remote": {"type": "http", "url": "https://example.org/mcp", "headers": {"A": "b"}},
            "events": {"type": "sse", "serverUrl": "https://example.org/sse"},
            "off": {"command": "x", "disabled": True},
            "too": {"command": "x", "enabled": False},
        }
    }
    read_back = read_servers(json.dumps(listed).encode(), path="mcp_servers.json", base="b")
    assert set(read_back) == {"time", "remote", "events"}
    assert read_back["time"].command == ("uvx", "t", "1")
    assert (read_back["time"].env, read_back["time"].base) == ({"TZ": "UTC"}, "b")
    assert read_back["remote"].transport == "streamable-http"
    assert read_back["events"].url == "https://example.org/sse"
    assert read_back["events"].transport == "sse"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "names no servers"),
        ('{"mcpServers": []}', "is a mapping of servers"),
        ('{"mcpServers": {"a": {}}}', "neither command nor url"),
        ('{"mcpServers": {"a": 1}}', "the server 'a' is a mapping"),
        ('{"mcpServers": {"a": {"command": "x", "args": "y"}}}', "'args' expects a list"),
    ],
)
def test_a_servers_file_that_is_off_says_where(text, said):
    with pytest.raises(UsageError, match=said):
        read_servers(text.encode(), path="mcp_servers.json")
