"""`--policy seed`: the seed's arithmetic to the digit, and beside it what our own verdict says."""

import pytest
from msgspec.structs import replace

from mcp_eval.model.policy import Policy
from mcp_eval.workflows.compare import rejudged
from tests.flows.fakes import failure
from tests.flows.suites import (
    answering,
    beside,
    call,
    checked,
    made,
    recorded,
    rules,
    scenario,
    server,
    stored,
)

SEED = Policy(name="seed")
HITS = {"hits": [{"name": "github"}, {"name": "gitlab"}]}
TOOLS = ("!search", "!list_registries", "!read_log", "upstream_servers")


def of(before, after, policy=SEED):
    """Two stored trajectories of calls, judged."""
    return beside(stored(*before, tools=TOOLS), stored(*after, tools=TOOLS), policy)


def one(before, after, policy=SEED):
    return of([made("search", HITS, **before)], [made("search", HITS, **after)], policy)


# --- the table of `query` ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "similarity"),
    [
        ("environment variable configuration", "env var config", 0.30),
        ("environment variables", "env vars", 0.30),
        ("environment variables", "env variables", 0.3 + 0.7 / 3),
        ("environment variables", "environment vars", 0.3 + 0.7 / 3),
        ("environment variables", "env vars config", 0.30),
        ("environment variables", "environment config", 0.3 + 0.7 / 3),
        ("environment variables configuration", "env vars configuration", 0.44),
        ("environment variables", "GitHub repository", 0.30),
        ("Environment  Variables", "environment variables", 1.0),
        ("", "", 1.0),
    ],
)
def test_a_query_is_as_alike_as_the_words_it_shares(before, after, similarity):
    report = one({"query": before}, {"query": after})
    assert report.trajectory_score == pytest.approx(similarity)
    assert report.score == pytest.approx(0.8 * similarity + 0.2)


@pytest.mark.parametrize(
    ("before", "after", "similarity"),
    [
        ({"limit": 10}, {"limit": "10"}, 0.93),
        ({"limit": 10}, {"limit": 10}, 1.0),
        ({"limit": 10}, {"limit": 510}, 0.3 + 0.7 * 0.5),
        ({"limit": 0}, {"limit": 1000}, 0.3),
        ({"limit": 0}, {"limit": 5000}, 0.3),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, 1.0),
        ({"query": "git"}, {"query": "git", "limit": 10}, 0.85),
        ({"query": "git"}, {"q": "git"}, 0.0),
        ({}, {}, 1.0),
        ({}, {"query": "git"}, 0.0),
        ({"enabled": True}, {"enabled": False}, 0.3),
        ({"enabled": True}, {"enabled": True}, 1.0),
        ({"enabled": True}, {"enabled": 1}, 0.3),
        ({"at": None}, {"at": None}, 1.0),
        ({"at": None}, {"at": 0}, 0.3),
        ({"paths": ["/etc"]}, {"paths": ["/cte"]}, 1.0),
    ],
)
def test_arguments_are_three_tenths_keys_and_seven_tenths_values(before, after, similarity):
    assert one(before, after).trajectory_score == pytest.approx(similarity)


def test_another_max_diff_is_a_choice_of_the_policy():
    policy = Policy(name="seed", max_diff=100.0)
    report = one({"limit": 10}, {"limit": 60}, policy)
    assert report.trajectory_score == pytest.approx(0.3 + 0.7 * 0.5)


def test_another_tool_scores_nothing():
    report = of([made("search", HITS, query="git")], [made("list_registries", HITS)])
    assert report.trajectory_score == 0.0
    assert (report.score, report.status) == (pytest.approx(0.2), "broken")


def test_calls_are_paired_by_position_and_a_missing_side_counts_nothing():
    found, log = made("search", HITS, query="git"), made("read_log", HITS)
    assert of([found, log], [found]).trajectory_score == pytest.approx(0.5)
    assert of([found], [found, log]).trajectory_score == pytest.approx(0.5)
    assert of([found, log], [log, found]).trajectory_score == 0.0


@pytest.mark.parametrize(
    ("before", "after", "label", "similarity"),
    [
        ({"query": "environment variables"}, {"query": "env vars"}, "Partial Match", 0.3),
        (
            {"query": "Environment  Variables"},
            {"query": "environment variables"},
            "Perfect Match",
            1,
        ),
        ({"paths": ["/etc"]}, {"paths": ["/cte"]}, "Perfect Match", 1),
        ({"enabled": True}, {"enabled": False}, "Partial Match", 0.3),
        ({}, {"query": "git"}, "Mismatch", 0),
    ],
)
def test_a_pair_s_badge_is_the_formula_s_too(before, after, label, similarity):
    (pair,) = one(before, after).scenarios[0].pairs
    assert (pair["label"], pair["similarity"]) == (label, similarity)


