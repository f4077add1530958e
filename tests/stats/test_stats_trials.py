"""Several trials a case, against statsmodels, published figures and counting."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from adjudge.stats.trials import components, pass_hat_k

# Shrout and Fleiss, Psychological Bulletin 86 (1979), table 2: six targets, four judges; ICC(1,1) is .17.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_the_intraclass_correlation_of_shrout_and_fleiss() -> None:
    assert components(SHROUT_FLEISS).icc == pytest.approx(0.17, abs=5e-3)


def test_balanced_components_are_those_of_restricted_likelihood() -> None:
    dice = np.random.default_rng(1)
    values = dice.normal(0, 1, (30, 1)) + dice.normal(0, 0.7, (30, 5))
    fitted = sm.MixedLM(values.ravel(), np.ones(150), np.repeat(np.arange(30), 5)).fit(reml=True)
    result = components(values.tolist())
    assert result.between == pytest.approx(float(fitted.cov_re[0, 0]), rel=1e-4)
    assert result.within == pytest.approx(fitted.scale, rel=1e-4)


def test_unbalanced_components_have_the_f_ratio_of_scipy() -> None:
    dice = np.random.default_rng(2)
    cases = [list(dice.normal(dice.normal(0, 2), 1, size)) for size in (1, 2, 3, 5, 8)]
    result = components(cases)
    assert result.between is not None
    assert result.within is not None
    counts = np.array([1, 2, 3, 5, 8])
    typical = (counts.sum() - (counts**2).sum() / counts.sum()) / 4
    assert (result.within + typical * result.between) / result.within == pytest.approx(stats.f_oneway(*cases).statistic)


def test_unbalanced_components_are_right_on_average() -> None:
    dice = np.random.default_rng(3)
    result = []
    for _ in range(1500):
        item = components([list(dice.normal(dice.normal(0, 1), 0.5, size)) for size in (2, 3, 4, 2, 6, 3, 2, 5)])
        assert item.between is not None
        assert item.within is not None
        result.append((item.between, item.within))
    assert np.mean(result, axis=0) == pytest.approx((1.0, 0.25), rel=0.05)


def test_cases_less_unlike_than_their_trials_have_no_variance_between() -> None:
    result = components([[0, 1], [1, 0], [0, 1]])
    assert (result.between, result.icc) == (0.0, 0.0)


def test_what_cannot_be_told_apart_is_none() -> None:
    for cases in ([], [[1.0, 0.0]], [[1.0], [0.0], [1.0]], [[], []]):
        result = components(cases)
        assert (result.between, result.within, result.icc) == (None, None, None)
        assert result.why.startswith("needs at least 2 cases and a case of 2 trials")
    same = components([[1.0, 1.0], [1.0, 1.0]])
    assert (same.between, same.within, same.icc, same.why) == (0.0, 0.0, None, "the 4 trials are all alike")


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_passes_agree_with_counting_all_draws(k: int) -> None:
    successes, trials = [0, 1, 3, 4, 5], [4, 5, 4, 4, 6]
    every = []
    for c, n in zip(successes, trials, strict=True):
        drawn = list(combinations([1] * c + [0] * (n - c), k))
        every.append(np.mean([all(item) for item in drawn]))
    assert pass_hat_k(successes, trials, k).value == pytest.approx(np.mean(every))


def test_cases_with_fewer_than_k_trials_are_counted_not_averaged() -> None:
    result = pass_hat_k([2, 1], [2, 1], 2)
    assert (result.value, result.n, result.left_out) == (1.0, 1, 1)
    assert pass_hat_k([1], [1], 2).value is None


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and the trials"):
        pass_hat_k([3], [2], 1)
    with pytest.raises(ValueError, match="at least 1"):
        pass_hat_k([1], [2], 0)
