"""What is said of a build whose answers changed so: recorded for real, checked for real."""

import json

import pytest

from mcp_eval.model.scenario import Criterion
from tests.flows.fakes import FakeTarget, RpcError, failure, structured, success, text
from tests.flows.suites import (
    accepting,
    answering,
    answers,
    beside,
    call,
    checked,
    failing_in,
    finding,
    made,
    only_notes,
    recorded,
    rules,
    scenario,
    server,
    stored,
    verdict,
)


def hit(name, score=0.5):
    return {"name": name, "score": score, "description": f"what {name} does"}


HITS = {"hits": [hit("github", 0.149), hit("gitlab", 0.11), hit("gitea", 0.1)]}
LISTED = {"servers": [{"name": "github", "enabled": True}, {"name": "time", "enabled": False}]}


# --- search results ------------------------------------------------------------------------------


async def test_a_search_score_that_moved_with_the_same_hits_is_good_with_a_note():
    report = await answers(HITS, {"hits": [hit("github", 0.112), *HITS["hits"][1:]]})
    assert only_notes(report)
    moved = finding(report, "score-moved")
    assert (moved.path, moved.tool, moved.status) == ("hits[].score", "search", "note")
    assert report.score == pytest.approx(0.99)


async def test_the_same_hits_in_another_order_are_acceptable():
    report = await answers(HITS, {"hits": [HITS["hits"][1], HITS["hits"][0], HITS["hits"][2]]})
    assert report.status == "acceptable"
    assert 0.6 <= report.score < 0.8
    assert rules(report) == {("result-order-changed", "acceptable")}
    assert finding(report, "result-order-changed").path == "hits"
    assert report.passed


async def test_one_hit_lost_is_degraded():
    report = await answers(HITS, {"hits": HITS["hits"][:2]})
    assert report.status == "degraded"
    assert 0.3 <= report.score < 0.6
    assert rules(report) == {("hit-lost", "degraded")}
    assert finding(report, "hit-lost").path == "hits"
    assert finding(report, "hit-lost").evidence["identities"] == ["gitea"]
    assert not report.passed


async def test_all_hits_lost_is_broken():
    report = await answers(HITS, {"hits": []})
    assert report.status == "broken"
    assert report.score < 0.3
    assert rules(report) == {("result-emptied", "broken")}
    assert len(report.roots) == 1


@pytest.mark.parametrize("more", [2, 6])
async def test_fields_added_to_two_are_notes(more):
    after = {"id": "server1", "state": "on"} | {f"extra_{n}": n for n in range(more)}
    report = await answers({"id": "server1", "state": "on"}, after)
    assert only_notes(report)
    assert rules(report) == {("result-field-added", "note")}
    assert len(report.findings) == more


async def test_a_list_that_gains_an_item_is_a_note():
    report = await answers(HITS, {"hits": [*HITS["hits"], hit("gogs")]})
    assert only_notes(report)
    assert rules(report) == {("item-added", "note")}


async def test_renamed_fields_are_degraded_as_one_root():
    report = await answers(
        {"added": True, "id": "server1"}, {"success": True, "server_id": "server1"}
    )
    assert report.status == "degraded"
    assert 0.3 <= report.score < 0.6
    assert {"result-field-renamed"} <= {rule for rule, _ in rules(report)}
    assert len(report.roots) == 1
    renamed = [one for one in report.findings if one.rule == "result-field-renamed"]
    assert "id" in {one.path for one in renamed}
    assert "`server_id`" in " ".join(one.message for one in renamed)


# --- errors --------------------------------------------------------------------------------------

REFUSED = {"is_error": True, "message": "Connection failed"}


async def test_an_error_body_where_servers_were_listed_is_broken_when_it_comes_every_time():
    report = await answers(LISTED, REFUSED)
    assert report.status == "broken"
    assert report.score < 0.3
    failing = finding(report, "newly-failing")
    assert (failing.tool, failing.status, failing.confidence) == ("search", "broken", "confirmed")
    assert failing.evidence["looks"].startswith("3 of 3 at the new build")
    assert (len(report.roots), report.roots[0].cause) == (1, "target")
    assert report.action == "stop the deployment, investigate"


