"""Real servers, release against release and each against itself."""

import pytest

from bench.inject import wrapped
from tests.real.suite import SCENARIOS, Suite

RENAMED = {
    "add": "get-sum",
    "printEnv": "get-env",
    "longRunningOperation": "trigger-long-running-operation",
    "sampleLLM": "trigger-sampling-request",
    "startElicitation": "trigger-elicitation-request",
    "listRoots": "get-roots-list",
    "annotatedMessage": "get-annotated-message",
    "getTinyImage": "get-tiny-image",
    "getResourceLinks": "get-resource-links",
    "getResourceReference": "get-resource-reference",
    "structuredContent": "get-structured-content",
}
TIMES = 20


def found(report, rule):
    return {finding.tool: finding for finding in report.findings if finding.rule == rule}


@pytest.mark.timeout(300)
async def test_a_release_with_eleven_renames_has_eleven_roots_and_one_removal(real_part, tmp_path):
    suite = Suite(tmp_path, SCENARIOS / "everything")
    await suite.record(real_part("server-everything@2025.12.18"))
    report = await suite.check(real_part("server-everything@2026.1.14"), jobs=2)

    assert report.status == "broken"
    renamed = found(report, "tool-renamed")
    assert {tool: one.evidence["renamed_to"] for tool, one in renamed.items()} == RENAMED
    roots = {tool: root_of(report, one) for tool, one in renamed.items()}
    assert len({root.id for root in roots.values()}) == len(RENAMED)
    assert all(root.status == "broken" and root.cause == "target" for root in roots.values())
    assert set(found(report, "tool-removed")) == {"zip"}
    new = {name for name, one in found(report, "tool-added").items() if one.status == "note"}
    assert new >= {"toggle-simulated-logging", "toggle-subscriber-updates"}
    # What fails behind a rename is evidence of that root, not a root of its own.
    behind = [one for one in report.findings if one.path == "location"]
    assert behind
    assert all(root_of(report, one).id == roots["structuredContent"].id for one in behind)
    broken = [root for root in report.roots if root.status == "broken"]
    assert len(broken) == len(RENAMED)


def root_of(report, finding):
    return next(root for root in report.roots if finding.id in root.findings)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("part", "scenario"),
    [
        ("server-everything@2025.12.18", "tours/everything_2025.yaml"),
        ("server-everything@2026.1.14", "tours/everything_2026.yaml"),
        ("server-memory@2026.1.26", "memory/graph.yaml"),
        ("mcp-server-git@2026.1.14", "git/history.yaml"),
    ],
)
async def test_a_build_against_itself_is_good_every_time(part, scenario, real_part, tmp_path):
    suite = Suite(tmp_path, SCENARIOS / scenario)
    finished = await suite.record(real_part(part))
    assert [one.repeats for one in finished.recordings] == ["yes"]
    reports = [await suite.check(real_part(part)) for _ in range(TIMES)]
    said = [(one.status, [root.message for root in one.roots]) for one in reports]
    assert said == [("good", [])] * TIMES


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("part", "scenario", "fault"),
    [
        (
            "server-memory@2026.1.26",
            "memory/graph.yaml",
            {"fault": "remove-field", "tool": "open_nodes", "path": "entities[0].observations"},
        ),
        (
            "mcp-server-git@2026.1.14",
            "git/history.yaml",
            {"fault": "truncate-text", "tool": "git_log"},
        ),
    ],
)
async def test_one_field_removed_on_the_way_is_found(part, scenario, fault, real_part, tmp_path):
    suite = Suite(tmp_path, SCENARIOS / scenario)
    command = real_part(part)
    await suite.record(command)
    report = await suite.check(wrapped(command, [fault], tmp_path))
    assert report.status in {"broken", "degraded"}
    assert fault["tool"] in {finding.tool for finding in report.findings}