# --- the failure-aware end -----------------------------------------------------------------------

ERROR = failure("no such index")
FINE = made("search", HITS, query="git")
FAILED = made("search", ERROR, query="git")
BLOCKED = made("upstream_servers", failure("no such host"), operation="add", name="a")
ADDED = made("upstream_servers", {"added": True}, operation="add", name="a")


@pytest.mark.parametrize(
    ("before", "after", "trajectory", "final"),
    [
        pytest.param([FINE], [FINE], 1.0, 1.0, id="success on both sides"),
        pytest.param([FINE], [FAILED], 1.0, 0.5, id="failed after success"),
        pytest.param([FAILED], [FAILED], 1.0, 0.7, id="failed on both sides"),
        pytest.param([BLOCKED], [FAILED], 0.0, 0.0, id="failed after blocked"),
        pytest.param([ADDED], [BLOCKED], 1.0, 0.0, id="blocked after success"),
        pytest.param([BLOCKED], [BLOCKED], 1.0, 0.3, id="blocked on both sides"),
        pytest.param([FAILED], [BLOCKED], 0.0, 0.1, id="blocked after failed"),
        pytest.param([FAILED], [FINE], 1.0, 1.0, id="success after failed, at most 1"),
        pytest.param([BLOCKED], [ADDED], 1.0, 1.0, id="success after blocked"),
        pytest.param([FAILED, FINE], [FINE], 0.5, 0.7, id="success after failed, half the way"),
        pytest.param([FINE], [FINE] * 3, 1 / 3, 0.8 / 3 + 0.2, id="two calls more"),
        pytest.param([FINE], [FINE] * 4, 0.25, 0.3, id="more than two calls more"),
    ],
)
def test_how_a_run_ended_weighs_on_its_score(before, after, trajectory, final):
    report = of(before, after)
    assert report.trajectory_score == pytest.approx(trajectory)
    assert report.score == pytest.approx(final)


# --- bands, actions, thresholds ------------------------------------------------------------------


def scoring(final, policy=SEED):
    """A comparison whose final score by the formula is this, judged again."""
    report = one({"query": "git"}, {"query": "git"})
    (compared,) = report.comparison.scenarios
    scores = {**compared.scores, "formula-final": final}
    comparison = replace(report.comparison, scenarios=(replace(compared, scores=scores),))
    return rejudged(replace(report, comparison=comparison), policy)


@pytest.mark.parametrize(
    ("final", "status", "action", "passed"),
    [
        (0.0, "broken", "stop the deployment, investigate", False),
        (0.2999, "broken", "stop the deployment, investigate", False),
        (0.3, "degraded", "review the changes, update docs", False),
        (0.5999, "degraded", "review the changes, update docs", False),
        (0.6, "acceptable", "monitor, consider a baseline update", False),
        (0.7999, "acceptable", "monitor, consider a baseline update", False),
        (0.79996, "acceptable", "monitor, consider a baseline update", False),
        (0.8, "good", "deploy with confidence", True),
        (1.0, "good", "deploy with confidence", True),
    ],
)
def test_the_score_s_band_is_the_status_and_names_the_action(final, status, action, passed):
    report = scoring(final)
    assert (report.status, report.action, report.passed) == (status, action, passed)
    assert (report.score, report.policy) == (final, "seed")
    assert [verdict.status for verdict in report.scenarios] == [status]


@pytest.mark.parametrize(
    ("final", "threshold", "passed"),
    [(0.7, 0.7, True), (0.69, 0.7, False), (0.85, 0.9, False), (0.2, 0.0, True)],
)
def test_a_threshold_moves_where_the_seed_passes(final, threshold, passed):
    assert scoring(final, Policy(name="seed", threshold=threshold)).passed is passed


@pytest.mark.parametrize(("threshold", "passed"), [(0.99, True), (0.995, False)])
def test_a_threshold_fails_our_own_policy_too(threshold, passed):
    found = [made("search", {"total": 1, "score": 0.4}, query="git")]
    more = [made("search", {"total": 1, "score": 0.4, "extra": "new"}, query="git")]
    report = of(found, more, Policy(threshold=threshold))
    assert (report.status, report.score) == ("good", 0.99)
    assert report.passed is passed


