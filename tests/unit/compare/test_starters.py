"""First requests for tools nobody was recorded using."""

import json

import msgspec
import pytest

from mcp_eval.compare.starters import (
    Found,
    Way,
    finds,
    hides,
    reads,
    undoes,
    variants,
    ways,
    wrong_way,
)
from mcp_eval.model.surface import Tool
from mcp_eval.model.trajectory import Invocation, Outcome


def tool(name="find_it", *, annotations=None, required=(), **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, input_schema=schema, annotations=annotations)


def made(name, answer, *, flagged=False):
    text = answer if isinstance(answer, str) else json.dumps(answer)
    body = {"content": [{"type": "text", "text": text}], "isError": flagged}
    return Invocation(name=name, outcome=Outcome(body=msgspec.Raw(msgspec.json.encode(body))))


@pytest.mark.parametrize(
    ("named", "annotations", "expected"),
    [
        ("list_files", None, True),
        ("getTinyImage", {}, True),
        ("delete_files", {"readOnlyHint": True}, True),
        ("list_files", {"readOnlyHint": False}, False),
        ("get_and_lock", {"destructiveHint": True}, False),
        ("create_file", None, False),
        ("gzip", None, False),
    ],
)
def test_only_what_reads_by_its_word_or_name_is_tried_unasked(named, annotations, expected):
    assert reads(tool(named, annotations=annotations)) is expected


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "examples": ["brand new"], "default": "old"}, "brand new"),
        ({"type": "integer", "default": 7}, 7),
        ({"type": "string", "enum": ["blue", "red"]}, "blue"),
        ({"type": "string", "description": "IANA name (e.g., 'Asia/Tokyo', 'UTC')"}, "Asia/Tokyo"),
        ({"type": "string", "description": "24-hour format (HH:MM)"}, "12:30"),
        ({"type": "string", "format": "uuid"}, "00000000-0000-4000-8000-000000000000"),
        ({"type": "integer", "minimum": 5}, 5),
    ],
)
def test_a_required_value_comes_from_what_the_schema_tells(schema, value):
    assert ways(tool(required=["x"], x=schema))[0].arguments == {"x": value}


def test_paths_are_the_folders_at_hand():
    asked = tool(
        required=["path", "files"],
        path={"type": "string"},
        files={"type": "array", "items": {"type": "string"}},
    )
    assert ways(asked, (), ("/data",))[0].arguments == {"path": "/data", "files": ["/data"]}


def test_an_earlier_answer_goes_before_a_guess_and_says_whose_it_was():
    found = finds([made("make", {"ticket_id": "T-77", "id": 5})])
    asked = tool(required=["ticket_id"], ticket_id={"type": "string"})
    assert ways(asked, found)[0] == Way(arguments={"ticket_id": "T-77"}, after=("make",))


def test_a_hash_in_a_text_is_found_for_what_asks_for_a_revision():
    mark = "0d1a4f0c3f6f4b0a9f3a1b2c3d4e5f6a7b8c9d0e"
    found = finds([made("log", f"commit: '{mark}' by somebody")])
    asked = tool(required=["revision"], revision={"type": "string"})
    assert ways(asked, found)[0].arguments == {"revision": mark}


def test_what_failed_teaches_nothing():
    assert finds([made("make", {"id": "x-1"}, flagged=True)]) == ()


def test_no_way_is_offered_that_the_schema_refuses():
    asked = tool(required=["n"], n={"type": "integer", "maximum": 3})
    offered = ways(asked, (Found(name="n", value=9, tool="other"),))
    assert offered
    assert all(way.arguments["n"] <= 3 for way in offered)


def test_each_choice_of_an_enum_is_a_variant():
    asked = tool(required=["city"], city={"enum": ["a", "b", "c", "d"]})
    said = [way.arguments["city"] for way in variants(asked, ways(asked)[0])]
    assert said == ["a", "b", "c"]
    assert variants(tool(), Way()) == (Way(),)


def test_a_wrong_request_is_one_the_schema_refuses():
    assert wrong_way(tool(required=["x"], x={"type": "string"})) == {}
    assert wrong_way(tool(x={"type": "string"})) == {"x": {"no": ["such"]}}
    assert wrong_way(tool()) is None


@pytest.mark.parametrize(
    ("answer", "flagged", "expected"),
    [
        ({"error": "no such thing"}, False, True),
        ({"error": "no such thing"}, True, False),
        ({"found": 3}, False, False),
    ],
)
def test_an_error_without_its_flag_is_hidden(answer, flagged, expected):
    assert hides(made("t", answer, flagged=flagged)) is expected


def test_what_takes_away_is_known_by_its_name():
    assert undoes(tool("delete_entities"))
    assert not undoes(tool("create_entities"))
