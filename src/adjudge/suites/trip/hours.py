"""The clock of a plan: whether timed entries follow one another."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adjudge.suites.trip.data import Visit

DAY = 24 * 60
NOON, SMALL_HOURS, EVENING = 12 * 60, 6 * 60, 18 * 60


def minutes(clock: str) -> int | None:
    """Minutes after midnight; None for what is no time of day.

    >>> minutes("08:30"), minutes("24:00"), minutes("soon")
    (510, 1440, None)
    """
    match = re.fullmatch(r"\s*(\d{1,2}):(\d{2})(?::\d{2})?\s*", clock)
    if not match or int(match[2]) > 59:
        return None
    total = int(match[1]) * 60 + int(match[2])
    return total if total <= DAY else None


def timed(visits: Iterable[Visit]) -> list[Visit]:
    """The entries that say when they start."""
    return [visit for visit in visits if minutes(visit.start) is not None]


def span(visit: Visit) -> str:
    """An entry with its times in words."""
    return f"{visit.name} {visit.start}-{visit.end}"


def disorder(visits: Iterable[Visit]) -> str:
    """The first entry that is out of order, in words; empty where all are in order.

    Every entry starts after the one before it and ends after it starts. One that starts in the afternoon or evening
    may end the next morning. After such an entry, or after an evening one, the small hours belong to the same night.
    """
    start_before = end_before = -1
    for visit in timed(visits):
        start = minutes(visit.start) or 0
        end = minutes(visit.end)
        if start <= start_before % DAY and _next_day(start, start_before, end_before):
            start += DAY
        if start <= start_before:
            return f"{span(visit)} starts before the entry it follows"
        finish = start if end is None else _end(start, end)
        if finish <= start and end is not None:
            return f"{span(visit)} ends before it starts"
        start_before, end_before = start, finish
    return ""


def literal_disorder(visits: Iterable[Visit]) -> str:
    """The first entry that does not start later than the one before it or end later than it starts, by the clock."""
    before = -1
    for visit in timed(visits):
        start, end = minutes(visit.start) or 0, minutes(visit.end)
        if start <= before:
            return f"{span(visit)} starts before the entry it follows"
        if end is not None and end <= start:
            return f"{span(visit)} ends before it starts"
        before = start
    return ""


def _next_day(start: int, start_before: int, end_before: int) -> bool:
    """Whether a start that is earlier by the clock lies in the night or morning after the entry before."""
    overnight = end_before > DAY and start >= end_before - DAY
    return overnight or (start_before >= EVENING and start < SMALL_HOURS)


def _end(start: int, end: int) -> int:
    """When an entry ends, counted from the midnight on which its day begins; a wrong end stays before the start."""
    day = start // DAY * DAY
    clock = start - day
    overnight = end < clock and clock >= NOON and end <= NOON
    return day + end + (DAY if overnight else 0)
