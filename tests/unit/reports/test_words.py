import pytest
from msgspec.structs import replace

from mcp_eval.model.verdict import Finding, Report, Root, ScenarioVerdict
from mcp_eval.reports import words
from tests.unit.reports import samples


def scenario(status, score=0.9, name="a"):
    return ScenarioVerdict(name=name, stem=name, status=status, score=score)


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (
            Report(status="broken", passed=False, scenarios=(scenario("good"), scenario("broken"))),
            "1 passed, 1 failed",
        ),
        (
            Report(status="inconclusive", scenarios=(scenario("inconclusive", None),)),
            "0 passed, 0 failed, 1 inconclusive",
        ),
        (
            Report(status="good", scenarios=(scenario("acceptable", 0.7),), skipped=("x", "y")),
            "1 passed, 0 failed, 2 skipped",
        ),
        (
            Report(status="good", policy="seed", scenarios=(scenario("acceptable", 0.7),)),
            "0 passed, 1 failed",
        ),
        (
            Report(status="good", passed=False, score=0.7, scenarios=(scenario("good"),)),
            "1 passed, 0 failed, not passed as a whole (good, score 0.70)",
        ),
        (Report(status="good"), "0 passed, 0 failed"),
    ],
)
def test_the_closing_line_counts(report, said):
    assert words.closing(report) == said


@pytest.mark.parametrize(("status", "report"), samples.all_statuses().items())
def test_the_headline_begins_with_the_status(status, report):
    assert words.headline(report).startswith(f"{status}: ")
    assert "\n" not in words.headline(report)


def test_roots_that_fail_lead_worst_and_widest_first():
    report = samples.broken()
    ordered = words.ordered(report)
    severities = [words.SEVERITY.index(root.status) for root in ordered]
    assert severities == sorted(severities)
    assert {root.status for root in words.leading(report)} <= {"broken", "degraded"}


def test_a_name_a_shell_would_split_is_quoted():
    root = Root(id="R", cause="target", status="broken", message="", fix="", scenarios=("a b'c",))
    assert words.accept_command(Report(status="broken"), root) == "mcp-eval accept 'a b'\\''c'"


def test_of_many_scenarios_some_are_named():
    root = Root(
        id="R", cause="target", status="broken", message="", fix="", scenarios=tuple("abcdefgh")
    )
    assert words.accept_command(Report(status="broken"), root).endswith("e f  # and 2 more")


@pytest.mark.parametrize(
    ("finding", "name"),
    [
        (Finding(id="F", rule="tool-added", status="note"), "tool-added"),
        (Finding(id="F", rule="tool-added", status="note", tool="x"), "tool-added@x"),
        (Finding(id="F", rule="r", status="note", tool="x", path="a[].b"), "r@x:a[].b"),
        (Finding(id="F", rule="r", status="note", path="instructions"), "r"),
    ],
)
def test_a_finding_is_named_as_expect_names_it(finding, name):
    assert words.expect_name(finding) == name


def test_a_log_is_shown_by_its_end():
    finding = Finding(
        id="F", rule="r", status="inconclusive", evidence={"log": "first\nlast word\n"}
    )
    assert "last word" in words.evidence(finding)
    assert "first" not in words.evidence(finding)


def test_a_finding_no_root_took_in_is_still_seen():
    report = samples.broken()
    alone = Finding(id="alone", rule="r", status="degraded")
    assert words.loose(replace(report, findings=(*report.findings, alone))) == (alone,)


@pytest.mark.parametrize(
    ("share", "said"), [(0.0, "0 %"), (0.004, "under 1 %"), (0.31, "31 %"), (1.0, "100 %")]
)
def test_little_is_not_nothing(share, said):
    assert words.percent(share) == said


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_no_line_made_here_carries_more_than_a_line(payload):
    report = samples.hostile(payload)
    made = [words.headline(report), words.builds(report), words.lanes(report)]
    for root in words.ordered(report):
        made += [words.where(report, root), words.sure(report, root)]
        made += [words.accept_command(report, root)]
    for finding in report.findings:
        made += [words.evidence(finding), words.expect_entry(finding), words.certainty(finding)]
    assert not [text for text in made if "\n" in text or "\x1b" in text or len(text) > 4000]


def test_the_command_names_the_surface_and_a_folder_where_they_are_needed():
    finding = Finding(id="F", rule="tool-removed", status="broken", lanes=("surface",))
    root = Root(id="R", cause="target", status="broken", message="", fix="", findings=("F",))
    report = Report(status="broken", findings=(finding,))
    assert words.accept_command(report, root) == "mcp-eval accept surface"
    there = Report(status="broken", findings=(finding,), folder="my baselines")
    both = Root(
        id="R",
        cause="target",
        status="broken",
        message="",
        fix="",
        findings=("F",),
        scenarios=("a",),
    )
    assert (
        words.accept_command(there, both) == "mcp-eval accept --baseline 'my baselines' a surface"
    )
