"""Resampling of many ratios at once: the right distribution, pairing, and undefined cases."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.stats.bootstrap import resample


def test_every_resample_draws_as_many_cases_as_there_are() -> None:
    found = resample(np.ones((7, 1)), np.ones((7, 1)), resamples=50)
    assert (found.weights == 7).all()


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
    found = resample(totals, weights, resamples=200)
    assert found.totals.shape == (200, 2, 3)
    assert found.differences((1, 2), (0, 2)) == pytest.approx(np.full(200, 0.25))


def test_columns_do_not_influence_each_other() -> None:
    dice = np.random.default_rng(4)
    weights = dice.integers(1, 5, (30, 6)).astype(float)
    totals = weights * dice.random((30, 6))
    together, alone = resample(totals, weights, seed=9), resample(totals[:, 2:3], weights[:, 2:3], seed=9)
    assert together.means(2) == pytest.approx(alone.means(0), rel=1e-12)


def test_resamples_without_a_defined_case_are_left_out() -> None:
    weights = np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    found = resample(weights, weights, seed=1, resamples=3000)
    assert set(found.means(0)) == {1.0}
    assert len(found.means(0)) == pytest.approx(3000 * (1 - (2 / 3) ** 3), rel=0.05)
    assert len(found.differences((0,), (1,))) == len(found.means(0))


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
