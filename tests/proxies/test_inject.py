"""The injector: every change does what its name says, to a live server, and nothing else."""

import json
import subprocess
import sys
import time

import pytest

from bench.faults import HARMLESS, INJECTIONS, make
from bench.inject import wrapped

SERVER = r"""
import json, sys
TOOLS = [
    {"name": "list", "description": "List the houses", "inputSchema": {"type": "object", "properties":
        {"limit": {"type": "integer", "maximum": 50, "default": 5}, "kind": {"type": "string", "enum": ["all", "open"]}}},
     "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
    {"name": "add", "description": "Add a house", "inputSchema": {"type": "object", "properties":
        {"name": {"type": "string"}}, "required": ["name"]}, "annotations": {"readOnlyHint": False, "destructiveHint": True}},
]
houses = [{"name": "red", "open": True, "score": 0.8}, {"name": "blue", "open": False, "score": 0.4}]
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    method, params, error = ask["method"], ask.get("params", {}), None
    if method == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}, "prompts": {}},
                  "serverInfo": {"name": "houses", "version": "1"}, "instructions": "Houses."}
    elif method == "tools/list":
        result = {"tools": TOOLS}
    elif params["name"] == "add":
        a = params["arguments"]
        if a["name"] in [h["name"] for h in houses]:
            result = {"content": [{"type": "text", "text": a["name"] + " already exists"}], "isError": True}
        else:
            houses.append({"name": a["name"], "open": True, "score": 0.1})
            result = {"content": [{"type": "text", "text": "added " + a["name"]}]}
    else:
        body = {"houses": houses[: params["arguments"].get("limit", 5)], "total": len(houses), "note": "as asked", "asked": params["arguments"]}
        result = {"content": [{"type": "text", "text": json.dumps(body)}], "structuredContent": body}
    print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "result": result}), flush=True)
"""
AS_IT_IS = {
    "houses": [
        {"name": "red", "open": True, "score": 0.8},
        {"name": "blue", "open": False, "score": 0.4},
    ],
    "total": 2,
    "note": "as asked",
    "asked": {},
}


class Client:
    """Speaks to a server behind the injector."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0

    def lines(self, method, **params):
        """The lines up to the answer."""
        self.asked += 1
        frame = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        self.process.stdin.write(json.dumps(frame).encode() + b"\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if b'"id": %d' % self.asked in line or not line.startswith(b"{"):
                break
        return lines

    def ask(self, method, **params):
        """The whole answer frame."""
        return json.loads(self.lines(method, **params)[-1])

    def call(self, name="list", /, **arguments):
        """A call's result, or its error."""
        answer = self.ask("tools/call", name=name, arguments=arguments)
        return answer.get("result", answer.get("error"))

    def body(self, name="list", /, **arguments):
        """The body of a call's answer."""
        text = self.call(name, **arguments)["content"][0]["text"]
        return json.loads(text) if text.startswith(("{", '"', "[")) else text

    def tools(self):
        return {tool["name"]: tool for tool in self.ask("tools/list")["result"]["tools"]}


@pytest.fixture
def behind(tmp_path):
    """A client of the server behind these faults; all end with the test."""
    clients = []

    def started(*faults):
        client = Client(wrapped([sys.executable, "-c", SERVER], list(faults), tmp_path))
        clients.append(client)
        return client

    yield started
    for client in clients:
        client.process.stdin.close()
        client.process.wait(timeout=10)
        client.process.stdout.close()


def test_there_are_thirty_faults_and_twenty_harmless_changes_at_least():
    assert len(INJECTIONS) - len(HARMLESS) >= 30
    assert len(HARMLESS) >= 20


def test_an_unknown_fault_is_named_with_those_there_are():
    with pytest.raises(ValueError, match=r"unknown fault 'x'; there are .*remove-tool"):
        make({"fault": "x"})


