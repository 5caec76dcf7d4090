import re

import pytest
from msgspec.structs import replace

from mcp_eval.reports.annotations import AnnotationReporter
from tests.unit.reports import samples

COMMAND = re.compile(r"::(error|warning|notice) ((?:file|title)=[^,:]*(?:,title=[^,:]*)?)::(.*)")


def lines(report):
    return AnnotationReporter().render(report).decode().splitlines()


def read(line):
    """What the runner reads: level, properties, text."""
    level, named, text = COMMAND.fullmatch(line).groups()
    return level, dict(pair.split("=", 1) for pair in named.split(",")), text.replace("%0A", "\n")


def placed(report):
    scenarios = tuple(replace(one, path=f"scenarios/{one.stem}.yaml") for one in report.scenarios)
    return replace(report, scenarios=scenarios)


def test_each_root_stands_at_a_scenario_that_shows_it():
    report = placed(samples.broken())
    read_lines = [read(line) for line in lines(report)]
    errors = [(named, text) for level, named, text in read_lines if level == "error"]
    assert len(errors) == len(
        [root for root in report.roots if root.status in {"broken", "degraded"}]
    )
    assert errors[0][0]["file"] == "scenarios/add_server.yaml"
    assert errors[0][1].splitlines()[0] == report.roots[0].message
    assert read_lines[-1][0] == "notice"


@pytest.mark.parametrize(
    ("report", "level"),
    [
        (samples.acceptable(), "warning"),
        (replace(samples.degraded(), passed=True), "warning"),
        (samples.inconclusive(), "error"),
    ],
)
def test_what_passes_only_warns(report, level):
    assert read(lines(report)[0])[0] == level


def test_a_step_shows_ten_so_the_tenth_says_how_many_more():
    report = samples.broken()
    many = tuple(replace(report.roots[0], id=f"R{n}") for n in range(25))
    errors = [line for line in lines(replace(report, roots=many)) if line.startswith("::error")]
    assert len(errors) == 10
    assert "16 more roots" in errors[-1]


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_every_line_is_one_command_of_ours_whatever_stands_in_it(payload):
    ours, theirs = lines(samples.broken()), lines(samples.hostile(payload))
    assert [read(line)[0] for line in theirs] == [read(line)[0] for line in ours]