async def test_an_error_body_that_came_once_and_never_again_is_good_with_a_note():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(LISTED)), story)
    report = await checked(baseline, server(search=failing_in({1}, LISTED, REFUSED)), story)
    assert only_notes(report)
    passing = finding(report, "newly-failing")
    assert passing.marks == ("transient",)
    assert report.comparison.scenarios[0].looks >= 2


async def test_a_recorded_tool_that_is_not_found_is_broken():
    before = server(search=answering(HITS), other=answering(LISTED))
    report = await verdict(before, server(other=answering(LISTED)))
    assert report.status == "broken"
    assert report.score < 0.3
    gone = finding(report, "tool-removed")
    assert (gone.tool, gone.scenarios) == ("search", ("story",))
    assert set(gone.lanes) == {"surface", "replay"}
    assert gone.evidence["answered"]
    assert [root.cause for root in report.roots] == ["target"]


async def test_a_tool_that_is_still_offered_and_says_not_found_is_broken():
    report = await answers(HITS, failure("Tool 'search' not found"))
    assert (report.status, len(report.roots)) == ("broken", 1)
    assert report.score < 0.3


async def test_an_error_that_became_a_result_is_an_improvement():
    before = server(search=answering(failure("no such index")), other=answering(LISTED))
    after = server(search=answering(HITS), other=answering(LISTED))
    report = await verdict(before, after, call("search"), call("other"))
    assert only_notes(report)
    assert rules(report) == {("improvement", "note")}


async def test_an_error_that_is_worded_otherwise_is_acceptable():
    before = server(search=answering(failure("no such index: cats")), other=answering(LISTED))
    after = server(search=answering(failure("index cats is unknown")), other=answering(LISTED))
    report = await verdict(before, after, call("search"), call("other"))
    assert report.status == "acceptable"
    assert rules(report) == {("error-changed", "acceptable")}


async def test_null_that_became_an_empty_list_is_an_improvement():
    report = await answers({"name": "a", "tags": None}, {"name": "a", "tags": []})
    assert only_notes(report)
    assert finding(report, "improvement").path == "tags"


async def test_an_empty_list_that_became_null_is_degraded():
    report = await answers({"name": "a", "tags": []}, {"name": "a", "tags": None})
    assert report.status == "degraded"
    assert finding(report, "result-type-changed").path == "tags"


# --- values, few and many, seen twice and once ---------------------------------------------------


def flags(count, *, enabled):
    return {"settings": {f"option_{n}": n for n in range(count - 1)} | {"enabled": enabled}}


@pytest.mark.parametrize("leaves", [2, 200])
async def test_a_flag_that_flipped_is_degraded_where_the_baseline_was_seen_twice(leaves):
    report = await answers(flags(leaves, enabled=True), flags(leaves, enabled=False))
    assert report.status == "degraded"
    flipped = finding(report, "result-value-changed")
    assert (flipped.path, flipped.status) == ("settings.enabled", "degraded")
    assert "from true to false" in flipped.message


@pytest.mark.parametrize("leaves", [2, 200])
async def test_a_flag_that_flipped_is_acceptable_where_the_baseline_was_seen_once(leaves):
    story = scenario(call("toggle"))
    before = server(toggle=answering(flags(leaves, enabled=True)), reads=False)
    after = server(toggle=answering(flags(leaves, enabled=False)), reads=False)
    baseline = await recorded(before, story, resettable=None)
    report = await checked(baseline, after, story, resettable=True)
    assert report.status == "acceptable"
    flipped = finding(report, "result-value-changed")
    assert (flipped.status, flipped.confidence) == ("acceptable", "seen-once")
    assert any("single looks" in remark for remark in report.remarks)


