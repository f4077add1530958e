"""Tests of no difference against scipy, statsmodels and published figures."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from adjudge.stats.cases import Arm, Difference, Paired, Unpaired
from adjudge.stats.tests import fisher, mcnemar, welch

SEEDS = range(20)


def arm(seed: int, n: int, weighted: bool = True) -> Arm:
    dice = np.random.default_rng(seed)
    weights = dice.integers(1, 30, n) if weighted else np.ones(n)
    return Arm.over_marks(dice.normal(2, 1, n) * weights, weights)


def estimate(data: Paired | Unpaired) -> Difference:
    found = data.estimate()
    assert isinstance(found, Difference)
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_welch_agrees_with_scipy(seed: int) -> None:
    a, b = arm(seed, 7 + seed, weighted=False), arm(seed + 100, 12, weighted=False)
    expected = stats.ttest_ind(a.values, b.values, equal_var=False)
    found = welch(Unpaired.of(a, b))
    assert (found.statistic, found.p, found.df) == pytest.approx((expected.statistic, expected.pvalue, expected.df))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_error_is_that_of_leaving_out_one_case_at_a_time(seed: int) -> None:
    a, b = arm(seed, 11), arm(seed + 100, 11)
    kept = ~np.eye(11, dtype=bool)
    left = np.array([a.take(keep).mean - b.take(keep).mean for keep in kept])
    expected = (10 / 11 * ((left - (a.mean - b.mean)) ** 2).sum()) ** 0.5
    assert estimate(Paired.of(a, b)).error == pytest.approx(expected)


def test_the_error_agrees_with_cluster_robust_regression_of_statsmodels() -> None:
    dice = np.random.default_rng(5)
    weights = dice.integers(3, 13, 2000)
    hard = dice.normal(0, 1, 2000)
    marks = [dice.normal(level + np.repeat(hard, weights), 1) for level in (0.3, 0.0)]
    groups = np.repeat(np.arange(2000), weights)
    arms = [Arm.over_marks(np.bincount(groups, of), weights) for of in marks]
    design = np.column_stack([np.ones(2 * len(groups)), np.repeat([1.0, 0.0], len(groups))])
    fitted = sm.OLS(np.concatenate(marks), design).fit(cov_type="cluster", cov_kwds={"groups": np.tile(groups, 2)})
    found = estimate(Paired.of(*arms))
    assert found.difference == pytest.approx(fitted.params[1])
    # Both estimate the same; leaving out long cases makes the jackknife's a little larger.
    assert found.error == pytest.approx(fitted.bse[1], rel=2e-3)
    assert found.error > fitted.bse[1]


def test_equal_weights_give_the_linearised_variance_with_n_over_n_less_one() -> None:
    a, b = (Arm.over_marks(np.random.default_rng(seed).normal(3, 1, 9), np.full(9, 4.0)) for seed in (1, 2))
    residuals = (a.totals - a.mean * 4) / 36 - (b.totals - b.mean * 4) / 36
    assert estimate(Paired.of(a, b)).error == pytest.approx((9 / 8 * (residuals**2).sum()) ** 0.5)


@pytest.mark.parametrize("counts", [(0, 1), (1, 7), (6, 16), (5, 5), (0, 20), (300, 341), (20, 0)])
def test_mcnemar_agrees_with_statsmodels(counts: tuple[int, int]) -> None:
    expected = statsmodels_mcnemar([[4, counts[0]], [counts[1], 9]], exact=True)
    found = mcnemar(*counts)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_mcnemar_of_published_tables() -> None:
    # Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13 (2013): Bentur 2009 and Cavo 2012.
    assert mcnemar(1, 7).p == pytest.approx(0.0703, abs=5e-5)
    assert mcnemar(6, 16).p == pytest.approx(0.052479, abs=5e-7)


def test_no_case_that_differs_has_a_p_of_one() -> None:
    assert mcnemar(0, 0).p == 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_fisher_agrees_with_scipy(seed: int) -> None:
    dice = np.random.default_rng(seed)
    a, b = dice.integers(0, 2, 10 + seed), dice.integers(0, 2, 14)
    expected = stats.fisher_exact([[a.sum(), len(a) - a.sum()], [b.sum(), len(b) - b.sum()]])
    found = fisher(Unpaired.of(Arm.over_conversations(a), Arm.over_conversations(b)))
    assert found.p == pytest.approx(expected.pvalue)


def test_one_case_has_no_p_and_says_so() -> None:
    one = Arm.over_conversations([0.5])
    assert welch(Unpaired.of(one, arm(1, 8))).why == "needs at least 2 cases in each arm, found 1"


def test_differences_that_do_not_differ_have_no_t() -> None:
    assert welch(Unpaired.of(Arm.over_conversations([1] * 20), Arm.over_conversations([1] * 9))).p is None


def test_cases_that_one_arm_does_not_define_are_not_shared() -> None:
    data = Paired.of(Arm.over_marks([1, 0, 4], [2, 0, 4]), Arm.over_marks([0, 3, 2], [0, 4, 4]))
    assert (data.n, data.a.mean, data.b.mean) == (1, 1.0, 0.5)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        Arm.over_marks([1.0, float("nan")], [1, 1])
    with pytest.raises(ValueError, match="below 0"):
        Arm.over_marks([1.0], [-1.0])
    with pytest.raises(ValueError, match="as many weights as totals"):
        Arm.over_marks([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="same cases"):
        Paired.of(Arm.over_conversations([1]), Arm.over_conversations([1, 2]))
