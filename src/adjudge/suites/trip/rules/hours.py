"""Times of day in a plan, and whether its timed entries are in order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import Visit

# Minutes in a day.
DAY = 24 * 60
NOON, SMALL_HOURS, EVENING = 12 * 60, 6 * 60, 18 * 60
# "am", "p.m.".
HALF = r"[ap]\.?m\b\.?"
# "9:30", "09.30", "9:30:00 pm", "9 am".
TIME = rf"(?:\d{{1,2}}[:.]\d{{2}}(?::\d{{2}})?(?:\s?{HALF})?|\d{{1,2}}\s?{HALF})"
# "10:00-11:30", "1 to 2 pm", "9 until 10".
BETWEEN = r"\s{0,9}(?:-|–|—|\bto\b|\buntil\b|\btill\b)\s{0,9}"
# "2022-03-01T09:30:00Z", "9:30 pm", "9".
CLOCK = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2}[T ])?(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d)(?::\d{2}(?:\.\d+)?)?)?\s*"
    rf"(?P<half>{HALF})?(?(date)(?:Z|[+-]\d{{2}}:\d{{2}})?)",
    re.IGNORECASE,
)


def minutes(clock: str) -> int | None:
    """Minutes after midnight; None if the text is not a time of day.

    >>> minutes("08:30"), minutes("24:00"), minutes("1:15 PM"), minutes("10:00:00"), minutes("9"), minutes("soon")
    (510, 1440, 795, 600, 540, None)
    """
    match = CLOCK.fullmatch(clock.strip())
    if not match:
        return None
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half.startswith("a") and hour > 12:
        return None
    hour = hour % 12 + 12 * half.startswith("p") if half and hour <= 12 else hour
    total = hour * 60 + int(match["minute"] or 0)
    return total if total <= DAY else None


def clock_of(value: object) -> str:
    """A time of day as HH:MM, from a text or a whole hour; empty for anything else.

    >>> clock_of("9.30 am"), clock_of(14), clock_of(14.5), clock_of(None)
    ('09:30', '14:00', '', '')
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(int(value)) if value in range(25) else ""
    total = minutes(value) if isinstance(value, str) else None
    return "" if total is None else f"{total // 60:02d}:{total % 60:02d}"


def times_of(text: str) -> tuple[str, str] | None:
    """The start and end in "10:00-11:30" or "1 to 2 pm"; the end may be empty; None if the text is not a time.

    >>> times_of("1 to 2 pm"), times_of("11-1 PM"), times_of("10:00"), times_of("morning")
    (('13:00', '14:00'), ('11:00', '13:00'), ('10:00', ''), None)
    """
    if alone := clock_of(text):
        return alone, ""
    parts = re.split(BETWEEN, text.strip(), flags=re.IGNORECASE)
    if len(parts) != 2 or not all(map(clock_of, parts)):
        return None
    start, end = parts
    half = re.search(HALF, end, re.IGNORECASE)
    same_half = clock_of(f"{start} {half[0]}") if half else ""
    return (same_half if "" < same_half <= clock_of(end) else clock_of(start)), clock_of(end)


def timed_visits(visits: Iterable[Visit]) -> list[Visit]:
    """The entries that have a start time."""
    return [visit for visit in visits if minutes(visit.start) is not None]


def span(visit: Visit) -> str:
    """An entry with its times as text, for messages."""
    return f"{visit.name} {visit.start}-{visit.end}"


def disorder(visits: Iterable[Visit], lodgings: Collection[str] = ()) -> str:
    """A message about the first entry that is out of order; empty if all are in order.

    Every entry must start after the one before it, and not before that one ends, and end after it starts. An entry that
    starts in the afternoon or evening may end the next morning. After such an entry, or after one in the evening, the
    hours after midnight belong to the same night (docs/methods/trip.md, M16). The group may go out from one of its
    `lodgings` (names as name_key gives them) while it stays there.
    """
    start_before = end_before = busy_until = -1
    for visit in timed_visits(visits):
        start = minutes(visit.start) or 0
        end = minutes(visit.end)
        if start <= start_before % DAY and _next_day(start, start_before, end_before):
            start += DAY
        if start <= start_before:
            return f"{span(visit)} starts before the entry it follows"
        finish = start if end is None else _end(start, end)
        if finish <= start and end is not None:
            return f"{span(visit)} ends before it starts"
        if name_key(visit.name) not in lodgings:
            if start < busy_until:
                return f"{span(visit)} overlaps the entry before"
            busy_until = max(busy_until, finish)
        start_before, end_before = start, finish
    return ""


def literal_disorder(visits: Iterable[Visit]) -> str:
    """A message about the first entry that is out of order by the clock alone; empty if all are in order.

    Every entry must start later than the one before and end later than it starts. An entry that ends the next morning
    is out of order, as in the source.
    """
    before = -1
    for visit in timed_visits(visits):
        start, end = minutes(visit.start) or 0, minutes(visit.end)
        if start <= before:
            return f"{span(visit)} starts before the entry it follows"
        if end is not None and end <= start:
            return f"{span(visit)} ends before it starts"
        before = start
    return ""


def _next_day(start: int, start_before: int, end_before: int) -> bool:
    """Whether a start earlier on the clock belongs to the night or morning after the previous entry."""
    overnight = end_before > DAY and start >= end_before - DAY
    return overnight or (start_before >= EVENING and start < SMALL_HOURS)


def _end(start: int, end: int) -> int:
    """The end of an entry in minutes after the midnight before its start; an impossible end stays before the start."""
    day = start // DAY * DAY
    clock = start - day
    overnight = end < clock and clock >= NOON and end <= NOON
    return day + end + (DAY if overnight else 0)