async def test_what_differs_every_time_is_no_change():
    before = {
        "name": "build",
        "at": "2026-01-02T03:04:05Z",
        "duration_ms": 12,
        "request_id": "req-0001",
        "run": "0b9f8a52-8f0e-4a5e-9b66-0d9a2f4f1c11",
    }
    after = {
        "name": "build",
        "at": "2026-01-02T05:06:07Z",
        "duration_ms": 340,
        "request_id": "req-0917",
        "run": "7c2d1e90-1234-4a5e-8b66-abcdefabcdef",
    }
    report = await answers(before, after)
    assert (report.status, report.score, report.findings) == ("good", 1.0, ())


# --- environments --------------------------------------------------------------------------------


def registry(names):
    """A server that remembers what was added, beyond its own life."""

    def add(arguments, _state):
        if arguments["name"] in names:
            return failure(f"server '{arguments['name']}' already exists")
        names.add(arguments["name"])
        return {"added": True, "name": arguments["name"]}

    return server(add_server={"does": add}, reads=False)


async def test_already_exists_is_inconclusive_where_nothing_was_reset():
    story = scenario(call("add_server", name="github"))
    baseline = await recorded(registry(left := set()), story, resettable=None)
    report = await checked(baseline, registry(left), story, resettable=None)
    assert (report.status, report.score, report.passed) == ("inconclusive", None, False)
    assert finding(report, "not-reset").cause == "environment"
    assert report.action == "the check did not happen: fix the set-up"


async def test_already_exists_is_broken_from_a_fresh_environment():
    story = scenario(call("add_server", name="github"))
    fresh = server(add_server=answering({"added": True, "name": "github"}), reads=False)
    baseline = await recorded(fresh, story)
    report = await checked(baseline, registry({"github"}), story)
    assert report.status == "broken"
    assert finding(report, "newly-failing").tool == "add_server"


class Polled:
    """A job that is ready after some looks at it."""

    def __init__(self, after):
        self.after = after

    def __call__(self, _arguments, state):
        state["polls"] = state.get("polls", 0) + 1
        ready = state["polls"] > self.after
        return {"id": "job-1", "status": "ready" if ready else "pending", "result": 42 * ready}


@pytest.mark.parametrize(("before", "after"), [(3, 0), (0, 3), (3, 3)])
async def test_polls_until_ready_are_no_difference(before, after):
    steps = [call("job_status", id="job-1")] * (before + 1)
    report = await verdict(
        server(job_status={"does": Polled(before)}),
        server(job_status={"does": Polled(after)}),
        *steps,
    )
    assert (report.status, report.findings) == ("good", ())


# --- what later steps need -----------------------------------------------------------------------


def tickets(created, *, named="id"):
    def same(arguments, _state):
        if arguments[named] != "T-4711":
            return failure(f"no ticket {arguments[named]}")
        return {"ticket": arguments[named], "state": "open", "title": "printer on fire"}

    return server(
        create_ticket=answering(created),
        get_ticket={"does": same, "reads": True},
        comment_ticket={"does": same},
        close_ticket={"does": same},
        reads=False,
    )


LATER = tuple(
    call(name, id="{{ steps.0.result.id }}")
    for name in ("get_ticket", "comment_ticket", "close_ticket")
)


async def test_a_lost_id_that_three_later_steps_needed_is_one_root_and_three_not_reached():
    report = await verdict(
        tickets({"id": "T-4711", "title": "printer on fire"}),
        tickets({"title": "printer on fire"}),
        call("create_ticket", title="printer on fire"),
        *LATER,
    )
    assert report.status == "broken"
    assert report.score < 0.3
    assert len(report.roots) == 1
    lost = finding(report, "result-field-removed")
    assert (lost.status, lost.path, lost.tool) == ("broken", "id", "create_ticket")
    assert lost.marks == ("not-reached",)
    assert lost.evidence["not_reached"] == [1, 2, 3]
    assert "3 later steps" in lost.message
    assert [pair["reached"] for pair in report.scenarios[0].pairs] == [True, False, False, False]
    assert rules(report) == {("result-field-removed", "broken")}


# --- builds that do not start, or only now and then fail -----------------------------------------


def dead(name="new"):
    return FakeTarget(server(), name=name, resettable=True, dead="exits with status 1")


