"""What a plan is worth to a group, by what was handed over: the objective of the search.

A plan's claims are bits of a number, so that the claims of several places are joined by "or".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod

from adjudge.systems.trip.data import Brief, SpokenWish
from adjudge.systems.trip.planning.matching import Want, wants_of

Worth = tuple[float, ...]


class Objective:
    """The claims of a brief, and what it is worth to meet some of them."""

    def __init__(self, brief: Brief) -> None:
        self.wants = wants_of(brief.claims)
        self.brief = brief
        self.members = list(dict.fromkeys(want.member for want in self.wants))
        self._slots = list(dict.fromkeys(want.slot for want in self.wants))

    @cached_property
    def everything(self) -> int:
        """All claims."""
        return (1 << len(self.wants)) - 1

    def bits(self, wants: Sequence[Want]) -> int:
        """The claims that are among these."""
        return sum(1 << place for place, want in enumerate(self.wants) if want in wants)

    def worth(self, met: int) -> Worth:
        """What it is worth to meet these claims; the greater, the better.

        First come the claims that go before all others. For a repair the members follow, the worst off first. Then
        each slot has one say about the welfare of the group, as its rule sees it, and the number of claims decides
        between equals.
        """
        kept = (met & self._first).bit_count()
        shares = self._shares(met)
        worst = tuple(sorted(shares)) if self.brief.unmet else ()
        welfare = [self._welfare(slot, shares, met) for slot in self._slots]
        return (kept, *worst, round(sum(welfare), 9), met.bit_count())

    def _shares(self, met: int) -> list[float]:
        """The share of each member's claims that is met."""
        return [(met & bits).bit_count() / bits.bit_count() for bits in self._of_members]

    def _welfare(self, slot: str, shares: list[float], met: int) -> float:
        """The welfare of the group, from 0 to 1, as the rule of a slot sees it."""
        match self.brief.rules.get(slot, "sum"):
            case "maximin":
                return min(shares)
            case "nash":
                return prod(shares) ** (1 / len(shares))
            case "coverage" | "alternate":
                # Every member with a wish here has a place of their own, on whatever day.
                bits = self._of_slots[slot]
                return (met & bits).bit_count() / bits.bit_count()
        return sum(shares) / len(shares)

    @cached_property
    def _of_members(self) -> list[int]:
        return [self.bits([want for want in self.wants if want.member == name]) for name in self.members]

    @cached_property
    def _of_slots(self) -> dict[str, int]:
        return {slot: self.bits([want for want in self.wants if want.slot == slot]) for slot in self._slots}

    @cached_property
    def _first(self) -> int:
        return self.bits([want for want in self.wants if _is_among(want, self.brief.first)])


def _is_among(want: Want, claims: Sequence[SpokenWish]) -> bool:
    return any((claim.member, claim.slot) == (want.member, want.slot) for claim in claims)
