"""Intervals of a difference against scipy, statsmodels and published figures, and where there is no spread."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from adjudge.stats import difference as interval
from adjudge.stats.cases import Arm, Difference, Paired, Unpaired
from adjudge.stats.difference import Interval, cluster_t, newcombe, percentile, square_and_add, tango
from adjudge.stats.interval import wilson

SEEDS = range(10)
Z = stats.norm.ppf(0.975)


def limits(found: Interval) -> tuple[float, float]:
    assert found.low is not None, found.why
    assert found.high is not None
    return found.low, found.high


def flips(gained: int, lost: int, n: int) -> Paired:
    first = np.array([1] * gained + [0] * lost + [1] * (n - gained - lost))
    second = np.array([0] * gained + [1] * lost + [1] * (n - gained - lost))
    return Paired.of(Arm.over_conversations(first), Arm.over_conversations(second))


def shares(right: tuple[int, int], n: tuple[int, int]) -> Unpaired:
    arms = [Arm.over_conversations([1] * k + [0] * (m - k)) for k, m in zip(right, n, strict=True)]
    return Unpaired.of(*arms)


def marks(seed: int, n: int, rate: float = 0.8) -> Arm:
    dice = np.random.default_rng(seed)
    weights = dice.integers(3, 13, n)
    return Arm.over_marks(dice.binomial(weights, dice.beta(4 * rate, 4 * (1 - rate), n)), weights)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_t_intervals_agree_with_scipy(seed: int, level: float) -> None:
    dice = np.random.default_rng(seed)
    a, b = dice.normal(1, 1, 9), dice.normal(0, 2, 9)
    arms = Arm.over_conversations(a), Arm.over_conversations(b)
    expected = stats.ttest_rel(a, b).confidence_interval(level)
    assert limits(cluster_t(Paired.of(*arms), level)) == pytest.approx((expected.low, expected.high))
    expected = stats.ttest_ind(a, b, equal_var=False).confidence_interval(level)
    assert limits(interval.welch(Unpaired.of(*arms), level)) == pytest.approx((expected.low, expected.high))


def test_tango_of_published_tables() -> None:
    # Cavo 2012 in Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables (2017), chapter 8.
    assert limits(tango(flips(6, 16, 161))) == pytest.approx((-0.1240, -0.0054), abs=5e-5)
    # PropCIs::scoreci.mp in R, whose difference is the second count less the first.
    assert limits(tango(flips(28, 25, 618), 0.90)) == pytest.approx((-0.0148, 0.0247), abs=5e-5)
    assert limits(tango(flips(20, 60, 1000))) == pytest.approx((-0.0584, -0.0231), abs=5e-5)


@pytest.mark.parametrize(
    "counts", [(3, 9, 30), (0, 4, 20), (7, 0, 12), (5, 5, 40), (1, 0, 2), (12, 1, 13), (20, 0, 20)]
)
def test_tango_s_limits_are_where_the_likelihood_s_score_test_rejects(counts: tuple[int, int, int]) -> None:
    gained, lost, n = counts

    def score(delta: float) -> float:
        """The score statistic with the share of lost cases found by maximising the likelihood numerically."""

        def against(share: float) -> float:
            cells = np.array([share + delta, share, 1 - 2 * share - delta])
            seen = np.array([gained, lost, n - gained - lost])
            return -float((seen * np.log(np.maximum(cells, 1e-300))).sum())

        found = optimize.minimize_scalar(
            against, bounds=(max(0.0, -delta), (1 - delta) / 2), method="bounded", options={"xatol": 1e-12}
        )
        variance = n * (2 * found.x + delta - delta**2)
        return float((gained - lost - n * delta) / variance**0.5)

    low, high = limits(tango(flips(*counts)))
    for limit, expected in ((low, Z), (high, -Z)):
        if abs(limit) < 1:
            assert score(limit) == pytest.approx(expected, abs=2e-3)


def test_tango_holds_zero_just_when_the_asymptotic_mcnemar_test_does_not_reject() -> None:
    for gained in range(12):
        for lost in range(12 - gained):
            low, high = limits(tango(flips(gained, lost, 15)))
            rejects = gained + lost > 0 and (gained - lost) ** 2 / (gained + lost) > Z * Z
            assert (low <= 0 <= high) == (not rejects)


def test_cases_that_do_not_differ_do_not_give_an_empty_interval() -> None:
    reach = Z * Z / (20 + Z * Z)
    for right in (0, 7, 20):
        same = Arm.over_conversations([1] * right + [0] * (20 - right))
        assert limits(tango(Paired.of(same, same))) == pytest.approx((-reach, reach))
        assert limits(square_and_add(Paired.of(same, same), (0, 1))) == pytest.approx((-reach, reach))


def test_all_cases_gained_reach_the_end_of_the_scale() -> None:
    expected = pytest.approx((20 - Z * Z) / (20 + Z * Z)), 1.0
    assert limits(tango(flips(20, 0, 20))) == expected
    assert limits(square_and_add(flips(20, 0, 20), (0, 1))) == expected


# Newcombe, Statistics in Medicine 17 (1998), 873-890, table II, method 10.
PUBLISHED = [
    ((56, 48), (70, 80), (0.0524, 0.3339)),
    ((9, 3), (10, 10), (0.1705, 0.8090)),
    ((6, 2), (7, 7), (0.0582, 0.8062)),
    ((5, 0), (56, 29), (-0.0381, 0.1926)),
    ((0, 0), (10, 20), (-0.1611, 0.2775)),
    ((0, 0), (10, 10), (-0.2775, 0.2775)),
    ((10, 0), (10, 20), (0.6791, 1.0)),
    ((10, 0), (10, 10), (0.6075, 1.0)),
]


@pytest.mark.parametrize(("right", "n", "expected"), PUBLISHED)
def test_newcombe_agrees_with_his_table_and_with_statsmodels(
    right: tuple[int, int], n: tuple[int, int], expected: tuple[float, float]
) -> None:
    found = limits(newcombe(shares(right, n)))
    assert found == pytest.approx(expected, abs=5e-5)
    theirs = confint_proportions_2indep(right[0], n[0], right[1], n[1], method="newcomb")
    assert found == pytest.approx(theirs, abs=1e-9)


def test_wilson_agrees_with_statsmodels() -> None:
    for right, n in ((0, 5), (3, 7), (20, 20), (999, 1000)):
        assert wilson(right / n, n) == pytest.approx(proportion_confint(right, n, method="wilson"), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_square_and_add_with_many_cases_is_the_t_interval(seed: int) -> None:
    a, b = marks(seed, 20_000, 0.6), marks(seed + 50, 20_000, 0.5)
    assert limits(square_and_add(Paired.of(a, b), (0, 1))) == pytest.approx(
        limits(cluster_t(Paired.of(a, b))), abs=3e-5
    )
    assert limits(square_and_add(Unpaired.of(a, b), (0, 1))) == pytest.approx(
        limits(interval.welch(Unpaired.of(a, b))), abs=3e-5
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_square_and_add_takes_each_arm_s_limits_on_logits(seed: int) -> None:
    a, b = marks(seed, 12), marks(seed + 50, 15)
    expected = []
    for arm in (a, b):
        centre, mean = np.log(arm.mean / (1 - arm.mean)), arm.mean
        reach = stats.t.ppf(0.975, arm.n - 1) * arm.variance**0.5 / (mean * (1 - mean))
        expected.append((mean, 1 / (1 + np.exp(reach - centre)), 1 / (1 + np.exp(-reach - centre))))
    (one, low_one, high_one), (two, low_two, high_two) = expected
    found = limits(square_and_add(Unpaired.of(a, b), (0, 1)))
    assert found[0] == pytest.approx(one - two - np.hypot(one - low_one, high_two - two))
    assert found[1] == pytest.approx(one - two + np.hypot(high_one - one, two - low_two))


@pytest.mark.parametrize("scale", [(0.0, 1.0), (1.0, 5.0), (-100.0, 100.0)])
def test_square_and_add_follows_the_scale(scale: tuple[float, float]) -> None:
    a, b = marks(1, 25, 0.95), marks(2, 25, 0.9)
    low, high = scale
    moved = [Arm(low * arm.weights + (high - low) * arm.totals, arm.weights) for arm in (a, b)]
    plain = limits(square_and_add(Paired.of(a, b), (0, 1)))
    found = limits(square_and_add(Paired.of(*moved), scale))
    assert found == pytest.approx([(high - low) * one for one in plain])


def test_twenty_of_twenty_right_against_some_wrong_is_no_point() -> None:
    right = Arm.over_marks([5] * 20, [5] * 20)
    found = limits(square_and_add(Paired.of(right, marks(1, 20)), (0, 1)))
    assert 0 < found[0] < 1 - marks(1, 20).mean < found[1] < 1
    wrong = Arm.over_marks([0] * 20, [5] * 20)
    low, high = limits(square_and_add(Unpaired.of(right, wrong), (0, 1)))
    assert high == 1.0
    assert low == pytest.approx(1 - 2**0.5 * Z * Z / (20 + Z * Z))


def test_differences_that_do_not_differ_stay_within_the_scale() -> None:
    b = marks(1, 9, 0.5)
    for shift in (-0.1, 0.0, 0.1):
        a = Arm(b.totals + shift * b.weights, b.weights)
        low, high = limits(square_and_add(Paired.of(a, b), (-1, 2)))
        reach = Z * Z / (9 + Z * Z)
        assert low == pytest.approx(shift - reach * (3 + shift))
        assert high == pytest.approx(shift + reach * (3 - shift))


def test_a_value_off_its_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="not on its scale"):
        square_and_add(Unpaired.of(Arm.over_conversations([1, 2, 4]), Arm.over_conversations([0, 1, 1])), (0, 1))


def test_without_spread_or_cases_there_is_no_interval_but_a_reason() -> None:
    same, one = Arm.over_conversations([0.3] * 5), Arm.over_conversations([0.3])
    none = Arm.over_conversations([])
    assert cluster_t(Paired.of(same, same)).why == "the 5 cases show no spread to measure an interval by"
    assert percentile(Paired.of(same, same)).low is None
    for data in (Paired.of(one, one), Paired.of(none, none)):
        for found in (cluster_t(data), square_and_add(data, (0, 1)), percentile(data)):
            assert (found.low, found.high) == (None, None)
            assert found.why == f"needs at least 2 shared cases, found {data.n}"
    assert interval.welch(Unpaired.of(same, one)).why == "needs at least 2 cases in each arm, found 1"
    assert tango(Paired.of(none, none)).why == "needs at least 1 shared case, found 0"
    assert newcombe(Unpaired.of(none, same)).why == "needs at least 1 case in each arm, found 0"


@pytest.mark.parametrize("method", ["percentile"])
def test_bootstrap_intervals_agree_with_scipy(method: str) -> None:
    a, b = marks(3, 30, 0.9), marks(4, 30, 0.7)

    def difference(ta: np.ndarray, wa: np.ndarray, tb: np.ndarray, wb: np.ndarray, axis: int = -1) -> np.ndarray:
        return ta.sum(axis) / wa.sum(axis) - tb.sum(axis) / wb.sum(axis)

    theirs = stats.bootstrap(
        (a.totals, a.weights, b.totals, b.weights),
        difference,
        paired=True,
        vectorized=True,
        n_resamples=40_000,
        method=method,
        rng=np.random.default_rng(1),
    ).confidence_interval
    ours = percentile(Paired.of(a, b), seed=2, resamples=40_000)
    assert limits(ours) == pytest.approx((theirs.low, theirs.high), abs=0.003)


def test_bootstrap_intervals_repeat_with_their_seed() -> None:
    data = Paired.of(marks(3, 30), marks(4, 30))
    assert percentile(data, seed=5, resamples=500) == percentile(data, seed=5, resamples=500)
    assert percentile(data, seed=5, resamples=500) != percentile(data, seed=6, resamples=500)


def test_the_estimate_s_sd_is_that_of_the_paired_differences() -> None:
    dice = np.random.default_rng(1)
    a, b = dice.normal(0, 1, 12), dice.normal(0, 1, 12)
    found = Paired.of(Arm.over_conversations(a), Arm.over_conversations(b)).estimate()
    assert isinstance(found, Difference)
    assert found.sd == pytest.approx((a - b).std(ddof=1))
