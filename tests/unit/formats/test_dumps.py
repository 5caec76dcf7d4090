import json

import pytest

from mcp_eval.errors import UsageError
from mcp_eval.formats.dumps import read_surface
from mcp_eval.formats.envelope import encode
from mcp_eval.model.surface import Surface, Tool

TOOLS = [{"name": "find", "description": "finds", "inputSchema": {"type": "object"}}]
EXPECTED = (Tool(name="find", description="finds", input_schema={"type": "object"}),)


def read(value):
    return read_surface(json.dumps(value).encode(), where="dump.json")


@pytest.mark.parametrize(
    "dump",
    [
        {"tools": TOOLS},
        TOOLS,
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS}},
        {"initialize": {"serverInfo": {"name": "x"}}, "tools": TOOLS},
        {"initialize": {"result": {"serverInfo": {"name": "x"}}}, "tools": {"tools": TOOLS}},
        {"tools": {"result": {"tools": TOOLS}}},
        {"tools": [{"name": "find", "description": "finds", "input_schema": {"type": "object"}}]},
    ],
)
def test_tools_are_found_in_every_dump_people_make(dump):
    assert read(dump).tools == EXPECTED


def test_what_the_server_says_of_itself_is_read_too():
    said = {
        "protocolVersion": "2025-11-25",
        "serverInfo": {"name": "tiny", "version": "1"},
        "capabilities": {"tools": {}},
        "instructions": "read me",
    }
    surface = read(
        {
            "initialize": said,
            "tools": TOOLS,
            "prompts": [{"name": "p"}],
            "resources": [{"uri": "a:b"}],
            "resourceTemplates": [{"uriTemplate": "a:{b}"}],
        }
    )
    assert (surface.server_name, surface.server_version) == ("tiny", "1")
    assert (surface.protocol, surface.instructions) == ("2025-11-25", "read me")
    assert surface.prompts[0].name == "p"
    assert (surface.resources[0].uri, surface.resource_templates[0].uri) == ("a:b", "a:{b}")


def test_our_own_document_is_a_surface_too():
    surface = Surface(server_name="x", tools=EXPECTED)
    assert read_surface(encode("surface", surface), where="x") == surface


@pytest.mark.parametrize(
    ("schema", "read_as"), [(True, {}), (False, {"not": {}}), ([], {}), (None, {})]
)
def test_schemas_that_are_no_objects_are_read_for_what_they_mean(schema, read_as):
    assert read({"tools": [{"name": "a", "inputSchema": schema}]}).tools[0].input_schema == read_as


@pytest.mark.parametrize(
    ("dump", "said"),
    [
        ({}, "holds no tools"),
        ({"tools": "x"}, "'tools' is no list"),
        ({"tools": [{}]}, r"tools\[0\] has no name"),
        ({"tools": [{"name": 3}]}, r"tools\[0\] has no name"),
        ({"tools": [], "nextCursor": "x"}, "one page of several"),
        (3, "holds no tools"),
        ({"format": "mcp-eval/run", "version": 1}, "says it is a run"),
    ],
)
def test_a_dump_that_is_none_says_why(dump, said):
    with pytest.raises(UsageError, match=said) as caught:
        read(dump)
    assert caught.value.message.startswith("dump.json")
    assert caught.value.hint
