"""Plans as planners write them: their many names for days, meals and places, brought to those of TravelPlanner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from adjudge.suites.trip.cells import Unreadable
from adjudge.suites.trip.data import MEALS, Plan
from adjudge.suites.trip.facts import NOTHING, first, text_of
from adjudge.suites.trip.travelplanner import plan_of

DAY_LISTS = ("days", "plan", "itinerary", "day_plans", "daily_plan")
RAW = ("raw_output", "raw", "raw_text")
NONE = "-"
NUMBER = re.compile(r"\d+")

Day = Mapping[str, Any]


def plan_in(value: Any) -> Plan | None:
    """The plan in a value that was read from a cell or a row; None where it is empty; raises Unreadable."""
    if value in NOTHING:
        return None
    if not isinstance(value, dict | list):
        raise Unreadable(f"found {str(value)[:30]!r}; expected the planner's JSON, with days")
    raw = text_of(first(value, *RAW)) if isinstance(value, dict) else ""
    days = [_named(number, day) for number, day in enumerate(_days(value), 1)]
    return structs.replace(plan_of(days), raw=raw) if days or raw else None


def _days(value: Any) -> list[Day]:
    """The days of a plan, wherever they stand in it."""
    if isinstance(value, list):
        return [_day(f"days[{place}]", day) for place, day in enumerate(value) if day not in NOTHING]
    inner = first(value, *DAY_LISTS)
    if isinstance(inner, list | dict):
        return _days(inner)
    numbered = {key: day for key, day in value.items() if isinstance(day, dict) and NUMBER.search(key)}
    if numbered:
        return [{"days": key, **_day(key, day)} for key, day in numbered.items()]
    if _is_day(value):
        return [_day("days[0]", value)]
    if first(value, *RAW) is not None:
        return []
    raise Unreadable(f"found only {', '.join(map(repr, list(value)[:5]))}; expected a list of days")


def _day(where: str, day: Any) -> Day:
    if not isinstance(day, dict):
        raise Unreadable(f"{where}: found {str(day)[:30]!r}; expected an object with meals and places")
    return {"_".join(str(key).lower().split()): item for key, item in day.items()}


def _is_day(value: Day) -> bool:
    keys = {str(key).lower() for key in value}
    return bool(keys & {*MEALS, "meals", "current_city", "accommodation", "poi_list"})


def _named(number: int, day: Day) -> dict[str, Any]:
    """A day under the names that TravelPlanner and TripCraft have, everything in it as text."""
    meals = {**day, **_meals(day.get("meals"))}
    return {
        "days": _number(first(day, "days", "day", "day_number", "number"), number),
        "date": text_of(first(day, "date")),
        "current_city": text_of(first(day, "current_city", "city", "location", "destination")) or NONE,
        "transportation": text_of(first(day, "transportation", "transport", "travel")) or NONE,
        **{meal: _place(meals.get(meal)) for meal in MEALS},
        "attraction": _joined(first(day, "attraction", "attractions")),
        "event": _joined(first(day, "event", "events")),
        "accommodation": _place(first(day, "accommodation", "accommodations", "lodging", "hotel")),
        "point_of_interest_list": _visits(first(day, "point_of_interest_list", "poi_list", "pois", "schedule")),
    }


def _number(found: Any, place: int) -> int:
    digits = NUMBER.search(str(found)) if isinstance(found, int | float | str) else None
    return int(digits[0]) if digits else place


def _meals(found: Any) -> dict[str, Any]:
    """Meals by name, of an object or a list of objects that name their meal."""
    if isinstance(found, dict):
        return {str(key).lower(): item for key, item in found.items()}
    if not isinstance(found, list):
        return {}
    named = [(first(item, "meal", "type", "meal_type"), item) for item in found if isinstance(item, dict)]
    return {str(meal).lower(): item for meal, item in named if meal is not None}


def _place(found: Any) -> str:
    """A place as "Name, City; Cost: 14"; the first of several."""
    if isinstance(found, list):
        return _place(found[0]) if found else NONE
    if not isinstance(found, dict):
        return text_of(found) or NONE
    cost = first(found, "cost", "price")
    return _name(found) + (f"; Cost: {cost}" if isinstance(cost, int | float) and _name(found) != NONE else "")


def _name(found: Any) -> str:
    if not isinstance(found, dict):
        return text_of(found).rstrip("; ") or NONE
    name = text_of(first(found, "name", "Name", "NAME", "restaurant", "title", "place"))
    city = text_of(first(found, "city", "City"))
    return f"{name}, {city}" if name and city and not name.endswith(f", {city}") else name or NONE


def _joined(found: Any) -> str:
    if isinstance(found, dict):
        return _name(found)
    if not isinstance(found, list):
        return text_of(found) or NONE
    # The mark between places cannot stand in a name.
    return ";".join(_name(item).replace(";", ",") for item in found if _name(item) != NONE) or NONE


def _visits(found: Any) -> str:
    """Timed entries as "Name, visit from 10:00 to 11:30" with ";" between them."""
    if not isinstance(found, list):
        return text_of(found) or NONE
    return ";".join(_entries(found)) or NONE


def _entries(found: list[Any]) -> Iterator[str]:
    for item in found:
        if not isinstance(item, dict):
            yield text_of(item).rstrip("; ")
            continue
        start = text_of(first(item, "start", "from", "start_time", "arrival"))
        end = text_of(first(item, "end", "to", "until", "end_time", "departure"))
        name = _name(item).replace(";", ",")
        yield f"{name}, visit from {start} to {end}" if start and end else name