async def test_a_build_that_never_starts_is_broken_where_the_old_one_does():
    story, old = scenario(call("search")), server(search=answering(HITS))
    baseline = await recorded(old, story)
    report = await checked(baseline, dead(), story, old=old)
    assert (report.status, report.roots[0].cause) == ("broken", "target")
    assert finding(report, "target-not-starting").status == "broken"


async def test_a_build_that_never_starts_is_inconclusive_where_nobody_named_an_old_one():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    report = await checked(baseline, dead(), story)
    assert (report.status, report.score, report.passed) == ("inconclusive", None, False)
    assert finding(report, "target-not-starting").status == "inconclusive"


async def test_neither_build_starts_is_inconclusive():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    report = await checked(baseline, dead(), story, old=dead("old"))
    assert report.status == "inconclusive"


async def test_failing_in_three_of_ten_rounds_and_never_on_the_old_build_is_intermittent():
    story, old = scenario(call("search")), server(search=answering(HITS))
    baseline = await recorded(old, story)
    shaky = server(search=failing_in({1, 4, 8}, HITS, failure("out of workers")))
    report = await checked(baseline, shaky, story, old=old)
    assert report.status == "degraded"
    failing = finding(report, "newly-failing")
    assert (failing.status, failing.marks) == ("degraded", ("intermittent",))
    compared = report.comparison.scenarios[0]
    assert (compared.looks, compared.old_looks) == (10, 9)
    steady = compared.differences[0].steadiness
    assert (steady.seen, steady.looks, steady.old_seen) == (3, 10, 0)


async def test_failing_now_and_then_on_both_builds_is_no_regression():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    error = failure("out of workers")
    report = await checked(
        baseline,
        server(search=failing_in({1, 4, 8}, HITS, error)),
        story,
        old=server(search=failing_in({2, 5}, HITS, error)),
    )
    assert only_notes(report)
    assert finding(report, "newly-failing").marks[0] == "transient"


# --- the surface ---------------------------------------------------------------------------------


async def test_an_optional_parameter_that_recordings_send_and_that_went_is_degraded():
    text_of = {"type": "string"}
    before = accepting("query", query=text_of, limit={"type": "integer"})
    after = accepting("query", query=text_of)
    report = await verdict(
        server(search=answering(HITS, schema=before)),
        server(search=answering(HITS, schema=after)),
        call("search", query="git", limit=3),
    )
    assert report.status == "degraded"
    gone = finding(report, "parameter-removed")
    assert (gone.tool, gone.status, gone.scenarios) == ("search", "degraded", ("story",))
    assert gone.path.endswith("limit")
    assert (report.lanes["surface"], report.lanes["replay"]) == ("degraded", "good")


# --- two stored trajectories ---------------------------------------------------------------------


def test_another_tool_altogether_is_broken_between_two_stored_trajectories():
    offered = ("retrieve_tools", "list_registries")
    report = beside(
        stored(made("retrieve_tools", HITS, query="git"), tools=offered),
        stored(made("list_registries", LISTED), tools=offered),
    )
    assert report.status == "broken"
    assert report.score < 0.3
    assert finding(report, "goal-not-reached").status == "broken"
    assert report.lanes["agent"] == "broken"


# --- lists that are full, counts that follow -----------------------------------------------------


async def test_a_hit_added_at_the_top_pushes_the_fifth_out_of_a_full_page():
    names = ["github", "gitlab", "gitea", "gogs", "forgejo"]
    before = {"hits": [{"name": name, "url": f"https://{name}.example"} for name in names]}
    after = {"hits": [{"name": "sourcehut", "url": "https://sr.example"}, *before["hits"][:4]]}
    report = await answers(before, after, call("search", query="git", limit=5))
    assert only_notes(report)
    assert rules(report) == {("hit-displaced", "note")}


async def test_a_total_that_follows_an_added_item_is_a_note():
    report = await answers(
        {"total": 41, "items": [{"id": "a"}, {"id": "b"}]},
        {"total": 42, "items": [{"id": "a"}, {"id": "b"}, {"id": "c"}]},
    )
    assert only_notes(report)
    assert rules(report) == {("count-followed", "note"), ("item-added", "note")}


