"""What is looked at again, beside which build, and what the looks prove."""

import pytest
from msgspec.structs import replace

from mcp_eval.model.policy import Expectation, Policy
from mcp_eval.model.scenario import Criterion
from tests.flows.fakes import failure
from tests.flows.suites import (
    answering,
    by_look,
    call,
    checked,
    failing_in,
    finding,
    only_notes,
    recorded,
    rules,
    scenario,
    server,
    verdict,
)

HITS = {"hits": [{"name": "github"}, {"name": "gitlab"}]}
BOOM = failure("the index is corrupt")
LOST = failure("connect ECONNREFUSED 10.0.0.1:443")


def one(answer, **how):
    return server(search=answering(answer), **how)


# --- the environment, and the old build in it ----------------------------------------------------


async def test_what_the_old_build_does_by_now_too_is_the_environment_s():
    report = await verdict(one(HITS), one(BOOM), old=one(BOOM))
    assert report.status == "broken"
    assert report.roots[0].cause == "environment"
    assert "in 2 of 2 at the old build" in finding(report, "newly-failing").message


async def test_a_number_that_moved_where_nothing_can_be_reset_is_acceptable():
    before, after = one({"name": "mcp", "stars": 41}), one({"name": "mcp", "stars": 42})
    report = await verdict(before, after, resettable=None)
    assert report.status == "acceptable"
    assert finding(report, "result-value-changed").path == "stars"


async def test_the_old_build_beside_it_shows_that_the_world_did_not_move():
    before, after = one({"name": "mcp", "stars": 41}), one({"name": "mcp", "stars": 42})
    report = await verdict(before, after, old=before, resettable=None)
    assert (report.status, report.roots[0].cause) == ("degraded", "target")
    assert report.comparison.scenarios[0].old_looks == 2


async def test_the_old_build_beside_it_shows_that_the_world_moved():
    before, after = one({"name": "mcp", "stars": 41}), one({"name": "mcp", "stars": 42})
    report = await verdict(before, after, old=after, resettable=None)
    assert (report.status, report.roots[0].cause) == ("acceptable", "environment")


@pytest.mark.parametrize(
    ("old", "status"), [("none", "inconclusive"), ("fine", "broken"), ("lost too", "inconclusive")]
)
async def test_two_tools_that_fail_with_one_network_message(old, status):
    fine = server(search=answering(HITS), list_servers=answering({"servers": [{"name": "a"}]}))
    lost = server(search=answering(LOST), list_servers=answering(LOST))
    beside = {"none": None, "fine": fine, "lost too": lost}[old]
    report = await verdict(fine, lost, call("search"), call("list_servers"), old=beside)
    assert report.status == status
    assert len(report.roots) == 1
    assert report.roots[0].cause == ("target" if status == "broken" else "environment")
    assert report.lanes == {"surface": "good", "replay": status}


async def test_one_tool_that_fails_with_a_network_message_is_broken():
    fine = server(search=answering(HITS), list_servers=answering({"servers": [{"name": "a"}]}))
    lost = server(search=answering(LOST), list_servers=answering({"servers": [{"name": "a"}]}))
    report = await verdict(fine, lost, call("search"), call("list_servers"))
    assert report.status == "broken"


async def test_a_rate_limit_that_outlasts_our_patience_is_inconclusive():
    report = await verdict(one(HITS), one(failure("429 Too Many Requests")))
    assert (report.status, report.score) == ("inconclusive", None)
    assert finding(report, "rate-limited").cause == "environment"


# --- what may be looked at again -----------------------------------------------------------------


async def test_a_write_that_may_not_be_repeated_is_unconfirmed_and_keeps_its_status():
    story = scenario(call("add_note", text="plants"))
    before = server(add_note=answering({"id": "n1"}), reads=False)
    after = server(add_note=answering(BOOM), reads=False)
    said = []
    baseline = await recorded(before, story, resettable=None)
    report = await checked(baseline, after, story, resettable=None, said=said)
    failing = finding(report, "newly-failing")
    assert (report.status, failing.confidence) == ("broken", "unconfirmed")
    assert report.comparison.scenarios[0].looks == 1
    assert "seen once and not confirmed: story" in report.remarks
    assert any(line.startswith("not confirmed: story") for line in said)


async def test_a_scenario_that_merely_reads_is_looked_at_again_wherever_it_runs():
    report = await verdict(one(HITS), one(BOOM), resettable=None)
    assert report.comparison.scenarios[0].looks == 3
    assert finding(report, "newly-failing").confidence == "confirmed"


async def test_what_is_good_at_once_is_looked_at_once():
    report = await verdict(one(HITS), one(HITS))
    assert (report.status, report.comparison.scenarios[0].looks) == ("good", 1)


