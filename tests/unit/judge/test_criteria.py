"""Typed criteria, held against a trajectory."""

import pytest

from mcp_eval.judge.criteria import evaluate
from mcp_eval.model.scenario import Criterion
from mcp_eval.model.trajectory import Invocation, Message, Outcome, Trajectory
from tests.flows.fakes import failure
from tests.flows.suites import made


def held(criterion, *calls, answer=""):
    said = (Message(role="assistant", text=answer),) if answer else ()
    trajectory = Trajectory(invocations=calls, messages=said)
    (result,) = evaluate([criterion], trajectory)
    return result.result


def of(kind, subject, operator="", value=None):
    return Criterion(
        text=f"{kind} {subject}", kind=kind, subject=subject, operator=operator, value=value
    )


SEARCHED = made("search", {"total": 2, "items": [{"name": "github"}, {"name": "gitlab"}]})
ADDED = made("upstream_servers", {"added": True}, operation="add", name="github")
NEVER_SENT = Invocation(name="search", outcome=Outcome(kind="not-reached"))


# --- calls ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "result"),
    [
        ("search", "yes"),
        ("mcp__proxy__search", "yes"),
        ("upstream_servers", "yes"),
        ("upstream_servers[add]", "yes"),
        ("upstream_servers[remove]", "no"),
        ("list_servers", "no"),
        ("sear", "no"),
    ],
)
def test_a_call_is_found_by_name_or_tool_key(subject, result):
    assert held(of("calls", subject), SEARCHED, ADDED) == result
    assert held(of("never_calls", subject), SEARCHED, ADDED) == {"yes": "no", "no": "yes"}[result]


def test_a_call_with_a_client_s_prefix_is_found_by_its_bare_name():
    assert held(of("calls", "search"), made("mcp__proxy__search")) == "yes"


@pytest.mark.parametrize(
    "call", [NEVER_SENT, Invocation(name="search", foreign=True)], ids=["never sent", "foreign"]
)
def test_what_never_reached_the_target_was_not_called(call):
    assert held(of("calls", "search"), call) == "no"
    assert held(of("never_calls", "search"), call) == "yes"


def test_a_call_that_failed_was_made_all_the_same():
    assert held(of("calls", "search"), made("search", failure("boom"))) == "yes"


# --- answers of a model --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "result"), [("GitHub", "yes"), ("github is", "yes"), ("gitea", "no")]
)
def test_an_answer_contains_words_whatever_their_case(words, result):
    assert held(of("answer_contains", words), SEARCHED, answer="GitHub is listed.") == result


def test_without_a_model_nobody_said_anything():
    assert held(of("answer_contains", "github"), SEARCHED) == "not evaluated"


def test_prose_is_left_to_a_judge():
    (result,) = evaluate([Criterion(text="it is fine")], Trajectory(invocations=(SEARCHED,)))
    assert (result.result, result.kind) == ("not evaluated", "prose")


# --- results -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "operator", "value", "result"),
    [
        ("total", "exists", None, "yes"),
        ("missing", "exists", None, "no"),
        ("missing", "absent", None, "yes"),
        ("total", "absent", None, "no"),
        ("items", "not_empty", None, "yes"),
        ("items", "empty", None, "no"),
        ("total", "equals", 2, "yes"),
        ("total", "equals", "2", "yes"),
        ("total", "equals", 3, "no"),
        ("total", "equals", True, "no"),
        ("total", "not_equals", 3, "yes"),
        ("total", "not_equals", 2, "no"),
        ("total", "at_least", 2, "yes"),
        ("total", "at_least", 3, "no"),
        ("total", "at_most", 2, "yes"),
        ("total", "at_most", 1, "no"),
        ("total", "more_than", 2, "no"),
        ("total", "more_than", 1, "yes"),
        ("total", "less_than", 2, "no"),
        ("total", "less_than", 3, "yes"),
        ("items", "at_least", 1, "no"),
        ("items[0].name", "equals", "github", "yes"),
        ("items.0.name", "equals", "github", "yes"),
        ("items.1.name", "equals", "github", "no"),
        ("items.7.name", "equals", "github", "no"),
        ("items", "contains", "gitlab", "yes"),
        ("items", "contains", "gitea", "no"),
        ("items", "not_contains", "gitea", "yes"),
        ("items[0].name", "contains", "HUB", "yes"),
        ("items[0].name", "matches", "^git", "yes"),
        ("items[0].name", "matches", "^hub", "no"),
        ("missing", "not_equals", 3, "no"),
        ("missing", "not_contains", "x", "no"),
        ("", "contains", "total", "yes"),
        ("steps.0.result.total", "equals", 2, "yes"),
        ("steps[0].result.total", "equals", 2, "yes"),
        ("steps.1.result.added", "equals", True, "yes"),
        ("steps.1.result.added", "equals", 1, "no"),
        ("steps.9.result.added", "equals", True, "no"),
    ],
)
def test_a_result_is_read_by_path_and_held_against_an_operator(path, operator, value, result):
    calls = (SEARCHED, ADDED) if path.startswith("steps") else (SEARCHED,)
    assert held(of("result", path, operator, value), *calls) == result


def test_a_path_without_a_step_reads_the_last_answer():
    assert held(of("result", "added", "equals", True), SEARCHED, ADDED) == "yes"
    assert held(of("result", "total", "exists"), SEARCHED, ADDED) == "no"


@pytest.mark.parametrize("path", ["0.name", "[0].name", ".0.name", "steps.0.result.0.name"])
def test_an_answer_that_is_a_list_is_read_by_position(path):
    listed = made("list", [{"name": "github"}, {"name": "gitlab"}])
    assert held(of("result", path, "equals", "github"), listed) == "yes"


def test_a_step_that_was_never_made_has_no_answer():
    assert held(of("result", "steps.1.result.total", "exists"), SEARCHED) == "no"


def test_an_answer_that_never_came_holds_nothing():
    for operator in ("exists", "absent", "equals"):
        assert held(of("result", "steps.0.result", operator, 1), NEVER_SENT) == "no"
    assert held(of("result", "total", "exists")) == "no"


def test_an_error_has_no_fields():
    assert held(of("result", "total", "exists"), made("search", failure("total: 2"))) == "no"
    assert held(of("result", "total", "absent"), made("search", failure("total: 2"))) == "yes"


def test_an_error_s_own_words_can_be_asked_for():
    broken = made("search", failure("no such index"))
    assert held(of("result", "steps.0.result", "contains", "no such index"), broken) == "yes"


def test_null_does_not_exist():
    assert held(of("result", "total", "exists"), made("search", {"total": None})) == "no"


def test_what_was_seen_is_quoted_and_capped():
    (result,) = evaluate(
        [of("result", "text", "contains", "x")],
        Trajectory(invocations=(made("read", {"text": "x" * 500}),)),
    )
    assert result.quote == "x" * 120


def test_every_criterion_has_its_own_result():
    results = evaluate(
        [of("calls", "search"), of("never_calls", "search"), Criterion(text="fine")],
        Trajectory(invocations=(SEARCHED,)),
    )
    assert [one.result for one in results] == ["yes", "no", "not evaluated"]
