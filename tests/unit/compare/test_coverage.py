"""What a target offers and no recorded request touches."""

from msgspec import Raw

from mcp_eval.compare.coverage import Gap, coverage, lines
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Outcome

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "sort": {"enum": ["name", "date"]},
        "fields": {"type": "array", "items": {"enum": ["a", "b"]}},
        "limit": {"type": "integer"},
    },
}
OK = Outcome(body=Raw(b'{"content": [{"type": "text", "text": "{\\"a\\": 1}"}]}'))
FAILED = Outcome(body=Raw(b'{"content": [{"type": "text", "text": "no"}], "isError": true}'))


def recorded(*steps):
    return Recording(name="one", stem="one", steps=steps)


def step(name="search", outcome=OK, **arguments):
    return RecordedStep(name=name, arguments=arguments, outcome=outcome, classes={"ok": 1})


SEARCH = Tool(name="search", input_schema=SCHEMA)


def gaps(*steps, tools=(SEARCH,)):
    return coverage(Surface(tools=tools), [recorded(*steps)]).gaps


def test_a_tool_nobody_calls_is_one_gap_and_its_parameters_are_none():
    assert gaps() == (Gap(kind="tool", tool="search"),)


def test_parameters_values_and_error_paths_that_no_request_touches_are_gaps():
    assert gaps(step(query="x", sort="name")) == (
        Gap(kind="value", tool="search", name="sort", value="date"),
        Gap(kind="parameter", tool="search", name="fields"),
        Gap(kind="parameter", tool="search", name="limit"),
        Gap(kind="error", tool="search"),
    )


def test_nothing_is_left_where_all_was_touched_in_whatever_scenario():
    every = [
        step(query="x", sort="name", fields=["a", "b"], limit=1),
        step(name="mcp__proxy__search", sort="date", outcome=FAILED),
    ]
    assert gaps(*every) == ()


def test_values_that_a_list_may_hold_are_values_too():
    said = gaps(step(query="x", fields=["a"], limit=1, sort="name"), step(sort="date"))
    assert said == (
        Gap(kind="value", tool="search", name="fields", value="b"),
        Gap(kind="error", tool="search"),
    )


def test_a_refusal_seen_in_another_look_touches_the_error_path():
    seen = RecordedStep(name="ping", outcome=OK, classes={"ok": 1, "refused": 1})
    assert gaps(seen, tools=(Tool(name="ping"),)) == ()


def test_markers_of_a_person_touch_no_tool():
    marker = RecordedStep(name="search", method="user/run", foreign=True, outcome=OK)
    assert gaps(marker) == (Gap(kind="tool", tool="search"),)


def test_a_person_reads_the_counts_first_and_the_gaps_by_tool():
    surface = Surface(tools=(Tool(name="search", input_schema=SCHEMA), Tool(name="idle")))
    said = list(lines(coverage(surface, [recorded(step(query="x", sort="name", limit=2))])))
    assert said == [
        (
            "touched by some scenario: 1 of 2 tools, 3 of 4 parameters, 1 of 2 enum values, "
            "0 of 1 error paths"
        ),
        "search: sort=date never sent, fields never sent, no call of it ever failed",
        "idle: never called",
    ]
