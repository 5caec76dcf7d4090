from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from mcp_eval.reports.junit import JunitReporter
from tests.unit.reports import samples


def suite(report):
    return ET.fromstring(JunitReporter().render(report)).find("testsuite")


def ends(found):
    return {case.get("name"): [part.tag for part in case] for case in found.iter("testcase")}


def test_each_scenario_is_a_case_and_what_fails_here_fails_there():
    report = samples.broken()
    found = suite(report)
    cases = ends(found)
    for one in report.scenarios:
        failing = one.status in {"broken", "degraded"}
        assert ("failure" in cases[one.name]) is failing
    assert cases["oauth_login"] == ["skipped"]
    assert found.get("tests") == str(len(found.findall("testcase")))
    assert int(found.get("failures")) == len(
        [one for one in found if one.find("failure") is not None]
    )


def test_a_failure_says_why_and_what_to_do():
    report = samples.broken()
    first = next(
        case
        for case in suite(report).iter("testcase")
        if case.get("classname") == "mcp-eval.scenario" and case.find("failure") is not None
    )
    failure = first.find("failure")
    assert failure.get("type") == "broken"
    assert "fix: " in failure.text
    assert "mcp-eval accept" in failure.text


def test_a_check_that_did_not_happen_is_an_error_and_no_failure():
    found = suite(samples.inconclusive())
    assert int(found.get("errors")) >= 1
    assert found.get("failures") == "0"


@pytest.mark.parametrize("status", ["good", "acceptable"])
def test_what_passed_fails_nowhere(status):
    found = suite(samples.all_statuses()[status])
    assert (found.get("failures"), found.get("errors")) == ("0", "0")


def test_a_suite_that_passed_by_request_fails_nowhere_although_a_scenario_is_degraded():
    found = suite(replace(samples.degraded(), passed=True))
    assert found.get("failures") == "0"


def test_a_suite_below_its_threshold_fails_although_no_scenario_does():
    found = suite(replace(samples.good(), passed=False))
    assert found.get("failures") == "1"
    assert ends(found)["the check as a whole"] == ["failure"]


def test_a_removed_tool_nobody_recorded_fails_beside_the_scenarios():
    report = samples.broken()
    root = replace(report.roots[0], scenarios=())
    found = suite(replace(report, roots=(root,), scenarios=(), lanes={"surface": "broken"}))
    assert ends(found)["what the target offers"] == ["failure"]


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_a_hostile_report_is_well_formed_and_has_no_case_more(payload):
    ours, theirs = suite(samples.broken()), suite(samples.hostile(payload))
    assert len(theirs) == len(ours)
    assert {part.tag for part in theirs.iter()} <= {part.tag for part in ours.iter()} | {
        "system-out"
    }
