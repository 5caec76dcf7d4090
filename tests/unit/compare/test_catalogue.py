"""What a catalogue tells beside its schemas."""

import pytest

from mcp_eval.compare.catalogue import catalogue_tokens
from mcp_eval.compare.surface import surface_differences
from mcp_eval.model.surface import Prompt, Resource, Surface
from tests.unit.compare.surfaces import found, offering, only, schema, sent, tool


def hints(**hints):
    return tool(annotations={f"{name}Hint": value for name, value in hints.items()} or None)


def loosened(before, after):
    told = found(before, after)
    assert {one.change for one in told} <= {"annotation-changed"}
    return {one.site.path.removeprefix("annotations."): one.details["loosened"] for one in told}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (hints(), hints(readOnly=True), {"readOnlyHint": True}),
        (hints(readOnly=True), hints(), {"readOnlyHint": False}),
        (hints(), hints(destructive=False), {"destructiveHint": True}),
        (hints(destructive=False), hints(), {"destructiveHint": False}),
        (hints(), hints(readOnly=False, destructive=True, idempotent=False, openWorld=True), {}),
        (hints(readOnly=True), hints(readOnly=True, destructive=False), {"destructiveHint": False}),
        (
            hints(readOnly=True),
            hints(readOnly=False, destructive=False),
            {"readOnlyHint": False, "destructiveHint": False},
        ),
        (
            hints(),
            hints(readOnly=True, destructive=False),
            {"readOnlyHint": True, "destructiveHint": False},
        ),
        (hints(), hints(idempotent=True), {"idempotentHint": False}),
        (hints(), hints(openWorld=False), {"openWorldHint": False}),
    ],
)
def test_hints_are_read_with_the_protocols_defaults_and_loosened_where_a_client_may_relax(
    before, after, told
):
    assert loosened(before, after) == told


def test_a_hint_nobody_defined_is_told_too():
    one = only(tool(annotations={"audience": "a"}), tool(annotations={"audience": "b"}))
    assert (one.change, one.before, one.after, one.details["loosened"]) == (
        "annotation-changed", "a", "b", False,
    )  # fmt: skip


# --- capabilities and the protocol ---------------------------------------------------------------


def capable(**capabilities):
    return Surface(capabilities=capabilities)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (capable(logging={}), capable(), "capabilities.logging"),
        (capable(resources={"subscribe": True}), capable(resources={}), "capabilities.resources.subscribe"),
        (capable(tools={"listChanged": True}), capable(tools={"listChanged": False}), "capabilities.tools.listChanged"),
        (capable(prompts={"listChanged": True}), capable(), "capabilities.prompts"),
    ],
)  # fmt: skip
def test_a_capability_that_went_is_lost_once(before, after, lost):
    one = only(before, after)
    assert (one.change, one.site.path) == ("capability-lost", lost)
    assert one.details["capability"] == lost.removeprefix("capabilities.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (capable(), capable(logging={})),
        (capable(tools={"listChanged": False}), capable(tools={})),
        (capable(tools={}), capable(tools={"listChanged": True})),
        (capable(experimental={"limit": 0}), capable(experimental={"limit": 3})),
    ],
)
def test_a_capability_gained_or_never_offered_is_not_lost(before, after):
    assert found(before, after) == []


def test_a_lost_capability_hits_every_request_that_used_it():
    requests = [
        sent("brief", method="prompts/get"),
        sent("search", step=1),
        sent("mcp__p__brief", method="prompts/get", step=2),
    ]
    one = only(capable(prompts={}, tools={}), capable(tools={}), *requests)
    assert [hit.step for hit in one.hits] == [0, 2]
    assert not one.details.get("unknown")
    assert "method" not in one.details


@pytest.mark.parametrize(
    ("word", "offered", "witness"),
    [
        ("tools", {"tools": (tool(input_schema=schema(["q"], q={"type": "string"})),)},
         {"name": "search", "arguments": {"q": "text"}}),
        ("prompts", {"prompts": (Prompt(name="brief"),)}, {"name": "brief", "arguments": {}}),
        ("resources", {"resources": (Resource(uri="a://b"),)}, {"uri": "a://b"}),
        ("prompts", {}, None),
        ("logging", {}, None),
    ],
)  # fmt: skip
def test_a_lost_capability_has_a_witness_where_something_was_offered_under_it(
    word, offered, witness
):
    before = Surface(capabilities={word: {}}, **offered)
    told = surface_differences(before, Surface(**offered))
    (one,) = [one for one in told if one.change == "capability-lost"]
    assert one.witness == witness
    assert one.details.get("unknown", False) is (witness is None)


def test_an_older_protocol_is_a_capability_lost_and_a_newer_one_is_none():
    old, new = Surface(protocol="2024-11-05"), Surface(protocol="2025-06-18")
    one = only(new, old)
    assert (one.change, one.site.path, one.before, one.after) == (
        "capability-lost", "protocol", "2025-06-18", "2024-11-05",
    )  # fmt: skip
    assert one.details["unknown"] is True
    assert found(old, new) == found(Surface(), old) == found(old, Surface(protocol="next")) == []


def test_the_servers_name_and_version_are_no_difference():
    assert found(Surface(server_name="a", server_version="1"), Surface(server_name="b")) == []


# --- size ----------------------------------------------------------------------------------------


def test_a_catalogue_that_grew_says_by_how_many_tokens():
    small = offering(tool(description="x"))
    large = offering(tool(description="x" * 401))
    told = surface_differences(small, large)
    (one,) = [one for one in told if one.change == "catalogue-grown"]
    assert (one.before, one.after) == (one.details["before_tokens"], one.details["after_tokens"])
    assert one.after - one.before == 100
    assert one.before == catalogue_tokens(small)


def test_a_catalogue_that_shrank_or_stayed_has_not_grown():
    small, large = offering(tool()), offering(tool(), tool("other"))
    for before, after in ((large, small), (small, small)):
        told = surface_differences(before, after)
        assert "catalogue-grown" not in {one.change for one in told}