# --- guards --------------------------------------------------------------------------------------


def upstreams(added):
    listed = {"servers": [{"name": "server1", "enabled": True}]}
    return server(
        add_server=answering(added), list_servers=answering(listed, reads=True), reads=False
    )


async def test_an_added_server_that_is_quarantined_and_listed_is_acceptable():
    report = await verdict(
        upstreams({"added": True, "id": "server1"}),
        upstreams({"added": True, "id": "server1", "quarantined": True}),
        call("add_server", name="server1"),
        call("list_servers"),
    )
    assert report.status == "acceptable"
    assert 0.6 <= report.score < 0.8
    assert finding(report, "newly-guarded").tool == "add_server"
    assert len(report.roots) == 1


async def test_a_tool_that_answered_and_is_blocked_now_is_broken():
    report = await answers(
        HITS, {"status": "security_blocked", "message": "server 'github' is quarantined"}
    )
    assert report.status == "broken"
    assert finding(report, "newly-refused").status == "broken"
    assert report.score < 0.3


def files(answer):
    other = answering(text("PORT=8080"))
    return server(read_file=answering(answer), read_config=other)


OUTSIDE = (call("read_file", path="../../etc/passwd"), call("read_config"))


async def test_a_refused_path_that_is_handed_out_now_is_degraded_where_nobody_wants_it():
    refused = failure("Access denied: path outside the allowed folders")
    report = await verdict(files(refused), files(text("root:x:0:0:root:/root")), *OUTSIDE)
    assert report.status == "degraded"
    assert finding(report, "guard-lost").tool == "read_file"
    assert "root:x" not in finding(report, "guard-lost").message


async def test_a_refused_path_that_a_criterion_wants_is_no_loss():
    refused = failure("Access denied: path outside the allowed folders")
    wanted = Criterion(
        text="steps.0.result contains root", kind="result", subject="steps.0.result",
        operator="contains", value="root",
    )  # fmt: skip
    story = scenario(*OUTSIDE, success_criteria=(wanted,))
    baseline = await recorded(files(refused), story)
    report = await checked(baseline, files(text("root:x:0:0:root:/root")), story)
    assert "guard-lost" not in {rule for rule, _ in rules(report)}
    assert report.status == "good"


# --- errors and how they are marked --------------------------------------------------------------


def faulty(answer):
    return server(search=answering(answer), other=answering(LISTED))


BOTH = (call("search"), call("other"))
ERROR = {"error": "no such index: cats"}


async def test_an_error_that_stands_in_ordinary_content_now_is_degraded():
    flagged = {**success(ERROR), "isError": True}
    report = await verdict(faulty(flagged), faulty(success(ERROR)), *BOTH)
    assert report.status == "degraded"
    assert rules(report) == {("error-swallowed", "degraded")}


async def test_an_error_that_is_marked_as_one_now_is_a_note():
    flagged = {**success(ERROR), "isError": True}
    report = await verdict(faulty(success(ERROR)), faulty(flagged), *BOTH)
    assert only_notes(report)
    assert rules(report) == {("error-flagged", "note")}


async def test_an_error_of_the_protocol_with_another_code_is_degraded():
    report = await verdict(
        faulty(RpcError(-32602, "no such index")), faulty(RpcError(-32603, "no such index")), *BOTH
    )
    assert report.status == "degraded"
    assert finding(report, "error-changed").status == "degraded"


# --- effects, between two stored trajectories ----------------------------------------------------

WRAPPED = {"server": "github", "arguments": {"title": "printer on fire"}}
CREATED = {"number": 7, "title": "printer on fire"}


