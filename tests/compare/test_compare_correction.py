"""Correction of p values against statsmodels and scipy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from adjudge.compare.correction import benjamini_hochberg, holm

QUICKLY = settings(max_examples=100, deadline=None, database=None)
PS = st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=30)


@QUICKLY
@given(PS)
def test_corrections_agree_with_statsmodels_and_scipy(ps: list[float | None]) -> None:
    known = [p for p in ps if p is not None]
    for correct, name in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        found = correct(ps)
        assert [p is None for p in found] == [p is None for p in ps]
        if known:
            expected = multipletests(known, method=name)[1]
            assert [p for p in found if p is not None] == pytest.approx(list(expected))
    if known:
        assert [p for p in benjamini_hochberg(ps) if p is not None] == pytest.approx(
            list(false_discovery_control(known))
        )


def test_no_p_is_no_question() -> None:
    assert holm([]) == []
    assert holm([None, None]) == [None, None]
    assert holm([None, 0.04]) == [None, 0.04]
    assert benjamini_hochberg([0.04, None]) == [0.04, None]


def test_ties_stay_ties() -> None:
    assert holm([0.02, 0.02, 0.5]) == [0.06, 0.06, 0.5]
