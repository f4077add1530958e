"""How much of what was expected of an arm a metric scored: what a verdict rests on."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.compare.sheet import Column
from adjudge.core.coverage import ArmCoverage
from adjudge.run import Run


class Covered(Struct, frozen=True):
    """The share of what was expected that was scored, and what is lacking, in words."""

    share: float
    lacks: str = ""

    def reaches(self, asked: float) -> bool:
        """Whether it is as much as was asked for."""
        return self.share >= asked - 1e-12


def coverage_of(run: Run, arm: str, column: Column) -> Covered:
    """The coverage of a metric on an arm.

    A conversation counts if it has a value or the metric's question does not arise in it. Skipped scores, errors,
    conversations that a run has not come to yet and refused records (which may be of any arm) count against it, and so
    do turns that the arm did not bring, unless the run counts those as wrong.
    """
    seen = run.manifest.coverage.arms.get(arm, ArmCoverage())
    refused = run.manifest.coverage.refused
    every = max(column.conversations, seen.conversations) + refused
    known = len(column.sums) + column.undefined
    brought = 1.0 if run.manifest.settings.get("missing") == "wrong" else min(seen.share, 1.0)
    lacking = {
        "skipped": column.skipped,
        "with an error": column.errors,
        "not scored": every - refused - column.conversations,
        "refused": refused,
    }
    lacks = [f"{number} of {every} conversations {word}" for word, number in lacking.items() if number]
    lacks += _not_brought(seen) if brought < 1 else []
    return Covered(brought * known / every if every else 0.0, ", ".join(lacks))


def _not_brought(seen: ArmCoverage) -> Iterator[str]:
    if seen.turns_expected:
        yield f"{seen.turns_expected - seen.turns} of {seen.turns_expected} turns missing"
    else:
        yield f"{seen.expected - seen.conversations} of {seen.expected} conversations missing"
