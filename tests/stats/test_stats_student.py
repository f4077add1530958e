"""Student's t distribution against scipy's and against closed forms."""

from __future__ import annotations

from math import atan, inf, isnan, nan, pi, sqrt

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit

from adjudge.stats.student import t_quantile, t_tails

FREEDOMS = (1, 1.3, 2, 4.7, 10, 33.3, 119, 121, 500, 12_345.6)
LEVELS = (1e-12, 1e-6, 0.001, 0.01, 0.05, 0.1, 0.5, 0.9)


@pytest.mark.parametrize("df", FREEDOMS)
def test_quantiles_and_tails_are_those_of_scipy(df: float) -> None:
    for alpha in LEVELS:
        assert t_quantile(df, alpha) == pytest.approx(float(-stdtrit(df, alpha / 2)), rel=1e-11)
    for t in (0.01, 0.5, 1.7, 1.8, 2.5, 7.0, 40.0):
        assert t_tails(t, df) == pytest.approx(float(2 * stdtr(df, -t)), rel=1e-11)


@pytest.mark.parametrize("df", [1e5, 1e6, 1e7, 1e9])
def test_millions_of_cases(df: float) -> None:
    assert t_quantile(df) == pytest.approx(float(-stdtrit(df, 0.025)), rel=1e-11)
    assert t_tails(2.5, df) == pytest.approx(float(2 * stdtr(df, -2.5)), rel=1e-7)


@pytest.mark.parametrize("t", [1e-6, 0.3, 1.0, 3.0])
def test_closed_forms_of_one_and_two_degrees_of_freedom(t: float) -> None:
    assert t_tails(t, 1) == pytest.approx(1 - 2 * atan(t) / pi, rel=1e-13)
    assert t_tails(t, 2) == pytest.approx(1 - t / sqrt(2 + t * t), rel=1e-13)


def test_what_is_no_number_stays_none() -> None:
    assert isnan(t_quantile(5, nan))
    assert isnan(t_quantile(nan))
    assert isnan(t_tails(nan, 5))


def test_tails_at_the_ends_and_of_both_signs() -> None:
    assert t_tails(0.0, 5) == 1.0
    assert t_tails(inf, 5) == t_tails(1e200, 5) == 0.0
    assert t_tails(-2.0, 5) == t_tails(2.0, 5)


def test_numbers_of_numpy_give_plain_numbers() -> None:
    assert type(t_tails(np.float64(2.0), np.float64(7.5))) is float
    assert type(t_quantile(np.float64(7.25), np.float64(0.05))) is float
