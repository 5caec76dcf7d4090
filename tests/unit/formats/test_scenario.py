import pytest

from mcp_eval.errors import UsageError
from mcp_eval.formats.scenario import read_scenario, write_scenario
from mcp_eval.model.scenario import Criterion, Step

SEED = """\
name: "Search MCP Tools (Simple)"
description: "Simple test to find environment-related tools"
enabled: true
user_intent: "Find tools for environment variables"
expected_trajectory:
  - action: "search_tools"
    tool: "mcp__mcpproxy__retrieve_tools"
    args:
      query: "environment"
success_criteria:
  - "Found environment-related tools"
  - "Retrieved tool descriptions"
"""
WHOLE = """\
name: whole
enabled: false
user_intent: do it
config_file: servers.json
tags: [a, b]
setup:
  - tool: reset
steps:
  - run: make ready
  - wait: 0.5
  - restart
  - tool: find
    args: {q: "{{ steps.3.result.id }}"}
    match: {q: any}
    notes: whatever a person wants to remember
  - resource: file:///a
  - prompt: greet
    args: {name: x}
success_criteria:
  - calls: find
  - never_calls: remove
  - result: total >= 1
  - "answer_contains: 3 servers"
  - a sentence
answers:
  sampling: {role: assistant, content: {type: text, text: hi}}
  roots/list: {roots: []}
"""


def read(text, path="scenarios/search_tools.yaml"):
    return read_scenario(text.encode(), path=path)


def test_the_first_scenario_anybody_wrote_is_read_as_it_stands():
    scenario = read(SEED)
    assert (scenario.name, scenario.stem) == ("Search MCP Tools (Simple)", "search_tools")
    assert scenario.enabled
    assert scenario.expected_trajectory == (
        Step(
            action="search_tools",
            tool="mcp__mcpproxy__retrieve_tools",
            args={"query": "environment"},
        ),
    )
    assert [one.kind for one in scenario.success_criteria] == ["prose", "prose"]


def test_every_key_is_read_and_written_back():
    scenario = read(WHOLE)
    assert not scenario.enabled
    assert scenario.tags == ("a", "b")
    assert [step.method for step in scenario.steps[3:]] == [
        "tools/call",
        "resources/read",
        "prompts/get",
    ]
    assert (scenario.steps[0].run, scenario.steps[1].wait, scenario.steps[2].restart) == (
        "make ready",
        0.5,
        True,
    )
    assert scenario.steps[3].match == {"q": "any"}
    assert set(scenario.answers) == {"sampling/createMessage", "roots/list"}
    assert read_scenario(write_scenario(scenario), path=scenario.path) == scenario


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("name: whole", "name: other", True),
        ("user_intent: do it", "user_intent: please do it", True),
        ("  - a sentence", "  - another sentence", True),
        ("notes: whatever", "notes: another", True),
        ("tags: [a, b]", "tags: []", True),
        ("tool: reset", "tool: reset_all", False),
        ("run: make ready", "run: make all", False),
        ("wait: 0.5", "wait: 1", False),
        ("match: {q: any}", "match: {q: exact}", False),
        ("calls: find\n", "calls: found\n", False),
        ("total >= 1", "total >= 2", False),
    ],
)
def test_wording_may_change_but_steps_make_a_recording_stale(before, after, same):
    assert before in WHOLE
    changed = read(WHOLE.replace(before, after, 1))
    assert (changed.fingerprint == read(WHOLE).fingerprint) == same


@pytest.mark.parametrize(
    ("text", "where", "hint"),
    [
        ("nme: x", ":1:1: unknown key 'nme'", "did you mean 'name'?"),
        ("- a", "a scenario is a mapping, not a list", ""),
        ("", "a scenario is a mapping, not nothing", ""),
        ("enabled: maybe", ":1:10: 'enabled' expects true or false, not text", ""),
        ('enabled: "true"', "'enabled' expects true or false", "drop the quotes"),
        ("name: 3", "'name' expects text, not a number", "put it in quotes"),
        ("tags: {a: b}", "'tags' expects a list", ""),
        ("steps:\n  - tol: x", ":2:5: unknown key 'tol'", "did you mean 'tool'?"),
        ("steps:\n  - action: x", ":2:5: a step says nothing to do", "tool"),
        ("steps:\n  - {tool: a, run: b}", "a step says 'tool' and 'run'", "two steps"),
        ("steps:\n  - {tool: ''}", "'tool' is empty", ""),
        ("steps:\n  - {run: a, args: {}}", "'args' says nothing beside 'run'", ""),
        ("steps:\n  - {wait: -1}", "'wait' expects a number from 0 up", ""),
        ("steps:\n  - {wait: soon}", "'wait' expects a number, not text", ""),
        ("steps:\n  - {tool: a, method: tools/cal}", "no step can be made of", "tools/call"),
        ("steps:\n  - {prompt: a, method: tools/call}", "'prompt' is made by prompts/get", ""),
        ("steps: x", "'steps' expects a list, not text", ""),
        ("success_criteria: [{cals: x}]", "unknown kind of criterion 'cals'", "'calls'"),
        ("success_criteria: [3]", "a criterion is one text", "quotes"),
        ("success_criteria: ['calls:']", "'calls' says nothing", ""),
        ("success_criteria: ['result: a ~ b']", "is no operator", "as in"),
        ("success_criteria: ['result: a matches [']", "no regular expression", ""),
        ("success_criteria: ['result: a >= x']", "compares numbers", ""),
        ("answers: {samplin: x}", "no server request is called 'samplin'", "'sampling'"),
    ],
)
def test_what_is_off_is_said_with_its_place_and_a_hint(text, where, hint):
    with pytest.raises(UsageError) as caught:
        read(text)
    assert caught.value.message.startswith("scenarios/search_tools.yaml:")
    assert where in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "kind", "subject", "operator", "value"),
    [
        ("calls: add_server", "calls", "add_server", "", None),
        ("never_calls: 'x'", "never_calls", "x", "", None),
        ('answer_contains: "3 servers"', "answer_contains", "3 servers", "", None),
        ("result: steps.1.result.id", "result", "steps.1.result.id", "exists", None),
        ("result: a not exists", "result", "a", "absent", None),
        ("result: a not  empty", "result", "a", "not_empty", None),
        ("result: a == 1", "result", "a", "equals", 1),
        ("result: a = true", "result", "a", "equals", True),
        ("result: a != null", "result", "a", "not_equals", None),
        ("result: a>=1.5", "result", "a", "at_least", 1.5),
        ("result: a < 3", "result", "a", "less_than", 3),
        ('result: a contains "b c"', "result", "a", "contains", "b c"),
        ("result: a not contains b", "result", "a", "not_contains", "b"),
        ("result: a matches ^x+$", "result", "a", "matches", "^x+$"),
        ('result: a["b c"][0] == [1, 2]', "result", 'a["b c"][0]', "equals", [1, 2]),
        ("result: a == NaN", "result", "a", "equals", "NaN"),
        ("a sentence: with a colon", "prose", "", "", None),
    ],
)
def test_criteria_are_read_as_people_write_them(text, kind, subject, operator, value):
    (criterion,) = read(f"success_criteria:\n  - {text!r}\n".replace("\\'", "''")).success_criteria
    assert (criterion.kind, criterion.subject, criterion.operator, criterion.value) == (
        kind,
        subject,
        operator,
        value,
    )
    assert isinstance(criterion, Criterion)
