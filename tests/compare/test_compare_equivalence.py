"""Equivalence against statsmodels, and its agreement with the interval."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.weightstats import ttost_paired

from adjudge.compare.cases import Arm, Estimate, Paired
from adjudge.compare.equivalence import tost, within
from adjudge.compare.interval import cluster_t, square_and_add, tango


def drawn(seed: int, n: int = 25) -> Paired:
    dice = np.random.default_rng(seed)
    base = dice.normal(0, 1, n)
    return Paired.of(
        Arm.over_conversations(base + dice.normal(0.1, 0.3, n)), Arm.over_conversations(base + dice.normal(0, 0.3, n))
    )


@pytest.mark.parametrize("seed", range(20))
def test_tost_agrees_with_statsmodels_and_with_the_interval_at_90_percent(seed: int) -> None:
    data = drawn(seed)
    found = data.estimate()
    assert isinstance(found, Estimate)
    ours = tost(found.difference, found.error, found.df, 0.25)
    theirs = ttost_paired(data.a.totals, data.b.totals, -0.25, 0.25)[0]
    assert ours.p == pytest.approx(theirs)
    assert ours.equivalent == (theirs < 0.05) == within(cluster_t(data, 0.90), 0.25)


def test_without_spread_the_test_is_undefined_but_the_score_interval_answers() -> None:
    assert tost(0.0, 0.0, 9, 0.1).p is None
    assert tost(0.0, 0.0, 9, 0.1).why
    for n, tied in ((20, False), (200, True)):
        right = Arm.over_conversations([1] * n)
        assert within(tango(Paired.of(right, right), 0.90), 0.02) is tied
    assert within(square_and_add(Paired.of(Arm.over_marks([3], [3]), Arm.over_marks([3], [3])), (0, 1)), 0.1) is None


def test_a_margin_must_be_stated() -> None:
    with pytest.raises(ValueError, match="margin above 0"):
        tost(0.0, 1.0, 9, 0.0)
