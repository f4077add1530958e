"""Differences of two arms: interval and p against scipy, statsmodels and published figures, and against each other."""

from __future__ import annotations

import subprocess
import sys
from math import isfinite

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.weightstats import ttost_paired

from adjudge.core.mark import Scale
from adjudge.stats.cases import Arm, PairedCases, Undefined, UnpairedCases
from adjudge.stats.difference import Pivot, Student, lies_within, pivot_of
from adjudge.stats.interval import OPEN, UNIT, Bounds, estimate_mean
from examples import few_examples

SEEDS = range(10)
Z = stats.norm.ppf(0.975)
QUICKLY = few_examples()


def pivot(data: PairedCases | UnpairedCases, scale: Scale = UNIT) -> Pivot:
    made = pivot_of(data, scale)
    assert not isinstance(made, Undefined), made.why
    return made


def limits(data: PairedCases | UnpairedCases, level: float = 0.95, scale: Scale = UNIT) -> Bounds:
    return pivot(data, scale).limits(level)


def why(data: PairedCases | UnpairedCases, scale: Scale = UNIT) -> str:
    made = pivot_of(data, scale)
    assert isinstance(made, Undefined)
    return made.why


def flips(gained: int, lost: int, n: int) -> PairedCases:
    first = np.array([1] * gained + [0] * lost + [1] * (n - gained - lost))
    second = np.array([0] * gained + [1] * lost + [1] * (n - gained - lost))
    return PairedCases.of(Arm.over_conversations(first), Arm.over_conversations(second))


def flags(seed: int, n: int) -> Arm:
    return Arm.over_conversations(np.random.default_rng(seed).integers(0, 2, n))


def marks(seed: int, n: int, rate: float = 0.8) -> Arm:
    dice = np.random.default_rng(seed)
    weights = dice.integers(3, 13, n)
    return Arm.over_marks(dice.binomial(weights, dice.beta(4 * rate, 4 * (1 - rate), n)), weights)


@pytest.mark.parametrize(
    ("data", "scale", "method"),
    [
        (PairedCases.of(flags(1, 30), flags(2, 30)), UNIT, "tango score"),
        (PairedCases.of(marks(1, 30), marks(2, 30)), UNIT, "paired score"),
        (PairedCases.of(marks(1, 30), marks(2, 30)), OPEN, "paired t"),
        (PairedCases.of(flags(1, 30), flags(2, 30)), (0.0, None), "paired t"),
        (UnpairedCases.of(flags(1, 30), flags(2, 20)), UNIT, "newcombe score"),
        (UnpairedCases.of(marks(1, 30), marks(2, 20)), UNIT, "newcombe score"),
        (UnpairedCases.of(marks(1, 30), marks(2, 20)), OPEN, "welch t"),
    ],
)
def test_the_shape_of_the_data_chooses(data: PairedCases | UnpairedCases, scale: Scale, method: str) -> None:
    assert pivot(data, scale).method == method


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_on_an_open_scale_interval_and_p_agree_with_scipy(seed: int, level: float) -> None:
    dice = np.random.default_rng(seed)
    a, b = dice.normal(1, 1, 9), dice.normal(0, 2, 9)
    arms = Arm.over_conversations(a), Arm.over_conversations(b)
    for shape, test in ((PairedCases, stats.ttest_rel(a, b)), (UnpairedCases, stats.ttest_ind(a, b, equal_var=False))):
        made = pivot(shape.of(*arms), OPEN)
        assert isinstance(made, Student)
        assert made.limits(level) == pytest.approx(tuple(test.confidence_interval(level)))
        assert (made.statistic, made.p()) == pytest.approx((test.statistic, test.pvalue))


def test_the_decision_document_s_example_as_corrected_by_the_rulings() -> None:
    values = np.array([-1.5, -1.1, -0.7, -0.3, -0.1, 0.1, 0.3, 0.7, 1.1, 1.5])
    unit = values / values.std(ddof=1)
    arms = Arm.over_conversations(0.745 + 0.082 * unit), Arm.over_conversations(0.680 + 0.091 * unit)
    made = pivot(UnpairedCases.of(*arms), OPEN)
    assert isinstance(made, Student)
    assert (round(made.statistic, 3), round(made.p(), 3)) == (1.678, 0.111)


def test_tango_of_published_tables() -> None:
    # Cavo 2012 in Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables (2017), chapter 8.
    assert limits(flips(6, 16, 161)) == pytest.approx((-0.1240, -0.0054), abs=5e-5)
    # PropCIs::scoreci.mp in R, whose difference is the second count less the first.
    assert limits(flips(28, 25, 618), 0.90) == pytest.approx((-0.0148, 0.0247), abs=5e-5)
    assert limits(flips(20, 60, 1000)) == pytest.approx((-0.0584, -0.0231), abs=5e-5)