def test_another_operation_through_one_wrapper_is_named_by_its_tool_key_and_broken():
    report = beside(
        stored(made("call_tool", CREATED, tool="create_issue", **WRAPPED), tools=["call_tool"]),
        stored(made("call_tool", CREATED, tool="delete_issue", **WRAPPED), tools=["call_tool"]),
    )
    assert report.status == "broken"
    assert finding(report, "goal-not-reached").status == "broken"
    wrong = finding(report, "wrong-tool")
    assert "create_issue" in wrong.tool
    assert "create_issue" in wrong.message
    assert any("delete_issue" in one.tool for one in report.findings)


def test_a_write_that_was_made_twice_is_degraded():
    once = made("create_issue", CREATED, title="printer on fire")
    report = beside(
        stored(once, tools=["create_issue"]), stored(once, once, tools=["create_issue"])
    )
    assert report.status == "degraded"
    assert finding(report, "goal-not-reached").status == "degraded"
    assert finding(report, "goal-not-reached").confidence == "unconfirmed"
    assert 0.3 <= report.score < 0.6


READS = ("!list_servers", "!read_log", "!search", "add_server")
ADDED = made("add_server", {"added": True, "id": "server1"}, name="server1")


@pytest.mark.parametrize("extra", [1, 2])
def test_read_only_calls_made_first_in_addition_are_notes(extra):
    looked = [made("list_servers", LISTED), made("read_log", {"lines": ["up"]})][:extra]
    report = beside(stored(ADDED, tools=READS), stored(*looked, ADDED, tools=READS))
    assert only_notes(report)
    assert rules(report) == {("call-extra", "note")}


def test_independent_calls_in_another_order_are_no_more_than_a_note():
    found, log = made("search", HITS, query="git"), made("read_log", {"lines": ["up"]})
    report = beside(stored(found, log, ADDED, tools=READS), stored(log, found, ADDED, tools=READS))
    assert only_notes(report)
    assert rules(report) == {("call-moved", "note")}


def test_a_call_that_failed_and_was_made_again_with_success_is_a_passing_thing():
    failed = made("add_server", failure("the line is busy"), name="server1")
    report = beside(stored(ADDED, tools=READS), stored(failed, ADDED, tools=READS))
    assert only_notes(report)
    assert finding(report, "newly-failing").marks == ("transient",)


def test_a_call_that_failed_and_was_never_made_again_breaks_the_run():
    failed = made("add_server", failure("the line is busy"), name="server1")
    found = made("search", HITS, query="git")
    report = beside(stored(ADDED, tools=READS), stored(found, failed, tools=READS))
    assert report.status == "broken"
    assert {"newly-failing", "goal-not-reached"} <= {rule for rule, _ in rules(report)}
    assert report.lanes["agent"] == "broken"
    assert len(report.roots) == 1
    assert report.roots[0].cause == "target"


# --- how an answer is written --------------------------------------------------------------------


def written(value, **how):
    return text(json.dumps(value, **how))


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(written(LISTED, indent=4), id="pretty-printed"),
        pytest.param(written(LISTED, sort_keys=True, separators=(",", ":")), id="other key order"),
        pytest.param(structured(LISTED), id="structured content as well"),
    ],
)
async def test_the_same_answer_written_otherwise_is_good(after):
    report = await answers(written(LISTED), after)
    assert (report.status, report.findings) == ("good", ())


ROWS = [("name", "stars", "language"), ("mcp", "120", "python"), ("tap", "35", "go")]


def table(rows, *, header=True):
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return text("\n".join([lines[0], "| --- | --- | --- |", *lines[1:]] if header else lines[1:]))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            written(LISTED), written(json.dumps(LISTED)), id="JSON text that is encoded twice"
        ),
        pytest.param(
            text("\n".join(",".join(row) for row in ROWS)),
            text("\n".join(";".join(row) for row in ROWS)),
            id="CSV with another delimiter",
        ),
        pytest.param(table(ROWS), table(ROWS, header=False), id="a table that lost its header"),
    ],
)
async def test_an_answer_in_another_format_is_degraded(before, after):
    report = await answers(before, after)
    assert report.status == "degraded"
    assert finding(report, "content-type-changed").status == "degraded"
    assert len(report.roots) == 1


# --- one fault, one root -------------------------------------------------------------------------


