"""Read a planning dialogue: who wants what, and how the assistant combined the wishes for each slot."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.suites.trip.data import ACTIONABLE, SLOTS, Strength, Trip, TripTurn

SYSTEM = "system"
SPOKEN, HIDDEN = "spoken", "hidden"
SINGLE_USER = "C1"


class Preference(Struct, frozen=True, gc=False):
    """What one member wants in one slot; `turn` is the turn that states it, empty for a wish that was never spoken."""

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
        """The mark of a value for this preference; its reason says if the wish was hidden."""
        shown = f"{why} (hidden wish)" if self.hidden else why
        return Mark(value, at=self.at, turn=self.turn, why=shown, group=self.slot, basis=basis)


def slot_of(intent: str) -> str:
    """The slot that an intent is about; empty if it is about none.

    >>> slot_of("sys_synthesize_cuisine"), slot_of("user_provide_traveler_type"), slot_of("sys_present_plan")
    ('cuisine', 'traveler_type', '')
    """
    return next((slot for slot in SLOTS if intent.endswith(f"_{slot}")), "")


def turns_with(trip: Trip, *prefixes: str) -> Iterator[TripTurn]:
    """The turns whose intent begins with one of these."""
    return (turn for turn in trip.turns if turn.intent.startswith(prefixes))


def spoken_preferences(trip: Trip) -> list[Preference]:
    """The wishes that members spoke, in the order of their first turns.

    Turns of one member about one slot are joined if they have the same strength.
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
    """The wishes of every member: the spoken ones, or the hidden ones of a member who stated no preference.

    In C1 a spokesperson whose name is not listed is not an additional member. The spokesperson's words count only if
    no listed member has a hidden wish that a plan can satisfy.
    """
    listed = {member.id for member in trip.members}
    spoken = spoken_preferences(trip)
    heard = [wish for wish in spoken if wish.member in listed] if _is_spoken_for(trip) else spoken
    speakers = {preference.member for preference in heard}
    silent = [member for member in trip.members if member.id not in speakers]
    hidden = [Preference(member.id, wish.slot, wish.text, wish.strength) for member in silent for wish in member.hidden]
    return [*heard, *hidden]


def _is_spoken_for(trip: Trip) -> bool:
    """Whether a spokesperson speaks for members whose own wishes are known."""
    known = any(wish.slot in ACTIONABLE for member in trip.members for wish in member.hidden)
    return known and trip.condition == SINGLE_USER


def actionable_preferences(trip: Trip) -> list[Preference]:
    """The preferences in slots that a plan can satisfy: lodging, cuisine, event, attraction."""
    return [preference for preference in preferences(trip) if preference.slot in ACTIONABLE]


def syntheses(trip: Trip) -> dict[str, list[TripTurn]]:
    """The turns in which the assistant combined wishes, by slot."""
    by_slot: dict[str, list[TripTurn]] = {}
    for turn in turns_with(trip, "sys_synthesize_"):
        if slot := slot_of(turn.intent):
            by_slot.setdefault(slot, []).append(turn)
    return by_slot
