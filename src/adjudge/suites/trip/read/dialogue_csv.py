"""Builds a trip from the rows of a dialogue table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from math import inf
from typing import Any, get_args

import msgspec
from msgspec import structs

from adjudge.core.errors import Warnings, bad_record
from adjudge.core.record import TurnKind
from adjudge.suites.trip.data import LARGEST_GROUP, Condition, Member, Trip, TripRequest, TripTurn
from adjudge.suites.trip.read.attachments import read_attachments
from adjudge.suites.trip.read.catalogues import ReferenceInformation, column_catalogue, is_reference_column
from adjudge.suites.trip.read.cells import (
    UnreadableCell,
    cell_value,
    enclosed_value,
    is_structure,
    whole_characters,
)
from adjudge.suites.trip.read.conditions import (
    FLAGS,
    checked_condition,
    condition_of_file,
    condition_of_flags,
    fits_flags,
    group_type_of,
    named_condition,
    parse_flag,
    scenario_of,
    stem_of,
    without_condition,
)
from adjudge.suites.trip.read.facts import MEMBERS, RowFacts, numeric_value, text_of
from adjudge.suites.trip.read.itinerary import PLAN, PLANNERS_JSON, PlanReading, plan_in, read_plan
from adjudge.suites.trip.read.people import ids_by_name, members_in, speaker_of, strength_in
from adjudge.suites.trip.read.query import request_of
from adjudge.suites.trip.read.sheets import DialogueSheet, SheetRow
from adjudge.suites.trip.rules.dialogue import SYSTEM

TEXTS = ("speaker", "intent", "utterance")
TURN_KINDS: tuple[TurnKind, ...] = get_args(TurnKind)


def trip_of(where: str, sheet: DialogueSheet, warnings: Warnings, *, lenient: bool) -> Trip:
    """The trip of the rows of one dialogue."""
    file = where.rpartition(":")[0]
    lines = [_with_whole_characters(file, line, warnings) for line in sheet.lines] if lenient else list(sheet.lines)
    about = _About(where, [_facts_of(file, line, warnings) for line in lines], warnings)
    ids = ids_by_name(about.listed)
    turns = _by_time(where, tuple(_turns(about.facts, ids, warnings)), warnings)
    plan = _last_plan(file, lines, warnings)
    if plan == PlanReading() and not any(turn.intent for turn in turns):
        plan = _presented_plan(where, turns, warnings)
    catalogue = _catalogue(file, lines, warnings)
    return Trip(
        id=about.id(file),
        arm=text_of(about.facts[0].row.get("arm")),
        case=about.case(file),
        trial=about.whole_number("trial") or 0,
        condition=about.condition(file),
        group_type=text_of(about.find("group_type")) or group_type_of(about.id(file)),
        members=_members(about, turns),
        member_count=about.whole_number("member_count", 1, LARGEST_GROUP),
        turns=turns,
        request=about.request(),
        plan=plan.plan,
        plan_fault=plan.fault,
        catalogue=catalogue.entries,
        legs=catalogue.legs,
        scripted_acceptance=about.flag("scripted_acceptance") or False,
    )


class _About:
    """The facts about a whole dialogue; each comes from the first row that has it."""

    def __init__(self, where: str, facts: Sequence[RowFacts], warnings: Warnings) -> None:
        self.where = where
        self.facts = facts
        self.warnings = warnings
        self.listed = self.find(*MEMBERS)

    def find(self, *keys: str) -> Any:
        """The first value under one of the keys."""
        return next((value for line in self.facts if (value := line.find_above(*keys)) is not None), None)

    def flag(self, name: str) -> bool | None:
        """A flag; None if it is not given."""
        value = self.find(name)
        return None if value is None else parse_flag(self.where, name, value)

    def whole_number(self, name: str, least: int = 0, most: float = inf) -> int | None:
        """A whole number within bounds; None if it is not given."""
        value = self.find(name)
        if value is None:
            return None
        number = numeric_value(value)
        if number is not None and number.is_integer() and least <= number <= most:
            return int(number)
        bounds = "" if most == inf else f" from {least} to {most:,}"
        raise bad_record(self.where, f"found {value!r}; expected a whole number{bounds}", name)

    def name(self) -> str:
        """The id that the table gives to the dialogue; empty if it gives none."""
        return text_of(self.facts[0].row.get("dialogue_id") or self.facts[0].row.get("conversation_id"))

    def id(self, file: str) -> str:
        """The id of the dialogue: from a column, or from the name of its file."""
        return self.name() or text_of(self.facts[0].row.get("scenario_id")) or stem_of(file)

    def case(self, file: str) -> str:
        """The scenario, which is the same under all conditions."""
        scenario = text_of(self.facts[0].row.get("scenario_id"))
        return without_condition(scenario or self.name()) or scenario_of(file)

    def condition(self, file: str) -> Condition | None:
        """The condition by the flags, else the stated one, else the one in names; a contradiction causes a warning."""
        flags = {name: value for name in FLAGS if (value := self.flag(name)) is not None}
        given = self.find("condition")
        by_flags = condition_of_flags(self.where, flags, self.warnings)
        stated = None if given is None else named_condition(text_of(given)) or checked_condition(self.where, given)
        named = named_condition(self.name()) or condition_of_file(file)
        for other, what in ((stated, "the condition given"), (named, "the name")):
            if other and not (other == by_flags if by_flags else fits_flags(other, flags)):
                says = f"the flags say {by_flags or f'that it is not {other}'}, {what} says {other}"
                self.warnings.add("condition", f"{self.where}: {says}: the flags are taken")
        return by_flags or next((other for other in (stated, named) if other and fits_flags(other, flags)), None)

    def request(self) -> TripRequest:
        """The requirements of the trip; empty if the table has none."""
        given = self.find("request", "query", "trip_request")
        if not isinstance(given, dict):
            return request_of(text_of(given)) if given else TripRequest()
        try:
            return msgspec.convert(given, TripRequest)
        except msgspec.ValidationError as fault:
            self.warnings.add("request", f"{self.where}: request: {fault}; left out (adjudge schema trip)")
            return TripRequest()


def _with_whole_characters(file: str, line: SheetRow, warnings: Warnings) -> SheetRow:
    where = f"{file}:{line.number}"
    return structs.replace(
        line, cells={name: whole_characters(where, cell, warnings) for name, cell in line.cells.items()}
    )


def _facts_of(file: str, line: SheetRow, warnings: Warnings) -> RowFacts:
    where = f"{file}:{line.number}"
    cells = {name: cell for name, cell in line.cells.items() if name != PLAN and not is_reference_column(name)}
    return RowFacts(where, {name: _value(where, name, cell, warnings) for name, cell in cells.items()})


def _value(where: str, column: str, cell: str, warnings: Warnings) -> Any:
    if column in TEXTS or not is_structure(cell):
        return cell
    try:
        return cell_value(where, column, cell, warnings)
    except UnreadableCell as fault:
        warnings.add(f"cell {column}", f"{where}: {column}: {fault}; taken as text")
        return cell


def _turns(facts: Sequence[RowFacts], ids: Mapping[str, str], warnings: Warnings) -> Iterator[TripTurn]:
    for place, line in enumerate(facts, 1):
        texts = [text_of(line.row.get(name)) for name in TEXTS]
        if any(texts):
            yield _turn(place, line, ids, warnings)


def _turn(place: int, facts: RowFacts, ids: Mapping[str, str], warnings: Warnings) -> TripTurn:
    name, intent, text = (text_of(facts.row.get(column)) for column in TEXTS)
    if not name:
        raise bad_record(facts.where, "empty; expected 'system' or the id of a member", "speaker")
    speaker = speaker_of(name, ids)
    beside = read_attachments(facts, speaker, intent, ids)
    strength = facts.row.get("strength") if speaker != SYSTEM else None
    return TripTurn(
        id=text_of(facts.row.get("turn_id")) or str(place),
        kind=_turn_kind(text_of(facts.row.get("kind"))),
        time=_time(text_of(facts.row.get("time"))),
        speaker=speaker,
        text=text,
        intent=intent,
        strength=strength_in(strength, facts.where, warnings),
        synthesis=beside.synthesis,
        ballots=beside.ballots,
        vote=beside.vote,
        promises=beside.promises,
    )


def _turn_kind(given: str) -> TurnKind:
    """What a turn is, if a column says so."""
    return next((kind for kind in TURN_KINDS if kind == given), "speech")


def _time(given: str) -> datetime | None:
    """The time of a turn; None if the row does not give a date and a time."""
    try:
        return datetime.fromisoformat(given) if given else None
    except ValueError:
        return None


def _members(about: _About, turns: Sequence[TripTurn]) -> tuple[Member, ...]:
    """The members that the table lists, or those with hidden wishes and those who speak; none if it lists nobody.

    The speakers alone are not a list of the group, because silent members would be missing.
    """
    hidden = about.find("hidden_preferences")
    members = members_in(about.listed, hidden, about.where, about.warnings)
    if about.listed or not members or about.flag("multi_user") is False:
        return members
    known = {member.id for member in members}
    speakers = dict.fromkeys(turn.speaker for turn in turns if turn.speaker not in (SYSTEM, *known))
    return (*members, *map(Member, speakers))


def _last_plan(file: str, lines: Sequence[SheetRow], warnings: Warnings) -> PlanReading:
    """The plan in the last cell that holds one."""
    line = next((line for line in reversed(lines) if PLAN in line.cells), None)
    if line is None:
        return PlanReading()
    return read_plan(f"{file}:{line.number}", line.cells[PLAN], warnings)


def _presented_plan(where: str, turns: Sequence[TripTurn], warnings: Warnings) -> PlanReading:
    """The last plan that the assistant wrote into a message as JSON; none if it wrote none."""
    for turn in reversed(turns):
        if turn.speaker != SYSTEM or not turn.text.rstrip("` \n").endswith(("]", "}")):
            continue
        try:
            value = enclosed_value(where, PLAN, turn.text, Warnings(), PLANNERS_JSON)
            plan_in(where, value, Warnings())
        except UnreadableCell:
            continue
        return read_plan(where, value, warnings)
    return PlanReading()


def _by_time(where: str, turns: tuple[TripTurn, ...], warnings: Warnings) -> tuple[TripTurn, ...]:
    """The turns in the order of their times if each has one; a chat may begin with its newest message."""
    times = [turn.time for turn in turns if turn.time is not None]
    if len(times) < len(turns) or len({time.tzinfo is None for time in times}) > 1 or times == sorted(times):
        return turns
    warnings.add("time", f"{where}: messages are not in the order of their times; sorted by time")
    order = sorted(range(len(turns)), key=times.__getitem__)
    if times == sorted(times, reverse=True):
        order = list(reversed(range(len(turns))))
    return tuple(turns[place] for place in order)


def _catalogue(file: str, lines: Sequence[SheetRow], warnings: Warnings) -> ReferenceInformation:
    catalogue = ReferenceInformation()
    for line in lines:
        where = f"{file}:{line.number}"
        for column in filter(is_reference_column, line.cells):
            try:
                value = cell_value(where, column, line.cells[column], warnings)
            except UnreadableCell as fault:
                warnings.add("catalogue", f"{where}: {column}: {fault}; left out of the catalogue")
            else:
                catalogue += column_catalogue(where, column, value, warnings)
    return catalogue
