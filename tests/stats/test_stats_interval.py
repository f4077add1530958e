"""Intervals of a mean against scipy and statsmodels, at the ends of the scale, and where there is no spread."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from adjudge.core.mark import Scale
from adjudge.stats.cases import Arm
from adjudge.stats.estimate import Estimate
from adjudge.stats.interval import OPEN, UNIT, MeanScore, estimate_items, estimate_mean, wilson
from examples import few_examples

QUICKLY = few_examples()

COUNTS = st.integers(2, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
SHARES = st.lists(st.tuples(st.integers(1, 12), st.floats(0, 1)), min_size=2, max_size=40)


def limits(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None, estimate.why
    assert estimate.high is not None
    return estimate.low, estimate.high


def flags(right: int, n: int) -> Arm:
    return Arm.over_conversations([1] * right + [0] * (n - right))


def clustered(seed: int, n: int, rate: float = 0.8) -> Arm:
    dice = np.random.default_rng(seed)
    weights = dice.integers(3, 12, n)
    return Arm.over_marks(dice.binomial(weights, dice.beta(4 * rate, 4 * (1 - rate), n)), weights)


@QUICKLY
@given(COUNTS)
def test_wilson_agrees_with_statsmodels(counts: tuple[int, int]) -> None:
    right, n = counts
    assert wilson(right / n, n) == pytest.approx(proportion_confint(right, n, method="wilson"), abs=1e-12)


@QUICKLY
@given(COUNTS)
def test_one_mark_a_case_is_wilson_with_one_less_and_t_and_at_the_ends_clopper_pearson(counts: tuple[int, int]) -> None:
    right, n = counts
    if right in (0, n):
        expected = proportion_confint(right, n, method="beta")
    else:
        # Wilson's depends on z^2 / n alone.
        squared = stats.t.ppf(0.975, n - 1) ** 2
        expected = wilson(right / n, (n - 1) * stats.norm.ppf(0.975) ** 2 / squared)
    assert limits(estimate_mean(flags(right, n), UNIT)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("n", "low"), [(2, 0.158), (20, 0.832), (100, 0.964)])
def test_all_right_is_never_certain(n: int, low: float) -> None:
    for arm in (flags(n, n), Arm.over_marks([7] * n, [7] * n)):
        estimate = estimate_mean(arm, UNIT)
        assert (estimate.value, estimate.high, estimate.method) == (1.0, 1.0, "exact")
        assert estimate.low == pytest.approx(low, abs=5e-4)


@pytest.mark.parametrize("seed", range(8))
def test_many_cases_have_the_t_interval_with_the_jackknife_variance(seed: int) -> None:
    arm = clustered(seed, 20_000, 0.6)
    assert limits(estimate_mean(arm, UNIT)) == pytest.approx(limits(estimate_mean(arm, OPEN)), abs=2e-5)


@pytest.mark.parametrize("seed", range(8))
def test_equal_weights_on_an_open_scale_have_the_t_interval_of_scipy(seed: int) -> None:
    values = np.random.default_rng(seed).normal(5, 2, 12)
    expected = stats.t.interval(0.95, 11, loc=values.mean(), scale=stats.sem(values))
    estimate = estimate_mean(Arm.over_conversations(values), OPEN)
    assert estimate.method == "cluster t"
    assert limits(estimate) == pytest.approx(tuple(expected))


@pytest.mark.parametrize("scale", [(1.0, 5.0), (-100.0, 100.0)])
def test_the_interval_follows_the_scale(scale: tuple[float, float]) -> None:
    low, width = scale[0], scale[1] - scale[0]
    for arm in (clustered(1, 25), flags(20, 20), flags(3, 9)):
        moved = Arm(low * arm.weights + width * arm.totals, arm.weights)
        expected = [low + width * bound for bound in limits(estimate_mean(arm, UNIT))]
        assert limits(estimate_mean(moved, scale)) == pytest.approx(expected)


@QUICKLY
@given(SHARES, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_the_value_lies_in_its_interval_and_the_interval_on_the_scale(
    cases: list[tuple[int, float]], level: float
) -> None:
    arm = Arm.over_marks([weight * share for weight, share in cases], [weight for weight, _ in cases])
    low, high = limits(estimate_mean(arm, UNIT, level))
    assert 0.0 <= low <= arm.mean + 1e-12
    assert arm.mean - 1e-12 <= high <= 1.0
    mirrored = limits(estimate_mean(Arm(arm.weights - arm.totals, arm.weights), UNIT, level))
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_few_failing_cases_leave_few_degrees_of_freedom() -> None:
    totals, weights = [8.0] * 19 + [1.0], [8.0] * 20
    score = MeanScore.of(Arm.over_marks(totals, weights))
    assert score.off_end == pytest.approx(1.0)
    plain = stats.t.ppf(0.975, 19) ** 2 * score.measured
    few, worst = stats.t.ppf(0.975, 2) ** 2 * score.measured, stats.t.ppf(0.975, 19) ** 2 * score.ideal
    assert score.reach(0.05) == pytest.approx(max(plain, min(few, worst)))
    assert score.reach(0.05) > plain


def test_cases_that_are_alike_inside_the_scale_count_as_one_mark_each() -> None:
    alike = MeanScore.of(Arm.over_marks([2.0] * 10, [4.0] * 10))
    assert (alike.measured, alike.ideal) == (pytest.approx(1 / 9), pytest.approx(1 / 9))
    assert MeanScore.without_spread(0.5, 10).limits(0.05) == pytest.approx(alike.limits(0.05))


@pytest.mark.parametrize(
    ("values", "scale", "why"),
    [
        ([], UNIT, "no items"),
        ([0.4], UNIT, "one conversation: no interval"),
        ([5.0] * 20, (0.0, None), "conversations do not differ: no interval"),
    ],
)
def test_where_there_is_no_interval_it_says_why(values: list[float], scale: Scale, why: str) -> None:
    estimate = estimate_mean(Arm.over_conversations(values), scale)
    assert (estimate.low, estimate.high, estimate.method, estimate.why) == (None, None, "", why)


def test_an_interval_stays_within_the_one_end_of_a_scale() -> None:
    values = Arm.over_conversations([0.0, 0.0, 0.1, 3.0])
    assert estimate_mean(values, (0.0, None)).low == 0.0
    assert limits(estimate_mean(values, OPEN))[0] < 0.0


def test_a_value_off_its_scale_is_refused_and_rounding_is_not() -> None:
    with pytest.raises(ValueError, match="not on its scale"):
        estimate_mean(Arm.over_conversations([1, 2, 4]), UNIT)
    rounded = estimate_mean(Arm.over_marks([0.1 * 3 / 0.3] * 20, [1.0] * 20), UNIT)
    assert (rounded.high, rounded.method) == (1.0, "exact")


def test_items_are_counted_and_their_clusters_are_the_cases() -> None:
    values, clusters = np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 2])
    estimate = estimate_items(values, clusters, UNIT)
    assert (estimate.value, estimate.n, estimate.clusters) == (0.75, 4, 3)
    by_case = estimate_mean(Arm.over_marks([1, 1, 1], [2, 1, 1]), UNIT)
    assert limits(estimate) == limits(by_case)
    weighted = estimate_items(values, clusters, UNIT, np.array([1.0, 3.0, 2.0, 2.0]))
    assert weighted.value == 5 / 8
