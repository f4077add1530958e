"""Bias by length, turn and place."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
import scipy.stats

from adjudge.stats.bias import error_trend
from adjudge.stats.judged import JudgedItems


def verbose(rng: np.random.Generator, n: int, favour: float) -> tuple[JudgedItems, list[float]]:
    """Grades by people, and by a judge who adds something for every hundred words."""
    words = rng.integers(20, 400, n)
    human = rng.integers(1, 6, n).astype(float)
    return JudgedItems(human + favour * words / 100 + rng.normal(size=n), human, np.arange(n)), words.tolist()


def test_length_bias_is_spearmans_rho_of_error_and_length() -> None:
    judged, words = verbose(np.random.default_rng(1), 80, 0.5)
    result = error_trend(judged, words)
    expected = scipy.stats.spearmanr(judged.error, words)
    assert result.rho.value == pytest.approx(expected.statistic)
    assert cast(float, result.rho.low) > 0
    assert cast(float, result.p) < 0.001


def test_a_judge_who_does_not_look_at_length_is_seldom_accused() -> None:
    rng = np.random.default_rng(2)
    accused = [cast(float, error_trend(*verbose(rng, 40, 0.0)).p) < 0.05 for _ in range(500)]
    assert np.mean(accused) <= 0.07


def test_p_and_interval_say_the_same() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        result = error_trend(*verbose(rng, 30, 0.2))
        outside = cast(float, result.rho.low) > 0 or cast(float, result.rho.high) < 0
        assert outside == (cast(float, result.p) < 0.05)


def test_turn_bias_sees_a_judge_who_grows_kinder() -> None:
    turns = [1, 2, 3, 4, 5] * 20
    noise = np.random.default_rng(4).normal(size=100)
    judged = JudgedItems.of([3 + turn / 2 + step for turn, step in zip(turns, noise, strict=True)], [3] * 100)
    result = error_trend(judged, turns)
    assert cast(float, result.rho.low) > 0


def test_a_judge_without_error_has_no_trend() -> None:
    result = error_trend(JudgedItems.of([1, 2, 3], [1, 2, 3]), [10, 20, 30])
    assert (result.rho.value, result.p, result.rho.why) == (None, None, "the same value for every item")


def test_no_label_no_trend() -> None:
    result = error_trend(JudgedItems.of([1, 2], [None, None]), [10, 20])
    assert (result.rho.value, result.p) == (None, None)


def test_lengths_must_be_one_for_each_item() -> None:
    with pytest.raises(ValueError, match="1 amounts for 2 items; expected one each"):
        error_trend(JudgedItems.of([1, 2], [1, 2]), [10])
