"""Coverage: how much of the expected data is there, reported before any score."""

from __future__ import annotations

from msgspec import Struct


class ArmCoverage(Struct, omit_defaults=True):
    """The coverage of one arm: its conversations and turns, the expected numbers, and the fields it predicts.

    `remarks` are sentences for people, such as names that match nothing and the mapping that would fix them.

    >>> from adjudge import ArmCoverage
    >>> ArmCoverage(conversations=9, expected=10).share
    0.9
    """

    conversations: int = 0
    expected: int = 0
    turns: int = 0
    turns_expected: int = 0
    fields: list[str] = []
    remarks: list[str] = []

    @property
    def share(self) -> float:
        """The share of the expected turns that are there, or of conversations if turns are not counted."""
        if self.turns_expected:
            return self.turns / self.turns_expected
        return self.conversations / self.expected if self.expected else 1.0

    def merge(self, other: ArmCoverage) -> None:
        """Take in the conversations, turns and fields that were counted elsewhere."""
        self.conversations += other.conversations
        self.turns += other.turns
        self.fields = list(dict.fromkeys([*self.fields, *other.fields]))


class Coverage(Struct, omit_defaults=True):
    """The coverage of a run: by arm, with warnings of the reader and the number of refused records.

    >>> from adjudge import ArmCoverage, Coverage
    >>> list(Coverage({"mine": ArmCoverage(conversations=9)}).arms)
    ['mine']
    """

    arms: dict[str, ArmCoverage] = {}
    warnings: list[str] = []
    refused: int = 0
