"""What the records have and lack, found before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.suite import Survey
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.dialogue import member_names, turns_with
from adjudge.suites.trip.rules.places import find_entry, slots_of

ACCEPTANCE = ("user_accept_plan", "user_reject_plan", "user_approve_approach", "user_reject_approach")


class Lacking(Struct):
    """How many trips of one arm lack something; `fault` is the first reason for a missing plan.

    `strange` counts plans without any place of their catalogue.
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

    def merge(self, other: Lacking) -> None:
        """Take in what was counted in later trips: sums, and the first texts."""
        for name in self.__struct_fields__:
            mine, others = getattr(self, name), getattr(other, name)
            setattr(self, name, mine or others if isinstance(mine, str) else mine + others)


class TripCounts(Struct):
    """What was counted: by arm, the coverage and what trips lack; and the arms of each case."""

    arms: dict[str, ArmCoverage] = field(default_factory=dict)
    lacking: dict[str, Lacking] = field(default_factory=dict)
    cases: dict[str, set[str]] = field(default_factory=dict)


class TripSurvey(Survey):
    """Counts what the trips of each arm have, and the members who never speak."""

    def __init__(self) -> None:
        self.counts = TripCounts()

    def add(self, trip: Trip) -> None:
        """Look at one record."""
        counts = self.counts
        seen = counts.arms.setdefault(trip.arm, ArmCoverage())
        counts.cases.setdefault(trip.key.case, set()).add(trip.arm)
        seen.conversations += 1
        seen.turns += len(trip.turns)
        seen.fields = list(dict.fromkeys([*seen.fields, *_fields(trip)]))
        self._note(trip, counts.lacking.setdefault(trip.arm, Lacking()))

    def merge(self, counts: TripCounts) -> None:
        """Take in what was counted in later records."""
        for arm, seen in counts.arms.items():
            self.counts.arms.setdefault(arm, ArmCoverage()).merge(seen)
            self.counts.lacking.setdefault(arm, Lacking()).merge(counts.lacking[arm])
        for case, arms in counts.cases.items():
            self.counts.cases.setdefault(case, set()).update(arms)

    def coverage(self) -> Coverage:
        """What was there and what was missing."""
        counts = self.counts
        for arm, seen in counts.arms.items():
            seen.expected = max(len(counts.cases), seen.conversations)
            seen.remarks = list(self._remarks(arm, seen, counts.lacking[arm]))
        return Coverage(arms=counts.arms)

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
            yield f"shares no case with {', '.join(apart)}: their cases have other names (`case`, or the file's)"

    def _apart(self, arm: str) -> list[str]:
        """The other arms that share no case with this one."""
        beside = {other for arms in self.counts.cases.values() if arm in arms for other in arms}
        return [name for name in self.counts.arms if name not in beside]


def _is_strange(trip: Trip) -> bool:
    """Whether there are a plan and a catalogue, and no place of the plan is in the catalogue."""
    if not trip.catalogue:
        return False
    places = [(place, kind, day) for day in trip.days for place, kind, _ in slots_of(day)]
    return bool(places) and not any(find_entry(trip, place, kind, day) for place, kind, day in places)


def _fields(trip: Trip) -> list[str]:
    """What a record has, in the words by which metrics say what they need."""
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
