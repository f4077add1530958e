"""The cases of files: trips with hidden wishes, and requests of TravelPlanner, whose people are the members."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from adjudge.core.errors import Warnings, bad_record
from adjudge.core.play import CaseRow
from adjudge.core.suite import Options
from adjudge.play.cases import gather_cases
from adjudge.suites.trip.data import Trip, TripRequest, Wish
from adjudge.suites.trip.read.source import TripSource
from adjudge.systems.trip.data import Person, TripCase
from adjudge.systems.trip.floor import PLANNER, SYSTEM

SAMPLE = Path(__file__).parent / "sample" / "groups.jsonl"
# A group of more is a mistake: every member answers every question.
MOST_MEMBERS = 20
# Facets that belong to a dialogue, or that every record of the group has anyway.
OF_DIALOGUES = ("condition", "group_type", "intents", "end")


def read_cases(files: list[Path], options: Options) -> Iterator[CaseRow[TripCase]]:
    """The cases of files; of the trips of one case the first counts, since they differ only in what was said."""
    source = TripSource(files, {"catalogue": options.get("catalogue")})
    warnings, seen = Warnings(), set[str]()

    def make(where: str, row: bytes) -> Iterator[TripCase]:
        for trip in source.records(where, row, warnings):
            case = _case(where, trip)
            if case.id not in seen:
                seen.add(case.id)
                yield case

    return gather_cases(partial(source.rows, warnings), make)


def _case(where: str, trip: Trip) -> TripCase:
    if trip.request == TripRequest():
        raise bad_record(where, "empty; expected what the group asks for: days, dates, budget, origin", "request")
    members = _people(trip)
    ids = [person.id for person in members]
    if len(ids) > MOST_MEMBERS:
        raise bad_record(where, f"found {len(ids)}; expected at most {MOST_MEMBERS}", "members")
    if reserved := [name for name in ids if name in (SYSTEM, PLANNER)]:
        raise bad_record(where, f"a member is called {reserved[0]!r}; expected another name", "members")
    hidden = {member.id: member.hidden for member in trip.members if member.hidden}
    return TripCase(
        id=trip.case or trip.id,
        facets={name: value for name, value in trip.facets.items() if name not in OF_DIALOGUES},
        credentialed=trip.credentialed,
        group_type=trip.group_type,
        members=members,
        wishes=hidden or _wishes_of_request(trip.request, ids),
        request=trip.request,
        catalogue=trip.catalogue,
        legs=trip.legs,
        conflicts=trip.conflicts,
    )


def _people(trip: Trip) -> tuple[Person, ...]:
    """The listed members, or as many as the request says."""
    if trip.members:
        return tuple(Person(member.id, member.role) for member in trip.members)
    count = trip.request.people or trip.member_count or 1
    return tuple(Person(f"traveler {number}") for number in range(1, min(count, MOST_MEMBERS) + 1))


def _wishes_of_request(request: TripRequest, members: list[str]) -> dict[str, tuple[Wish, ...]]:
    """The wishes of a request without members: its cuisines are dealt out, and all want its room type."""
    wishes: dict[str, list[Wish]] = {name: [] for name in members}
    for place, cuisine in enumerate(request.cuisines):
        wishes[members[place % len(members)]].append(Wish("cuisine", f"{cuisine} food", "prefer"))
    for name in members:
        if request.room_type:
            wishes[name].append(Wish("lodging", _room_text(request.room_type), "prefer"))
    return {name: tuple(own) for name, own in wishes.items() if own}


def _room_text(room_type: str) -> str:
    return (
        room_type if room_type.startswith("no ") else f"{'an' if room_type.startswith('entire') else 'a'} {room_type}"
    )