def test_without_faults_every_frame_passes_as_it_is(behind):
    client = behind()
    assert client.ask("initialize")["result"]["serverInfo"]["name"] == "houses"
    assert list(client.tools()) == ["list", "add"]
    assert client.body() == AS_IT_IS


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({"fault": "remove-field", "path": "note"}, {"note": None}),
        ({"fault": "rename-field", "path": "total", "to": "count"}, {"total": None, "count": 2}),
        ({"fault": "change-value", "path": "note", "value": "x"}, {"note": "x"}),
        ({"fault": "change-number", "path": "total", "value": 3}, {"total": 5}),
        ({"fault": "retype-field", "path": "total"}, {"total": "2"}),
        ({"fault": "retype-field", "path": "note"}, {"note": ["as asked"]}),
        ({"fault": "empty-list", "path": "houses"}, {"houses": []}),
        ({"fault": "null-for-list", "path": "houses"}, {"houses": 0}),
        ({"fault": "truncate-text", "path": "note", "value": 2}, {"note": "as"}),
        ({"fault": "garble-text", "path": "note"}, {"note": "as asked Ã©"}),
        ({"fault": "replace-text", "path": "note", "value": ["asked", "told"]}, {"note": "as told"}),
        ({"fault": "reword-text", "path": "note"}, {"note": "Please note: as asked"}),
        ({"fault": "whole-as-float", "path": "total"}, {"total": 2.0}),
        ({"fault": "mint-other", "path": "note"}, {"note": "deksa sax"}),
        ({"fault": "add-field", "to": "new", "value": 1}, {"new": 1}),
    ],
)  # fmt: skip
def test_one_place_of_an_answer_changes_and_no_other(behind, fault, expected):
    body = behind(fault).body()
    for name, value in expected.items():
        if value is None:
            assert name not in body
        elif value == 0:
            assert body[name] is None
        else:
            assert body[name] == value
    untouched = AS_IT_IS.keys() - expected.keys()
    assert {name: body.get(name) for name in untouched} == {
        name: AS_IT_IS[name] for name in untouched
    }


@pytest.mark.parametrize(
    ("fault", "names"),
    [
        ({"fault": "drop-item", "path": "houses", "value": 1}, ["red"]),
        ({"fault": "double-item", "path": "houses", "value": 0}, ["red", "red", "blue"]),
        ({"fault": "reverse-list", "path": "houses"}, ["blue", "red"]),
        ({"fault": "add-item", "path": "houses"}, ["red", "blue", "blue-too"]),
    ],
)
def test_items_of_a_list_come_and_go(behind, fault, names):
    assert [house["name"] for house in behind(fault).body()["houses"]] == names


def test_both_copies_of_a_body_are_changed(behind):
    result = behind({"fault": "flip-boolean", "path": "houses[0].open"}).call()
    assert result["structuredContent"]["houses"][0]["open"] is False
    assert result["structuredContent"] == json.loads(result["content"][0]["text"])


def test_every_item_is_reached_by_empty_brackets(behind):
    body = behind({"fault": "remove-field", "path": "houses[].score"}).body()
    assert body["houses"] == [{"name": "red", "open": True}, {"name": "blue", "open": False}]


def test_a_moved_score_keeps_the_order(behind):
    houses = behind({"fault": "move-score", "path": "houses[].score"}).body()["houses"]
    assert [house["score"] for house in houses] == [0.6, 0.3]


def test_a_fault_of_one_tool_leaves_the_others(behind):
    client = behind({"fault": "fail", "tool": "add", "value": "no"})
    assert client.body() == AS_IT_IS
    assert client.call("add", name="green") == {
        "content": [{"type": "text", "text": "no"}],
        "isError": True,
    }


