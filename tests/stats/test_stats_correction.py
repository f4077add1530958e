"""Correction of p values against statsmodels and scipy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from adjudge.stats.correction import benjamini_hochberg, holm
from examples import few_examples

QUICKLY = few_examples(5)
PS = st.tuples(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=30), st.floats(0, 1)).map(
    lambda ps: [*ps[0], ps[1]]
)


def known(ps: list[float | None]) -> list[float]:
    return [p for p in ps if p is not None]


@QUICKLY
@given(PS)
def test_holm_agrees_with_statsmodels(ps: list[float | None]) -> None:
    results = holm(ps)
    assert [p is None for p in results] == [p is None for p in ps]
    assert known(results) == pytest.approx(list(multipletests(known(ps), method="holm")[1]))


@QUICKLY
@given(PS)
def test_benjamini_and_hochberg_agree_with_statsmodels(ps: list[float | None]) -> None:
    results = benjamini_hochberg(ps)
    assert [p is None for p in results] == [p is None for p in ps]
    assert known(results) == pytest.approx(list(multipletests(known(ps), method="fdr_bh")[1]))


def test_no_p_is_no_question() -> None:
    assert holm([]) == []
    assert holm([None, None]) == [None, None]
    assert holm([None, 0.04]) == [None, 0.04]
    assert benjamini_hochberg([0.04, None]) == [0.04, None]


def test_ties_stay_ties() -> None:
    assert holm([0.02, 0.02, 0.5]) == [0.06, 0.06, 0.5]
