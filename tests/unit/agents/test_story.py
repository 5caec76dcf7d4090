"""What a client tells, joined with what the tap saw."""

from msgspec import json

from mcp_eval.agents.places import Places
from mcp_eval.agents.story import Story, plain
from mcp_eval.model.trajectory import OWN_TOOL, Invocation


def story():
    return Story("my-proxy", Places("/tmp/some/work", {}))


def seen(name, /, **arguments):
    return Invocation(name=name, arguments=arguments)


def names(invocations):
    return [(one.name, one.foreign) for one in invocations]


def test_words_stand_between_the_calls_they_were_said_between():
    told = story()
    told.say("First")
    told.use("1", "mcp__my-proxy__search", {"query": "x"})
    told.say("  ")
    told.use("2", "Bash", {"command": "ls"})
    told.say("Last, in /tmp/some/work/a.txt")
    made, said = told.joined([seen("search", query="x")])
    assert names(made) == [("search", False), ("Bash", True)]
    assert [(one.text, one.before) for one in said] == [
        ("First", 0),
        ("Last, in ${workdir}/a.txt", 2),
    ]


def test_the_tap_is_believed_where_a_client_tells_otherwise():
    told = story()
    told.use("1", "mcp__my-proxy__search", {"query": "as told"})
    told.answer("1", "as shown", failed=True)
    (made,), _ = told.joined([seen("search", query="as sent")])
    assert made.arguments == {"query": "as sent"}
    assert made.outcome.kind == "result"


def test_calls_alike_are_told_apart_by_their_arguments_and_whatever_is_left_comes_last():
    told = story()
    told.use("1", "mcp__my-proxy__search", {"query": "two"})
    told.use("2", "mcp__my-proxy__search", {"query": "one"})
    made, _ = told.joined([seen("search", query="one"), seen("search", query="two"), seen("more")])
    assert [one.arguments for one in made] == [{"query": "two"}, {"query": "one"}, {}]


def test_a_name_that_a_client_must_spell_otherwise_is_found():
    assert plain("get.user/by id") == "get_user_by_id"
    told = story()
    told.use("1", "mcp__my-proxy__get_user_by_id", {})
    (made,), _ = told.joined([seen("get.user/by id")])
    assert made.name == "get.user/by id"


def test_a_resource_that_was_read_is_the_targets():
    told = story()
    told.use("1", "ReadMcpResourceTool", {"server": "my-proxy", "uri": "demo://one"})
    told.use("2", "ListMcpResourcesTool", {})
    read = Invocation(name="demo://one", method="resources/read", arguments={"uri": "demo://one"})
    made, _ = told.joined([read])
    assert names(made) == [("demo://one", False), ("ListMcpResourcesTool", True)]


def test_a_call_the_tap_never_saw_was_refused_or_never_made():
    told = story()
    told.use("1", "mcp__my-proxy__gone", {"a": 1})
    told.answer("1", "No such tool available", failed=True)
    told.use("2", "mcp__my-proxy__search", {})
    (refused, unsent), _ = told.joined([])
    assert (refused.outcome.kind, refused.foreign) == ("error", False)
    assert json.decode(refused.outcome.body)["message"] == "No such tool available"
    assert unsent.outcome.kind == "not-reached"


def test_what_a_tool_of_its_own_answered_is_kept_in_part():
    told = story()
    told.use("1", "Read", {"path": "x"})
    told.answer("1", "y" * 9000, failed=False)
    told.answer("nobody", "lost", failed=False)
    (made,), _ = told.joined([])
    assert made.method == OWN_TOOL
    assert len(bytes(made.outcome.body)) < 4200