@pytest.mark.parametrize(
    ("fails", "status", "looks"),
    [({1}, "good", 10), ({1, 2}, "degraded", 10), ({1, 2, 3}, "broken", 3), ({2}, "good", 1)],
)
async def test_looks_follow_each_other_until_nobody_doubts(fails, status, looks):
    story = scenario(call("search"))
    baseline = await recorded(one(HITS), story)
    report = await checked(baseline, server(search=failing_in(fails, HITS, BOOM)), story)
    assert (report.status, report.comparison.scenarios[0].looks) == (status, looks)


async def test_an_answer_that_the_old_looks_lacked_now_and_then_is_not_missed():
    story = scenario(call("search"))
    baseline = await recorded(server(search=by_look(HITS, BOOM)), story)
    assert baseline.recordings["story"].repeats == "no"
    report = await checked(baseline, one(BOOM), story)
    assert (report.status, report.findings) == ("good", ())


@pytest.mark.parametrize(
    ("after", "change"),
    [
        ({"name": "mcp", "load": 3}, None),
        ({"name": "mcp", "load": "high"}, "result-type-changed"),
        ({"name": "mcp"}, "result-field-removed"),
        ({"name": "mcp", "load": None}, "result-type-changed"),
    ],
)
async def test_what_varies_by_itself_is_still_held_to_its_type_and_its_place(after, change):
    before = server(search=by_look({"name": "mcp", "load": 1}, {"name": "mcp", "load": 2}))
    report = await verdict(before, one(after))
    assert {rule for rule, _ in rules(report)} == ({change} if change else set())
    assert report.status == ("degraded" if change else "good")


# --- suites --------------------------------------------------------------------------------------


async def test_of_two_scenarios_only_the_broken_one_is_looked_at_again():
    fine = scenario(call("list_servers"), stem="fine")
    bad = scenario(call("search"), stem="bad")
    listed = answering({"servers": [{"name": "a"}]})
    baseline = await recorded(server(search=answering(HITS), list_servers=listed), fine, bad)
    after = server(search=answering(BOOM), list_servers=listed)
    report = await checked(baseline, after, fine, bad)
    assert {one.stem: (one.status, one.score) for one in report.scenarios} == {
        "fine": ("good", 1.0),
        "bad": ("broken", 0.0),
    }
    assert (report.status, report.score) == ("broken", 0.0)
    assert {one.stem: one.looks for one in report.comparison.scenarios} == {"fine": 1, "bad": 3}


async def test_one_fault_in_three_scenarios_is_one_root_of_all_three():
    stories = [scenario(call("search", query=stem), stem=stem) for stem in ("a", "b", "c")]
    baseline = await recorded(one(HITS), *stories)
    report = await checked(baseline, one({"hits": HITS["hits"][:1]}), *stories)
    assert len(report.roots) == 1
    assert set(report.roots[0].scenarios) == {"a", "b", "c"}
    assert report.roots[0].share == 1.0
    assert finding(report, "hit-lost").scenarios == ("a", "b", "c")


async def test_a_scenario_nobody_recorded_is_inconclusive_beside_one_that_is_good():
    known, new = scenario(call("search"), stem="known"), scenario(call("search"), stem="new")
    baseline = await recorded(one(HITS), known)
    report = await checked(baseline, one(HITS), known, new)
    assert report.status == "inconclusive"
    assert {one.stem: one.status for one in report.scenarios} == {
        "known": "good",
        "new": "inconclusive",
    }
    assert finding(report, "baseline-unusable").cause == "baseline"


async def test_a_scenario_that_was_edited_is_inconclusive_and_says_who_is_to_record():
    story = replace(scenario(call("search")), fingerprint="as it was")
    baseline = await recorded(one(HITS), story)
    edited = replace(story, fingerprint="as it is")
    report = await checked(baseline, one(HITS), edited)
    assert report.status == "inconclusive"
    found = finding(report, "scenario-edited")
    assert (found.cause, found.fix) == ("scenario", "record it again: mcp-eval record")


# --- criteria and expectations -------------------------------------------------------------------

FINDS = Criterion(text="it finds two", kind="result", subject="hits[1].name", operator="exists")


async def test_a_typed_criterion_that_held_and_fails_now_is_broken():
    story = scenario(call("search"), success_criteria=(FINDS,))
    baseline = await recorded(one(HITS), story)
    assert baseline.recordings["story"].criteria == {"it finds two": "yes"}
    report = await checked(baseline, one({"hits": HITS["hits"][:1]}), story)
    assert report.status == "broken"
    assert finding(report, "criterion-failed").status == "broken"
    assert report.scenarios[0].criteria[0]["result"] == "no"
    assert len(report.roots) == 1


