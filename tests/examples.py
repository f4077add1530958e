"""How many random examples a property is tried on: few in every run of the tests, many in trials."""

from __future__ import annotations

from hypothesis import settings


def few_examples(always: int = 25, in_trials: int = 100) -> settings:
    """The settings of properties that take more time than others; trials are known by examples that are new."""
    return settings(max_examples=always if settings().derandomize else in_trials, deadline=None, database=None)
