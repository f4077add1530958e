"""Strategies that build valid data for the tests of decisions: nothing is drawn to be thrown away."""

from __future__ import annotations

from hypothesis import strategies as st


@st.composite
def amounts(draw: st.DrawFn, size: int, most: int) -> list[int]:
    """So many whole numbers from 0 to `most`, at least one of them above 0."""
    drawn = draw(st.lists(st.integers(0, most), min_size=size, max_size=size))
    place = draw(st.integers(0, size - 1))
    return [max(amount, 1) if index == place else amount for index, amount in enumerate(drawn)]
