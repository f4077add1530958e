"""Friedman's test and what follows it, against scipy and the example of Demšar (2006)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from adjudge.stats.friedman import critical_difference, friedman, holm_against, nemenyi

# Demšar, JMLR 7 (2006), table 6: AUC of C4.5 with and without tuning on fourteen data sets. The thirteenth prints .975
# twice but ranks the two, so the first is a little higher here.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.970],
]


def test_the_mean_ranks_and_critical_difference_of_demsar() -> None:
    result = friedman(-np.array(DEMSAR))
    assert result.mean_ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=5e-4)
    # His error takes no account of ties; there are few.
    untied = (4 * 5 / (6 * 14)) ** 0.5
    assert critical_difference(result) / result.error * untied == pytest.approx(1.25, abs=5e-3)
    assert critical_difference(result, 0.10) / result.error * untied == pytest.approx(1.12, abs=5e-3)
    assert 0.95 * untied < result.error < untied
    differ = {(item.a, item.b) for item in nemenyi(result) if item.p < 0.10}
    assert differ == {(0, 1), (0, 3)}


@pytest.mark.parametrize("arms", [3, 5])
@pytest.mark.parametrize("tied", [False, True])
def test_the_test_agrees_with_scipy(arms: int, tied: bool) -> None:
    dice = np.random.default_rng(arms)
    values = dice.integers(0, 4, (20, arms)) if tied else dice.normal(0, 1, (20, arms))
    expected = stats.friedmanchisquare(*values.T)
    result = friedman(values)
    assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert result.mean_ranks == pytest.approx(tuple(stats.rankdata(values, axis=1).mean(axis=0)))


def test_nemenyi_s_critical_values_are_those_of_demsar_s_table() -> None:
    # Demšar's table 5(a): q at 0.05 for 2 to 10 arms, here from 3.
    for arms, q in zip(range(3, 11), (2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164), strict=True):
        result = friedman(np.random.default_rng(1).normal(0, 1, (30, arms)))
        assert critical_difference(result) / result.error == pytest.approx(q, abs=1.5e-3)


def test_nemenyi_s_p_is_below_alpha_just_beyond_the_critical_difference() -> None:
    result = friedman(np.random.default_rng(4).normal(np.linspace(0, 1, 5), 1, (25, 5)))
    far = critical_difference(result)
    assert len(nemenyi(result)) == 10
    for item in nemenyi(result):
        assert (item.p < 0.05) == (abs(item.difference) > far)


def test_holm_after_friedman_is_holm_over_normal_ps() -> None:
    result = friedman(np.random.default_rng(4).normal(np.linspace(0, 1, 4), 1, (25, 4)))
    for contrasts in (holm_against(result, 0), holm_against(result, 1)):
        raw = [2 * stats.norm.sf(abs(item.difference) / result.error) for item in contrasts]
        assert [item.p for item in contrasts] == pytest.approx(list(multipletests(raw, method="holm")[1]))
    assert [(item.a, item.b) for item in holm_against(result, 1)] == [(0, 1), (2, 1), (3, 1)]


def test_ties_everywhere_have_no_p_and_say_so() -> None:
    result = friedman(np.ones((12, 3)))
    assert (result.p, result.why) == (None, "all arms tie in each of the 12 cases")
    assert result.mean_ranks == (2.0, 2.0, 2.0)
    assert [item.p for item in nemenyi(result)] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("shape", [(0, 3), (1, 4), (9, 2)])
def test_too_few_cases_or_arms_have_no_p(shape: tuple[int, int]) -> None:
    result = friedman(np.ones(shape))
    assert (result.p, result.why) == (None, f"needs at least 2 cases and 3 arms, found {shape[0]} and {shape[1]}")
    assert nemenyi(result) == []


def test_undefined_values_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        friedman([[1.0, float("nan"), 2.0]])
