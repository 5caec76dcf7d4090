import pytest
from msgspec.structs import replace

from mcp_eval.demo.planted import BREAKS, HARMLESS
from mcp_eval.demo.tour import looked_up
from mcp_eval.model.verdict import Finding, Report, Root


def finding(number, planted, **changed):
    return replace(
        Finding(
            id=f"F{number}",
            rule=planted.rule,
            status=planted.status,
            tool=planted.tool,
            path=planted.path,
        ),
        **changed,
    )


def root(number, status, **changed):
    made = Root(
        id=f"R{number}",
        cause="target",
        status=status,
        message="m",
        fix="f",
        findings=(f"F{number}",),
    )
    return replace(made, **changed)


FINDINGS = tuple(finding(number, one) for number, one in enumerate(BREAKS))
ROOTS = tuple(root(number, one.status) for number, one in enumerate(BREAKS))
EXACT = Report(status="broken", roots=ROOTS, findings=FINDINGS)


def test_everything_planted_and_nothing_else_is_exact():
    assert looked_up(EXACT).exact


@pytest.mark.parametrize("number", range(len(BREAKS)))
def test_one_break_that_is_not_found_is_not_exact(number):
    left = FINDINGS[:number] + FINDINGS[number + 1 :]
    tour = looked_up(replace(EXACT, findings=left))
    assert not tour.exact
    assert [one.planted for one in tour.seen if one.root is None] == [BREAKS[number]]


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (replace(EXACT, roots=(*ROOTS, root(99, "degraded"))), "not planted, yet degraded"),
        (replace(EXACT, roots=(root(0, "broken", cause="unknown"), *ROOTS[1:])), "without a cause"),
        (replace(EXACT, roots=(root(0, "broken", fix=""), *ROOTS[1:])), "without a cause or a fix"),
        (
            replace(EXACT, roots=(root(0, "broken", findings=("F0", "F1")), *ROOTS[2:])),
            "taken for the root of something else",
        ),
        (
            replace(EXACT, findings=(*FINDINGS, finding(99, HARMLESS[0], status="degraded"))),
            "harmless, yet degraded",
        ),
        (
            replace(EXACT, findings=(*FINDINGS, finding(99, BREAKS[0], status="inconclusive"))),
            "no opinion",
        ),
    ],
)
def test_anything_beside_it_is_a_surprise(report, said):
    tour = looked_up(report)
    assert not tour.exact
    assert any(text.startswith(said) for text in tour.surprises)


def test_a_break_of_another_status_is_not_the_one_planted():
    other = (finding(0, BREAKS[0], status="acceptable"), *FINDINGS[1:])
    assert not looked_up(replace(EXACT, findings=other)).exact