@pytest.mark.parametrize(
    "counts", [(3, 9, 30), (0, 4, 20), (7, 0, 12), (5, 5, 40), (1, 0, 2), (12, 1, 13), (20, 0, 20)]
)
def test_tango_s_limits_are_where_the_likelihood_s_score_test_rejects(counts: tuple[int, int, int]) -> None:
    gained, lost, n = counts

    def score(delta: float) -> float:
        """The score statistic with the share of lost cases that maximises the likelihood numerically."""

        def against(share: float) -> float:
            cells = np.array([share + delta, share, 1 - 2 * share - delta])
            seen = np.array([gained, lost, n - gained - lost])
            return -float((seen * np.log(np.maximum(cells, 1e-300))).sum())

        best = optimize.minimize_scalar(
            against, bounds=(max(0.0, -delta), (1 - delta) / 2), method="bounded", options={"xatol": 1e-12}
        )
        variance = n * (2 * best.x + delta - delta**2)
        return float((gained - lost - n * delta) / variance**0.5)

    low, high = limits(flips(*counts))
    for limit, expected in ((low, Z), (high, -Z)):
        if abs(limit) < 1:
            assert score(limit) == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("counts", [(1, 7, 20), (6, 16, 161), (5, 5, 40), (0, 20, 30), (300, 341, 1000)])
def test_p_of_one_mark_a_case_is_that_of_the_asymptotic_mcnemar_test(counts: tuple[int, int, int]) -> None:
    gained, lost, n = counts
    expected = mcnemar([[n - gained - lost, gained], [lost, 0]], exact=False, correction=False)
    assert pivot(flips(*counts)).p() == pytest.approx(expected.pvalue)


