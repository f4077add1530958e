"""What the records bring and lack, before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Complaint
from adjudge.core.suite import Survey
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.dialogue import member_names, turns_with
from adjudge.suites.trip.rules.places import find_entry, slots_of

ACCEPTANCE = ("user_accept_plan", "user_reject_plan", "user_approve_approach", "user_reject_approach")


class Lacking(Struct):
    """What the trips of one arm are without, counted; `fault` is the first reason for a plan that is not there.

    `strange` are plans of which no place is in their catalogue.
    """

    plans: int = 0
    fault: str = ""
    catalogues: int = 0
    strange: int = 0
    first_strange: str = ""
    members: int = 0
    rosters: int = 0
    silent: int = 0
    hidden: int = 0


class TripSurvey(Survey):
    """Counts what each arm brings, and who was never heard."""

    def __init__(self) -> None:
        self.arms: dict[str, ArmCoverage] = {}
        self.lacking: dict[str, Lacking] = {}
        self.seen: dict[str, set[str]] = {}

    def add(self, trip: Trip) -> None:
        """Look at one record."""
        seen = self.arms.setdefault(trip.arm, ArmCoverage())
        self.seen.setdefault(trip.key.case, set()).add(trip.arm)
        seen.conversations += 1
        seen.turns += len(trip.turns)
        seen.fields = list(dict.fromkeys([*seen.fields, *_fields(trip)]))
        self._note(trip, self.lacking.setdefault(trip.arm, Lacking()))

    def complaints(self) -> list[Complaint]:
        """Nothing can be wrong with the records as a whole."""
        return []

    def coverage(self) -> Coverage:
        """What was there and what was missing."""
        for arm, seen in self.arms.items():
            seen.expected = max(len(self.seen), seen.conversations)
            seen.remarks = list(self._remarks(arm, seen, self.lacking[arm]))
        return Coverage(arms=self.arms)

    def _note(self, trip: Trip, lacking: Lacking) -> None:
        lacking.plans += trip.plan is None
        lacking.fault = lacking.fault or trip.plan_fault
        lacking.catalogues += not trip.catalogue
        if _is_strange(trip):
            lacking.strange += 1
            lacking.first_strange = lacking.first_strange or trip.id
        if not trip.turns:
            return
        speakers = {turn.speaker for turn in trip.turns}
        silent = [member for member in trip.members if member.id not in speakers]
        unlisted = max(trip.size - len(member_names(trip)), 0)
        lacking.members += trip.size
        lacking.rosters += not trip.size
        lacking.silent += len(silent) + unlisted
        lacking.hidden += sum(bool(member.hidden) for member in silent)

    def _remarks(self, arm: str, seen: ArmCoverage, lacking: Lacking) -> Iterator[str]:
        if lacking.plans:
            why = f" ({lacking.fault})" if lacking.fault else ""
            yield f"{lacking.plans} of {seen.conversations} without a plan{why}: what is asked of it is undefined"
        if lacking.catalogues:
            yield (
                f"{lacking.catalogues} of {seen.conversations} with an empty catalogue: whether places are real is not "
                "known there; give it with --catalogue"
            )
        if lacking.strange:
            yield (
                f"{lacking.strange} of {seen.conversations - lacking.plans} plans name no place of their catalogue "
                f"(the first is {lacking.first_strange}): is it the catalogue of another trip?"
            )
        if lacking.rosters:
            yield (
                f"{lacking.rosters} of {seen.conversations} list no members: who was not heard is not known there, and "
                "voice_coverage is undefined; give members or member_count"
            )
        if lacking.silent:
            yield (
                f"{lacking.silent} of {lacking.members} members never spoke; hidden preferences, by which they are "
                f"judged then, are known of {lacking.hidden or 'none'} of them"
            )
        if apart := self._apart(arm):
            yield f"shares no case with {', '.join(apart)}: cases are told by `case`, or the name without its condition"

    def _apart(self, arm: str) -> list[str]:
        """The other arms that were given no case of this one's."""
        beside = {other for arms in self.seen.values() if arm in arms for other in arms}
        return [name for name in self.arms if name not in beside]


def _is_strange(trip: Trip) -> bool:
    """Whether no place of the plan is in the catalogue, where both are there."""
    if not trip.catalogue:
        return False
    places = [(place, kind, day) for day in trip.days for place, kind, _ in slots_of(day)]
    return bool(places) and not any(find_entry(trip, place, kind, day) for place, kind, day in places)


def _fields(trip: Trip) -> list[str]:
    """What a record brings, by the words in which metrics name what they judge."""
    brought = {
        "a dialogue": trip.turns,
        "a synthesis": any(turns_with(trip, "sys_synthesize_")),
        "a plan": trip.plan is not None,
        "a catalogue": trip.catalogue,
        "members": trip.members,
        "ballots": any(turn.ballots for turn in trip.turns),
        "feedback": any(turns_with(trip, "sys_feedback_", "user_feedback_")),
        "acceptance": any(turns_with(trip, *ACCEPTANCE)),
    }
    return [name for name, there in brought.items() if there]
