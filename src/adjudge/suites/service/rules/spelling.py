"""MultiWOZ values as its databases write them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.suites.service.rules.tables import LEXICON, read_table

_SHORT = {"arriveby": "arrive", "leaveat": "leave"}
# 17:45 at the start of a text.
_CLOCK = re.compile(r"(\d\d):(\d\d)")


class Spellings(Struct, frozen=True, forbid_unknown_fields=True):
    """Values that mean no constraint, and misspellings by kind of value, each with the database's spelling.

    `time_start` holds times that are known by how they begin.
    """

    no_constraint: frozenset[str]
    name: dict[str, str]
    food: dict[str, str]
    type: dict[str, str]
    time: dict[str, str]
    time_start: dict[str, str]


@cache
def spellings() -> Spellings:
    """The spellings of `lexicon/spellings.toml`, read once."""
    return read_table(LEXICON / "spellings.toml", Spellings)


@lru_cache(maxsize=4096)
def slot_name(name: str) -> str:
    """A slot or column name without case and spaces, as the databases' columns are named here.

    >>> slot_name("price range"), slot_name("arriveBy"), slot_name("leave at")
    ('pricerange', 'arrive', 'leave')
    """
    plain = name.lower().replace(" ", "")
    return _SHORT.get(plain, plain)


@lru_cache(maxsize=65536)
def database_value(slot: str, value: str) -> str:
    """The value of a slot as the databases write it."""
    if slot in ("name", "destination", "departure"):
        return canonical_name(value)
    if slot in ("arrive", "leave", "time"):
        return canonical_time(value)
    if slot == "food":
        food = value.strip().lower()
        return spellings().food.get(food, food)
    if slot == "type":
        return spellings().type.get(value, value)
    if slot in ("parking", "internet"):
        return "yes" if value == "free" else value
    return value


def canonical_name(name: str) -> str:
    """A venue's or station's name as the databases write it.

    >>> canonical_name("Christ 's College"), canonical_name("A & B guest house"), canonical_name("nando's")
    ("christ's college", 'a and b guest house', 'nandos')
    """
    plain = name.strip().lower().replace(" & ", " and ").replace("&", " and ").replace(" '", "'")
    return spellings().name.get(plain, plain)


def canonical_time(time: str) -> str:
    """A time of day as HH:MM where it can be understood, else as it is.

    Twelve hours are added to every time marked pm, so 12:30 pm becomes 24:30. The published values rest on this rule.

    >>> canonical_time("after 5:45 pm"), canonical_time("0915"), canonical_time("9"), canonical_time("7:05.")
    ('17:45', '09:15', '09:00', '07:05')
    """
    plain = time.strip().lower()
    known = _known_time(plain)
    if known:
        return known
    plain = _without_preposition(plain)
    plain = plain.removesuffix("am").strip() if plain.endswith("am") else plain
    plain = plain.removesuffix("a.m.").strip() if plain.endswith("a.m.") else plain
    if plain.endswith(("pm", "p.m.")):
        plain = plain.removesuffix("pm").removesuffix("p.m.").strip()
        later = _twelve_hours_later(plain)
        if later:
            return later
    return _with_padding(plain)


def minutes(time: str) -> int:
    """Minutes after midnight of a text that begins with HH:MM, else 0."""
    clock = _CLOCK.match(time)
    return int(clock[1]) * 60 + int(clock[2]) if clock else 0


def _known_time(time: str) -> str:
    whole = spellings().time.get(time)
    if whole:
        return whole
    starts = spellings().time_start.items()
    return next((clock for start, clock in starts if time.startswith(start)), "")


def _without_preposition(time: str) -> str:
    # "by 17:45" loses three characters, as in the published evaluation. "afer" is a misspelling of "after" in the data.
    if time.startswith("by"):
        time = time[3:]
    for word in ("after", "afer"):
        if time.startswith(word):
            time = time.removeprefix(word).strip()
    return time


def _twelve_hours_later(time: str) -> str:
    hour, *rest = time.split(":")
    if len(rest) > 1 or not hour.strip().isdecimal():
        return ""
    return f"{int(hour) + 12}:{rest[0] if rest else '00'}"


def _with_padding(time: str) -> str:
    if not time:
        return "00:00"
    if time[-1] in ".,?":
        time = time[:-1]
    if time.isdecimal() and len(time) == 4:
        return f"{time[:2]}:{time[2:]}"
    if time.isdecimal() and len(time) <= 2:
        return f"{time.zfill(2)}:00"
    if ":" in time:
        time = time.replace(" ", "")
    return f"0{time}" if len(time) == 4 and time[1] == ":" else time
