"""Resampling of many ratios at once: the right distribution, pairing, and undefined cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from adjudge.stats.bootstrap import (
    Group,
    group_distance,
    group_distance_limits,
    percentile_limits,
    resample,
)
from adjudge.stats.cases import Arm, PairedCases, Undefined


def test_every_resample_draws_as_many_cases_as_there_are() -> None:
    result = resample(np.ones((7, 1)), np.ones((7, 1)), resamples=50)
    assert (result.weights == 7).all()


def test_the_spread_of_a_resampled_mean_is_that_of_theory() -> None:
    values = np.random.default_rng(1).normal(0, 1, (40, 1))
    means = resample(values, np.ones((40, 1)), seed=2, resamples=20_000).means(0)
    assert means.mean() == pytest.approx(values.mean(), abs=0.005)
    assert means.std() == pytest.approx(values.std() / 40**0.5, rel=0.02)


def test_arms_and_metrics_are_drawn_together() -> None:
    dice = np.random.default_rng(3)
    weights = dice.integers(1, 5, (30, 2, 3)).astype(float)
    totals = weights * dice.random((30, 2, 3))
    totals[:, 1], weights[:, 1] = totals[:, 0] + 0.25 * weights[:, 0], weights[:, 0]
    result = resample(totals, weights, resamples=200)
    assert result.totals.shape == (200, 2, 3)
    assert result.differences((1, 2), (0, 2)) == pytest.approx(np.full(200, 0.25))


def test_columns_do_not_influence_each_other() -> None:
    dice = np.random.default_rng(4)
    weights = dice.integers(1, 5, (30, 6)).astype(float)
    totals = weights * dice.random((30, 6))
    together, alone = resample(totals, weights, seed=9), resample(totals[:, 2:3], weights[:, 2:3], seed=9)
    assert together.means(2) == pytest.approx(alone.means(0), rel=1e-12)


def test_resamples_without_a_defined_case_are_left_out() -> None:
    weights = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    result = resample(weights, weights, seed=1, resamples=3000)
    assert set(result.means(0)) == {1.0}
    assert len(result.means(0)) == pytest.approx(3000 * (1 - (2 / 3) ** 3), rel=0.05)
    assert len(result.differences((0,), (1,))) == len(result.means(0))


def test_the_same_seed_draws_the_same_also_over_several_blocks() -> None:
    values = np.random.default_rng(5).random((900, 1))
    first, again = (resample(values, np.ones_like(values), seed=3, resamples=5000).totals for _ in range(2))
    assert (first == again).all()
    assert (resample(values, np.ones_like(values), seed=4, resamples=5000).totals != first).any()


def test_what_cannot_be_resampled_is_refused() -> None:
    with pytest.raises(ValueError, match="one shape"):
        resample(np.ones((3, 1)), np.ones((3, 2)))
    with pytest.raises(ValueError, match="a case"):
        resample(np.ones((0, 1)), np.ones((0, 1)))


def test_percentile_limits_agree_with_scipy_and_repeat_with_their_seed() -> None:
    dice = np.random.default_rng(3)
    weights = dice.integers(3, 13, 30).astype(float)
    a, b = (Arm.over_marks(dice.binomial(weights.astype(int), rate), weights) for rate in (0.9, 0.7))

    def difference(ta: np.ndarray, wa: np.ndarray, tb: np.ndarray, wb: np.ndarray, axis: int = -1) -> np.ndarray:
        return ta.sum(axis) / wa.sum(axis) - tb.sum(axis) / wb.sum(axis)

    theirs = stats.bootstrap(
        (a.totals, a.weights, b.totals, b.weights),
        difference,
        paired=True,
        vectorized=True,
        n_resamples=40_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    data = PairedCases.of(a, b)
    assert percentile_limits(data, seed=2, resamples=40_000) == pytest.approx((theirs.low, theirs.high), abs=0.003)
    assert percentile_limits(data, seed=5, resamples=500) == percentile_limits(data, seed=5, resamples=500)
    assert percentile_limits(data, seed=5, resamples=500) != percentile_limits(data, seed=6, resamples=500)


def test_without_cases_or_spread_there_are_no_percentile_limits() -> None:
    same, single = Arm.over_conversations([0.3] * 5), Arm.over_conversations([0.3])
    none = percentile_limits(PairedCases.of(same, same))
    assert isinstance(none, Undefined)
    assert none.why == "the 5 cases show no spread to measure an interval by"
    assert isinstance(percentile_limits(PairedCases.of(single, single)), Undefined)


def test_the_limits_of_a_distance_hold_it_and_need_spread() -> None:
    groups = [Group(30, 0.4, 0.2), Group(10, -0.1, 0.3)]
    limits = group_distance_limits(groups)
    assert limits is not None
    assert limits[0] < group_distance(groups) < limits[1]
    assert group_distance_limits([Group(3, 0.5, 0.0)]) is None
