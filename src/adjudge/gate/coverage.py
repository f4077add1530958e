"""The coverage behind a verdict: the share of an arm's expected conversations that a metric scored."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.compare.sheet import Column
from adjudge.core.coverage import ArmCoverage
from adjudge.run import Run


class ScoredCounts(Struct, frozen=True):
    """The number of conversations with a value, and of those without one."""

    valued: int = 0
    undefined: int = 0
    skipped: int = 0
    errors: int = 0

    @classmethod
    def of_row(cls, row: Row | None) -> ScoredCounts:
        """The conversations of a row; none where there is no row."""
        return cls() if row is None else cls(row.conversations, row.undefined, row.skipped, row.errors)

    @classmethod
    def of_column(cls, column: Column) -> ScoredCounts:
        """The conversations of a column."""
        return cls(column.valued, column.undefined, column.skipped, column.errors)

    @property
    def conversations(self) -> int:
        """All of them."""
        return self.valued + self.undefined + self.skipped + self.errors


class CoverageShare(Struct, frozen=True):
    """The share of the expected data that was scored, and the missing part in words."""

    share: float
    lacks: str = ""

    def reaches(self, asked: float) -> bool:
        """Whether the share is at least the required one."""
        # The tolerance keeps rounding from failing a share that equals the required one.
        return self.share >= asked - 1e-12


def coverage_of(run: Run, arm: str, scored: ScoredCounts) -> CoverageShare:
    """The coverage of a metric on an arm.

    A conversation is covered if it has a value, or if the metric is undefined in it. Skipped scores, errors,
    conversations that are not scored yet and refused records (which may belong to any arm) are not covered. Missing
    turns of the arm lower the coverage, unless the run counts them as wrong.
    """
    seen = run.manifest.coverage.arms.get(arm, ArmCoverage())
    refused = run.manifest.coverage.refused
    every = max(scored.conversations, seen.conversations) + refused
    known = scored.valued + scored.undefined
    brought = 1.0 if run.manifest.settings.get("missing") == "wrong" else min(seen.share, 1.0)
    lacking = {
        "skipped": scored.skipped,
        "with an error": scored.errors,
        "not scored": every - refused - scored.conversations,
        "refused": refused,
    }
    lacks = [f"{number} of {every} conversations {word}" for word, number in lacking.items() if number]
    lacks += _not_brought(seen) if brought < 1 else []
    return CoverageShare(brought * known / every if every else 0.0, ", ".join(lacks))


def _not_brought(seen: ArmCoverage) -> Iterator[str]:
    if seen.turns_expected:
        yield f"{seen.turns_expected - seen.turns} of {seen.turns_expected} turns missing"
    else:
        yield f"{seen.expected - seen.conversations} of {seen.expected} conversations missing"
