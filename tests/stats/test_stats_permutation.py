"""Permutation tests against scipy's and against trying all permutations by hand."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from adjudge.stats.cases import Arm, Paired, Unpaired
from adjudge.stats.permutation import permutation, shuffled_welch
from adjudge.stats.tests import mcnemar

SEEDS = range(10)


def drawn(seed: int, n: int, unlike_weights: bool = True) -> Paired:
    dice = np.random.default_rng(seed)
    first = dice.integers(1, 9, n)
    second = dice.integers(1, 9, n) if unlike_weights else first
    return Paired.of(
        Arm.over_marks(dice.binomial(first, 0.8), first), Arm.over_marks(dice.binomial(second, 0.6), second)
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("unlike_weights", [True, False])
def test_few_cases_try_every_swap(seed: int, unlike_weights: bool) -> None:
    data = drawn(seed, 8, unlike_weights)
    arms = np.array([data.a.totals, data.b.totals]), np.array([data.a.weights, data.b.weights])
    found = []
    for swaps in product((0, 1), repeat=8):
        totals, weights = (np.where(swaps, part[::-1], part).sum(axis=1) for part in arms)
        found.append(abs(totals[0] / weights[0] - totals[1] / weights[1]))
    expected = np.mean(np.array(found) >= abs(data.a.mean - data.b.mean) - 1e-12)
    assert permutation(data).p == pytest.approx(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_means_over_conversations_agree_with_scipy(seed: int) -> None:
    dice = np.random.default_rng(seed)
    a, b = dice.normal(0.4, 1, 10), dice.normal(0, 1, 10)
    expected = stats.permutation_test(
        (a, b), lambda x, y: np.mean(x) - np.mean(y), permutation_type="samples", n_resamples=np.inf
    )
    found = permutation(Paired.of(Arm.over_conversations(a), Arm.over_conversations(b)))
    assert found.p == pytest.approx(expected.pvalue)
    assert found.statistic == pytest.approx(expected.statistic)


@pytest.mark.parametrize("seed", SEEDS)
def test_zeros_and_ones_agree_with_mcnemar(seed: int) -> None:
    dice = np.random.default_rng(seed)
    data = Paired.of(Arm.over_conversations(dice.integers(0, 2, 14)), Arm.over_conversations(dice.integers(0, 2, 14)))
    assert permutation(data).p == pytest.approx(mcnemar(data.gained, data.lost).p)


def test_drawn_swaps_come_near_to_all_swaps() -> None:
    data = drawn(4, 13)
    exact, near = permutation(data), permutation(data, seed=3, permutations=8_000)
    assert exact.method == "permutation, all 8,192"
    assert near.method == "permutation, drawn 8,000"
    assert near.p == pytest.approx(exact.p, abs=0.02)


def test_drawn_swaps_never_give_a_p_of_zero_and_repeat_with_their_seed() -> None:
    data = Paired.of(Arm.over_conversations(np.ones(60)), Arm.over_conversations(np.zeros(60)))
    assert permutation(data, permutations=999).p == 1 / 1000
    other = drawn(3, 20)
    assert permutation(other, seed=7) == permutation(other, seed=7)
    assert permutation(other, seed=7).p != permutation(other, seed=8).p


def test_arms_that_are_alike_have_a_p_of_one() -> None:
    same = Arm.over_marks([3, 1, 4, 1, 5], [5, 5, 5, 5, 5])
    assert permutation(Paired.of(same, same)).p == 1.0
    assert permutation(Paired.of(Arm.over_conversations([1] * 40), Arm.over_conversations([1] * 40))).p == 1.0


def test_differences_that_cancel_have_a_p_of_one() -> None:
    data = Paired.of(Arm.over_conversations([0.1, 0.2, 0.0]), Arm.over_conversations([0.0, 0.0, 0.3]))
    assert permutation(data).p == 1.0


def test_large_values_do_not_drown_a_small_difference() -> None:
    dice = np.random.default_rng(2)
    a, b = dice.normal(0.8, 1, 11), dice.normal(0, 1, 11)
    near, far = (
        permutation(Paired.of(Arm.over_conversations(a + shift), Arm.over_conversations(b + shift))).p
        for shift in (0, 1e6)
    )
    assert near == far


def test_fewer_than_two_shared_cases_have_no_p() -> None:
    for n in (0, 1):
        found = permutation(Paired.of(Arm.over_conversations([1.0] * n), Arm.over_conversations([0.0] * n)))
        assert (found.p, found.why) == (None, f"needs at least 2 shared cases, found {n}")


@pytest.mark.parametrize("seed", SEEDS)
def test_few_unpaired_cases_try_every_deal_as_scipy_does(seed: int) -> None:
    dice = np.random.default_rng(seed)
    a, b = dice.normal(1, 1, 6), dice.normal(0, 2, 5)
    expected = stats.permutation_test(
        (a, b),
        lambda x, y: abs(stats.ttest_ind(x, y, equal_var=False).statistic),
        n_resamples=np.inf,
        alternative="greater",
    )
    found = shuffled_welch(Unpaired.of(Arm.over_conversations(a), Arm.over_conversations(b)))
    assert found.p == pytest.approx(expected.pvalue)
    assert found.method == "shuffled welch t, all 462"


def test_unpaired_marks_are_dealt_case_by_case() -> None:
    dice = np.random.default_rng(3)
    weights = dice.integers(1, 9, 10).astype(float)
    totals = dice.binomial(weights.astype(int), 0.6).astype(float)

    def t(first: tuple[int, ...]) -> float:
        chosen = np.isin(np.arange(10), first)
        means, variances = [], []
        for which in (chosen, ~chosen):
            mean = totals[which].sum() / weights[which].sum()
            n = which.sum()
            residuals = (totals[which] - mean * weights[which]) / weights[which].sum()
            means.append(mean)
            variances.append((residuals**2).sum() * n / (n - 1))
        return float(abs(means[0] - means[1]) / sum(variances) ** 0.5)

    expected = np.mean([t(first) >= t((0, 1, 2, 3)) - 1e-12 for first in combinations(range(10), 4)])
    data = Unpaired.of(Arm(totals[:4], weights[:4]), Arm(totals[4:], weights[4:]))
    assert shuffled_welch(data).p == pytest.approx(expected)


def test_drawn_deals_come_near_to_all_deals() -> None:
    dice = np.random.default_rng(1)
    data = Unpaired.of(Arm.over_conversations(dice.normal(1, 1, 7)), Arm.over_conversations(dice.normal(0, 1, 7)))
    assert shuffled_welch(data, permutations=3_000).p == pytest.approx(shuffled_welch(data).p, abs=0.02)


def test_unpaired_arms_without_any_spread() -> None:
    right, wrong = Arm.over_conversations(np.ones(5)), Arm.over_conversations(np.zeros(5))
    assert shuffled_welch(Unpaired.of(right, right)).p == 1.0
    assert shuffled_welch(Unpaired.of(right, wrong)).p == pytest.approx(2 / 252)
    assert shuffled_welch(Unpaired.of(right, Arm.over_conversations([1]))).why == (
        "needs at least 2 cases in each arm, found 1"
    )
