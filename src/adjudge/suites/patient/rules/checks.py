"""How much the checks that need no judge find, as measured on replies that they were not made for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from adjudge.suites.patient.lexicon.tables import table_of


def quality(check: str) -> str:
    """How good a check is, in a sentence for its page."""
    found = measured()[check]
    return (
        f"By rules for English. Of held-out replies, written by one hand to measure it, it found {found['found']} of "
        f"{found['of']} that it must find, and raised {found['raised']} of {found['among']} that it must not."
    )


@cache
def measured() -> Mapping[str, Mapping[str, int]]:
    """The figures in `checks.toml`, by check."""
    table = table_of("checks", folder="rules")
    found: Mapping[str, Mapping[str, int]] = table["checks"]
    return found
