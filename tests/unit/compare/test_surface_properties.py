"""What holds of the surface differences whatever the schemas are."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from mcp_eval.compare.narrowing import schema_changes
from mcp_eval.compare.samples import samples
from mcp_eval.compare.sites import NARROWING
from mcp_eval.compare.surface import surface_differences, surface_digest
from mcp_eval.compare.tidy import tidy
from mcp_eval.compare.witness import Contract
from mcp_eval.model.surface import Prompt, Resource, Surface, Tool
from tests.unit.compare.surfaces import (
    ARGUMENTS,
    CLOSED,
    CLOSED_SCHEMAS,
    SCALARS,
    SCHEMAS,
    found,
    offering,
    released,
    respelled,
    sent,
    tool,
)

patient = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
WORDS = [
    "type", "properties", "required", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if",
    "then", "else", "items", "prefixItems", "additionalProperties", "patternProperties", "$ref",
    "$defs", "definitions", "minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength",
    "pattern", "format", "default", "nullable", "dependentRequired", "dependencies", "contains",
    "propertyNames", "unevaluatedProperties", "uniqueItems", "multipleOf", "minItems", "$schema",
    "$anchor", "title", "description",
]  # fmt: skip
JUNK = st.recursive(
    SCALARS | st.text(max_size=4) | st.floats() | st.sampled_from(["#", "#/$defs/a", "string"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=16,
)
JUNK_SCHEMAS = st.dictionaries(st.sampled_from(WORDS), JUNK, max_size=6)


def valid(schema, arguments):
    return Draft202012Validator(schema).is_valid(arguments)


@patient
@given(SCHEMAS, JUNK_SCHEMAS)
def test_a_surface_against_itself_has_no_difference(schema, junk):
    surface = offering(tool("one", schema), tool("two", junk), instructions="Be brief.")
    assert surface_differences(surface, surface, [sent("one"), sent("two")]) == ()


@patient
@given(respelled())
def test_a_schema_spelled_otherwise_is_no_difference(pair):
    before, after = pair
    assert found(tool(input_schema=before), tool(input_schema=after)) == []


@patient
@given(released())
def test_every_witness_was_valid_and_is_not_any_more(pair):
    before, after = pair
    for one in found(tool(input_schema=before), tool(input_schema=after)):
        if one.witness is not None:
            assert valid(before, one.witness)
            assert not valid(after, one.witness)


@patient
@given(released())
def test_a_narrowing_shows_a_witness_or_says_why_not(pair):
    before, after = pair
    for one in found(tool(input_schema=before), tool(input_schema=after)):
        told = (one.witness is not None) + sum(
            bool(one.details.get(word)) for word in ("unknown", "ignored")
        )
        assert told == (one.change in NARROWING)


@patient
@given(released(), st.lists(ARGUMENTS, max_size=5))
def test_every_recorded_request_that_became_invalid_is_a_hit_and_no_other(pair, recorded):
    before, after = pair
    requests = [sent(step=step, **each) for step, each in enumerate(recorded)]
    differences = found(tool(input_schema=before), tool(input_schema=after), *requests)
    invalid = {
        hit.step for one in differences if one.change in NARROWING for hit in one.hits if hit.reason
    }
    lost = {
        step for step, each in enumerate(recorded) if valid(before, each) and not valid(after, each)
    }
    assert lost <= invalid
    assert all(not valid(after, recorded[step]) for step in invalid)


@patient
@given(released(CLOSED_SCHEMAS, CLOSED), st.lists(ARGUMENTS, max_size=3))
def test_whatever_a_closed_schema_forbids_now_is_some_change_of_it(pair, arguments):
    before, after = pair
    sides = tidy(before), tidy(after)
    tried = [*arguments, *samples(sides[0].schema, sides[0].schema)]
    told = schema_changes(*sides)
    contract = Contract.of(*sides)
    for each in tried:
        if isinstance(each, dict) and valid(before, each) and not valid(after, each):
            assert any(contract.complaint(change, each) for change in told)


def shuffled(value, by):
    if isinstance(value, dict):
        members = [(name, shuffled(each, by)) for name, each in value.items()]
        by.shuffle(members)
        return dict(members)
    return [shuffled(each, by) for each in value] if isinstance(value, list) else value


def plain(differences):
    return {(one.site.tool, one.site.path, one.change): one for one in differences}


@patient
@given(st.lists(released(), min_size=2, max_size=3), st.integers(0, 99))
def test_the_order_of_keys_and_tools_never_matters(pairs, seed):
    names = ["read_note", "write_note", "list_notes"]
    later = ["note_read", "write_note", "show_notes"]
    before = [tool(name, pair[0]) for name, pair in zip(names, pairs, strict=False)]
    after = [tool(name, pair[1]) for name, pair in zip(later, pairs, strict=False)]
    by = random.Random(seed)
    sides = []
    for side in (before, after):
        moved = [replace(each, input_schema=shuffled(each.input_schema, by)) for each in side]
        by.shuffle(moved)
        sides.append(offering(*moved))
    ordered, mixed = found(offering(*before), offering(*after)), found(*sides)
    assert plain(ordered).keys() == plain(mixed).keys()
    for place, one in plain(ordered).items():
        other = plain(mixed)[place]
        assert (one.before, one.after, one.details) == (other.before, other.after, other.details)
        assert (one.witness is None) == (other.witness is None)


@patient
@given(SCHEMAS, st.integers(0, 99))
def test_the_digest_of_a_surface_knows_no_order(schema, seed):
    by = random.Random(seed)
    tools = [tool("one", schema), tool("two")]
    again = [replace(each, input_schema=shuffled(each.input_schema, by)) for each in tools]
    by.shuffle(again)
    assert surface_digest(offering(*tools)) == surface_digest(offering(*again))
    assert surface_digest(offering(*tools)) != surface_digest(offering(tools[0]))


@patient
@given(JUNK_SCHEMAS, JUNK_SCHEMAS, st.lists(st.dictionaries(st.text(max_size=3), JUNK), max_size=2))
def test_no_schema_is_too_strange_to_compare(before, after, recorded):
    requests = [replace(sent(step=step), arguments=each) for step, each in enumerate(recorded)]
    sides = [
        offering(tool(input_schema=each, output_schema=other, annotations=other), capabilities=each)
        for each, other in ((before, after), (after, before))
    ]
    surface_differences(*sides, requests)


@patient
@given(st.lists(st.dictionaries(st.sampled_from(["name", "required", "x"]), JUNK), max_size=3))
def test_no_prompt_is_too_strange_to_compare(arguments):
    before = Surface(
        prompts=(Prompt(name="p", arguments=tuple(arguments)),),
        resources=(Resource(uri="a://{b"),),
        resource_templates=(Resource(uri="a://{b}/{"),),
    )
    after = Surface(prompts=(Prompt(name="p"),))
    surface_differences(before, after, [sent("p", method="prompts/get")])
    surface_differences(after, before)


@pytest.mark.parametrize("depth", [30, 90, 200])
def test_a_schema_however_deep_is_compared(depth):
    schema = {"type": "string"}
    other = {"type": "integer"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"in": schema}}
        other = {"type": "object", "properties": {"in": other}}
    told = found(tool(input_schema=schema), tool(input_schema=other))
    assert told
    assert all(one.details.get("unknown") for one in told if one.change in NARROWING)


def test_a_schema_that_holds_itself_is_compared():
    tree = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#"}}},
    }
    other = {**tree, "properties": {**tree["properties"], "label": {"type": "string"}}}
    told = found(Tool(name="t", input_schema=tree), Tool(name="t", input_schema=other))
    assert {one.change for one in told} == {"parameter-added"}
    assert {one.site.path for one in told} == {"label", "children[].label"}
