"""Cohen's kappa and Gwet's AC, against scikit-learn, statsmodels and the figures published with irrCAC."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from stats_tables import ABSTRACTORS, FOUR_RATERS, SIX_RATERS, chained, noisy, of_counts, of_table
from statsmodels.stats.inter_rater import cohens_kappa

from adjudge.stats.confusion import Confusion
from adjudge.stats.estimate import Estimate
from adjudge.stats.kappa import Weights, cohen_kappa, distances, gwet_ac
from adjudge.stats.ratings import Label, Ratings

WEIGHTS: list[Weights | None] = [None, "linear", "quadratic"]
ALL_WEIGHTS: list[Weights | None] = [*WEIGHTS, "ordinal"]
COEFFICIENTS = [cohen_kappa, gwet_ac]
Coefficient = Callable[[Ratings, Weights | None], Estimate]


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seed", range(5))
def test_kappa_agrees_with_scikit_learn(weights: Weights | None, seed: int) -> None:
    first, second = noisy(np.random.default_rng(seed), 60)
    result = cohen_kappa(Ratings.of([first, second]), weights)
    assert result.value == pytest.approx(cohen_kappa_score(first, second, weights=weights))


def test_kappa_takes_labels_nobody_used_for_steps() -> None:
    first, second = [1, 1, 5, 5, 1], [1, 5, 5, 5, 1]
    ratings = Ratings.of(
        [
            first,
            second,
        ],
        labels=[1, 2, 3, 4, 5],
    )
    expected = cohen_kappa_score(first, second, weights="linear", labels=[1, 2, 3, 4, 5])
    assert cohen_kappa(ratings, "linear").value == pytest.approx(expected)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seed", range(3))
def test_standard_error_of_kappa_is_that_of_fleiss_cohen_and_everitt(weights: Weights | None, seed: int) -> None:
    ratings = Ratings.of(noisy(np.random.default_rng(seed), 80))
    table = np.array(Confusion.of(ratings).counts)
    published = cohens_kappa(table, wt=weights or None).std_kappa
    assert cohen_kappa(ratings, weights).se == pytest.approx(published * (80 / 79) ** 0.5)


@pytest.mark.parametrize(
    ("coefficient", "weights", "value", "se"),
    [
        (cohen_kappa, None, 0.7964094, 0.05891072),
        (cohen_kappa, "quadratic", 0.8921569, 0.03535151),
        (gwet_ac, None, 0.8493305, 0.04321747),
        (gwet_ac, "quadratic", 0.9402369, 0.01792019),
    ],
)
def test_two_raters_as_published_with_irrcac(
    coefficient: Coefficient, weights: Weights | None, value: float, se: float
) -> None:
    """The vignettes "overview" and "weighting" of irrCAC 1.0; there tables have n in the variance, not n - 1."""
    result = coefficient(of_table(ABSTRACTORS), weights)
    assert result.value == pytest.approx(value, abs=5e-8)
    assert result.se == pytest.approx(se * (100 / 99) ** 0.5, abs=5e-8)


@pytest.mark.parametrize(
    ("weights", "value", "se"), [(None, 0.4448007, 0.08418757), ("quadratic", 0.4837438, 0.1058227)]
)
def test_six_raters_as_published_with_irrcac(weights: Weights | None, value: float, se: float) -> None:
    result = gwet_ac(of_counts(SIX_RATERS), weights)
    assert result.value == pytest.approx(value, abs=5e-8)
    assert result.se == pytest.approx(se, abs=5e-8)


@pytest.mark.parametrize(("weights", "value"), [(None, 0.77544), ("quadratic", 0.914)])
def test_four_raters_with_gaps_as_published_with_irrcac(weights: Weights | None, value: float) -> None:
    result = gwet_ac(Ratings.of(FOUR_RATERS), weights)
    assert result.value == pytest.approx(value, abs=5e-6)
    assert result.n == 12


def test_ordinal_weights_as_published_with_irrcac() -> None:
    published = [[1, 0.6666667, 0], [0.6666667, 1, 0.6666667], [0, 0.6666667, 1]]
    assert 1 - distances(3, "ordinal") == pytest.approx(np.array(published), abs=5e-8)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("weights", ALL_WEIGHTS)
def test_standard_error_is_that_of_leaving_out_conversations(coefficient: Coefficient, weights: Weights | None) -> None:
    ratings = chained(np.random.default_rng(3), 150, 4, 0.6)
    left_out = [
        coefficient(Ratings(ratings.codes[:, kept], ratings.labels, ratings.clusters[kept]), weights).value
        for kept in (ratings.clusters != cluster for cluster in range(150))
    ]
    values = np.array(left_out, dtype=float)
    jackknife = (149 / 150 * ((values - values.mean()) ** 2).sum()) ** 0.5
    assert coefficient(ratings, weights).se == pytest.approx(jackknife, rel=0.03)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_copies_within_a_conversation_tell_nothing_new(coefficient: Coefficient) -> None:
    first, second = noisy(np.random.default_rng(4), 50)
    once = coefficient(Ratings.of([first, second]), None)
    copied = coefficient(Ratings.of([first * 3, second * 3], clusters=[*range(50)] * 3), None)
    assert (copied.value, copied.low, copied.high) == pytest.approx((once.value, once.low, once.high))
    assert (copied.n, copied.clusters) == (150, 50)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("weights", ALL_WEIGHTS)
def test_agreeing_always_is_not_certain(coefficient: Coefficient, weights: Weights | None) -> None:
    labels = [1, 2, 3, 4] * 5
    result = coefficient(Ratings.of([labels, labels]), weights)
    assert result.value == result.high == 1.0
    assert result.low is not None
    assert 0.3 < result.low < 0.9
    assert result.method == "exact"


def test_never_agreeing_is_not_certain() -> None:
    result = cohen_kappa(Ratings.of([["a", "b"] * 10, ["b", "a"] * 10]))
    assert result.value == result.low == -1.0
    assert result.high is not None
    assert -0.9 < result.high < 0


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("raters", [[[], []], [[None], [None]], [["a", None], [None, "b"]]])
def test_without_an_item_in_common_it_is_undefined(coefficient: Coefficient, raters: list[list[Label | None]]) -> None:
    result = coefficient(Ratings.of(raters), None)
    assert (result.value, result.low, result.high, result.se) == (None, None, None, None)
    assert result.why.startswith("no item was rated")


def test_with_one_label_kappa_is_undefined_and_ac_needs_to_know_the_others() -> None:
    item = [["good"] * 5, ["good"] * 5]
    assert cohen_kappa(Ratings.of(item)).why == "both gave the same label to every item"
    assert gwet_ac(Ratings.of(item)).why == "one label only"
    assert gwet_ac(Ratings.of(item, labels=["good", "bad"])).value == 1.0
    assert cohen_kappa(Ratings.of(item, labels=["good", "bad"])).value is None


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_one_item_or_one_conversation_has_no_interval(coefficient: Coefficient) -> None:
    for ratings in (Ratings.of([["a"], ["b"]]), Ratings.of([["a", "b"], ["b", "b"]], clusters=["x", "x"])):
        result = coefficient(ratings, None)
        assert result.value is not None
        assert (result.low, result.high, result.why) == (None, None, "one conversation: no interval")


def test_the_order_of_items_does_not_matter() -> None:
    first, second = noisy(np.random.default_rng(5), 40)
    order = np.random.default_rng(6).permutation(40)
    shuffled = Ratings.of([[rater[place] for place in order] for rater in (first, second)])
    for coefficient in COEFFICIENTS:
        here, there = coefficient(Ratings.of([first, second]), "linear"), coefficient(shuffled, "linear")
        assert (here.value, here.low, here.high) == pytest.approx((there.value, there.low, there.high))


@pytest.mark.parametrize("coefficient", [cohen_kappa, pytest.param(gwet_ac, marks=pytest.mark.trial)])
@pytest.mark.parametrize("agree", [0.5, pytest.param(0.85, marks=pytest.mark.trial)])
def test_intervals_cover_clustered_ratings(coefficient: Coefficient, agree: float) -> None:
    rng = np.random.default_rng(7)
    truth = coefficient(chained(rng, 100_000, 5, agree), None).value
    results = [coefficient(chained(rng, 50, 5, agree), None) for _ in range(400)]
    covered = [cast(float, item.low) <= cast(float, truth) <= cast(float, item.high) for item in results]
    assert 0.92 <= np.mean(covered) <= 0.98