async def test_a_criterion_that_never_held_is_no_regression():
    story = scenario(call("search"), success_criteria=(FINDS,))
    single = one({"hits": HITS["hits"][:1]})
    baseline = await recorded(single, story)
    report = await checked(baseline, single, story)
    assert (report.status, report.findings) == ("good", ())


async def test_an_expected_loss_passes_until_its_day():
    story = scenario(call("search"))
    baseline = await recorded(one(HITS), story)
    entry = Expectation(finding="hit-lost@search", reason="archived", expires="2026-01-02")
    after = one({"hits": HITS["hits"][:1]})
    report = await checked(baseline, after, story, policy=Policy(expect=(entry,)))
    assert (report.status, report.passed) == ("good", True)
    assert finding(report, "hit-lost").marks == ("expected",)
    later = Policy(expect=(entry,), today="2026-01-03")
    report = await checked(baseline, after, story, policy=later)
    assert (report.status, report.passed) == ("degraded", False)
    assert "stale-expect" in {rule for rule, _ in rules(report)}


# --- without a baseline --------------------------------------------------------------------------


async def test_without_a_baseline_each_expected_step_counts_as_answered():
    story = scenario(call("search"), call("list_servers"))
    fine = server(search=answering(HITS), list_servers=answering(HITS))
    report = await checked(None, fine, story)
    assert (report.status, report.findings) == ("good", ())
    assert report.remarks[0].startswith("no baseline was used")
    broken = server(search=answering(HITS), list_servers=answering(BOOM))
    report = await checked(None, broken, story)
    assert report.status == "broken"
    assert finding(report, "newly-failing").tool == "list_servers"


# --- conversations -------------------------------------------------------------------------------

QUESTION = {
    "method": "elicitation/create",
    "params": {"message": "really?", "requestedSchema": {"type": "object", "properties": {}}},
}


def asking(*, insists):
    """A tool that asks its user first, and minds the answer or not."""

    def does(_arguments, _state):
        said = yield QUESTION
        return HITS if said["action"] == "accept" or not insists else failure("the user said no")

    return server(search={"does": does})


async def test_a_tool_that_asks_its_client_back_now_and_does_without_is_acceptable():
    report = await verdict(one(HITS), asking(insists=False))
    assert report.status == "acceptable"
    assert "`elicitation/create`" in finding(report, "server-request-new").message


async def test_a_tool_that_fails_without_the_answer_it_asks_for_is_degraded():
    report = await verdict(one(HITS), asking(insists=True))
    assert report.status == "degraded"
    assert rules(report) == {("server-request-new", "degraded")}
    assert finding(report, "server-request-new").confidence == "confirmed"


async def test_a_question_that_was_recorded_is_answered_as_it_was_then():
    story = scenario(call("search"), answers={"elicitation/create": {"action": "accept"}})
    baseline = await recorded(asking(insists=True), story)
    report = await checked(baseline, asking(insists=True), story)
    assert (report.status, report.findings) == ("good", ())


async def test_a_question_that_is_asked_no_more_is_no_loss():
    story = scenario(call("search"), answers={"elicitation/create": {"action": "accept"}})
    baseline = await recorded(asking(insists=True), story)
    report = await checked(baseline, one(HITS), story)
    assert report.status == "good"


async def test_a_server_that_dies_in_a_call_leaves_the_rest_unreached_and_is_one_root():
    steps = [call(name) for name in ("search", "list_servers", "read_log")]
    tools = {name: answering(HITS) for name in ("search", "list_servers", "read_log")}
    report = await verdict(
        server(**tools), server(**{**tools, "list_servers": answering(None)}), *steps
    )
    assert report.status == "broken"
    failing = finding(report, "newly-failing")
    assert (failing.tool, "breaks the connection" in failing.message) == ("list_servers", True)
    assert [pair["reached"] for pair in report.scenarios[0].pairs] == [True, True, False]
    assert len(report.roots) == 1


async def test_an_orderly_error_that_became_a_crash_is_broken():
    steps = (call("search"), call("list_servers"))
    before = server(search=answering(HITS), list_servers=answering(failure("no such server")))
    after = server(search=answering(HITS), list_servers=answering(None))
    report = await verdict(before, after, *steps)
    assert report.status == "broken"
    assert finding(report, "newly-failing").tool == "list_servers"


async def test_a_crash_that_happened_once_in_ten_is_a_note_and_no_root():
    story = scenario(call("search"))
    baseline = await recorded(one(HITS), story)
    report = await checked(baseline, server(search=failing_in({1}, HITS, None)), story)
    assert only_notes(report)
