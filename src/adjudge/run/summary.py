"""What tables are made from: the scores of a record without their marks."""

from __future__ import annotations

from msgspec import Struct

from adjudge.core.mark import Skipped
from adjudge.core.record import Key


class ScoreSummary(Struct, frozen=True, gc=False):
    """A score without its marks."""

    value: float | None = None
    n: int = 0
    weight: float = 0.0
    skipped: Skipped | None = None
    missing: dict[str, Skipped] = {}
    basis: str = ""
    unlabelled: int = 0


class SummaryRow(Struct, frozen=True, gc=False):
    """The scores of a record without their marks: much faster to read."""

    case: str
    arm: str
    scores: dict[str, ScoreSummary]
    trial: int = 0
    facets: dict[str, str] = {}
    given: dict[str, str] = {}

    @property
    def key(self) -> Key:
        """The conversation that was scored."""
        return Key(self.case, self.arm, self.trial)