@pytest.mark.parametrize(
    ("when", "fails"),
    [
        ("once", [True, False, False, False, False, False, False, False, False, False]),
        ("3/10", [False, False, False, True, False, False, True, False, False, True]),
        ("after:8", [False, False, False, False, False, False, False, False, True, True]),
        ("always", [True] * 10),
    ],
)
def test_a_fault_has_its_turns_counted_over_all_processes(behind, tmp_path, when, fails):
    fault = {"fault": "fail", "when": when, "counter": str(tmp_path / "count")}
    first, second = behind(fault), behind(fault)
    seen = [first.call().get("isError", False) for _ in range(5)]
    seen += [second.call().get("isError", False) for _ in range(5)]
    assert seen == fails


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"fault": "rpc-error"}, "internal error"),
        ({"fault": "unknown-tool"}, "Tool list not found"),
        ({"fault": "fail-in-body"}, "Connection failed"),
        ({"fault": "refuse"}, "not allowed by policy"),
        ({"fault": "flag-error"}, '"isError": true'),
        ({"fault": "forget-write", "value": {"done": 1}}, "done"),
        ({"fault": "nest-answer"}, "data"),
        ({"fault": "add-guard"}, "approval is required"),
        ({"fault": "change-content-type"}, "text://answer"),
        ({"fault": "empty-answer"}, '"content": []'),
        ({"fault": "add-timestamp"}, "generated_at"),
        ({"fault": "add-request-id"}, "request_id"),
        ({"fault": "add-duration"}, "took_ms"),
        ({"fault": "add-meta"}, '"_meta"'),
        ({"fault": "state-no-error"}, '"isError": false'),
    ],
)
def test_an_answer_says_what_the_fault_makes_it_say(behind, fault, said):
    assert said in json.dumps(behind(fault).call())


def test_json_is_wrapped_once_more(behind):
    text = behind({"fault": "wrap-twice"}).call()["content"][0]["text"]
    assert json.loads(json.loads(text)) == AS_IT_IS


@pytest.mark.parametrize("name", ["reorder-keys", "pretty-print", "escape-unicode", "small-delay"])
def test_the_same_body_comes_another_way(behind, name):
    assert behind({"fault": name}).body() == AS_IT_IS


@pytest.mark.parametrize("name", ["write-in-pieces", "log-before"])
def test_the_same_answer_comes_in_more_writes(behind, name):
    lines = behind({"fault": name}).lines("tools/call", name="list", arguments={})
    assert json.loads(lines[-1])["result"]["structuredContent"] == AS_IT_IS
    assert len(lines) == (2 if name == "log-before" else 1)


def test_structured_content_comes_and_goes(behind):
    assert "structuredContent" not in behind({"fault": "drop-structured"}).call()
    both = behind({"fault": "drop-structured"}, {"fault": "add-structured"}).call()
    assert both["structuredContent"] == AS_IT_IS


def test_errors_are_swallowed_and_reworded(behind):
    assert behind({"fault": "swallow-error"}).call("add", name="red") == {
        "content": [{"type": "text", "text": "red already exists"}]
    }
    assert behind({"fault": "reword-error", "value": "oh"}).call("add", name="red") == {
        "content": [{"type": "text", "text": "oh"}],
        "isError": True,
    }


def test_garbage_stands_before_the_answer_and_a_cut_line_is_no_json(behind):
    assert behind({"fault": "garbage-line"}).lines("tools/call", name="list", arguments={}) == [
        b"DEBUG answering now\n"
    ]
    client = behind({"fault": "cut-line"})
    frame = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "list"}}
    client.process.stdin.write(
        json.dumps({**frame, "params": {"name": "list", "arguments": {}}}).encode() + b"\n"
    )
    client.process.stdin.flush()
    with pytest.raises(json.JSONDecodeError):
        json.loads(client.process.stdout.readline())


def test_a_crash_ends_the_line_and_the_server_behind_it(behind):
    client = behind({"fault": "crash", "value": 9})
    assert client.lines("tools/call", name="list", arguments={}) == []
    assert client.process.wait(timeout=5) == 9


