"""Where in its status's band something stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.judge.scoring import ACTIONS, BANDS, SEVERITY, band, place, worst

STATUSES = list(BANDS)


@pytest.mark.parametrize(
    ("status", "similarity", "score"),
    [
        ("broken", 0.0, 0.0),
        ("broken", 0.5, 0.15),
        ("broken", 1.0, 0.29),
        ("degraded", 0.0, 0.3),
        ("degraded", 0.5, 0.45),
        ("degraded", 1.0, 0.59),
        ("acceptable", 0.0, 0.6),
        ("acceptable", 0.5, 0.7),
        ("acceptable", 1.0, 0.79),
        ("good", 0.0, 0.8),
        ("good", 0.5, 0.9),
        ("good", 0.97, 0.99),
        ("good", 1.0, 0.99),
    ],
)
def test_a_score_is_as_far_up_its_band_as_both_sides_are_alike(status, similarity, score):
    assert place(status, similarity) == pytest.approx(score)


def test_only_what_is_identical_is_1():
    assert place("good", 1.0, identical=True) == 1.0
    assert place("good", 0.0, identical=True) == 1.0
    assert place("acceptable", 1.0, identical=True) == 0.79


def test_no_opinion_is_no_number():
    assert place("inconclusive", 1.0) is None
    assert place("inconclusive", 1.0, identical=True) is None


@given(st.sampled_from(STATUSES), st.floats(-1.0, 2.0))
def test_a_score_never_leaves_its_band(status, similarity):
    low, high = BANDS[status]
    assert low <= place(status, similarity) <= high - 0.01
    assert band(place(status, similarity)) == status


@given(st.sampled_from(STATUSES), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_more_alike_the_higher(status, one, other):
    low, high = sorted((one, other))
    assert place(status, low) <= place(status, high)


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        ((), "good"),
        (("note", "note"), "good"),
        (("note", "acceptable"), "acceptable"),
        (("acceptable", "inconclusive"), "inconclusive"),
        (("inconclusive", "degraded"), "degraded"),
        (("inconclusive", "broken", "note"), "broken"),
        (("degraded", "broken"), "broken"),
    ],
)
def test_broken_and_degraded_come_before_no_opinion_and_that_before_the_rest(statuses, status):
    assert worst(statuses) == status
    assert worst(reversed(statuses)) == status


def test_every_status_has_an_action_of_its_own():
    assert set(ACTIONS) == set(SEVERITY)
    assert len(set(ACTIONS.values())) == len(SEVERITY)


@pytest.mark.parametrize(
    ("score", "status"),
    [
        (0.0, "broken"),
        (0.2999, "broken"),
        (0.3, "degraded"),
        (0.5999, "degraded"),
        (0.6, "acceptable"),
        (0.7999, "acceptable"),
        (0.8, "good"),
        (1.0, "good"),
    ],
)
def test_a_score_falls_into_its_band(score, status):
    assert band(score) == status
