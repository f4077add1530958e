"""Read a planning dialogue: who wants what, and how the assistant combined the wishes for each slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.suites.trip.data import ACTIONABLE, SLOTS, Strength, Trip, TripTurn

SYSTEM = "system"
SINGLE_USER = "C1"
# The facet `intents` of a dialogue whose intents the file does not state.
BY_RULE = "by rule"
# What stands between the id of a message and the number of a further part of it: "4#2" is the second part of turn 4.
PART = "#"
# One user, or several users whose wishes nobody combines (docs/methods/trip.md, conditions).
WITHOUT_SYNTHESIS = ("C1", "C2")


class SlotPreference(Struct, frozen=True, gc=False):
    """What one member wants in one slot.

    `turn` is the first turn that states it, empty for a wish that was never spoken. If the member states several
    strengths, `parts` has the statements of each, and `strength` is None.
    """

    member: str
    slot: str
    text: str
    strength: Strength | None = None
    turn: str = ""
    parts: tuple[SlotPreference, ...] = ()

    @property
    def at(self) -> str:
        """The member and the slot."""
        return f"{self.member}: {self.slot}"

    @property
    def is_hidden(self) -> bool:
        """Whether the member never spoke of it."""
        return not self.turn

    def with_strength(self, *strengths: Strength) -> SlotPreference | None:
        """The statements that have one of these strengths; None if there is none."""
        kept = [part for part in self.parts or (self,) if part.strength in strengths]
        return join_statements(kept) if kept else None

    def mark(self, value: float, why: str, basis: str = "") -> Mark:
        """The mark of a value for this preference; its reason says if the wish was hidden."""
        shown = f"{why} (hidden wish)" if self.is_hidden else why
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


def join_statements(statements: list[SlotPreference]) -> SlotPreference:
    """One preference from the statements of a member about a slot."""
    by_strength: dict[Strength | None, list[SlotPreference]] = {}
    for statement in statements:
        by_strength.setdefault(statement.strength, []).append(statement)
    first, text = statements[0], _texts(statements)
    if len(by_strength) == 1:
        return SlotPreference(first.member, first.slot, text, first.strength, first.turn)
    parts = tuple(map(join_statements, by_strength.values()))
    return SlotPreference(first.member, first.slot, text, None, first.turn, parts)


def _texts(statements: list[SlotPreference]) -> str:
    return " ".join(statement.text.strip() for statement in statements)


def _by_member_and_slot(statements: Iterable[SlotPreference]) -> list[SlotPreference]:
    """One preference for each member and slot, in the order of their first statements."""
    grouped: dict[tuple[str, str], list[SlotPreference]] = {}
    for statement in statements:
        grouped.setdefault((statement.member, statement.slot), []).append(statement)
    return [join_statements(group) for group in grouped.values()]


def member_names(trip: Trip) -> list[str]:
    """The names of all who are known to travel: the listed members, then others who speak."""
    speakers = (turn.speaker for turn in trip.turns if turn.speaker != SYSTEM)
    return list(dict.fromkeys([*(member.id for member in trip.members), *speakers]))


def message_count(trip: Trip) -> int:
    """How many messages the dialogue has, without calls of tools; at least one."""
    return max(1, sum(turn.kind == "speech" and PART not in turn.id for turn in trip.turns))


@once
def spoken_preferences(trip: Trip) -> list[SlotPreference]:
    """The wishes that members spoke, one for each member and slot, in the order of their first turns."""
    return _by_member_and_slot(
        SlotPreference(turn.speaker, slot, turn.text.strip(), turn.strength, turn.id)
        for turn in turns_with(trip, "user_provide_")
        if turn.text.strip() and (slot := slot_of(turn.intent))
    )


@once
def preferences(trip: Trip) -> list[SlotPreference]:
    """The wishes of every member: the spoken ones, and the hidden ones for slots of which the member did not speak.

    In C1 a spokesperson whose name is not listed is not an additional member. The spokesperson's words count only if
    no listed member has a hidden wish that a plan can satisfy.
    """
    listed = {member.id for member in trip.members}
    spoken = spoken_preferences(trip)
    heard = [wish for wish in spoken if wish.member in listed] if _is_spoken_for(trip) else spoken
    known = {(wish.member, wish.slot) for wish in heard}
    hidden = _by_member_and_slot(
        SlotPreference(member.id, wish.slot, wish.text, wish.strength)
        for member in trip.members
        for wish in member.hidden
        if (member.id, wish.slot) not in known
    )
    return [*heard, *hidden]


def _is_spoken_for(trip: Trip) -> bool:
    """Whether a spokesperson speaks for members whose own wishes are known."""
    known = any(wish.slot in ACTIONABLE for member in trip.members for wish in member.hidden)
    return known and trip.condition == SINGLE_USER


def actionable_preferences(trip: Trip) -> list[SlotPreference]:
    """The preferences in slots that a plan can satisfy: lodging, cuisine, event, attraction."""
    return [preference for preference in preferences(trip) if preference.slot in ACTIONABLE]


def syntheses(trip: Trip) -> dict[str, list[TripTurn]]:
    """The turns in which the assistant combined wishes, by slot; none in C1 and C2, which have no synthesis."""
    if trip.condition in WITHOUT_SYNTHESIS:
        return {}
    by_slot: dict[str, list[TripTurn]] = {}
    for turn in turns_with(trip, "sys_synthesize_"):
        if slot := slot_of(turn.intent):
            by_slot.setdefault(slot, []).append(turn)
    return by_slot
