"""Answers are the other way round: to let more through is to promise less."""

import pytest

from mcp_eval.compare.promises import output_differences
from tests.unit.compare.surfaces import found, only, schema, tool

TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def promised(before, after):
    one = only(tool(output_schema=before), tool(output_schema=after))
    assert one.change == "output-schema-changed"
    return one.site.path, one.details["promises"]


@pytest.mark.parametrize(
    ("before", "after", "path", "promises"),
    [
        (None, schema(a=TEXT), "outputSchema", "more"),
        (schema(a=TEXT), None, "outputSchema", "less"),
        (schema(a=TEXT, b=WHOLE), schema(a=TEXT), "outputSchema.b", "less"),
        (schema(a=TEXT), schema(a=TEXT, b=WHOLE), "outputSchema.b", "more"),
        (schema(["a"], a=TEXT), schema(a=TEXT), "outputSchema.a", "less"),
        (schema(a=TEXT), schema(["a"], a=TEXT), "outputSchema.a", "more"),
        (schema(a=TEXT), schema(a=WHOLE), "outputSchema.a", "less"),
        (schema(a=WHOLE), schema(a=NUMBER), "outputSchema.a", "less"),
        (schema(a=NUMBER), schema(a=WHOLE), "outputSchema.a", "more"),
        (schema(a=TEXT), schema(a={"type": ["string", "null"]}), "outputSchema.a", "less"),
        (schema(a={"type": ["string", "null"]}), schema(a=TEXT), "outputSchema.a", "more"),
        (schema(a={"enum": ["x"]}), schema(a={"enum": ["x", "y"]}), "outputSchema.a", "less"),
        (schema(a={"enum": ["x", "y"]}), schema(a={"enum": ["x"]}), "outputSchema.a", "more"),
        (schema(a={"enum": ["x"]}), schema(a=TEXT), "outputSchema.a", "less"),
        (schema(a={**TEXT, "maxLength": 3}), schema(a=TEXT), "outputSchema.a", "less"),
        (schema(a=TEXT, closed=True), schema(a=TEXT), "outputSchema", "other"),
        (schema(a=TEXT), schema(a=TEXT, closed=True), "outputSchema", "more"),
        (
            schema(a={**TEXT, "pattern": "^a"}),
            schema(a={**TEXT, "pattern": "^b"}),
            "outputSchema.a",
            "other",
        ),
        (
            schema(hits={"type": "array", "items": schema(["id"], id=TEXT)}),
            schema(hits={"type": "array", "items": schema(id=TEXT)}),
            "outputSchema.hits[].id",
            "less",
        ),
    ],
)
def test_an_output_schema_promises_less_more_or_something_else(before, after, path, promises):
    assert promised(before, after) == (path, promises)


def test_less_and_more_at_one_site_is_less():
    assert promised(schema(a={"enum": ["x", "y"]}), schema(a={"enum": ["x", "z"]})) == (
        "outputSchema.a",
        "less",
    )


def test_what_a_field_is_called_and_described_as_is_no_promise():
    before, after = schema(a={**TEXT, "description": "A"}), schema(a={**TEXT, "description": "B"})
    assert found(tool(output_schema=before), tool(output_schema=after)) == []


def test_an_output_schema_spelled_otherwise_promises_the_same():
    before = schema(a={"anyOf": [TEXT, {"type": "null"}]})
    after = schema(a={"type": ["null", "string"]})
    assert list(output_differences(tool(output_schema=before), tool(output_schema=after))) == []


def test_every_site_of_an_output_schema_is_told_by_itself():
    before, after = schema(a=TEXT, b=TEXT), schema(b=WHOLE, c=NUMBER)
    told = found(tool(output_schema=before), tool(output_schema=after))
    assert {one.site.path for one in told} == {
        "outputSchema.a", "outputSchema.b", "outputSchema.c",
    }  # fmt: skip
