"""Plans and reference information in the format of TravelPlanner and TripCraft."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from adjudge.suites.trip.data import Day, Entry, Leg, Place, PlaceKind, Plan, Visit
from adjudge.suites.trip.rules.costs import AMOUNT, COST
from adjudge.suites.trip.rules.hours import BETWEEN, HALF, TIME, times_of
from adjudge.suites.trip.rules.places import city_key, city_name, is_none, journey

# No price of a trip is as high; such a number is a mistake.
LARGEST = 1e15
# "Cost: ", "(estimated price: $", "total cost $".
PRICED = r"\(?(?:(?:estimated|average|avg\.?|total)\s+)?(?:costs?|price)\s*(?::\s*\$?|\$)\s*"
# The cost behind a place: "; Cost: 14", ", price: $14 for two".
TAIL = re.compile(rf"\s*[;,–-]?\s*{PRICED}{AMOUNT}([^;]*)$", re.IGNORECASE)
# "09:00 to 10:30", "9-10 am", "14:00".
TIMES = re.compile(
    rf"(?<![\w:.$])(?:(?:{TIME}|\d{{1,2}}){BETWEEN}{TIME}|\d{{1,2}}:\d{{2}}(?:\s?{HALF})?)(?!\w|:\d)",
    re.IGNORECASE,
)
# What leads to a time: "Mill, visit from", "Mill at", "Mill (".
LEADING = re.compile(r"(?:,\s?[\w-]+(?:\s[\w-]+)?\s(?:from|at)|\b(?:from|at)|\()\Z", re.IGNORECASE)
TRANSIT = re.compile(r"\bnearest transit\b", re.IGNORECASE)
# What is left of an entry that was torn apart because the name of its stop has a ";".
TORN = re.compile(r"(?:^|[\s,])\d[\d.,]{0,12}\s?k?m(?: away)?\.?\Z", re.IGNORECASE)
EDGES = " ,:;()-–—"
# "no lunch", "meals on your own", "dinner not planned": sorts of entries and what is done with them.
SORT = (
    r"(?:breakfast|lunch|dinner|meals?|food|restaurants?|attractions?|events?|activit(?:y|ies)|sightseeing|"
    r"accommodations?|lodging|hotel|stay|visits?|plans?|schedule|transportation)"
)
DONE = (
    r"(?:planned|specified|needed|required|included|scheduled|provided|decided|applicable|available|found|given|"
    r"selected|booked|arranged|set)"
)
NOTHING = re.compile(
    rf"no {SORT}(?: {DONE})?|no(?:thing|ne)?(?: \w+)? {DONE}|not(?: yet)? {DONE}|not yet|nothing|none|skip(?:ped)?"
    rf"(?: {SORT})?|(?:{SORT} )?on (?:your|our|their|my) own|tb[acd]|to be (?:decided|determined|announced|confirmed)|"
    r"free (?:time|day|morning|afternoon|evening|night)|(?:at )?leisure(?: time)?|un(?:specified|decided|known|planned)"
)
KINDS: dict[str, PlaceKind] = {
    "attraction": "attraction",
    "restaurant": "restaurant",
    "accommodation": "lodging",
    "event": "event",
}
# "Restaurants in Rome from March 3".
LISTED = re.compile(
    r"^(attraction|restaurant|accommodation|event)s?\s+in\s+(.+?)(?:\s+(?:from|on|between)\s.*)?$", re.I
)
# "Flight from Ames to Bend on 2022-03-16".
WAY = re.compile(r"^(flight|self-driving|taxi)s?\s+from\s+(.+?)\s+to\s+(.+?)(?:\s+on\s+(\S+))?$", re.IGNORECASE)
DATES = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%m/%d/%Y", "%a, %b %d, %Y", "%A, %B %d, %Y", "%Y/%m/%d")


def plan_of(days: list[dict[str, Any]]) -> Plan:
    """The plan that a list of days makes; what is no day is left out."""
    rows = [row for row in days if isinstance(row, dict) and row]
    return Plan(days=tuple(_day(row, number) for number, row in enumerate(rows, 1)))


def catalogue_of(reference: dict[str, Any]) -> tuple[Entry, ...]:
    """The places of the reference information; a text such as "No valid information." holds none."""
    entries: list[Entry] = []
    for title, records in reference.items():
        if isinstance(records, list) and (match := LISTED.match(str(title).strip())):
            entries.extend(entries_of(KINDS[match[1].lower()], records, match[2]))
    return tuple(entries)


def legs_of(reference: dict[str, Any]) -> tuple[Leg, ...]:
    """The flights and drives of the reference information."""
    legs: list[Leg] = []
    for title, value in reference.items():
        if match := WAY.match(str(title).strip()):
            legs.extend(_flights(value, match) if match[1].lower() == "flight" else _drives(value, match))
    return tuple(legs)


def entries_of(kind: PlaceKind, records: list[dict[str, Any]], city: str = "") -> tuple[Entry, ...]:
    """The catalogue entries of records of one kind, in `city` where they do not say; nameless ones are left out."""
    rows = [_lower(record) for record in records if isinstance(record, dict)]
    return tuple(_entry(kind, row, city) for row in rows if _first_text(row, "name", "title"))


def _entry(kind: PlaceKind, row: dict[str, Any], city: str) -> Entry:
    return Entry(
        kind=kind,
        name=_first_text(row, "name", "title"),
        city=city_name(_first_text(row, "city") or city),
        price=_number(row, "price", "averagecost", "avgcost", "cost", "pricing", "ticketprice"),
        cuisines=_list(row.get("cuisines") or row.get("cuisine")),
        categories=_categories(row),
        room_type=_first_text(row, "roomtype"),
        rules=_list(row.get("houserules"), r"\s*[&,;\n]\s*"),
        occupancy=_whole(_number(row, "maximumoccupancy", "maxoccupancy", "occupancy")),
        minimum_nights=_whole(_number(row, "minimumnights", "minnights")),
        rating=_number(row, "reviewratenumber", "aggregaterating", "rating"),
        date=_date(_first_text(row, "date", "localdate", "datetitle", "eventdate", "startdate")),
        about=_about(row),
    )


def _lower(record: dict[str, Any]) -> dict[str, Any]:
    """A record by field names without case, spaces and underscores: "max_occupancy" is "maxoccupancy"."""
    return {re.sub(r"[\s_-]+", "", str(field)).lower(): value for field, value in record.items()}


def _first_text(row: dict[str, Any], *fields: str) -> str:
    """The first of these fields that says something, as text."""
    texts = (str(row[field]).strip() for field in fields if isinstance(row.get(field), str | int | float))
    return next((text for text in texts if not is_none(text)), "")


def _number(row: dict[str, Any], *fields: str) -> float | None:
    """The first of these fields that holds a number of 0 or more, also as text ("$1,200", '{"price": "$90"}')."""
    for field in fields:
        value = row.get(field)
        if isinstance(value, dict):
            value = _lower(value).get("price")
        if isinstance(value, str):
            match = re.search(r"(?<![-\d.,])\d[\d,]*(?:\.\d+)?", value)
            value = float(match[0].replace(",", "")) if match else None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < LARGEST:
            return float(value)
    return None


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _list(value: object, between: str = r"\s*[,;]\s*") -> tuple[str, ...]:
    """The items of a list, of the text of a list ("['Tea', 'BBQ']"), or of a text with separators."""
    if isinstance(value, str):
        inner = value.strip().removeprefix("[").removesuffix("]")
        value = re.split(between, inner)
    if not isinstance(value, list | tuple):
        return ()
    items = (str(item).strip().strip("'\"").strip() for item in value)
    return tuple(item for item in items if not is_none(item))


def _categories(row: dict[str, Any]) -> tuple[str, ...]:
    fields = ("subcategories", "categories", "category", "segmentname", "genre", "type")
    return tuple(dict.fromkeys(item for field in fields for item in _list(row.get(field))))


def _about(row: dict[str, Any]) -> str:
    length = _first_text(row, "visitduration")
    parts = [_first_text(row, "description", "about", "summary"), f"visit duration: {length}" if length else ""]
    return "; ".join(part for part in parts if part)


def _date(text: str) -> str:
    """The one date of a text as YYYY-MM-DD; empty where it has none, or several."""
    whole = set(re.findall(r"\d{4}-\d{2}-\d{2}", text))
    if whole:
        return whole.pop() if len(whole) == 1 else ""
    for form in DATES if text.strip() else ():
        try:
            return datetime.strptime(text.strip(), form).date().isoformat()
        except ValueError:
            continue
    return ""


def _flights(value: object, match: re.Match[str]) -> Iterator[Leg]:
    for record in value if isinstance(value, list) else ():
        if isinstance(record, dict):
            row = _lower(record)
            origin, goal = _first_text(row, "origincityname") or match[2], _first_text(row, "destcityname") or match[3]
            day = _first_text(row, "flightdate") or match[4] or ""
            yield Leg("flight", origin, goal, _number(row, "price"), _first_text(row, "flightnumber"), day)


def _drives(value: object, match: re.Match[str]) -> Iterator[Leg]:
    """The drive that a text describes, where it names a cost."""
    cost = COST.search(value) if isinstance(value, str) else None
    if cost:
        price = float(cost[1].replace(",", ""))
        yield Leg("taxi" if match[1].lower() == "taxi" else "self-driving", match[2], match[3], price)


def _day(row: dict[str, Any], number: int) -> Day:
    city = _cell(row, "current_city", "city")
    known = cities_named(city)
    return Day(
        number=_whole(_number(_lower(row), "days", "day")) or number,
        city=city,
        date=_date(_cell(row, "date")),
        transport=_cell(row, "transportation"),
        breakfast=_place(_cell(row, "breakfast"), known),
        lunch=_place(_cell(row, "lunch"), known),
        dinner=_place(_cell(row, "dinner"), known),
        attractions=tuple(_places(_cell(row, "attraction", "attractions"), known)),
        events=tuple(_places(_cell(row, "event", "events"), known)),
        lodging=_place(_cell(row, "accommodation"), known),
        visits=tuple(visits_in(_cell(row, "point_of_interest_list", "poi_list", "point_of_interest"), known)),
    )


def cities_named(city: str) -> tuple[str, ...]:
    """The cities that a day names, as they are compared."""
    return journey(city) or (city_key(city),)


def _cell(row: dict[str, Any], *fields: str) -> str:
    """The text of the first of these cells that is filled; a list is joined."""
    for field in fields:
        value = row.get(field)
        if isinstance(value, list):
            value = "; ".join(str(item).strip().rstrip(";") for item in value if isinstance(item, str))
        if isinstance(value, str) and not is_none(value):
            return value.strip()
    return ""


def _places(text: str, known: tuple[str, ...]) -> Iterator[Place]:
    """The places of a cell that joins them by ";"; a part "Cost: 14" belongs to the place before it."""
    for part in re.split(rf";(?!\s*{PRICED})", text, flags=re.IGNORECASE):
        if place := _place(part, known):
            yield place


def _place(text: str, known: tuple[str, ...]) -> Place | None:
    """The place of "Name, City", "Name, City(State)", "Name, City, State" or "Name, City; Cost: 14".

    A cost "for two" or "for 3 nights" is no price of one meal or night and is left out.
    """
    text = text.strip(" ;")
    cost = TAIL.search(text)
    bare = TAIL.sub("", text).strip(" ;,")
    name, city = _split_city(bare, known)
    if says_nothing(name):
        return None
    single = cost and not re.match(r"\s*(?:in total )?for\b", cost[2])
    return Place(name, city, float(cost[1].replace(",", "")) if cost and single else None)


def _split_city(text: str, known: tuple[str, ...]) -> tuple[str, str]:
    """A name and its city: what follows the last comma, or the one before where that is a city of the day."""
    name, _, city = text.rpartition(",")
    longer, _, before = name.rpartition(",")
    if not name.strip():
        return text.strip(" ,"), ""
    if city_key(city) not in known and longer.strip() and city_key(before) in known:
        return longer.strip(), city_name(before)
    return name.strip(), city_name(city)


def says_nothing(text: str) -> bool:
    """Whether a cell of a plan says in words that there is nothing.

    >>> says_nothing("No lunch planned."), says_nothing("On your own"), says_nothing("No. 9 Lunch Bar")
    (True, True, False)
    """
    bare = text.strip(" .()*!")
    return is_none(bare) or NOTHING.fullmatch(bare.casefold()) is not None


def visits_in(text: str, known: tuple[str, ...]) -> Iterator[Visit]:
    """The entries of "Name, visit from 09:00 to 10:30, nearest transit: ...; ..."."""
    for part in text.split(";"):
        if not TORN.search(part.strip()) or TIMES.search(part):
            yield from visit_in(part, known)


def visit_in(text: str, known: tuple[str, ...]) -> Iterator[Visit]:
    """The entry of a text with the times it has; none where it names nothing."""
    text = " ".join(TRANSIT.split(text, maxsplit=1)[0].split())
    match = TIMES.search(text)
    times = times_of(match[0]) if match else None
    if match and times:
        name = LEADING.sub("", text[: match.start()].strip()).strip(EDGES) or text[match.end() :].strip(EDGES)
    else:
        name = text.strip(" ,;")
    name, city = visit_place(name, known)
    if not says_nothing(name):
        yield Visit(name, *(times or ("", "")), city=city)


def visit_place(text: str, known: tuple[str, ...]) -> tuple[str, str]:
    """What an entry names: a place, and its city where that is one of the day."""
    name, _, city = text.rpartition(",")
    return (name.strip(" ,"), city_name(city)) if name.strip() and city_key(city) in known else (text, "")
