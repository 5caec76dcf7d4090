"""Which call stands for which: shared words, leads, the best sum, and who kept the order."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.align import staying
from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.matching import _clear as clear
from mcp_eval.compare.matching import _eager as eager
from mcp_eval.compare.matching import _leading as leading
from mcp_eval.compare.matching import _obvious as obvious
from mcp_eval.compare.matching import _overlap as overlap
from mcp_eval.compare.matching import identical, match

COSTS = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 9), max_size=12
)
ORDERS = st.lists(st.integers(0, 6), unique=True, max_size=6)


def paired(olds, news):
    return {i: j for i, (j, _) in match(olds, news).items()}


# --- the best sum ---


@given(COSTS)
def test_no_pairing_has_a_higher_sum(scores):
    found = best_pairs(scores)
    assert len(set(found.values())) == len(found)
    best = max(
        sum(scores.get((i, j), 0) for i, j in enumerate(order)) for order in permutations(range(4))
    )
    assert sum(scores[pair] for pair in found.items()) == best


def test_only_pairs_with_a_score_are_made():
    assert best_pairs({}) == {}
    assert best_pairs({("a", "x"): 0.0}) == {"a": "x"}
    assert best_pairs({("a", "x"): 1.0, ("b", "x"): 2.0}) == {"b": "x"}
    scores = {("a", "x"): 5.0, ("a", "y"): 4.0, ("b", "x"): 4.0}
    assert best_pairs(scores) == {"a": "y", "b": "x"}


@given(ORDERS)
def test_the_most_that_can_stay_in_order_stay(places):
    order = list(enumerate(places))
    kept = staying(order)
    there = [places[i] for i in sorted(kept)]
    assert there == sorted(there)
    longest = max(
        sum(bits >> i & 1 for i in range(len(places)))
        for bits in range(2 ** len(places))
        if _rises([place for i, place in enumerate(places) if bits >> i & 1])
    )
    assert len(kept) == longest


def _rises(places):
    return places == sorted(places)


# --- words and leads ---


@pytest.mark.parametrize(
    ("one", "other", "share"), [("", "", 0.0), ("ab", "ab", 1.0), ("ab", "bc", 1 / 3), ("a", "b", 0.0)]
)  # fmt: skip
def test_an_overlap_is_a_share_of_all_words(one, other, share):
    assert overlap(frozenset(one), frozenset(other)) == pytest.approx(share)


def test_a_lead_is_measured_on_either_side():
    scores = {("a", "x"): 1.0, ("a", "y"): 0.25, ("b", "x"): 0.75, ("b", "y"): 0.5}
    assert leading(scores, 0.25) == ({"a": "x", "b": "x"}, {"x": "a", "y": "b"})
    assert leading(scores, 0.5) == ({"a": "x"}, {})
    assert clear(scores) == {"a": "x"}
    assert clear({("a", "x"): 0.9, ("a", "y"): 0.85}) == {}
    assert clear({("a", "x"): 0.9}) == {"a": "x"}
    assert clear({("a", "y"): 0.5, ("a", "x"): 0.9, ("a", "z"): 0.7}) == {"a": "x"}
    assert clear({("a", "y"): 0.5, ("a", "x"): 0.9, ("a", "z"): 0.85}) == {}


def test_what_is_obvious_needs_no_weighing():
    assert obvious({("a", "x"): 2.0, ("a", "y"): 1.0, ("b", "x"): 1.0, ("b", "y"): 2.0}) == {
        "a": "x",
        "b": "y",
    }
    assert obvious({("a", "x"): 2.0, ("a", "y"): 1.0, ("b", "x"): 3.0, ("b", "y"): 2.0}) == {}
    assert obvious({("a", "x"): 2.0, ("a", "y"): 2.0}) == {}


def test_of_very_many_the_likest_come_first():
    assert eager({("a", "x"): 2.0, ("a", "y"): 1.0, ("b", "x"): 3.0, ("b", "y"): 0.5}) == {
        "b": "x",
        "a": "y",
    }
    assert eager({("a", "x"): 1.0, ("b", "x"): 1.0}) == {"a": "x"}


# --- calls of one tool ---


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({}, {}, True),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 1}, {"a": 2}, False),
        ({"a": [1]}, {"a": [True]}, False),
        ({"a": [1]}, {"a": [1]}, True),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}, True),
    ],
)
def test_calls_are_identical_as_json(one, other, same):
    assert identical(one, other) is same
    assert identical(one, one)


def test_equal_calls_pair_first_with_first():
    a, b = {"id": "a"}, {"id": "b"}
    assert paired([a, b], [a, b]) == {0: 0, 1: 1}
    assert paired([a, b], [b, a]) == {0: 1, 1: 0}
    assert paired([a, a, b], [a, b, a]) == {0: 0, 1: 2, 2: 1}
    assert paired([a], [b]) == {0: 0}
    assert paired([a, b], [b]) == {1: 0}
    assert paired([], [a]) == {}


def test_of_many_calls_each_finds_its_own_by_its_rare_word():
    olds = [{"query": f"find item{number} please"} for number in range(16)]
    news = [{"query": f"look for item{number}"} for number in (*range(8, 16), *range(8))]
    assert paired(olds, news) == {number: (number + 8) % 16 for number in range(16)}


def test_of_many_calls_that_say_little_each_takes_its_place():
    olds = [{"limit": number} for number in range(14)]
    news = [{"limit": number + 100} for number in range(14)]
    assert set(paired(olds, news)) == set(range(14))
    assert len(set(paired(olds, news).values())) == 14