def test_cases_that_do_not_differ_do_not_give_an_empty_interval() -> None:
    reach = Z * Z / (20 + Z * Z)
    for right in (0, 7, 20):
        same = Arm.over_conversations([1] * right + [0] * (20 - right))
        assert limits(PairedCases.of(same, same)) == pytest.approx((-reach, reach))
        assert pivot(PairedCases.of(same, same)).p() == 1.0
    several = Arm.over_marks([4] * 20, [5] * 20)
    assert limits(PairedCases.of(several, several)) == pytest.approx((-0.187, 0.187), abs=5e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_many_cases_have_the_t_interval(seed: int) -> None:
    a, b = marks(seed, 20_000, 0.6), marks(seed + 50, 20_000, 0.5)
    for data in (PairedCases.of(a, b), UnpairedCases.of(a, b)):
        assert limits(data) == pytest.approx(limits(data, scale=OPEN), abs=3e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_arms_on_different_cases_add_the_distances_of_their_limits(seed: int) -> None:
    a, b = marks(seed, 12), marks(seed + 50, 15)
    first, second = estimate_mean(a, UNIT), estimate_mean(b, UNIT)
    assert first.low is not None
    assert first.high is not None
    assert second.low is not None
    assert second.high is not None
    low, high = limits(UnpairedCases.of(a, b))
    assert low == pytest.approx(a.mean - b.mean - np.hypot(a.mean - first.low, second.high - b.mean))
    assert high == pytest.approx(a.mean - b.mean + np.hypot(first.high - a.mean, b.mean - second.low))


@pytest.mark.parametrize("scale", [(1.0, 5.0), (-100.0, 100.0)])
def test_interval_and_p_follow_the_scale(scale: tuple[float, float]) -> None:
    low, width = scale[0], scale[1] - scale[0]
    for a, b in ((marks(1, 25, 0.95), marks(2, 25, 0.9)), (flags(1, 25), flags(2, 25))):
        moved = [Arm(low * arm.weights + width * arm.totals, arm.weights) for arm in (a, b)]
        for shape in (PairedCases, UnpairedCases):
            plain, there = pivot(shape.of(a, b)), pivot(shape.of(*moved), scale)
            assert there.limits(0.95) == pytest.approx([width * bound for bound in plain.limits(0.95)])
            assert there.p(0.1 * width) == pytest.approx(plain.p(0.1))


def test_an_arm_without_any_error_is_guarded() -> None:
    """20 of 20 cases right leave failing cases possible, so a few marks lost elsewhere are not yet a difference."""
    right = Arm.over_marks([5] * 20, [5] * 20)
    other = Arm.over_marks([4] * 10 + [5] * 10, [5] * 20)
    guarded, plain = pivot(PairedCases.of(right, other)), pivot(PairedCases.of(right, other), OPEN)
    assert plain.p() < 0.001 < 0.05 < guarded.p()


CASES = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=25)


@QUICKLY
@given(CASES, st.sampled_from([PairedCases, UnpairedCases]), st.integers(-30, 30))
def test_interval_and_p_never_contradict_each_other(
    cases: list[tuple[int, int, int]], shape: type[PairedCases] | type[UnpairedCases], percent: int
) -> None:
    weights = [weight for weight, _, _ in cases]
    arms = [Arm.over_marks([min(case[place], case[0]) for case in cases], weights) for place in (1, 2)]
    made, at = pivot(shape.of(*arms)), percent / 100
    p = made.p(at)
    assert 0.0 <= p <= 1.0
    for level in (0.9, 0.95, 0.99):
        low, high = made.limits(level)
        if abs(p - (1 - level)) > 1e-9 and min(abs(at - low), abs(at - high)) > 1e-9:
            assert (low <= at <= high) == (p >= 1 - level)


ARMS = {
    "nothing": Arm.over_conversations([]),
    "one right": Arm.over_conversations([1]),
    "two": Arm.over_conversations([1, 0]),
    "two alike": Arm.over_conversations([0.4, 0.4]),
    "all right": Arm.over_conversations([1] * 20),
    "all wrong": Arm.over_conversations([0] * 20),
    "all marks right": Arm.over_marks(np.arange(1, 21), np.arange(1, 21)),
    "all marks wrong": Arm.over_marks(np.zeros(20), np.arange(1, 21)),
    "one mark wrong": Arm.over_marks(np.arange(1, 21) - (np.arange(20) == 7), np.arange(1, 21)),
    "ties everywhere": Arm.over_conversations([0.5, 0.25] * 10),
    "undefined": Arm.over_marks(np.zeros(20), np.zeros(20)),
    "one long case": Arm.over_marks([5000, *([1.0] * 19)], [9000, *([2.0] * 19)]),
}


@pytest.mark.parametrize("scale", [UNIT, OPEN])
@pytest.mark.parametrize("first", ARMS)
@pytest.mark.parametrize("second", ARMS)
def test_there_is_a_number_or_a_reason(first: str, second: str, scale: Scale) -> None:
    a, b = ARMS[first], ARMS[second]
    shapes: list[PairedCases | UnpairedCases] = [UnpairedCases.of(a, b)]
    if a.n == b.n:
        shapes.append(PairedCases.of(a, b))
    for data in shapes:
        made = pivot_of(data, scale)
        if isinstance(made, Undefined):
            assert made.why
            continue
        low, high = made.limits(0.95)
        assert 0 < made.p() <= 1
        assert isfinite(low)
        assert isfinite(high)
        assert low - 1e-12 <= data.a.mean - data.b.mean <= high + 1e-12
        assert low < high
        assert scale == OPEN or -1 - 1e-12 <= low <= high <= 1 + 1e-12


def test_swapping_the_arms_mirrors_everything() -> None:
    for a, b in ((marks(1, 12), marks(2, 12)), (flags(1, 12), flags(2, 12))):
        for shape in (PairedCases, UnpairedCases):
            here, there = pivot(shape.of(a, b)), pivot(shape.of(b, a))
            assert here.p(0.1) == pytest.approx(there.p(-0.1))
            assert here.limits(0.95) == pytest.approx(tuple(-bound for bound in reversed(there.limits(0.95))))


def test_too_few_cases_or_no_spread_are_said() -> None:
    same, single = Arm.over_conversations([0.3] * 5), Arm.over_conversations([0.3])
    assert why(PairedCases.of(single, single)) == "needs at least 2 shared cases, found 1"
    assert why(UnpairedCases.of(single, same)) == "needs at least 2 cases in each arm, found 1"
    assert why(PairedCases.of(same, same), OPEN) == "the 5 cases show no spread to test against"
    for shift in (0.0, 0.1, 1 / 3):
        base = Arm.over_conversations([0.1, 0.7, 0.3, 1e6])
        moved = PairedCases.of(Arm.over_conversations(base.totals + shift), base)
        assert why(moved, OPEN) == "the 4 cases show no spread to test against"


def test_a_value_off_its_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="not on its scale"):
        pivot_of(UnpairedCases.of(Arm.over_conversations([1, 2, 4]), Arm.over_conversations([0, 1, 1])), UNIT)


@pytest.mark.parametrize("seed", range(20))
def test_lying_within_the_margin_at_90_percent_is_two_one_sided_tests_at_5(seed: int) -> None:
    dice = np.random.default_rng(seed)
    base = dice.normal(0, 1, 25)
    a, b = base + dice.normal(0.1, 0.3, 25), base + dice.normal(0, 0.3, 25)
    bounds = limits(PairedCases.of(Arm.over_conversations(a), Arm.over_conversations(b)), 0.90, OPEN)
    assert lies_within(bounds, 0.25) == (ttost_paired(a, b, -0.25, 0.25)[0] < 0.05)


def test_arms_that_never_differ_are_tied_if_there_are_cases_enough() -> None:
    for n, tied in ((20, False), (200, True)):
        right = Arm.over_conversations([1] * n)
        assert lies_within(limits(PairedCases.of(right, right), 0.90), 0.02) is tied
    with pytest.raises(ValueError, match="margin above 0"):
        lies_within((-0.1, 0.1), 0.0)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    modules = "bias bootstrap correction correlation difference effect friedman interval kappa power ppi trials".split()
    code = f"import sys, {', '.join(f'adjudge.stats.{name}' for name in modules)}; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
