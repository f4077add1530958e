"""Ranks and rank correlation: by hand, against scipy, and where they are undefined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from adjudge.suites.decision.methods import rank_correlation, ranks
from adjudge.suites.decision.methods.ranking import FEW

scores = st.lists(st.integers(-5, 5), min_size=2, max_size=12)


def pairwise_tau(first: list[int], second: list[int]) -> float | None:
    """Tau-b from its definition, pair by pair."""
    pairs = [(i, j) for i in range(len(first)) for j in range(i)]
    signs = [np.sign(first[i] - first[j]) for i, j in pairs]
    other = [np.sign(second[i] - second[j]) for i, j in pairs]
    untied = np.count_nonzero(signs) * np.count_nonzero(other)
    return float(np.dot(signs, other)) / untied**0.5 if untied else None


def test_the_highest_score_is_first_and_ties_share_the_mean():
    assert ranks([10, 30, 20, 20, 5]).tolist() == [4, 1, 2.5, 2.5, 5]


def test_no_scores_have_no_ranks():
    assert ranks([]).tolist() == []


@given(scores)
def test_scipy_finds_the_same_ranks(given_: list[int]):
    assert ranks(given_).tolist() == stats.rankdata([-score for score in given_]).tolist()


@given(st.data())
def test_kendall_counts_pairs(data: st.DataObject):
    first = data.draw(scores)
    second = data.draw(st.lists(st.integers(-5, 5), min_size=len(first), max_size=len(first)))
    expected = pairwise_tau(first, second)
    actual = rank_correlation(first, second)
    assert actual is None if expected is None else actual == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("size", [2, 3, 7, FEW, FEW + 1])
def test_kendall_is_to_the_last_digit_that_of_scipy(size: int):
    draw = np.random.default_rng(size)
    for _ in range(20):
        first, second = draw.permutation(size), np.append(draw.integers(0, size, size - 1), -1)
        second[0] = size  # Ties, but not all scores are tied.
        assert rank_correlation(first, second) == float(stats.kendalltau(first, second).statistic)


def test_spearman_without_ties_by_hand():
    # 1 - 6 (1 + 1 + 0 + 0) / (4 x 15).
    assert rank_correlation([4, 3, 2, 1], [3, 4, 2, 1], "spearman") == pytest.approx(0.8)


@pytest.mark.parametrize("kind", ["kendall", "spearman"])
def test_the_same_order_is_1_and_its_reverse_minus_1(kind: Any):
    assert rank_correlation([0.1, 0.5, 0.9], [1, 20, 300], kind) == pytest.approx(1)
    assert rank_correlation([0.1, 0.5, 0.9], [3, 2, 1], kind) == pytest.approx(-1)


@pytest.mark.parametrize("kind", ["kendall", "spearman"])
@pytest.mark.parametrize(("first", "second"), [([1, 1, 1], [1, 2, 3]), ([1, 2], [5, 5]), ([1], [1]), ([], [])])
def test_what_ranks_nothing_correlates_with_nothing(first: list[float], second: list[float], kind: Any):
    assert rank_correlation(first, second, kind) is None


def test_infinite_scores_have_ranks():
    assert ranks([np.inf, 0, -np.inf]).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("first", "second", "kind", "message"),
    [
        ([1, 2], [1, 2, 3], "kendall", "found 2 and 3 scores, expected as many in both"),
        ([1, np.nan], [1, 2], "kendall", r"first\[1\]: found nan, expected a number"),
        ([1, 2], [None, 2], "kendall", r"second\[0\]: found nan, expected a number"),
        ([[1, 2]], [1, 2], "kendall", r"first: found shape \(1, 2\), expected a list of scores"),
        ([1, 2], [1, 2], "pearson", "no rank correlation 'pearson', expected one of 'kendall', 'spearman'"),
    ],
)
def test_what_cannot_be_ranked_is_refused(first: Any, second: Any, kind: Any, message: str):
    with pytest.raises(ValueError, match=message):
        rank_correlation(first, second, kind)
