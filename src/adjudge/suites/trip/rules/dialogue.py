"""What a planning dialogue holds: who wants what, and what the assistant did about each slot."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.suites.trip.data import ACTIONABLE, SLOTS, Strength, Trip, TripTurn

SYSTEM = "system"
SPOKEN, HIDDEN = "spoken", "hidden"
SINGLE_USER = "C1"


class Preference(Struct, frozen=True, gc=False):
    """What one member wants in one slot; `turn` is where it was said, empty for a wish that was never spoken."""

    member: str
    slot: str
    text: str
    strength: Strength | None = None
    turn: str = ""

    @property
    def at(self) -> str:
        """The member and the slot."""
        return f"{self.member}: {self.slot}"

    @property
    def hidden(self) -> bool:
        """Whether the member never spoke of it."""
        return not self.turn

    def mark(self, value: float, why: str, basis: str = "") -> Mark:
        """The mark of a value for this preference; the reason says where nobody heard the wish."""
        shown = f"{why} (hidden wish)" if self.hidden else why
        return Mark(value, at=self.at, turn=self.turn, why=shown, group=self.slot, basis=basis)


def slot_of(intent: str) -> str:
    """The slot that an intent is about, empty where it is about none.

    >>> slot_of("sys_synthesize_cuisine"), slot_of("user_provide_traveler_type"), slot_of("sys_present_plan")
    ('cuisine', 'traveler_type', '')
    """
    return next((slot for slot in SLOTS if intent.endswith(f"_{slot}")), "")


def turns_with(trip: Trip, *prefixes: str) -> Iterator[TripTurn]:
    """The turns whose intent begins with one of these."""
    return (turn for turn in trip.turns if turn.intent.startswith(prefixes))


def spoken_preferences(trip: Trip) -> list[Preference]:
    """What members said they want, in the order in which they first did.

    Several turns of a member about one slot are taken together where they are equally strong.
    """
    turns_by_wish: dict[tuple[str, str, Strength | None], list[TripTurn]] = {}
    for turn in turns_with(trip, "user_provide_"):
        if turn.text.strip() and (slot := slot_of(turn.intent)):
            turns_by_wish.setdefault((turn.speaker, slot, turn.strength), []).append(turn)
    return [
        Preference(member, slot, " ".join(turn.text.strip() for turn in turns), strength, turns[0].id)
        for (member, slot, strength), turns in turns_by_wish.items()
    ]


def preferences(trip: Trip) -> list[Preference]:
    """What every member wants: what it said, or its hidden wishes where it never spoke and the record has them.

    In C1 one who speaks for the group under a name that is not listed is no further member: those words count only
    where no listed member has a hidden wish that a plan can satisfy.
    """
    listed = {member.id for member in trip.members}
    spoken = spoken_preferences(trip)
    heard = [wish for wish in spoken if wish.member in listed] if _is_spoken_for(trip) else spoken
    speakers = {preference.member for preference in heard}
    silent = [member for member in trip.members if member.id not in speakers]
    hidden = [Preference(member.id, wish.slot, wish.text, wish.strength) for member in silent for wish in member.hidden]
    return [*heard, *hidden]


def _is_spoken_for(trip: Trip) -> bool:
    """Whether one speaks for members whose own wishes are known."""
    known = any(wish.slot in ACTIONABLE for member in trip.members for wish in member.hidden)
    return known and trip.condition == SINGLE_USER


def actionable_preferences(trip: Trip) -> list[Preference]:
    """The preferences in slots that a plan can satisfy: lodging, cuisine, event, attraction."""
    return [preference for preference in preferences(trip) if preference.slot in ACTIONABLE]


def syntheses(trip: Trip) -> dict[str, list[TripTurn]]:
    """The turns in which the assistant put wishes together, by slot."""
    by_slot: dict[str, list[TripTurn]] = {}
    for turn in turns_with(trip, "sys_synthesize_"):
        if slot := slot_of(turn.intent):
            by_slot.setdefault(slot, []).append(turn)
    return by_slot
