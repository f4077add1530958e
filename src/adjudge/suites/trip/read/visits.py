"""Visits of a day: as text such as "Mill, visit from 9:00 to 10:30", or as objects in lists and timetables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from adjudge.suites.trip.data import Visit
from adjudge.suites.trip.read.facts import NOTHING, first, text_of
from adjudge.suites.trip.read.mentions import Cities, Row, as_list, fields_by_key, name_in
from adjudge.suites.trip.rules.hours import BETWEEN, HALF, TIME, clock_of, times_of
from adjudge.suites.trip.rules.places import city_key, city_name
from adjudge.suites.trip.rules.plan_words import says_nothing

PERIODS = ("morning", "noon", "afternoon", "evening", "night")
STARTS = ("start", "from", "start_time", "arrival", "begin")
ENDS = ("end", "to", "until", "end_time", "departure")
WHEN = ("time", "time_slot", "timeslot", "times", "hours", "when")
# "09:00 to 10:30", "9-10 am", "14:00".
TIMES = re.compile(
    rf"(?<![\w:.$])(?:(?:{TIME}|\d{{1,2}}){BETWEEN}{TIME}|\d{{1,2}}:\d{{2}}(?:\s?{HALF})?)(?!\w|:\d)",
    re.IGNORECASE,
)
# The words between a name and its time: ", visit from" in "Mill, visit from 9:00", "at" in "Mill at 9:00", "(".
LEADING = re.compile(r"(?:,\s?[\w-]+(?:\s[\w-]+)?\s(?:from|at)|\b(?:from|at)|\()\Z", re.IGNORECASE)
# "nearest transit: Main St, 300 m away" ends an entry.
TRANSIT = re.compile(r"\bnearest transit\b", re.IGNORECASE)
# The rest of an entry that was split because the name of its stop has a ";": "Main St, 120.5m away".
TORN = re.compile(r"(?:^|[\s,])\d[\d.,]{0,12}\s?k?m(?: away)?\.?\Z", re.IGNORECASE)
EDGES = " ,:;()-–—"
# How much of an entry a remark shows, in characters.
SHOWN = 60

Note = Callable[[str, str], None]


def visits_in(value: Any, known: Cities, note: Note) -> Iterator[Visit]:
    """The entries of a day: texts, lists or objects, in a list, in an object by name or time, or in one text."""
    if isinstance(value, str):
        yield from _visits_of_text(value, known)
        return
    for item in _entries(value):
        if isinstance(item, str):
            yield from _visit_of_text(item, known)
        elif (visit := _visit(item, known, note)) and not says_nothing(visit.name):
            yield visit


def _entries(value: Any) -> Iterator[Any]:
    """The entries of a list or an object; the key of an object is the name or the time of its entry."""
    if not isinstance(value, dict) or name_in(value):
        yield from (item for item in as_list(value) if item not in NOTHING)
        return
    for key, item in value.items():
        if key.lower() in PERIODS:
            yield from _entries(item)
        elif times_of(key):
            yield from (
                {**(entry if isinstance(entry, dict) else {"name": entry}), "time": key} for entry in as_list(item)
            )
        else:
            yield {"name": key, **item} if isinstance(item, dict) else {"name": key, "time": item}


def _visit(item: Any, known: Cities, note: Note) -> Visit | None:
    if isinstance(item, list):
        times = [part for part in item if clock_of(part)]
        item = {"name": next((part for part in item if part not in times), None), "time": times}
    name = name_in(item) if isinstance(item, dict) else ""
    if not name:
        note("nameless", f"visits: {str(item)[:SHOWN]} has no name; left out")
        return None
    start, end = _times(name, fields_by_key(item), note)
    name, city = _visit_place(name, (*known, text_of(first(fields_by_key(item), "city")).casefold()))
    return Visit(name, start, end, city)


def _times(name: str, item: Row, note: Note) -> tuple[str, str]:
    """The begin and end of an entry; empty if it has none, with a warning if it cannot be read."""
    start, end, when = first(item, *STARTS), first(item, *ENDS), first(item, *WHEN)
    if start is None and end is None and when is not None:
        if isinstance(when, str) and (times := times_of(when)):
            return times
        if isinstance(when, dict):
            return _times(name, {**fields_by_key(when), "time": None}, note)
        start, end = (*as_list(when), None, None)[:2]
    for given in (start, end):
        if given is not None and not clock_of(given):
            note("time", f"visits: {name!r}: found {str(given)[:SHOWN]!r}; expected a time of day, as 10:00")
    return clock_of(start), clock_of(end)


def _visits_of_text(text: str, known: Cities) -> Iterator[Visit]:
    """The entries of "Name, visit from 09:00 to 10:30, nearest transit: ...; ..."."""
    for part in text.split(";"):
        if not TORN.search(part.strip()) or TIMES.search(part):
            yield from _visit_of_text(part, known)


def _visit_of_text(text: str, known: Cities) -> Iterator[Visit]:
    """The entry of a text with its times; none if the text names nothing."""
    text = " ".join(TRANSIT.split(text, maxsplit=1)[0].split())
    match = TIMES.search(text)
    times = times_of(match[0]) if match else None
    if match and times:
        name = LEADING.sub("", text[: match.start()].strip()).strip(EDGES) or text[match.end() :].strip(EDGES)
    else:
        name = text.strip(" ,;")
    name, city = _visit_place(name, known)
    if not says_nothing(name):
        yield Visit(name, *(times or ("", "")), city=city)


def _visit_place(text: str, known: Cities) -> tuple[str, str]:
    """The place of an entry, and its city if that is a city of the day."""
    name, _, city = text.rpartition(",")
    return (name.strip(" ,"), city_name(city)) if name.strip() and city_key(city) in known else (text, "")
