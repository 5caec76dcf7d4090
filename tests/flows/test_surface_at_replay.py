"""What a changed surface does to the requests that were recorded, followed to the end."""

import pytest

from mcp_eval.model.recording import Baseline
from mcp_eval.model.surface import Surface, Tool
from tests.flows.fakes import failure
from tests.flows.suites import (
    accepting,
    answering,
    beside,
    call,
    checked,
    finding,
    only_notes,
    recorded,
    rules,
    scenario,
    server,
    verdict,
)

HITS = {"hits": [{"name": "github"}, {"name": "gitlab"}]}
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
ADDED = {"added": True, "id": "server1"}


def needing(name, answer, error):
    """A tool that rejects a request without an argument."""
    return {"does": lambda arguments, _state: answer if name in arguments else failure(error)}


def one_root(report, status, *wanted):
    """Whether a report holds one root of a status, with these findings above a note in it."""
    heavy = {rule for rule, said in rules(report) if said != "note"}
    return (report.status, len(report.roots), heavy) == (status, 1, set(wanted))


# --- renames -------------------------------------------------------------------------------------


async def test_a_renamed_tool_is_followed_and_one_root():
    schema = accepting("query", query=TEXT)
    report = await verdict(
        server(search_tools=answering(HITS, schema=schema)),
        server(find_tools=answering(HITS, schema=schema)),
        call("search_tools", query="git"),
    )
    assert one_root(report, "broken", "tool-renamed")
    assert report.lanes == {"surface": "broken", "replay": "good"}
    (pair,) = report.scenarios[0].pairs
    assert (pair["candidate"]["name"], pair["outcome"]) == ("find_tools", 1.0)


async def test_what_broke_behind_a_rename_is_evidence_of_its_root():
    before = accepting("kind", query=TEXT, kind={"enum": ["all", "one"]})
    after = accepting("kind", query=TEXT, kind={"enum": ["one", "many"]})

    def strict(arguments, _state):
        if arguments["kind"] in {"one", "many"}:
            return HITS
        return failure(f"'{arguments['kind']}' is not one of one, many")

    report = await verdict(
        server(search_tools=answering(HITS, schema=before)),
        server(find_tools={"does": strict, "schema": after}),
        call("search_tools", query="git", kind="all"),
    )
    assert one_root(report, "broken", "tool-renamed", "enum-value-removed")
    assert "`all`" in finding(report, "enum-value-removed").message
    assert report.roots[0].message.startswith("`search_tools` is called `find_tools` now")


async def test_a_lost_hit_behind_a_rename_is_not_hidden():
    schema = accepting("query", query=TEXT)
    report = await verdict(
        server(search_tools=answering(HITS, schema=schema)),
        server(find_tools=answering({"hits": HITS["hits"][:1]}, schema=schema)),
        call("search_tools", query="git"),
    )
    assert one_root(report, "broken", "tool-renamed", "hit-lost")


async def test_a_renamed_parameter_is_followed():
    add = {"schema": accepting("server_name", server_name=TEXT)}
    report = await verdict(
        server(add_server=answering(ADDED, schema=accepting("name", name=TEXT))),
        server(add_server={**needing("server_name", ADDED, "server_name is required"), **add}),
        call("add_server", name="server1"),
    )
    assert one_root(report, "broken", "parameter-renamed")
    assert report.lanes["replay"] == "good"
    assert finding(report, "parameter-renamed").path.endswith("name")


# --- narrower ------------------------------------------------------------------------------------


async def test_a_newly_required_parameter_that_is_insisted_on_is_broken():
    after = {"schema": accepting("name", "protocol", name=TEXT, protocol=TEXT)}
    report = await verdict(
        server(add_server=answering(ADDED, schema=accepting("name", name=TEXT))),
        server(add_server={**needing("protocol", ADDED, "protocol is required"), **after}),
        call("add_server", name="server1"),
    )
    assert one_root(report, "broken", "parameter-newly-required")
    found = finding(report, "parameter-newly-required")
    assert "`add_server` now requires `protocol`" in found.message
    assert set(found.lanes) == {"surface", "replay"}
    assert found.evidence["answered"] == ["protocol is required"]


async def test_a_newly_required_parameter_that_nobody_insists_on_is_degraded():
    after = accepting("name", "protocol", name=TEXT, protocol=TEXT)
    report = await verdict(
        server(add_server=answering(ADDED, schema=accepting("name", name=TEXT))),
        server(add_server=answering(ADDED, schema=after)),
        call("add_server", name="server1"),
    )
    assert one_root(report, "degraded", "parameter-newly-required")