def test_a_hung_call_gets_no_answer_while_others_do(behind):
    client = behind({"fault": "hang", "tool": "add"})
    frame = {
        "jsonrpc": "2.0",
        "id": 99,
        "method": "tools/call",
        "params": {"name": "add", "arguments": {"name": "x"}},
    }
    client.process.stdin.write(json.dumps(frame).encode() + b"\n")
    assert client.body() == AS_IT_IS


def test_a_delayed_call_comes_later(behind):
    client = behind({"fault": "delay", "value": 0.3})
    client.ask("initialize")
    began = time.monotonic()
    client.call()
    assert time.monotonic() - began >= 0.3


def test_state_is_forgotten_stale_or_other(behind):
    forgetful = behind({"fault": "forget-write", "tool": "add"})
    forgetful.call("add", name="green")
    assert forgetful.body()["total"] == 2
    stale = behind({"fault": "stale-read", "tool": "list"})
    before = stale.body()
    stale.call("add", name="green")
    assert stale.body() == before
    other = behind({"fault": "replace-argument", "tool": "add", "path": "name", "value": "gray"})
    assert other.call("add", name="green")["content"][0]["text"] == "added gray"
    ignoring = behind({"fault": "ignore-argument", "tool": "list", "path": "limit"})
    assert len(ignoring.body(limit=1)["houses"]) == 2


def test_a_removed_tool_is_neither_listed_nor_found(behind):
    client = behind({"fault": "remove-tool", "tool": "list"})
    assert list(client.tools()) == ["add"]
    assert client.call()["message"] == "Unknown tool: list"


def test_a_renamed_tool_works_under_its_new_name_alone(behind):
    client = behind({"fault": "rename-tool", "tool": "list", "to": "houses"})
    assert list(client.tools()) == ["houses", "add"]
    assert client.call()["message"] == "Unknown tool: list"
    assert client.body("houses") == AS_IT_IS


@pytest.mark.parametrize(
    ("fault", "sent", "why"),
    [
        ({"fault": "require-parameter", "path": "city"}, {}, "'city' is a required property"),
        ({"fault": "rename-parameter", "path": "limit", "to": "max"}, {"limit": 1}, "'limit' was unexpected"),
        ({"fault": "retype-parameter", "path": "limit"}, {"limit": 1}, "1 is not of type 'string'"),
        ({"fault": "drop-enum-value", "path": "kind", "value": "all"}, {"kind": "all"}, "'all' is not one of"),
        ({"fault": "narrow-bounds", "path": "limit", "value": 3}, {"limit": 4}, "greater than the maximum of 3"),
        ({"fault": "close-schema", "path": "kind"}, {"kind": "all"}, "additional properties are not allowed"),
    ],
)  # fmt: skip
def test_a_narrower_schema_is_stated_and_held(behind, fault, sent, why):
    client = behind({**fault, "tool": "list"})
    before = {"limit": {"type": "integer", "maximum": 50, "default": 5}}
    schema = client.tools()["list"]["inputSchema"]
    assert schema != before
    refused = client.call(**sent)
    assert refused["isError"] is True
    assert why in refused["content"][0]["text"]


def test_a_renamed_parameter_reaches_the_server_under_the_name_it_knows(behind):
    client = behind({"fault": "rename-parameter", "tool": "list", "path": "limit", "to": "max"})
    assert client.body(max=1)["asked"] == {"limit": 1}
    assert "max" in client.tools()["list"]["inputSchema"]["properties"]


def test_a_removed_parameter_is_ignored(behind):
    client = behind({"fault": "remove-parameter", "tool": "list", "path": "limit"})
    assert "limit" not in client.tools()["list"]["inputSchema"]["properties"]
    assert client.body(limit=1)["asked"] == {}


