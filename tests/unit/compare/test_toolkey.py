"""Tool keys: what was really called, and nothing that merely looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.toolkey import bare_name, tool_key
from mcp_eval.model.surface import Tool

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text()
            | st.sampled_from(
                ["name", "operation", "type", "args", "tool_name", "properties", "enum", "anyOf"]
            ),
            inner,
        )
    ),
    max_leaves=12,
)


def tool(**properties):
    return Tool(name="t", input_schema={"type": "object", "properties": properties})


def enum(*values):
    return {"type": "string", "enum": list(values)}


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("mcp__mcpproxy__retrieve_tools", "retrieve_tools"),
        ("mcp__my_server__github__create_issue", "github__create_issue"),
        ("retrieve_tools", "retrieve_tools"),
        ("mcp__", "mcp__"),
        ("mcp__server__", "mcp__server__"),
        ("", ""),
    ],
)
def test_a_clients_prefix_is_no_part_of_the_name(name, bare):
    assert bare_name(name) == bare


@pytest.mark.parametrize(
    ("name", "arguments", "key"),
    [
        ("mcp__p__upstream_servers", {"operation": "add", "name": "gh"}, "upstream_servers[add]"),
        (
            "upstream_servers",
            {"operation": "add", "name": "gh", "args_json": '["-y"]'},
            "upstream_servers[add]",
        ),
        ("browser_tabs", {"action": "list"}, "browser_tabs[list]"),
        ("node_management", {"operation": "cordon"}, "node_management[cordon]"),
        ("kubectl_rollout", {"subCommand": "restart", "name": "x"}, "kubectl_rollout[restart]"),
        ("git", {"request": {"operation": "commit", "message": "m"}}, "git[commit]"),
        ("tasks", {"action": "delete", "type": "create"}, "tasks[delete]"),
        ("list_files", {"sort": "asc", "format": "json"}, "list_files"),
        ("search", {"mode": "fast", "query": "x"}, "search"),
        ("screenshot", {"type": "png"}, "screenshot"),
        ("shell", {"command": "ls -la /tmp"}, "shell"),
        ("ask", {"action": "please open the door"}, "ask"),
        ("counter", {"operation": 3}, "counter"),
    ],
)
def test_the_operation_is_part_of_the_key_where_it_says_what_is_done(name, arguments, key):
    assert tool_key(name, arguments) == key


@pytest.mark.parametrize(
    ("schema", "arguments", "key"),
    [
        (tool(type=enum("png", "jpeg")), {"type": "png"}, "t"),
        (tool(type=enum("create", "delete")), {"type": "create"}, "t[create]"),
        (tool(mode=enum("fast", "slow")), {"mode": "fast"}, "t"),
        (tool(command=enum("begin", "finish")), {"command": "begin"}, "t[begin]"),
        (tool(command={"type": "string"}), {"command": "whatever"}, "t"),
        (tool(operation={"type": "string"}), {"operation": "add"}, "t[add]"),
        (
            tool(method={"anyOf": [{"const": "alpha"}, {"const": "beta"}]}),
            {"method": "beta"},
            "t[beta]",
        ),
        (tool(output=enum("list", "get")), {"output": "list"}, "t"),
        (tool(location=enum("New York", "Chicago")), {"location": "Chicago"}, "t"),
    ],
)
def test_the_schema_says_what_a_name_leaves_open(schema, arguments, key):
    assert tool_key("t", arguments, schema) == key


def test_the_key_does_not_depend_on_whether_the_enum_is_still_stated():
    arguments = {"operation": "add"}
    with_enum = tool_key("t", arguments, tool(operation=enum("add", "remove")))
    assert with_enum == tool_key("t", arguments, tool(operation={"type": "string"}))
    assert with_enum == tool_key("t", arguments) == tool_key("t", arguments, tool())


@pytest.mark.parametrize(
    ("name", "arguments", "key"),
    [
        (
            "call_tool_read",
            {"name": "github:create_issue", "args": {"title": "x"}},
            "call_tool_read → github:create_issue",
        ),
        (
            "call_tool_write",
            {"name": "github:create_issue", "args_json": '{"title": "x"}'},
            "call_tool_write → github:create_issue",
        ),
        ("call_tool", {"name": "time:now"}, "call_tool → time:now"),
        (
            "use_mcp_tool",
            {"server_name": "github", "tool_name": "create_issue", "arguments": {}},
            "use_mcp_tool → github:create_issue",
        ),
        ("execute", {"toolName": "add", "toolArguments": {"a": 1}}, "execute → add"),
        (
            "call_tool",
            {"name": "proxy:upstream", "args": {"operation": "add"}},
            "call_tool → proxy:upstream[add]",
        ),
        ("call_tool", {"name": "mcp__gh__list", "args": {}}, "call_tool → list"),
        ("add_server", {"name": "gh", "args": ["-y"]}, "add_server"),
        ("create_prompt", {"name": "hello", "arguments": {"a": 1}}, "create_prompt"),
        ("describe_tool", {"tool_name": "printEnv"}, "describe_tool"),
        ("install_helm_chart", {"name": "redis", "parameters": {"a": 1}}, "install_helm_chart"),
        ("ask_tool", {"name": "two words", "args": {}}, "ask_tool"),
    ],
)
def test_a_call_that_passes_on_to_another_tool_names_it(name, arguments, key):
    assert tool_key(name, arguments) == key


def test_a_wrapper_is_recognised_by_its_schema_where_this_call_passes_no_arguments():
    wrapper = tool(tool_name={"type": "string"}, arguments={"type": "object"})
    assert tool_key("proxy", {"tool_name": "gh:list"}, wrapper) == "proxy → gh:list"


def test_the_order_of_the_arguments_changes_nothing():
    forward = {"tool_name": "a", "args": {"x": 1}, "server": "s", "action": "run"}
    assert tool_key("p", forward) == tool_key("p", dict(reversed(forward.items())))


@given(st.text(), JSON, JSON)
def test_no_json_makes_it_fail(name, arguments, schema):
    hostile = Tool(name=name, input_schema=schema)
    key = tool_key(name, arguments, hostile)
    assert key.startswith(bare_name(name))
    assert tool_key(name, arguments, hostile) == key
