"""The numbers that docs/scoring.md shows are the numbers the code gives."""

import pytest

from mcp_eval.compare.metrics import final_score, formula_arguments
from mcp_eval.judge.scoring import ACTIONS, BANDS, PASS
from tests.docs.documents import ROOT

SCORING = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
MATRIX = (ROOT / "docs" / "decision-matrix.md").read_text(encoding="utf-8")


def table(text, after):
    """The cells of the first table after a line."""
    lines = text[text.index(after) :].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|---"))
    rows = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip().strip("`*") for cell in line.strip("|").split("|")])
    return rows


@pytest.mark.parametrize(
    ("baseline", "current", "described", "formula"), table(SCORING, "<!-- computed: query pairs")
)
def test_a_row_of_the_formula_table_is_computed(baseline, current, described, formula):
    found = formula_arguments({"query": baseline}, {"query": current})
    assert f"{found.similarity:.2f}" == formula


def test_the_numbers_in_the_text_are_computed():
    number_and_text = formula_arguments({"limit": 10}, {"limit": "10"})
    one_more = formula_arguments({"query": "x"}, {"query": "x", "limit": 10})
    assert (number_and_text.value_similarity, number_and_text.similarity) == pytest.approx(
        (0.9, 0.93)
    )
    assert one_more.similarity == pytest.approx(0.85)
    assert formula_arguments({"paths": ["/etc"]}, {"paths": ["/cte"]}).similarity == pytest.approx(
        1
    )


def test_the_five_runs_pass_once_in_five():
    first, *others = (
        "environment variables",
        "env variables",
        "environment vars",
        "env vars config",
        "environment config",
    )
    alike = [
        formula_arguments({"query": first}, {"query": text}).similarity for text in (first, *others)
    ]
    finals = [final_score(each, baseline="success", candidate="success") for each in alike]
    assert "finals 1.00, .63, .63, .44, .63: 1 of 5 passes at 0.8" in SCORING
    assert [f"{final:.2f}" for final in finals] == ["1.00", "0.63", "0.63", "0.44", "0.63"]
    assert sum(final >= PASS for final in finals) == 1


@pytest.mark.parametrize("row", table(SCORING, "| candidate / baseline |"), ids=lambda row: row[0])
@pytest.mark.parametrize("t", [0.0, 0.5, 1.0])
def test_the_matrix_of_finals_is_computed(row, t):
    candidate, *cells = row
    for baseline, cell in zip(("success", "failed", "blocked"), cells, strict=True):
        formula = cell.partition(", less")[0].replace("·", "*")
        wanted = eval(formula, {"t": t, "min": min})
        found = final_score(t, baseline=baseline, candidate=candidate)
        assert found == pytest.approx(wanted), (candidate, baseline)


def test_bands_and_actions_stand_as_the_code_has_them():
    shown = dict(table(SCORING, "| status | band |"))
    for status, (low, high) in BANDS.items():
        assert f"{low:g}" in shown[status]
        assert f"{high:g}" in shown[status]
    actions = {row[0]: row[2] for row in table(MATRIX, "| status | means |")}
    assert actions == ACTIONS
