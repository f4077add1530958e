"""Places and visits as a plan mentions them in text: "Blue Door, Ames; Cost: 14", "Mill, visit from 9:00 to 10:30"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.suites.trip.data import Place, Visit
from adjudge.suites.trip.rules.costs import AMOUNT
from adjudge.suites.trip.rules.hours import BETWEEN, HALF, TIME, times_of
from adjudge.suites.trip.rules.places import city_key, city_name, is_none

# The cities of the day, as they are compared.
Cities = tuple[str, ...]
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


def places_in(text: str, known: Cities) -> Iterator[Place]:
    """The places of a cell that joins them by ";"; a part "Cost: 14" belongs to the place before it."""
    for part in re.split(rf";(?!\s*{PRICED})", text, flags=re.IGNORECASE):
        if place := place_in(part, known):
            yield place


def place_in(text: str, known: Cities) -> Place | None:
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


def _split_city(text: str, known: Cities) -> tuple[str, str]:
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


def visits_in(text: str, known: Cities) -> Iterator[Visit]:
    """The entries of "Name, visit from 09:00 to 10:30, nearest transit: ...; ..."."""
    for part in text.split(";"):
        if not TORN.search(part.strip()) or TIMES.search(part):
            yield from visit_in(part, known)


def visit_in(text: str, known: Cities) -> Iterator[Visit]:
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


def visit_place(text: str, known: Cities) -> tuple[str, str]:
    """What an entry names: a place, and its city where that is one of the day."""
    name, _, city = text.rpartition(",")
    return (name.strip(" ,"), city_name(city)) if name.strip() and city_key(city) in known else (text, "")
