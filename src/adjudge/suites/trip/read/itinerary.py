"""Plans as planners write them, whatever they call days, meals and places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, structs

from adjudge.core.errors import Warnings
from adjudge.suites.trip.data import MEALS, Day, Place, Plan, Visit
from adjudge.suites.trip.read.cells import UnreadableCell, enclosed_value
from adjudge.suites.trip.read.facts import NOTHING, first, text_of
from adjudge.suites.trip.read.mentions import (
    Cities,
    place_in,
    places_in,
    says_nothing,
    visit_in,
    visit_place,
    visits_in,
)
from adjudge.suites.trip.read.records import date_in
from adjudge.suites.trip.rules.hours import clock_of, times_of
from adjudge.suites.trip.rules.places import cities_in, is_none

DAY_LISTS = ("days", "plan", "itinerary", "day_plans", "daily_plan")
RAW = ("raw_output", "raw", "raw_text")
PLAN = "plan"
PLANNERS_JSON = "the planner's JSON"
NUMBER = re.compile(r"\d{1,9}")
# "Day 2", "2", "day_3:".
DAY_KEY = re.compile(r"\W*(?:day)?[\W_]*\d{1,9}\W*", re.IGNORECASE)
# "$14", "1,200.50".
PRICE = re.compile(r"\$?\s?(\d[\d,]{0,14}(?:\.\d+)?)")
# "Lunch: Blue Door", "dinner - Mill".
MEAL_NAMED = re.compile(rf"({'|'.join(MEALS)})\s?[:–-]\s?(.+)", re.IGNORECASE | re.DOTALL)
PERIODS = ("morning", "noon", "afternoon", "evening", "night")
SHOWN = 60

NUMBERS = ("days", "day", "day_number", "number")
CITIES = ("current_city", "city", "location", "destination")
WAYS = ("transportation", "transport", "travel")
MEAL_LISTS = ("meals", "restaurants")
SIGHTS = ("attraction", "attractions")
ACTIVITIES = ("activities", "activity")
EVENTS = ("event", "events")
LODGINGS = ("accommodation", "accommodations", "lodging", "hotel")
VISITS = ("point_of_interest_list", "poi_list", "pois", "schedule")
KNOWN = {"date", *NUMBERS, *CITIES, *WAYS, *MEALS, *MEAL_LISTS, *SIGHTS, *ACTIVITIES, *EVENTS, *LODGINGS, *VISITS}
# These describe a day and name no place of it.
REMARKS = set(
    "title theme summary description notes note tips weather cost costs total_cost budget day_of_week".split()
)

NAMES = ("name", "restaurant", "title", "place", "poi", "attraction", "activity", "event", "accommodation", "hotel")
STARTS = ("start", "from", "start_time", "arrival", "begin")
ENDS = ("end", "to", "until", "end_time", "departure")
TIMES = ("time", "time_slot", "timeslot", "times", "hours", "when")

Row = Mapping[str, Any]
Note = Callable[[str, str], None]


class PlanReading(Struct, frozen=True):
    """A plan, or why there is none although the file holds one."""

    plan: Plan | None = None
    fault: str = ""


def read_plan(where: str, value: Any, warnings: Warnings) -> PlanReading:
    """The plan of a cell or a field, or why it cannot be read; what is left out of it is remarked."""
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
    """The plan in a value that was read from a cell or a row; None where it is empty; raises UnreadableCell."""
    if value in NOTHING:
        return None
    if not isinstance(value, dict | list):
        raise UnreadableCell(f"found {str(value)[:30]!r}; expected {PLANNERS_JSON}, with days")

    def note(kind: str, text: str) -> None:
        warnings.add(kind, f"{where}: {text}")

    raw = text_of(first(value, *RAW)) if isinstance(value, dict) else ""
    days = tuple(_day(place, day, note) for place, day in _days(value, note))
    return Plan(days, raw) if days or raw else None


def _days(value: Any, note: Note) -> list[tuple[int, Row]]:
    """The days of a plan, wherever they stand in it, each with its place among them."""
    if isinstance(value, list):
        return _objects({f"days[{place}]": day for place, day in enumerate(value) if day not in NOTHING}, note)
    inner = next((value[key] for key in DAY_LISTS if value.get(key) and isinstance(value[key], list | dict)), None)
    if inner is not None:
        return _days(inner, note)
    numbered = {key: day for key, day in value.items() if _is_numbered(key, day)}
    if any(isinstance(day, dict) for day in numbered.values()):
        return _objects(
            {key: {"days": key, **day} if isinstance(day, dict) else day for key, day in numbered.items()}, note
        )
    if _is_day(value):
        return [(1, value)]
    if first(value, *RAW) is not None:
        return []
    raise UnreadableCell(f"found only {', '.join(map(repr, list(value)[:5]))}; expected a list of days")


def _objects(days: Row, note: Note) -> list[tuple[int, Row]]:
    """The days that are objects; the others are remarked. Raises UnreadableCell where none is."""
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
    return bool(_fields(value).keys() & {*MEALS, "meals", "current_city", "accommodation", "poi_list"})


def _fields(item: Row) -> dict[str, Any]:
    """An object by its keys in lower case, with underscores for spaces."""
    return {"_".join(str(key).lower().split()): value for key, value in item.items()}


def _day(place: int, item: Row, note: Note) -> Day:
    row = _fields(item)
    number = _number(first(row, *NUMBERS)) or place

    def of_day(kind: str, text: str) -> None:
        note(kind, f"day {number}: {text}")

    city = _text(row, *CITIES)
    known = cities_in(city)
    done = list(_visits(first(row, *ACTIVITIES), known, of_day))
    sights = [*_places(first(row, *SIGHTS), known), *(Place(visit.name, visit.city) for visit in done)]
    lodgings = _several(first(row, *LODGINGS))
    for key in row:
        if key not in KNOWN | REMARKS and row[key] not in NOTHING:
            of_day(f"day key {key}", f"key {key!r} is not read")
    return Day(
        number=number,
        city=city,
        date=date_in(_text(row, "date")),
        transport=_text(row, *WAYS),
        **_meals(row, known, of_day),
        attractions=tuple(dict.fromkeys(sights)),
        events=tuple(_places(first(row, *EVENTS), known)),
        lodging=_only_place("accommodation", lodgings, known, of_day),
        visits=(*_visits(first(row, *VISITS), known, of_day), *(visit for visit in done if visit.start)),
    )


def _text(row: Row, *keys: str) -> str:
    """The text under the first of the keys that holds something; empty where that is "-" or the like."""
    text = text_of(first(row, *keys))
    return "" if is_none(text) else text


def _number(given: Any) -> int:
    """The number of a day; 0 where there is none."""
    digits = NUMBER.search(str(given)) if isinstance(given, int | float | str) else None
    return int(digits[0]) if digits else 0


def _meals(row: Row, known: Cities, note: Note) -> dict[str, Place | None]:
    """The place of each meal, under its own name or in a list or object of meals."""
    items = {meal: _several(row.get(meal)) for meal in MEALS}
    for key in MEAL_LISTS:
        for meal, item in _by_meal(key, row.get(key), note):
            items[meal] += _several(item)
    return {meal: _only_place(meal, items[meal], known, note) for meal in MEALS}


def _by_meal(key: str, given: Any, note: Note) -> Iterator[tuple[str, Any]]:
    """Meals with their names: of an object by meal, of a list whose items name their meal, or of three in order."""
    items = list(given.items()) if isinstance(given, dict) else [_meal_of(item) for item in _several(given)]
    if len(items) == len(MEALS) and not any(name for name, _ in items):
        items = [(meal, item) for meal, (_, item) in zip(MEALS, items, strict=True)]
    for name, item in items:
        if name.lower() in MEALS:
            yield name.lower(), item
        elif name and item not in NOTHING:
            note(f"day key {name.lower()}", f"key {name!r} is not read")
    if nameless := ", ".join(repr(_name(item)) for name, item in items if not name and _name(item)):
        note(key, f"{key}: {nameless[:SHOWN]}: expected three, or the name of the meal with each; left out")


def _meal_of(item: Any) -> tuple[str, Any]:
    """A meal of a list with its name, which may be empty."""
    if isinstance(item, dict):
        return text_of(first(_fields(item), "meal", "type", "meal_type")), item
    match = MEAL_NAMED.fullmatch(item.strip()) if isinstance(item, str) else None
    return (match[1], match[2]) if match else ("", item)


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _only_place(slot: str, items: list[Any], known: Cities, note: Note) -> Place | None:
    """The first of the places that a meal or a night is given; the others are remarked."""
    places = list(dict.fromkeys(place for item in items if (place := _place(item, known))))
    for other in places[1:]:
        shown = ", ".join(filter(None, [other.name, other.city]))
        note(f"second {slot}", f"{slot}: {shown[:SHOWN]!r} is left out; expected one place")
    return places[0] if places else None


def _place(value: Any, known: Cities) -> Place | None:
    """A place, with its cost where an object or the text itself gives one."""
    place = place_in(_name(value), known)
    cost = PRICE.fullmatch(text_of(first(_fields(value), "cost", "price"))) if isinstance(value, dict) else None
    return structs.replace(place, cost=float(cost[1].replace(",", ""))) if place and cost else place


def _places(value: Any, known: Cities) -> Iterator[Place]:
    """The places of an object, a list, or a text that joins them by ";"."""
    if isinstance(value, str):
        yield from places_in(value, known)
        return
    for item in _several(value):
        # In a list the name of a place may hold the mark that joins places in a text.
        if place := place_in(_name(item).replace(";", ","), known):
            yield place


def _name(value: Any) -> str:
    """A place as "Name, City"; empty for one without a name."""
    if not isinstance(value, dict):
        return text_of(value).rstrip("; ")
    item = _fields(value)
    name, city = text_of(first(item, *NAMES)), text_of(first(item, "city"))
    return f"{name}, {city}" if name and city and not name.endswith(f", {city}") else name


def _visits(value: Any, known: Cities, note: Note) -> Iterator[Visit]:
    """The entries of a day, whether texts, lists or objects, in a list, an object by name or time, or one text."""
    if isinstance(value, str):
        yield from visits_in(value, known)
        return
    for item in _entries(value):
        if isinstance(item, str):
            yield from visit_in(item, known)
        elif (visit := _visit(item, known, note)) and not says_nothing(visit.name):
            yield visit


def _entries(value: Any) -> Iterator[Any]:
    """The entries of a list or an object; those of an object with its key as their name or their time."""
    if not isinstance(value, dict) or _name(value):
        yield from (item for item in _several(value) if item not in NOTHING)
        return
    for key, item in value.items():
        if key.lower() in PERIODS:
            yield from _entries(item)
        elif times_of(key):
            yield from (
                {**(entry if isinstance(entry, dict) else {"name": entry}), "time": key} for entry in _several(item)
            )
        else:
            yield {"name": key, **item} if isinstance(item, dict) else {"name": key, "time": item}


def _visit(item: Any, known: Cities, note: Note) -> Visit | None:
    if isinstance(item, list):
        times = [part for part in item if clock_of(part)]
        item = {"name": next((part for part in item if part not in times), None), "time": times}
    name = _name(item) if isinstance(item, dict) else ""
    if not name:
        note("nameless", f"visits: {str(item)[:SHOWN]} has no name; left out")
        return None
    start, end = _times(name, _fields(item), note)
    name, city = visit_place(name, (*known, text_of(first(_fields(item), "city")).casefold()))
    return Visit(name, start, end, city)


def _times(name: str, item: Row, note: Note) -> tuple[str, str]:
    """When an entry begins and ends; empty where it does not say, remarked where that cannot be read."""
    start, end, when = first(item, *STARTS), first(item, *ENDS), first(item, *TIMES)
    if start is None and end is None and when is not None:
        if isinstance(when, str) and (times := times_of(when)):
            return times
        if isinstance(when, dict):
            return _times(name, {**_fields(when), "time": None}, note)
        start, end = (*_several(when), None, None)[:2]
    for given in (start, end):
        if given is not None and not clock_of(given):
            note("time", f"visits: {name!r}: found {str(given)[:SHOWN]!r}; expected a time of day, as 10:00")
    return clock_of(start), clock_of(end)
