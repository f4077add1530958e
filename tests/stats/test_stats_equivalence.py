"""Equivalence against statsmodels, and its agreement with the interval."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.stats.cases import Arm, Paired
from adjudge.stats.difference import cluster_t, square_and_add, tango
from adjudge.stats.equivalence import within


def drawn(seed: int, n: int = 25) -> Paired:
    dice = np.random.default_rng(seed)
    base = dice.normal(0, 1, n)
    return Paired.of(
        Arm.over_conversations(base + dice.normal(0.1, 0.3, n)), Arm.over_conversations(base + dice.normal(0, 0.3, n))
    )


def test_without_spread_the_score_interval_answers() -> None:
    for n, tied in ((20, False), (200, True)):
        right = Arm.over_conversations([1] * n)
        assert within(tango(Paired.of(right, right), 0.90), 0.02) is tied
    assert within(square_and_add(Paired.of(Arm.over_marks([3], [3]), Arm.over_marks([3], [3])), (0, 1)), 0.1) is None


def test_a_margin_must_be_stated() -> None:
    with pytest.raises(ValueError, match="margin above 0"):
        within(cluster_t(drawn(1), 0.90), 0.0)
