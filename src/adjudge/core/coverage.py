"""Coverage: how much of what was expected is there, said before any score."""

from __future__ import annotations

from msgspec import Struct


class ArmCoverage(Struct, omit_defaults=True):
    """What one arm brought: conversations and turns of those expected, and the fields it predicts.

    `remarks` are sentences for people: names that never meet and the mapping that would repair them.
    """

    conversations: int = 0
    expected: int = 0
    turns: int = 0
    turns_expected: int = 0
    fields: list[str] = []
    remarks: list[str] = []

    @property
    def share(self) -> float:
        """Turns brought of turns expected; of conversations where turns are not counted."""
        if self.turns_expected:
            return self.turns / self.turns_expected
        return self.conversations / self.expected if self.expected else 1.0


class Coverage(Struct, omit_defaults=True):
    """The coverage of a run: by arm, with warnings of the reader and the number of refused records."""

    arms: dict[str, ArmCoverage] = {}
    warnings: list[str] = []
    refused: int = 0
