"""Effect sizes against statsmodels, scipy and published figures, and their words at the limits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.meta_analysis import effectsize_smd

from adjudge.stats.cases import Arm, PairedCases, UnpairedCases
from adjudge.stats.effect import (
    cliffs_delta,
    cohen_d,
    cohen_dz,
    percentage_word,
    word,
)

SEEDS = range(10)


def drawn(seed: int, n: int, shift: float = 0.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(shift, 1, n)


def unpaired(a: object, b: object) -> UnpairedCases:
    return UnpairedCases.of(Arm.over_conversations(a), Arm.over_conversations(b))  # type: ignore[arg-type]


def test_the_decision_document_s_example_as_corrected_by_the_rulings() -> None:
    unit = np.arange(10) - 4.5
    unit = unit / unit.std(ddof=1)
    assert round(cohen_d(unpaired(0.745 + 0.082 * unit, 0.680 + 0.091 * unit)) or 0, 3) == 0.750


@pytest.mark.parametrize("seed", SEEDS)
def test_d_agrees_with_statsmodels(seed: int) -> None:
    a, b = drawn(seed, 8 + seed, 0.5), drawn(seed + 50, 12)
    theirs, _ = effectsize_smd(a.mean(), a.std(ddof=1), len(a), b.mean(), b.std(ddof=1), len(b))
    d = cohen_d(unpaired(a, b))
    assert d is not None
    # statsmodels corrects for the bias of few cases by 1 - 3 / (4 N - 9).
    assert d * (1 - 3 / (4 * (len(a) + len(b)) - 9)) == pytest.approx(theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_dz_is_the_paired_t_over_the_root_of_n(seed: int) -> None:
    a, b = drawn(seed, 14, 0.4), drawn(seed + 50, 14)
    result = cohen_dz(PairedCases.of(Arm.over_conversations(a), Arm.over_conversations(b)))
    assert result == pytest.approx(stats.ttest_rel(a, b).statistic / 14**0.5)


@pytest.mark.parametrize("seed", SEEDS)
def test_cliffs_delta_agrees_with_the_mann_whitney_statistic_and_with_counting(seed: int) -> None:
    dice = np.random.default_rng(seed)
    a, b = dice.integers(0, 5, 17), dice.integers(1, 6, 11)
    counted = np.sign(a[:, None] - b).mean()
    u = stats.mannwhitneyu(a, b).statistic
    assert cliffs_delta(a, b) == pytest.approx(counted)
    assert cliffs_delta(a, b) == pytest.approx(2 * u / (17 * 11) - 1)


def test_cliffs_delta_at_its_ends_and_with_ties_everywhere() -> None:
    assert cliffs_delta([3, 4], [1, 2]) == 1.0
    assert cliffs_delta([1, 2], [3, 4]) == -1.0
    assert cliffs_delta([1] * 20, [1] * 20) == 0.0
    assert cliffs_delta([], [1]) is None


def test_without_spread_or_cases_there_is_no_effect_size() -> None:
    same, item = Arm.over_conversations([0.7] * 20), Arm.over_conversations([0.7])
    assert cohen_d(UnpairedCases.of(same, same)) is None
    assert cohen_d(UnpairedCases.of(item, same)) is None
    assert cohen_dz(PairedCases.of(same, same)) is None
    assert cohen_dz(PairedCases.of(item, item)) is None


def test_words_change_at_their_limits() -> None:
    assert [word(d) for d in (0, -0.19, 0.2, 0.49, -0.5, 0.79, 0.8, -3)] == (
        "negligible negligible small small medium medium large large".split()
    )
    shares = (0.0, -0.05, 0.051, -0.153, 0.2, 0.5, -0.51, 2.0)
    assert [percentage_word(share) for share in shares] == (
        "negligible negligible moderate moderate substantial substantial major major".split()
    )
