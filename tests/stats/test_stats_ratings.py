"""Ratings, confusion and observed agreement."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix
from stats_tables import ABSTRACTORS, noisy, of_table
from statsmodels.stats.proportion import proportion_confint

from adjudge.stats.confusion import Confusion, observed_agreement
from adjudge.stats.interval import UNIT, estimate_items
from adjudge.stats.ratings import Ratings


def test_raters_must_rate_the_same_items() -> None:
    with pytest.raises(ValueError, match="raters with 1 and 2 items; expected the same items"):
        Ratings.of([["a"], ["a", "b"]])


def test_a_label_outside_the_given_ones_is_refused() -> None:
    with pytest.raises(ValueError, match="label 'c' is none of 'a', 'b'"):
        Ratings.of([["a"], ["c"]], labels=["a", "b"])


def test_a_label_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="expected each once"):
        Ratings.of([["a"], ["a"]], labels=["a", "a"])


def test_nan_is_no_label() -> None:
    with pytest.raises(ValueError, match="expected None where a rater said nothing"):
        Ratings.of([[1.0, float("nan")], [1.0, 2.0]])


def test_clusters_must_be_one_for_each_item() -> None:
    with pytest.raises(ValueError, match="1 clusters for 2 items; expected one each"):
        Ratings.of([[1, 2], [1, 2]], clusters=["one"])


def test_numbers_come_before_words_where_raters_mix_them() -> None:
    assert Ratings.of([["unsure", 2], [10, 2]]).labels == (2, 10, "unsure")


def test_confusion_takes_two_raters() -> None:
    with pytest.raises(ValueError, match="3 raters; expected two"):
        Confusion.of(Ratings.of([["a"], ["a"], ["a"]]))


def test_confusion_agrees_with_scikit_learn() -> None:
    first, second = noisy(np.random.default_rng(1), 200)
    result = Confusion.of(Ratings.of([first, second]))
    assert result.counts == tuple(map(tuple, confusion_matrix(first, second).tolist()))
    assert result.agreement == pytest.approx(np.mean(np.array(first) == np.array(second)))


def test_confusion_keeps_the_order_of_given_labels_and_counts_what_is_left_out() -> None:
    result = Confusion.of(Ratings.of([["b", "a", None], ["b", "b", "a"]], labels=["b", "a", "c"]))
    assert result.labels == ("b", "a", "c")
    assert result.counts == ((1, 0, 0), (1, 0, 0), (0, 0, 0))
    assert (result.n, result.left_out) == (2, 1)


@pytest.mark.parametrize("raters", [[[], []], [[None], [None]], [["a", None], [None, "a"]]])
def test_agreement_of_nothing_is_undefined(raters: list[list[str | None]]) -> None:
    ratings = Ratings.of(raters)
    assert Confusion.of(ratings).agreement is None
    result = observed_agreement(ratings)
    assert (result.value, result.low, result.why) == (None, None, "no items")


def test_observed_agreement_is_the_published_one_with_the_score_interval() -> None:
    result = observed_agreement(of_table(ABSTRACTORS))
    assert result.value == pytest.approx(0.89)
    assert (result.low, result.high) == pytest.approx(proportion_confint(89, 100, method="wilson"), abs=2e-3)


def test_all_agreed_is_not_certain() -> None:
    result = observed_agreement(Ratings.of([[1] * 20, [1] * 20]))
    assert result.value == result.high == 1.0
    assert result.low == pytest.approx(proportion_confint(20, 20, method="beta")[0])


def test_a_share_counts_copies_in_a_conversation_once() -> None:
    hits = np.array([1.0] * 15 + [0.0] * 5)
    once = estimate_items(hits, np.arange(20), UNIT)
    copied = estimate_items(np.repeat(hits, 10), np.repeat(np.arange(20), 10), UNIT)
    assert copied.se == pytest.approx(once.se)
    assert once.low is not None
    assert copied.low is not None
    assert copied.low == pytest.approx(once.low)


def test_share_covers_clustered_data() -> None:
    rng = np.random.default_rng(11)
    clusters, covered = np.repeat(np.arange(40), 5), 0
    for _ in range(500):
        leaning = rng.beta(8, 2, (40, 1))
        result = estimate_items((rng.random((40, 5)) < leaning).astype(float).ravel(), clusters, UNIT)
        assert result.low is not None
        assert result.high is not None
        covered += result.low <= 0.8 <= result.high
    assert 0.92 <= covered / 500 <= 0.98
