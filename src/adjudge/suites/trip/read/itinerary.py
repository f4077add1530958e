"""Plans as planners write them: their many names for days, meals and places, brought to those of TravelPlanner."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import structs

from adjudge.core.errors import Warnings
from adjudge.suites.trip.data import MEALS, Day, Place, Plan, Visit
from adjudge.suites.trip.read.cells import UnreadableCell
from adjudge.suites.trip.read.facts import NOTHING, first, text_of
from adjudge.suites.trip.read.travelplanner import cities_named, plan_of, says_nothing, visit_in, visit_place, visits_in
from adjudge.suites.trip.rules.hours import clock_of, times_of

DAY_LISTS = ("days", "plan", "itinerary", "day_plans", "daily_plan")
RAW = ("raw_output", "raw", "raw_text")
NONE = "-"
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


def plan_in(where: str, value: Any, warnings: Warnings) -> Plan | None:
    """The plan in a value that was read from a cell or a row; None where it is empty; raises Unreadable.

    What is left out of it is remarked.
    """
    if value in NOTHING:
        return None
    if not isinstance(value, dict | list):
        raise UnreadableCell(f"found {str(value)[:30]!r}; expected the planner's JSON, with days")

    def note(kind: str, text: str) -> None:
        warnings.add(kind, f"{where}: {text}")

    raw = text_of(first(value, *RAW)) if isinstance(value, dict) else ""
    days = tuple(_day(place, day, note) for place, day in _days(value, note))
    return Plan(days, raw) if days or raw else None


def _days(value: Any, note: Note) -> list[tuple[int, Row]]:
    """The days of a plan, wherever they stand in it, each with its place among them."""
    if isinstance(value, list):
        filled = {f"days[{place}]": day for place, day in enumerate(value) if day not in NOTHING}
        return _objects(filled, note)
    inner = next((value[key] for key in DAY_LISTS if value.get(key) and isinstance(value[key], list | dict)), None)
    if inner is not None:
        return _days(inner, note)
    numbered = {key: day for key, day in value.items() if _is_numbered(key, day)}
    if any(isinstance(day, dict) for day in numbered.values()):
        return [(place, {"days": key, **day}) for key, (place, day) in _by_key(numbered, note).items()]
    if _is_day(value):
        return [(1, _lower(value))]
    if first(value, *RAW) is not None:
        return []
    raise UnreadableCell(f"found only {', '.join(map(repr, list(value)[:5]))}; expected a list of days")


def _objects(days: Row, note: Note) -> list[tuple[int, Row]]:
    return list(_by_key(days, note).values())


def _by_key(days: Row, note: Note) -> dict[str, tuple[int, Row]]:
    """The days that are objects; the others are remarked. Raises Unreadable where none is."""
    faults = {key: f"{key}: found {str(day)[:30]!r}" for key, day in days.items() if not isinstance(day, dict)}
    if len(faults) == len(days) and faults:
        raise UnreadableCell(f"{next(iter(faults.values()))}; expected an object with meals and places")
    for fault in faults.values():
        note("no day", f"{fault}; expected an object with meals and places; left out")
    return {key: (place, _lower(day)) for place, (key, day) in enumerate(days.items(), 1) if key not in faults}


def _is_numbered(key: str, day: Any) -> bool:
    """Whether a key names a day: any with a number where an object stands, else one that is hardly more than it."""
    if isinstance(day, dict):
        return NUMBER.search(key) is not None
    return day not in NOTHING and DAY_KEY.fullmatch(key) is not None


def _lower(item: Row) -> dict[str, Any]:
    return {"_".join(str(key).lower().split()): value for key, value in item.items()}


def _is_day(value: Row) -> bool:
    return bool(_lower(value).keys() & {*MEALS, "meals", "current_city", "accommodation", "poi_list"})


def _day(place: int, row: Row, note: Note) -> Day:
    number = _number(first(row, *NUMBERS), place)

    def of_day(kind: str, text: str) -> None:
        note(kind, f"day {number}: {text}")

    city = text_of(first(row, *CITIES))
    known = cities_named(city)
    done = list(_visits(first(row, *ACTIVITIES), known, of_day))
    (day,) = plan_of([_travelplanner_day(number, city, row, of_day)]).days
    for key in row:
        if key not in KNOWN | REMARKS and row[key] not in NOTHING:
            of_day(f"day key {key}", f"key {key!r} is not read")
    return structs.replace(
        day,
        attractions=tuple(dict.fromkeys((*day.attractions, *(Place(visit.name, visit.city) for visit in done)))),
        visits=(*_visits(first(row, *VISITS), known, of_day), *(visit for visit in done if visit.start)),
    )


def _travelplanner_day(number: int, city: str, row: Row, note: Note) -> dict[str, Any]:
    """A day under the names that TravelPlanner has, everything in it as text; its visits stand apart."""
    return {
        "days": number,
        "date": text_of(first(row, "date")),
        "current_city": city or NONE,
        "transportation": text_of(first(row, *WAYS)) or NONE,
        **_meals(row, note),
        "attraction": _join_names(first(row, *SIGHTS)),
        "event": _join_names(first(row, *EVENTS)),
        "accommodation": _only("accommodation", _several(first(row, *LODGINGS)), "a night has one place", note),
    }


def _number(given: Any, place: int) -> int:
    digits = NUMBER.search(str(given)) if isinstance(given, int | float | str) else None
    return int(digits[0]) if digits else place


def _meals(row: Row, note: Note) -> dict[str, str]:
    """The place of each meal, under its own name or in a list or object of meals."""
    places = {meal: _several(row.get(meal)) for meal in MEALS}
    for key in MEAL_LISTS:
        for meal, item in _by_meal(key, row.get(key), note):
            places[meal] += _several(item)
    return {meal: _only(meal, items, "a meal has one place", note) for meal, items in places.items()}


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
    if nameless := ", ".join(repr(_place(item)) for name, item in items if not name and _place(item) != NONE):
        note(key, f"{key}: {nameless[:SHOWN]}: expected three, or the name of the meal with each; left out")


def _meal_of(item: Any) -> tuple[str, Any]:
    """A meal of a list with its name, which may be empty."""
    if isinstance(item, dict):
        return text_of(first(_lower(item), "meal", "type", "meal_type")), item
    match = MEAL_NAMED.fullmatch(item.strip()) if isinstance(item, str) else None
    return (match[1], match[2]) if match else ("", item)


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _only(slot: str, items: list[Any], why: str, note: Note) -> str:
    """The first of the places that one slot of a day is given; the others are remarked."""
    places = list(dict.fromkeys(text for item in items if not says_nothing(text := _place(item))))
    for other in places[1:]:
        note(f"second {slot}", f"{slot}: {other[:SHOWN]!r} is left out; {why}")
    return places[0] if places else NONE


def _place(value: Any) -> str:
    """A place as "Name, City; Cost: 14"."""
    if not isinstance(value, dict):
        return text_of(value) or NONE
    name, cost = _name(value), first(_lower(value), "cost", "price")
    amount = PRICE.fullmatch(text_of(cost)) if isinstance(cost, int | float | str) else None
    return f"{name}; Cost: {amount[1]}" if amount and name != NONE else name


def _name(value: Any) -> str:
    if not isinstance(value, dict):
        return text_of(value).rstrip("; ") or NONE
    item = _lower(value)
    name, city = text_of(first(item, *NAMES)), text_of(first(item, "city"))
    return f"{name}, {city}" if name and city and not name.endswith(f", {city}") else name or NONE


def _join_names(value: Any) -> str:
    if isinstance(value, dict):
        return _name(value)
    if not isinstance(value, list):
        return text_of(value) or NONE
    # The mark between places cannot stand in a name.
    return ";".join(_name(item).replace(";", ",") for item in value if _name(item) != NONE) or NONE


def _visits(value: Any, known: tuple[str, ...], note: Note) -> Iterator[Visit]:
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
    if not isinstance(value, dict) or _name(value) != NONE:
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


def _visit(item: Any, known: tuple[str, ...], note: Note) -> Visit | None:
    if isinstance(item, list):
        times = [part for part in item if clock_of(part)]
        item = {"name": next((part for part in item if part not in times), None), "time": times}
    name = _name(item) if isinstance(item, dict) else NONE
    if name == NONE:
        note("nameless", f"visits: {str(item)[:SHOWN]} has no name; left out")
        return None
    start, end = _times(name, _lower(item), note)
    name, city = visit_place(name, (*known, text_of(first(_lower(item), "city")).casefold()))
    return Visit(name, start, end, city)


def _times(name: str, item: Row, note: Note) -> tuple[str, str]:
    """When an entry begins and ends; empty where it does not say, remarked where that cannot be read."""
    start, end, when = first(item, *STARTS), first(item, *ENDS), first(item, *TIMES)
    if start is None and end is None and when is not None:
        if isinstance(when, str) and (times := times_of(when)):
            return times
        if isinstance(when, dict):
            return _times(name, {**_lower(when), "time": None}, note)
        start, end = (*_several(when), None, None)[:2]
    for given in (start, end):
        if given is not None and not clock_of(given):
            note("time", f"visits: {name!r}: found {str(given)[:SHOWN]!r}; expected a time of day, as 10:00")
    return clock_of(start), clock_of(end)