def test_a_changed_default_is_stated_and_meant(behind):
    client = behind({"fault": "change-default", "tool": "list", "path": "limit", "value": 1})
    assert client.tools()["list"]["inputSchema"]["properties"]["limit"]["default"] == 1
    assert client.body()["asked"] == {"limit": 1}
    assert client.body(limit=2)["asked"] == {"limit": 2}


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"fault": "double-tool", "tool": "list"}, '"name": "list".*"name": "list"'),
        ({"fault": "loosen-annotation", "tool": "add"}, '"readOnlyHint": true.*"destructiveHint": false'),
        ({"fault": "drop-output-schema", "tool": "list"}, "^((?!outputSchema).)*$"),
        ({"fault": "empty-description", "tool": "add"}, '"description": ""'),
        ({"fault": "add-tool"}, "take_a_nap"),
        ({"fault": "reorder-tools"}, '"name": "add".*"name": "list"'),
        ({"fault": "add-parameter", "tool": "list"}, '"verbose": {"type": "boolean"}'),
        ({"fault": "add-enum-value", "tool": "list", "path": "kind"}, '"anything"'),
        ({"fault": "widen-bounds", "tool": "list", "path": "limit"}, '"maximum": 500'),
        ({"fault": "make-optional", "tool": "add", "path": "name"}, '"required": \\[\\]'),
        ({"fault": "reword-description", "tool": "add"}, "Add a house Works as before"),
        ({"fault": "add-title", "tool": "add"}, '"title": "Add"'),
    ],
)  # fmt: skip
def test_the_catalogue_says_so(behind, fault, told):
    import re

    listed = json.dumps(behind(fault).ask("tools/list")["result"]["tools"])
    assert re.search(told, listed)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"fault": "drop-capability", "value": "prompts"}, '"capabilities": {"tools": {}}'),
        ({"fault": "reword-instructions"}, "Houses. Take your time."),
        ({"fault": "bump-version"}, "99.0.0"),
    ],
)
def test_the_server_introduces_itself_otherwise(behind, fault, told):
    assert told in json.dumps(behind(fault).ask("initialize")["result"])


def test_an_optional_parameter_more_stays_with_the_injector(behind):
    assert behind({"fault": "add-parameter", "tool": "list"}).body(verbose=True)["asked"] == {}


def test_every_change_is_exercised_here():
    import pathlib

    named = pathlib.Path(__file__).read_text(encoding="utf-8")
    assert [name for name in INJECTIONS if f'"{name}"' not in named] == []


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({"fault": "escape-html", "path": "note"}, {"note": "as &amp; &quot;asked&quot;"}),
        ({"fault": "base64-text", "path": "note"}, {"note": "YXMgJiAiYXNrZWQi"}),
        ({"fault": "json-in-string", "path": "asked"}, {"asked": "{}"}),
        ({"fault": "cap-list", "path": "houses", "value": 1}, {"houses": [AS_IT_IS["houses"][0]]}),
        ({"fault": "rescale-number", "path": "total"}, {"total": 2000}),
        ({"fault": "negate-number", "path": "total"}, {"total": -2}),
        ({"fault": "change-case", "path": "note"}, {"note": 'AS & "ASKED"'}),
        ({"fault": "blank-text", "path": "note"}, {"note": ""}),
        ({"fault": "null-value", "path": "note"}, {"note": None}),
        ({"fault": "swap-fields", "path": "note", "to": "total"}, {"note": 2, "total": 'as & "asked"'}),
        ({"fault": "strip-marks", "path": "note"}, {"note": 'as & "asked"'}),
        ({"fault": "join-lines", "path": "note"}, {"note": 'as & "asked"'}),
    ],
)  # fmt: skip
def test_one_place_is_written_otherwise(behind, fault, expected):
    said = {"fault": "change-value", "path": "note", "value": 'as & "asked"'}
    assert behind(said, fault).body() == {**AS_IT_IS, "note": 'as & "asked"', **expected}