async def test_a_changed_type_is_broken_where_the_old_one_is_rejected():
    def strict(arguments, _state):
        return HITS if isinstance(arguments["limit"], str) else failure("limit: expected a string")

    report = await verdict(
        server(search=answering(HITS, schema=accepting(limit=NUMBER))),
        server(search={"does": strict, "schema": accepting(limit=TEXT)}),
        call("search", limit=3),
    )
    assert one_root(report, "broken", "parameter-type-changed")
    assert "expects a string, not an integer" in report.roots[0].message


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        (accepting(kind={"enum": ["one", "many"]}), "enum-value-removed"),
        (accepting(kind={"type": "string", "maxLength": 2}), "bounds-narrowed"),
    ],
)
async def test_a_value_that_is_no_longer_allowed_but_answered_is_degraded(schema, rule):
    before = accepting(kind={"enum": ["all", "one"]} if rule.startswith("enum") else TEXT)
    report = await verdict(
        server(search=answering(HITS, schema=before)),
        server(search=answering(HITS, schema=schema)),
        call("search", kind="all"),
    )
    assert one_root(report, "degraded", rule)


async def test_a_request_that_was_an_error_already_cannot_become_invalid():
    before = server(
        search=answering(failure("nothing to search"), schema=accepting()),
        other=answering(HITS),
    )
    after = server(
        search=answering(failure("nothing to search"), schema=accepting("query", query=TEXT)),
        other=answering(HITS),
    )
    report = await verdict(before, after, call("search"), call("other"))
    assert finding(report, "parameter-newly-required").status == "degraded"
    assert report.status == "degraded"


# --- gone ----------------------------------------------------------------------------------------


async def test_a_removed_tool_that_nobody_recorded_is_degraded():
    before = server(search=answering(HITS), other=answering(HITS))
    report = await verdict(before, server(search=answering(HITS)), call("search"))
    assert one_root(report, "degraded", "tool-removed")
    assert finding(report, "tool-removed").scenarios == ()
    assert report.scenarios[0].status == "good"


async def test_a_removed_tool_breaks_every_scenario_that_calls_it_as_one_root():
    stories = [scenario(call("search", query=stem), stem=stem) for stem in ("a", "b")]
    other = scenario(call("other"), stem="other")
    tools = {"search": answering(HITS), "other": answering(HITS)}
    baseline = await recorded(server(**tools), *stories, other)
    report = await checked(baseline, server(other=tools["other"]), *stories, other)
    assert one_root(report, "broken", "tool-removed")
    assert finding(report, "tool-removed").scenarios == ("a", "b")
    assert "2 of 3 scenarios call it" in report.roots[0].message
    assert report.roots[0].share == pytest.approx(2 / 3, abs=0.001)
    assert {one.stem: one.status for one in report.scenarios} == {
        "a": "broken",
        "b": "broken",
        "other": "good",
    }


# --- harmless ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "rule"),
    [
        ({"search": {"schema": accepting(query=TEXT, limit=NUMBER)}}, "parameter-added"),
        ({"search": {"schema": accepting(query=TEXT)}, "more": {}}, "tool-added"),
        ({"search": {"schema": accepting(query=TEXT), "about": "finds"}}, "description-changed"),
    ],
)
async def test_what_is_only_added_or_reworded_is_a_note(after, rule):
    before = server(search=answering(HITS, schema=accepting(query=TEXT), about="seeks"))
    tools = {
        name: answering(HITS, **{"about": "seeks", **how}) for name, how in after.items()
    }  # fmt: skip
    report = await verdict(before, server(**tools), call("search", query="git"))
    assert only_notes(report)
    assert rules(report) == {(rule, "note")}


async def test_another_order_of_tools_and_keys_is_nothing_at_all():
    tools = {"search": answering(HITS, schema=accepting(a=TEXT, b=TEXT)), "other": answering(HITS)}
    turned = {"other": tools["other"], "search": answering(HITS, schema=accepting(b=TEXT, a=TEXT))}
    report = await verdict(server(**tools), server(**turned), call("search", a="x", b="y"))
    assert (report.status, report.score, report.findings) == ("good", 1.0, ())


# --- two bare surfaces ---------------------------------------------------------------------------


def bare(*tools):
    return Baseline(surface=Surface(tools=tools))


def offering(name, schema):
    return Tool(name=name, description=name, input_schema=schema)


SEARCH, FIND = offering("search", accepting(query=TEXT)), offering("list", accepting())


def test_with_nobody_recorded_a_removed_tool_is_broken_and_says_on_what_grounds():
    report = beside(bare(SEARCH, FIND), bare(FIND))
    assert one_root(report, "broken", "tool-removed")
    assert "nobody was recorded using this" in report.roots[0].message
    assert report.remarks[0].startswith("nobody was recorded using this")
    assert report.lanes == {"surface": "broken"}
    assert report.score == pytest.approx(0.29)


def test_with_nobody_recorded_a_witness_breaks():
    strict = offering("search", accepting("limit", query=TEXT, limit=NUMBER))
    report = beside(bare(SEARCH), bare(strict))
    assert one_root(report, "broken", "parameter-newly-required")
    assert "limit" not in finding(report, "parameter-newly-required").evidence["witness"]


def test_two_equal_surfaces_are_good_and_1():
    report = beside(bare(SEARCH, FIND), bare(FIND, SEARCH))
    assert (report.status, report.score, report.passed) == ("good", 1.0, True)


def test_an_added_tool_is_a_note_and_takes_the_1():
    report = beside(bare(SEARCH), bare(SEARCH, FIND))
    assert only_notes(report)
    assert report.score == pytest.approx(0.99)
