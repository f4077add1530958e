"""Plans as planners write them, whatever they call days, meals and places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from adjudge.core.errors import Warnings
from adjudge.suites.trip.data import MEALS, Day, Place, Plan
from adjudge.suites.trip.read.cells import UnreadableCell, enclosed_value
from adjudge.suites.trip.read.facts import NOTHING, first, text_of
from adjudge.suites.trip.read.mentions import (
    Cities,
    Row,
    as_list,
    fields_by_key,
    lodging_in,
    name_in,
    place_in,
    places_in,
)
from adjudge.suites.trip.read.records import date_in
from adjudge.suites.trip.read.visits import Note, visits_in
from adjudge.suites.trip.rules.places import cities_in
from adjudge.suites.trip.rules.plan_words import says_nothing

DAY_LISTS = ("days", "plan", "itinerary", "day_plans", "daily_plan")
RAW = ("raw_output", "raw", "raw_text")
PLAN = "plan"
PLANNERS_JSON = "the planner's JSON"
# The number in "Day 2".
NUMBER = re.compile(r"\d{1,9}")
# "Day 2", "2", "day_3:".
DAY_KEY = re.compile(r"(?:\W*+day)?[\W_]*+\d{1,9}\W*+", re.IGNORECASE)
# "Lunch: Blue Door", "dinner - Mill".
MEAL_NAMED = re.compile(rf"({'|'.join(MEALS)})\s?[:–-]\s?(.+)", re.IGNORECASE | re.DOTALL)
# How much of a place a remark shows, in characters.
SHOWN = 60

NUMBERS = ("days", "day", "day_number", "number")
CITIES = ("current_city", "city", "location", "destination")
TRANSPORT = ("transportation", "transport", "travel")
MEAL_LISTS = ("meals", "restaurants")
SIGHTS = ("attraction", "attractions")
ACTIVITIES = ("activities", "activity")
EVENTS = ("event", "events")
LODGINGS = ("accommodation", "accommodations", "lodging", "hotel")
VISITS = ("point_of_interest_list", "poi_list", "pois", "schedule")
KNOWN = {"date", *NUMBERS, *CITIES, *TRANSPORT, *MEALS, *MEAL_LISTS, *SIGHTS, *ACTIVITIES, *EVENTS, *LODGINGS, *VISITS}
# These describe a day and name no place of it.
REMARKS = set("title theme summary description notes note tips weather day_of_week".split())
# "total_estimated_costs", "daily_budget".
AMOUNTS = re.compile(r"(?:^|_)(?:totals?|costs?|price|expenses?|budget)(?:_|$)")
# The heading of a row that is no day: "Summary", "Grand total", "Trip overview".
HEADING = re.compile(
    r"\b(?:summary|overview|recap|totals?|overall|budget|costs?|expenses?|notes?|tips)\b", re.IGNORECASE
)


class PlanReading(Struct, frozen=True):
    """A plan, or the reason why the plan in the file cannot be read."""

    plan: Plan | None = None
    fault: str = ""


def read_plan(where: str, value: Any, warnings: Warnings) -> PlanReading:
    """The plan of a cell or a field, or why it cannot be read; warnings name the parts that are left out."""
    at = f"{where}: {PLAN}"
    try:
        if isinstance(value, str) and value.strip():
            value = enclosed_value(where, PLAN, value, warnings, PLANNERS_JSON)
        plan = plan_in(at, value, warnings)
    except UnreadableCell as fault:
        warnings.add("plan", f"{at}: {fault}; kept without a plan")
        return PlanReading(fault=f"{at}: {fault}")
    if plan is None:
        warnings.add("empty plan", f"{at}: empty; kept without a plan")
    elif not plan.days:
        warnings.add("no days", f"{at}: the planner's text without days: no place of it can be judged")
    return PlanReading(plan)


def plan_in(where: str, value: Any, warnings: Warnings) -> Plan | None:
    """The plan in a value of a cell or a row; None if it is empty; raises UnreadableCell."""
    if value in NOTHING:
        return None
    if not isinstance(value, dict | list):
        raise UnreadableCell(f"found {str(value)[:30]!r}; expected {PLANNERS_JSON}, with days")

    def note(kind: str, text: str) -> None:
        warnings.add(kind, f"{where}: {text}")

    raw = text_of(first(value, *RAW)) if isinstance(value, dict) else ""
    rows = [(place, fields_by_key(row)) for place, row in _days(value, note)]
    days = tuple(_day(place, row, note) for place, row in rows if not _is_remark(row))
    return Plan(days, raw) if days or raw else None


def is_plan(value: Row) -> bool:
    """Whether an object is a plan: it holds days, or is a day."""
    return (
        any(isinstance(value.get(key), list | dict | str) for key in DAY_LISTS)
        or any(_is_numbered(key, day) and isinstance(day, dict) and _is_day(day) for key, day in value.items())
        or first(value, *RAW) is not None
        or _is_day(value)
    )


def _days(value: Any, note: Note) -> list[tuple[int, Row]]:
    """The days of a plan at any depth, each with its position from 1."""
    if isinstance(value, list):
        return _day_rows({f"days[{place}]": day for place, day in enumerate(value) if day not in NOTHING}, note)
    inner = next((value[key] for key in DAY_LISTS if value.get(key) and isinstance(value[key], list | dict)), None)
    if inner is not None:
        return _days(inner, note)
    numbered = {key: day for key, day in value.items() if _is_numbered(key, day)}
    if any(isinstance(day, dict) for day in numbered.values()):
        return _day_rows(
            {key: {"days": key, **day} if isinstance(day, dict) else day for key, day in numbered.items()}, note
        )
    if _is_day(value):
        return [(1, value)]
    if first(value, *RAW) is not None:
        return []
    raise UnreadableCell(f"found only {', '.join(map(repr, list(value)[:5]))}; expected a list of days")


def _day_rows(days: Row, note: Note) -> list[tuple[int, Row]]:
    """The days that are objects; warnings name the others. Raises UnreadableCell if none is an object."""
    faults = {key: f"{key}: found {str(day)[:30]!r}" for key, day in days.items() if not isinstance(day, dict)}
    if len(faults) == len(days) and faults:
        raise UnreadableCell(f"{next(iter(faults.values()))}; expected an object with meals and places")
    for fault in faults.values():
        note("no day", f"{fault}; expected an object with meals and places; left out")
    return [(place, day) for place, (key, day) in enumerate(days.items(), 1) if key not in faults]


def _is_numbered(key: str, day: Any) -> bool:
    """Whether a key names a day: any key with a number over an object, else one like "Day 2" or "2"."""
    if isinstance(day, dict):
        return NUMBER.search(key) is not None
    return day not in NOTHING and DAY_KEY.fullmatch(key) is not None


def _is_day(value: Row) -> bool:
    return bool(fields_by_key(value).keys() & {*MEALS, "meals", "current_city", "accommodation", "poi_list"})


def _is_remark(row: Row) -> bool:
    """Whether a row of a plan holds totals or a summary instead of a day: it names no place, city or way to travel."""
    heading = text_of(first(row, *NUMBERS))
    titled = HEADING.search(heading) is not None and not NUMBER.search(heading)
    others = {key for key in row if key not in (*NUMBERS, "date") and not _is_described(key)}
    about_all = titled or (not others and any(map(AMOUNTS.search, row)))
    if not about_all:
        return False
    day = _day(0, row, lambda kind, text: None)
    return day == Day(day.number, date=day.date)


def _is_described(key: str) -> bool:
    """Whether a key describes a day and does not name one of its places."""
    return key in REMARKS or AMOUNTS.search(key) is not None


def _day(place: int, row: Row, note: Note) -> Day:
    number = _number(first(row, *NUMBERS)) or place

    def of_day(kind: str, text: str) -> None:
        note(kind, f"day {number}: {text}")

    city = _cell_text(row, *CITIES)
    known = cities_in(city)
    done = list(visits_in(first(row, *ACTIVITIES), known, of_day))
    sights = [*places_in(first(row, *SIGHTS), known), *(Place(visit.name, visit.city) for visit in done)]
    lodgings = [lodging_in(item, known) for item in as_list(first(row, *LODGINGS))]
    for key in row:
        if key not in KNOWN and not _is_described(key) and row[key] not in NOTHING:
            of_day(f"day key {key}", f"key {key!r} is not read")
    return Day(
        number=number,
        city=city,
        date=date_in(_cell_text(row, "date")),
        transport=_cell_text(row, *TRANSPORT),
        **_meals(row, known, of_day),
        attractions=tuple(dict.fromkeys(sights)),
        events=tuple(places_in(first(row, *EVENTS), known)),
        lodging=_only_place("accommodation", lodgings, of_day),
        visits=(*visits_in(first(row, *VISITS), known, of_day), *(visit for visit in done if visit.start)),
    )


def _cell_text(row: Row, *keys: str) -> str:
    """The text of the first key that holds something; empty if the text is "-" or the like."""
    text = text_of(first(row, *keys))
    return "" if says_nothing(text) else text


def _number(given: Any) -> int:
    """The number of a day; 0 if there is none."""
    digits = NUMBER.search(str(given)) if isinstance(given, int | float | str) else None
    return int(digits[0]) if digits else 0


def _meals(row: Row, known: Cities, note: Note) -> dict[str, Place | None]:
    """The place of each meal, under its own name or in a list or object of meals."""
    items = {meal: as_list(row.get(meal)) for meal in MEALS}
    for key in MEAL_LISTS:
        for meal, item in _by_meal(key, row.get(key), note):
            items[meal] += as_list(item)
    return {meal: _only_place(meal, [place_in(item, known) for item in items[meal]], note) for meal in MEALS}


def _by_meal(key: str, given: Any, note: Note) -> Iterator[tuple[str, Any]]:
    """Meals with their names: from an object by meal, from a list of named meals, or from a list of three in order."""
    items = list(given.items()) if isinstance(given, dict) else [_meal_of(item) for item in as_list(given)]
    if len(items) == len(MEALS) and not any(name for name, _ in items):
        items = [(meal, item) for meal, (_, item) in zip(MEALS, items, strict=True)]
    for name, item in items:
        if name.lower() in MEALS:
            yield name.lower(), item
        elif name and item not in NOTHING:
            note(f"day key {name.lower()}", f"key {name!r} is not read")
    if nameless := ", ".join(repr(name_in(item)) for name, item in items if not name and name_in(item)):
        note(key, f"{key}: {nameless[:SHOWN]}: expected three, or the name of the meal with each; left out")


def _meal_of(item: Any) -> tuple[str, Any]:
    """A meal of a list and its name; the name may be empty."""
    if isinstance(item, dict):
        return text_of(first(fields_by_key(item), "meal", "type", "meal_type")), item
    match = MEAL_NAMED.fullmatch(item.strip()) if isinstance(item, str) else None
    return (match[1], match[2]) if match else ("", item)


def _only_place(slot: str, given: list[Place | None], note: Note) -> Place | None:
    """The first place of a meal or a night; warnings name the others."""
    places = list(dict.fromkeys(filter(None, given)))
    for other in places[1:]:
        shown = ", ".join(filter(None, [other.name, other.city]))
        note(f"second {slot}", f"{slot}: {shown[:SHOWN]!r} is left out; expected one place")
    return places[0] if places else None