async def test_where_nothing_was_looked_at_the_seed_has_no_number_either():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    edited = replace(story, fingerprint="another")
    baseline.recordings["story"] = replace(baseline.recordings["story"], fingerprint="mine")
    report = await checked(baseline, server(search=answering(HITS)), edited, policy=SEED)
    assert (report.status, report.score, report.passed) == ("inconclusive", None, False)


async def test_one_scenario_without_an_opinion_leaves_the_seed_without_a_number():
    stories = [scenario(call("search"), stem=stem) for stem in ("a", "b")]
    baseline = await recorded(server(search=answering(HITS)), *stories)
    baseline.recordings["b"] = replace(baseline.recordings["b"], fingerprint="mine")
    edited = (stories[0], replace(stories[1], fingerprint="another"))
    gone = server(search=answering(failure("boom")))
    report = await checked(baseline, gone, *edited, policy=SEED)
    assert (report.status, report.score, report.passed) == ("inconclusive", None, False)
    assert {one.stem: (one.status, one.score) for one in report.scenarios} == {
        "a": ("degraded", 0.5),
        "b": ("inconclusive", None),
    }


async def test_a_whole_check_can_be_judged_again_under_the_seed():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    report = await checked(baseline, server(search=answering({"hits": []})), story)
    assert (report.status, report.score) == ("broken", 0.0)
    again = rejudged(report, SEED)
    assert (again.status, again.score, again.passed) == ("good", 1.0, True)
    assert rejudged(again, Policy()) == report


def test_of_two_surfaces_alone_the_seed_says_what_we_say():
    before, after = stored(tools=TOOLS), stored(tools=TOOLS[1:])
    before.recordings.clear()
    after.recordings.clear()
    seed, ours = beside(before, after, SEED), beside(before, after)
    assert (seed.status, seed.score) == (ours.status, ours.score) == ("broken", 0.29)


# --- what the arithmetic cannot see, and what we say of it ---------------------------------------


def both(before, after):
    return of(before, after), of(before, after, Policy())


def test_an_emptied_answer_is_1_by_the_formula_and_broken_by_us():
    seed, ours = both([FINE], [made("search", {"hits": []}, query="git")])
    assert (seed.score, seed.status) == (1.0, "good")
    assert (ours.status, ours.roots[0].findings) == ("broken", ("F1",))
    assert rules(ours) == {("result-emptied", "broken")}


def setting(enabled, extra):
    options = {f"option{n}": f"value {n}" for n in range(extra)}
    return made("upstream_servers", operation="update", config={"enabled": enabled, **options})


@pytest.mark.parametrize(("extra", "least"), [(0, 0.9), (100, 0.999)])
def test_a_flag_flipped_inside_an_object_is_nearly_1_by_the_formula_and_missed_by_us(extra, least):
    seed, ours = both([setting(True, extra)], [setting(False, extra)])
    assert seed.trajectory_score > least
    assert seed.status == "good"
    assert ours.status == "degraded"
    assert ("goal-not-reached", "degraded") in rules(ours)


def test_paths_of_the_same_letters_are_1_by_the_formula_and_another_effect_by_us():
    before = made("upstream_servers", operation="add", paths=["/etc"])
    after = made("upstream_servers", operation="add", paths=["/cte"])
    seed, ours = both([before], [after])
    assert (seed.trajectory_score, seed.status) == (1.0, "good")
    assert ours.status == "degraded"
    assert ("goal-not-reached", "degraded") in rules(ours)


def test_one_extra_call_at_the_front_is_0_by_the_formula_and_a_note_by_us():
    seed, ours = both([ADDED], [made("read_log", HITS), ADDED])
    assert seed.trajectory_score == 0.0
    assert seed.status == "broken"
    assert (ours.status, rules(ours)) == ("good", {("call-extra", "note")})


def test_add_that_became_remove_is_high_by_the_formula_and_broken_by_us():
    removed = made("upstream_servers", {"removed": True}, operation="remove", name="a")
    seed, ours = both([ADDED], [removed])
    assert seed.trajectory_score == pytest.approx(0.65)
    assert seed.status == "acceptable"
    assert ours.status == "broken"
    assert "upstream_servers[add]" in {finding.tool for finding in ours.findings}


def test_a_tool_that_fails_when_it_is_called_as_before_is_a_half_by_the_formula_and_broken_by_us():
    seed, ours = both([FINE], [FAILED])
    assert (seed.score, seed.status) == (0.5, "degraded")
    assert ours.status == "broken"
    assert ("newly-failing", "broken") in rules(ours)