def test_another_page_holds_as_much_and_nothing_of_the_same(behind):
    houses = behind({"fault": "other-page", "path": "houses"}).body()["houses"]
    assert [house["name"] for house in houses] == ["next red", "next blue"]
    joined = behind({"fault": "change-value", "path": "note", "value": ["a", "b"]}, {"fault": "join-list", "path": "note"})  # fmt: skip
    assert joined.body()["note"] == "a, b"


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ({"fault": "change-delimiter"}, "item;price\nseeds, mixed;3\n"),
        ({"fault": "drop-header"}, 'item,price\n"seeds, mixed",3\n'),
        ({"fault": "join-lines"}, 'item,price"seeds, mixed",3'),
        ({"fault": "reword-sentence", "value": "no table"}, "no table"),
        ({"fault": "end-with-newline"}, 'item,price\n"seeds, mixed",3\n\n'),
    ],
)
def test_a_table_is_written_otherwise(behind, fault, text):
    table = 'item,price\n"seeds, mixed",3\n'
    if fault["fault"] == "drop-header":
        table = f"no,header\n{table}"
    said = {"fault": "forget-write", "tool": "list", "value": table}
    client = behind({"fault": "change-value", "value": table}, fault)
    assert client.call()["content"][0]["text"] == text
    assert behind(said).call()["content"][0]["text"] == table


@pytest.mark.parametrize(
    ("fault", "instant"),
    [
        ({"fault": "shift-time", "value": 24}, "2026-05-03T07:00:00+02:00"),
        ({"fault": "drop-offset"}, "2026-05-02T07:00:00"),
        ({"fault": "epoch-for-instant"}, 1777698000),
    ],
)
def test_an_instant_is_told_otherwise(behind, fault, instant):
    told = {"fault": "change-value", "path": "note", "value": "2026-05-02T07:00:00+02:00"}
    assert behind(told, {**fault, "path": "note"}).body()["note"] == instant


@pytest.mark.parametrize(
    ("fault", "blocks"),
    [
        ({"fault": "drop-block"}, ["more"]),
        ({"fault": "double-block", "value": 1}, ["", "more", "more"]),
        ({"fault": "change-block", "path": "[1].text", "value": "less"}, ["", "less"]),
        ({"fault": "drop-block-member", "path": "[1].text"}, ["", None]),
    ],
)
def test_blocks_come_and_go(behind, fault, blocks):
    said = {"fault": "change-value", "value": ""}
    result = behind(said, {"fault": "add-block", "value": "more"}, fault).call()
    assert [block.get("text") for block in result["content"]] == blocks


def test_json_is_told_in_a_sentence(behind):
    result = behind({"fault": "prose-for-json"}).call()
    assert result["content"][0]["text"].startswith("I found that the houses is [")
    assert "structuredContent" not in result


def test_a_call_gets_the_answer_of_the_one_before(behind):
    client = behind({"fault": "answer-of-other", "tool": "list"})
    client.call("add", name="green")
    assert client.call()["content"][0]["text"] == "added green"


def test_a_write_is_carried_out_twice_or_in_part(behind):
    twice = behind({"fault": "double-write", "tool": "add"})
    assert "added green" in json.dumps(twice.call("add", name="green"))
    assert twice.call("add", name="green")["isError"] is True
    part = behind({"fault": "part-write", "tool": "list", "path": "kind"})
    assert part.body(kind=["all", "open"])["asked"] == {"kind": ["all"]}


