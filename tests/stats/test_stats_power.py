"""Power against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestIndPower, TTestPower

from adjudge.stats.power import (
    Aim,
    Sample,
    cases_needed,
    cases_needed_unpaired,
    power,
    power_unpaired,
    smallest_difference,
    smallest_difference_unpaired,
)


@pytest.mark.parametrize("n", [2, 3, 10, 34, 200, 5000])
@pytest.mark.parametrize("difference", [0.0, 0.05, 0.4])
def test_power_agrees_with_statsmodels(n: int, difference: float) -> None:
    ours = power(difference, Sample(n, 0.8)), power_unpaired(difference, Sample(n, 0.8), Sample(n, 0.8))
    theirs = [test().power(difference / 0.8, n, 0.05) for test in (TTestPower, TTestIndPower)]
    # The noncentral t behind statsmodels is not a number where power is all but certain.
    assert ours == pytest.approx([1.0 if np.isnan(item) else item for item in theirs], abs=2e-5)


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
@pytest.mark.parametrize("n", [2, 5, 40])
def test_power_is_the_share_of_a_noncentral_t_beyond_its_critical_value(n: int, alpha: float) -> None:
    df = n - 1
    critical = stats.t.isf(alpha / 2, df)
    # Given how large the spread came out, t is normal; so the chance is a mean over spreads.
    spreads = np.sqrt(stats.chi2.ppf((np.arange(50_000) + 0.5) / 50_000, df) / df)
    for distance in (0.0, 0.7, 3.0, 7.4, 25.0, 400.0):
        expected = (
            stats.norm.sf(critical * spreads - distance) + stats.norm.cdf(-critical * spreads - distance)
        ).mean()
        assert power(distance / n**0.5, Sample(n, 1.0), alpha) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("n", [5, 20, 171, 1000])
@pytest.mark.parametrize("aim", [Aim(), Aim(0.01, 0.9), Aim(0.05, 0.5)])
def test_the_smallest_difference_agrees_with_statsmodels(n: int, aim: Aim) -> None:
    ours = smallest_difference(Sample(n, 2.5), aim)
    theirs = TTestPower().solve_power(nobs=n, alpha=aim.alpha, power=aim.power, alternative="two-sided")
    assert ours == pytest.approx(2.5 * theirs, rel=1e-4)
    ours = smallest_difference_unpaired(Sample(n, 2.5), Sample(n, 2.5), aim)
    theirs = TTestIndPower().solve_power(nobs1=n, alpha=aim.alpha, power=aim.power, alternative="two-sided")
    assert ours == pytest.approx(2.5 * theirs, rel=1e-4)


@pytest.mark.parametrize("difference", [0.02, 0.1, 0.5, 3.0])
def test_the_cases_needed_are_the_fewest_that_do(difference: float) -> None:
    needed = cases_needed(difference, 1.0)
    assert needed is not None
    chances = [TTestPower().power(difference, n, 0.05) if n > 1 else 0.0 for n in (needed - 1, needed)]
    assert chances[0] < 0.8 <= chances[1]
    needed = cases_needed_unpaired(difference, 1.0, 1.0)
    assert needed is not None
    chances = [TTestIndPower().power(difference, n, 0.05) if n > 1 else 0.0 for n in (needed - 1, needed)]
    assert chances[0] < 0.8 <= chances[1]


def test_a_published_figure() -> None:
    # Cohen, Statistical Power Analysis (1988), table 2.4.1: d 0.5, two-sided 0.05, power 0.80.
    assert cases_needed_unpaired(0.5, 1.0, 1.0) == 64


def test_more_spread_in_one_arm_needs_more_cases() -> None:
    first, second = cases_needed_unpaired(0.5, 1.0, 1.0), cases_needed_unpaired(0.5, 1.0, 2.0)
    assert first is not None
    assert second is not None
    assert second > 2 * first


def test_what_cannot_be_planned_is_none() -> None:
    assert smallest_difference(Sample(1, 1.0)) is None
    assert smallest_difference(Sample(0, 1.0)) is None
    assert smallest_difference(Sample(20, 0.0)) is None
    assert smallest_difference_unpaired(Sample(1, 1.0), Sample(20, 1.0)) is None
    assert power(0.5, Sample(1, 1.0)) is None
    assert cases_needed(0.0, 1.0) is None
    assert cases_needed(0.5, 0.0) is None
    assert cases_needed(1e-6, 1.0) is None


def test_impossible_aims_are_refused() -> None:
    for alpha, wanted in ((0.0, 0.8), (0.5, 0.4), (0.05, 1.0)):
        with pytest.raises(ValueError, match="alpha < power"):
            Aim(alpha, wanted)


def test_the_sign_of_a_difference_does_not_matter() -> None:
    assert cases_needed(-0.5, 1.0) == cases_needed(0.5, 1.0)
