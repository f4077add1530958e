"""The accuracy of the checks that need no judge, measured on held-out replies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from adjudge.suites.patient.lexicon.tables import table_of


def quality(check: str) -> str:
    """The measured accuracy of a check, as sentences for its documentation page."""
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