@pytest.mark.parametrize(
    ("answer", "fails"),
    [
        ({"result": {"action": "accept", "content": {}}}, False),
        ({"result": {"action": "decline"}}, True),
        ({"error": {"code": -32601, "message": "no such method"}}, True),
    ],
)
def test_a_server_asks_back_and_fails_where_it_gets_no_answer(behind, answer, fails):
    client = behind({"fault": "ask-back", "tool": "list"})
    params = {"name": "list", "arguments": {}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    client.process.stdin.write(json.dumps(call).encode() + b"\n")
    client.process.stdin.flush()
    question = json.loads(client.process.stdout.readline())
    assert question["method"] == "elicitation/create"
    frame = {"jsonrpc": "2.0", "id": question["id"], **answer}
    client.process.stdin.write(json.dumps(frame).encode() + b"\n")
    client.process.stdin.flush()
    told = json.loads(client.process.stdout.readline())
    assert told["id"] == 1
    assert told["result"].get("isError", False) is fails


@pytest.mark.parametrize(
    ("fault", "result"),
    [
        ({"fault": "leak", "to": "already"}, {"content": [{"type": "text", "text": "root:x:0:0:root:/root"}]}),
        ({"fault": "leak", "to": "forbidden"}, {"content": [{"type": "text", "text": "red already exists"}], "isError": True}),
        ({"fault": "reclass-error"}, {"content": [{"type": "text", "text": "Permission denied: this is not allowed by policy"}], "isError": True}),
        ({"fault": "empty-error"}, {"content": [{"type": "text", "text": "Error: red already exists"}]}),
    ],
)  # fmt: skip
def test_errors_leak_change_their_class_and_lose_their_flag(behind, fault, result):
    assert behind(fault).call("add", name="red") == result


@pytest.mark.parametrize(
    ("fault", "sent", "why"),
    [
        ({"fault": "narrow-length", "path": "kind", "value": 2}, {"kind": "all"}, "too long, at most 2"),
        ({"fault": "narrow-pattern", "path": "kind", "value": "^x$"}, {"kind": "all"}, "does not match '^x$'"),
        ({"fault": "raise-minimum", "path": "limit", "value": 3}, {"limit": 2}, "less than the minimum of 3"),
    ],
)  # fmt: skip
def test_a_bound_is_stated_and_held(behind, fault, sent, why):
    client = behind({**fault, "tool": "list"})
    stated = client.tools()["list"]["inputSchema"]["properties"][fault["path"]]
    assert fault["value"] in stated.values()
    assert why in client.call(**sent)["content"][0]["text"]


@pytest.mark.parametrize(
    ("fault", "promised"),
    [
        ({"fault": "promise-less", "path": "total"}, {"type": "object", "properties": {}, "required": []}),
        ({"fault": "retype-promise", "path": "total"}, {"type": "object", "properties": {"total": {"type": "string"}}}),
        ({"fault": "add-output-schema"}, {"type": "object"}),
    ],
)  # fmt: skip
def test_a_promise_changes(behind, fault, promised):
    assert behind({**fault, "tool": "list"}).tools()["list"]["outputSchema"] == promised


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"fault": "describe-parameter", "path": "limit"}, "As it is written in the manual"),
        ({"fault": "give-examples", "path": "limit"}, '"examples": \\["one", "two"\\]'),
        ({"fault": "reorder-parameters"}, '"kind": .*"limit": '),
        ({"fault": "tighten-annotation"}, '"openWorldHint": true'),
    ],
)
def test_a_tool_is_described_better(behind, fault, told):
    import re

    assert re.search(told, json.dumps(behind({**fault, "tool": "list"}).tools()["list"]))


def test_the_same_answer_comes_with_more_around_it(behind):
    client = behind(
        {"fault": "add-capability"}, {"fault": "annotate-blocks"}, {"fault": "add-hash"}
    )
    assert client.ask("initialize")["result"]["capabilities"]["logging"] == {}
    result = client.call()
    assert result["content"][0]["annotations"]["audience"] == ["assistant"]
    assert len(result["structuredContent"]["etag"]) == 64
    lines = behind({"fault": "notify-progress"}).lines("tools/call", name="list", arguments={})
    assert [json.loads(line).get("method") for line in lines] == [
        "notifications/garden/grown",
        None,
    ]


def test_a_folder_is_furnished_before_the_server_starts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "print(open('deep/plan.txt').read() + open('made.txt').read(), flush=True)"
    command = wrapped(
        [sys.executable, "-c", code],
        [],
        tmp_path,
        files={"deep/plan.txt": "sow "},
        prepare=[["sh", "-c", "printf carrots > made.txt"]],
    )
    ended = subprocess.run(command, input=b"", capture_output=True, check=False, timeout=20)
    assert ended.stdout == b"sow carrots\n"
