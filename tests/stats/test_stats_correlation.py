"""Correlation and difference of a judge's and people's numbers, against scipy and statsmodels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm

from adjudge.stats.correlation import bias, kendall, mean_absolute_difference, pearson, spearman
from adjudge.stats.estimate import Estimate
from adjudge.stats.judged import JudgedItems

ORACLES = [(pearson, scipy.stats.pearsonr), (spearman, scipy.stats.spearmanr), (kendall, scipy.stats.kendalltau)]
CORRELATIONS = [pearson, spearman, kendall]
Statistic = Callable[[JudgedItems], Estimate]


def graded(rng: np.random.Generator, conversations: int, turns: int = 1, rho: float = 0.6) -> JudgedItems:
    """Grades of 1 to 5 by judge and human, the judge half a grade too kind, both alike within a conversation."""
    mood = rng.normal(size=(conversations, 1))
    human = 0.6 * mood + 0.8 * rng.normal(size=(conversations, turns))
    judge = rho * human + (1 - rho**2) ** 0.5 * rng.normal(size=(conversations, turns)) + 0.5
    grades = [np.clip(np.round(values.ravel() + 3), 1, 5) for values in (judge, human)]
    return JudgedItems(grades[0], grades[1], np.repeat(np.arange(conversations), turns))


@pytest.mark.parametrize(("statistic", "oracle"), ORACLES)
@pytest.mark.parametrize("seed", range(4))
def test_correlations_agree_with_scipy(statistic: Statistic, oracle: Callable[..., Any], seed: int) -> None:
    judged = graded(np.random.default_rng(seed), 50)
    assert statistic(judged).value == pytest.approx(oracle(judged.judge, judged.human)[0])


def test_kendall_looks_at_all_pairs_of_many_items() -> None:
    judged = graded(np.random.default_rng(1), 2500)
    assert kendall(judged).value == pytest.approx(scipy.stats.kendalltau(judged.judge, judged.human)[0])


@pytest.mark.parametrize("statistic", CORRELATIONS)
def test_standard_error_is_that_of_leaving_out_conversations(statistic: Statistic) -> None:
    judged = graded(np.random.default_rng(2), 150, 3)
    left_out = [
        statistic(JudgedItems(judged.judge[kept], judged.human[kept], judged.clusters[kept])).value
        for kept in (judged.clusters != cluster for cluster in range(150))
    ]
    values = np.array(left_out, dtype=float)
    jackknife = (149 / 150 * ((values - values.mean()) ** 2).sum()) ** 0.5
    assert statistic(judged).se == pytest.approx(jackknife, rel=0.03)


@pytest.mark.parametrize(
    "statistic", [pearson, *(pytest.param(item, marks=pytest.mark.trial) for item in (spearman, kendall))]
)
def test_intervals_of_correlations_cover(statistic: Statistic) -> None:
    rng = np.random.default_rng(9)
    truth = cast(float, statistic(graded(rng, 2000, 4)).value)
    results = [statistic(graded(rng, 50, 4)) for _ in range(400)]
    assert 0.92 <= np.mean([cast(float, item.low) <= truth <= cast(float, item.high) for item in results]) <= 0.98


def test_bias_has_the_cluster_robust_interval_of_statsmodels() -> None:
    judged = graded(np.random.default_rng(3), 40, 5)
    fit = sm.OLS(judged.error, np.ones(200)).fit(
        cov_type="cluster", cov_kwds={"groups": judged.clusters, "use_correction": False}, use_t=True
    )
    result = bias(judged)
    assert result.value == pytest.approx(fit.params[0])
    assert result.se == pytest.approx(fit.bse[0] * (40 / 39) ** 0.5)
    half = scipy.stats.t.ppf(0.975, 39) * cast(float, result.se)
    assert (result.low, result.high) == pytest.approx((fit.params[0] - half, fit.params[0] + half))


def test_bias_is_the_t_interval_of_scipy_where_items_are_independent() -> None:
    judged = graded(np.random.default_rng(4), 30)
    interval = scipy.stats.ttest_1samp(judged.error, 0).confidence_interval()
    result = bias(judged)
    assert (result.low, result.high) == pytest.approx((interval.low, interval.high))


def test_mean_absolute_difference_is_what_it_says_and_not_below_0() -> None:
    result = mean_absolute_difference(JudgedItems.of([1, 2, 5, 3], [1, 2, 3, 3]))
    assert result.value == 0.5
    assert result.low == 0.0


def test_items_that_one_left_out_are_left_out() -> None:
    judged = JudgedItems.of([1, None, 3, 4, 2], [2, 5, 3, None, 2])
    assert bias(judged).n == 3
    assert bias(judged).value == pytest.approx(-1 / 3)


@pytest.mark.parametrize("statistic", [*CORRELATIONS, bias, mean_absolute_difference])
@pytest.mark.parametrize(
    "judged", [JudgedItems.of([], []), JudgedItems.of([None], [None]), JudgedItems.of([1, None], [None, 1])]
)
def test_of_nothing_in_common_all_is_undefined(statistic: Statistic, judged: JudgedItems) -> None:
    result = statistic(judged)
    assert (result.value, result.low, result.high, result.se) == (None, None, None, None)
    assert result.why


@pytest.mark.parametrize("statistic", CORRELATIONS)
def test_correlations_are_undefined_where_one_does_not_vary(statistic: Statistic) -> None:
    result = statistic(JudgedItems.of([0.1] * 5, [1, 2, 3, 4, 5]))
    assert (result.value, result.why) == (None, "the same value for every item")
    assert statistic(JudgedItems.of([1], [1])).why == "fewer than two items were valued by both"


@pytest.mark.parametrize("statistic", CORRELATIONS)
@pytest.mark.parametrize(("judge", "r"), [([1, 2, 3, 4], 1.0), ([4, 3, 2, 1], -1.0)])
def test_a_perfect_line_has_no_interval(statistic: Statistic, judge: list[float], r: float) -> None:
    result = statistic(JudgedItems.of(judge, [1, 2, 3, 4]))
    assert result.value == pytest.approx(r)
    assert (result.low, result.why) == (None, "all items on one line: no interval")


def test_equal_differences_have_no_interval() -> None:
    result = bias(JudgedItems.of([0.3, 0.5, 0.9], [0.2, 0.4, 0.8]))
    assert result.value == pytest.approx(0.1)
    assert (result.low, result.why) == (None, "conversations do not differ: no interval")


def test_infinite_values_and_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="value inf; expected a number or None"):
        JudgedItems.of([float("inf")], [1])
    with pytest.raises(ValueError, match="1 values of the judge and 2 of people"):
        JudgedItems.of([1], [1, 2])
