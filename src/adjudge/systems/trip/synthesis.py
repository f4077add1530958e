"""Wishes for a slot combined by rule: whether they conflict, and how the conflict is settled."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudge.suites.trip.data import Synthesis
from adjudge.suites.trip.rules.dialogue import SlotPreference, join_statements
from adjudge.suites.trip.rules.wishes import read_wish
from adjudge.systems.trip.data import SpokenWish
from adjudge.systems.trip.kinds import first_difference
from adjudge.systems.trip.lexicon import table_of

NO_STRATEGY = "N/A"


class SlotSummary(Struct, frozen=True):
    """What the wishes for a slot come to: the words, whether they conflict and how, and the wishes as a list."""

    text: str
    has_conflict: bool
    description: str = ""
    wishes: str = ""

    def notes(self, strategy: str) -> Synthesis:
        """The notes of the synthesis, settled by a strategy, or without one by what meets the most wishes."""
        rule = table_of("strategies")["rules"].get(strategy, "sum")
        kind = "silent" if not self.wishes else rule if self.has_conflict else "agreed"
        explanation = say("explanation", kind, wishes=self.wishes)
        return Synthesis(self.has_conflict, self.description, strategy or NO_STRATEGY, explanation)


def summarise(slot: str, claims: Sequence[SpokenWish]) -> SlotSummary:
    """The wishes for a slot put together; they conflict where two members want different kinds of things."""
    wishes = [wish for wish in _preferences(slot, claims) if not read_wish(wish).indifferent]
    listed = "; ".join(f"{wish.member}: {wish.text.rstrip('.')}" for wish in wishes)
    pair = first_difference(wishes)
    kind = "differ" if pair else "agreed" if wishes else "silent"
    text = say("synthesis", kind, slot=slot_words(slot), wishes=listed)
    described = " but ".join(f"{wish.member} says {wish.text!r}" for wish in pair or ())
    return SlotSummary(text, pair is not None, described, listed)


def say(table: str, kind: str, **values: object) -> str:
    """A wording of the mediator, filled in."""
    return str(table_of("mediator")[table][kind]).format(**values)


def slot_words(slot: str) -> str:
    """A slot as the mediator calls it."""
    return str(table_of("mediator")["slots"][slot])


def _preferences(slot: str, claims: Sequence[SpokenWish]) -> list[SlotPreference]:
    by_member: dict[str, list[SlotPreference]] = {}
    for claim in claims:
        spoken = SlotPreference(claim.member, slot, claim.text, claim.strength, "spoken")
        by_member.setdefault(claim.member, []).append(spoken)
    return [join_statements(statements) for statements in by_member.values()]
