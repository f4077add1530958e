"""The words of a plan that name no place: "no lunch planned", "packed lunch", "overnight train"."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from adjudge.english.normalise import name_key
from adjudge.english.patterns import fill_parts
from adjudge.suites.trip.data import MEALS
from adjudge.suites.trip.lexicon import table_of

# The cells that mean "no place".
NONE = {"", "-", "--", "–", "—", "_", "n/a", "na", "none", "null", "nil", "nan"}


def is_none(text: str) -> bool:
    """Whether a cell of a plan means that there is no place: "-", "none" and the like."""
    return text.strip().casefold() in NONE


@lru_cache(maxsize=16384)
def says_nothing(text: str) -> bool:
    """Whether a cell of a plan says, in signs or words, that there is nothing.

    >>> says_nothing("No lunch planned."), says_nothing("On your own"), says_nothing("No. 9 Lunch Bar")
    (True, True, False)
    """
    bare = text.strip(" .()*!")
    return is_none(bare) or _nothing().fullmatch(bare) is not None


@lru_cache(maxsize=16384)
def is_unnamed(text: str, slot: str) -> bool:
    """Whether the entry of a meal or a night names no restaurant or lodging, although there is one to eat or sleep.

    >>> is_unnamed("Packed lunch from the hotel", "lunch"), is_unnamed("A nearby café", "lunch")
    (True, True)
    >>> is_unnamed("Hotel California", "dinner"), is_unnamed("Overnight train", "lodging")
    (False, True)
    """
    words = set(name_key(text).split())
    if slot == "lodging":
        away, beside = _words("nights", "away"), _words("nights", "beside")
        return bool(words & away) and words <= away | beside
    if slot not in MEALS:
        return False
    kitchen, vague, noun, beside = (_words("meals", key) for key in ("kitchen", "vague", "noun", "beside"))
    unnamed = words & kitchen or (words & vague and words & noun)
    return bool(unnamed) and words <= kitchen | vague | noun | beside


@cache
def _words(table: str, key: str) -> frozenset[str]:
    return frozenset(table_of("plans")[table][key])


@cache
def _nothing() -> re.Pattern[str]:
    table = table_of("plans")
    parts = {name: f"(?:{'|'.join(words)})" for name, words in table["parts"].items()}
    phrases = "|".join(fill_parts(each["pattern"], parts) for each in table["nothing"])
    return re.compile(rf"\A(?:{phrases})", re.IGNORECASE)
