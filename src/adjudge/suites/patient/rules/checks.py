"""How much the checks that need no judge find, as measured on replies that they were not made for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from adjudge.suites.patient.lexicon.tables import table_of


def quality(check: str) -> str:
    """How good a check is, in a sentence for its page."""
    figures = measured_figures()[check]
    return (
        f"By rules for English. Of held-out replies, written by one hand to measure it, it found {figures['found']} of "
        f"{figures['of']} that it must find, and raised {figures['raised']} of {figures['among']} that it must not."
    )


@cache
def measured_figures() -> Mapping[str, Mapping[str, int]]:
    """The figures in `checks.toml`, by check."""
    table = table_of("checks")
    figures: Mapping[str, Mapping[str, int]] = table["checks"]
    return figures