async def test_structured_content_dropped_at_every_tool_is_one_root():
    values = {"search": HITS, "list": LISTED, "read": {"lines": ["up", "down"]}}
    report = await verdict(
        server(**{name: answering(structured(value)) for name, value in values.items()}),
        server(**{name: answering(success(value)) for name, value in values.items()}),
        *map(call, values),
    )
    assert report.status == "degraded"
    assert {one.rule for one in report.findings} == {"content-type-changed"}
    assert {one.tool for one in report.findings} == set(values)
    assert len(report.roots) == 1
    assert "2 more alike" in report.roots[0].message


def shop(created):
    """Tickets that later steps work on, and a list that shows what became of them."""

    def create(arguments, state):
        state["tickets"] = [{"ticket": "T-4711", "title": arguments["title"], "state": "new"}]
        return created

    def change(to):
        def changed(arguments, state):
            mine = [one for one in state["tickets"] if one["ticket"] == arguments["id"]]
            if not mine:
                return failure(f"no ticket {arguments['id']}")
            mine[0]["state"] = to
            return {"ticket": arguments["id"], "state": to}

        return {"does": changed}

    return server(
        create_ticket={"does": create},
        assign_ticket=change("assigned"),
        escalate_ticket=change("escalated"),
        close_ticket=change("closed"),
        list_tickets={"does": lambda _, state: {"tickets": state["tickets"]}, "reads": True},
        reads=False,
    )


async def test_a_lost_id_that_three_steps_and_a_final_listing_needed_is_one_root():
    steps = [
        call(name, id="{{ steps.0.result.id }}")
        for name in ("assign_ticket", "escalate_ticket", "close_ticket")
    ]
    report = await verdict(
        shop({"id": "T-4711", "queue": "hardware"}),
        shop({"queue": "hardware"}),
        call("create_ticket", title="printer on fire"),
        *steps,
        call("list_tickets"),
    )
    assert report.status == "broken"
    assert len(report.roots) == 1
    assert finding(report, "result-field-removed").evidence["not_reached"] == [1, 2, 3]
    assert {one.id for one in report.findings} == set(report.roots[0].findings)


def notes(*, keeps):
    def add(arguments, state):
        state.setdefault("notes", [{"title": "groceries"}])
        if keeps:
            state["notes"].append({"title": arguments["title"]})
        return {"ok": True, "saved": 1}

    def listed(_arguments, state):
        return {"notes": state.setdefault("notes", [{"title": "groceries"}])}

    return server(add_note={"does": add}, list_notes={"does": listed, "reads": True}, reads=False)


async def test_a_write_that_answers_ok_and_does_not_show_in_a_later_read_is_broken():
    steps = (call("add_note", title="water the plants"), call("list_notes"))
    report = await verdict(notes(keeps=True), notes(keeps=False), *steps)
    assert report.status == "broken"
    lost = finding(report, "effect-lost")
    assert (lost.tool, lost.status) == ("list_notes", "broken")
    assert lost.evidence["mark"] == "water the plants"
    assert len(report.roots) == 1


# --- words of the surface ------------------------------------------------------------------------


async def test_descriptions_cut_to_under_half_everywhere_are_acceptable_as_one_root():
    about = "Searches all upstream servers for tools that fit the words of a query. " * 8
    names = ("search", "list_servers", "read_log")
    report = await verdict(
        server(**{name: answering(HITS, about=about[:500]) for name in names}),
        server(**{name: answering(HITS, about=about[:159]) for name in names}),
    )
    assert report.status == "acceptable"
    assert {one.rule for one in report.findings} == {"description-changed"}
    assert len(report.roots) == 1
    assert report.lanes == {"surface": "acceptable", "replay": "good"}
    assert 0.6 <= report.score < 0.8


async def test_instructions_that_were_emptied_are_acceptable():
    told = "Call search first; then call the tool that it names with its own arguments."
    report = await verdict(
        server(search=answering(HITS), instructions=told), server(search=answering(HITS))
    )
    assert report.status == "acceptable"
    assert finding(report, "instructions-changed").status == "acceptable"
