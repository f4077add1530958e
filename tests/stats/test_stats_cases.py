"""Sums over cases and the errors of their means against statsmodels and against leaving out one case at a time."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from adjudge.stats.cases import Arm, Difference, PairedCases, UnpairedCases

SEEDS = range(20)


def arm(seed: int, n: int, weighted: bool = True) -> Arm:
    dice = np.random.default_rng(seed)
    weights = dice.integers(1, 30, n) if weighted else np.ones(n)
    return Arm.over_marks(dice.normal(2, 1, n) * weights, weights)


def estimate(data: PairedCases | UnpairedCases) -> Difference:
    result = data.estimate()
    assert isinstance(result, Difference)
    return result


@pytest.mark.parametrize("seed", SEEDS)
def test_the_error_is_that_of_leaving_out_one_case_at_a_time(seed: int) -> None:
    a, b = arm(seed, 11), arm(seed + 100, 11)
    kept = ~np.eye(11, dtype=bool)
    left = np.array([a.take(keep).mean - b.take(keep).mean for keep in kept])
    expected = (10 / 11 * ((left - (a.mean - b.mean)) ** 2).sum()) ** 0.5
    assert estimate(PairedCases.of(a, b)).error == pytest.approx(expected)


def test_the_error_agrees_with_cluster_robust_regression_of_statsmodels() -> None:
    dice = np.random.default_rng(5)
    weights = dice.integers(3, 13, 2000)
    hard = dice.normal(0, 1, 2000)
    marks = [dice.normal(level + np.repeat(hard, weights), 1) for level in (0.3, 0.0)]
    groups = np.repeat(np.arange(2000), weights)
    arms = [Arm.over_marks(np.bincount(groups, of), weights) for of in marks]
    design = np.column_stack([np.ones(2 * len(groups)), np.repeat([1.0, 0.0], len(groups))])
    fitted = sm.OLS(np.concatenate(marks), design).fit(cov_type="cluster", cov_kwds={"groups": np.tile(groups, 2)})
    result = estimate(PairedCases.of(*arms))
    assert result.difference == pytest.approx(fitted.params[1])
    # Both estimate the same; leaving out long cases makes the jackknife's a little larger.
    assert result.error == pytest.approx(fitted.bse[1], rel=2e-3)
    assert result.error > fitted.bse[1]


def test_equal_weights_give_the_linearised_variance_with_n_over_n_less_one() -> None:
    a, b = (Arm.over_marks(np.random.default_rng(seed).normal(3, 1, 9), np.full(9, 4.0)) for seed in (1, 2))
    residuals = (a.totals - a.mean * 4) / 36 - (b.totals - b.mean * 4) / 36
    assert estimate(PairedCases.of(a, b)).error == pytest.approx((9 / 8 * (residuals**2).sum()) ** 0.5)


def test_cases_that_one_arm_does_not_define_are_not_shared() -> None:
    data = PairedCases.of(Arm.over_marks([1, 0, 4], [2, 0, 4]), Arm.over_marks([0, 3, 2], [0, 4, 4]))
    assert (data.n, data.a.mean, data.b.mean) == (1, 1.0, 0.5)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        Arm.over_marks([1.0, float("nan")], [1, 1])
    with pytest.raises(ValueError, match="below 0"):
        Arm.over_marks([1.0], [-1.0])
    with pytest.raises(ValueError, match="as many weights as totals"):
        Arm.over_marks([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="same cases"):
        PairedCases.of(Arm.over_conversations([1]), Arm.over_conversations([1, 2]))


def test_the_estimate_s_sd_is_that_of_the_paired_differences() -> None:
    dice = np.random.default_rng(1)
    a, b = dice.normal(0, 1, 12), dice.normal(0, 1, 12)
    assert estimate(PairedCases.of(Arm.over_conversations(a), Arm.over_conversations(b))).sd == pytest.approx(
        (a - b).std(ddof=1)
    )
