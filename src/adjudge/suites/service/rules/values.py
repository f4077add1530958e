"""When two slot values mean the same: the named policies strict, canonical and fuzzy."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from adjudge.suites.service.data import Value

DONTCARE = "dontcare"

_DONTCARE = frozenset(
    {
        "dontcare",
        "dont care",
        "don't care",
        "do n't care",
        "do nt care",
        "do not care",
        "doesn't matter",
        "does not matter",
        "doesnt matter",
        "not important",
        "no preference",
        "any",
        "anything",
    }
)
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
}
_SPELLINGS = {
    "center": "centre",
    "theater": "theatre",
    "b and b": "bed and breakfast",
    "moderately priced": "moderate",
    "wi-fi": "wifi",
    "guest house": "guesthouse",
    "swimming pool": "swimmingpool",
    "night club": "nightclub",
    "concert hall": "concerthall",
}
_TIMES = {"noon": "12:00", "12 noon": "12:00", "midday": "12:00", "mid-day": "12:00", "midnight": "00:00"}
# 5:15 pm, 17.15, 5pm, 5 a.m., 5 o'clock; the minutes may be left out before am or pm only.
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2})|(?=\s*[ap]))\s*(?:([ap])\.?\s?m\.?)?|(\d{1,2})\s*o'?clock")
_TIME_SLOTS = frozenset({"leaveat", "arriveby", "booktime", "leave", "arrive", "time"})
# What stands before a time: "after 5:15".
_ABOUT = re.compile(r"(?:after|before|by|around|about|at|from|until) ")
_NAME_SLOTS = frozenset({"name", "destination", "departure"})
_ARTICLES = ("the ", "a ", "an ")
# The kind of venue at the end of a name, which annotators write or leave out.
_SUFFIXES = (
    " bed and breakfast",
    " guest house",
    " guesthouse",
    " restaurant",
    " hotel",
)
# Any of the spellings as whole words: "guest house" in "acorn guest house", not in "guest houses".
_SPELLING = re.compile(r"\b(?:" + "|".join(map(re.escape, _SPELLINGS)) + r")(?!\w)")


def plain(slot: str, value: str) -> str:
    """The value without case and superfluous white space."""
    return " ".join(value.lower().split())


@lru_cache(maxsize=1 << 16)
def canonical(slot: str, value: str) -> str:
    """The one form of all spellings of a value: times as HH:MM, number words as digits, and so on.

    >>> canonical("hotel-area", "Center"), canonical("train-leaveat", "5:15 pm"), canonical("hotel-stars", "four")
    ('centre', '17:15', '4')
    >>> canonical("hotel-name", "The Larkspur Hotel"), canonical("hotel-type", "hotel")
    ('larkspur', 'hotel')
    >>> canonical("restaurant-food", "don't care"), canonical("hotel-bookpeople", "10")
    ('dontcare', '10')
    """
    text = plain(slot, value).replace("’", "'").replace(" '", "'").strip(" .,?!")
    if text in _DONTCARE:
        return DONTCARE
    if text in _NUMBERS:
        return _NUMBERS[text]
    if time := _clock(text, slot.rpartition("-")[2] in _TIME_SLOTS):
        return time
    text = text.replace(" & ", " and ").replace("&", " and ")
    text = _SPELLING.sub(lambda spelling: _SPELLINGS[spelling.group()], text)
    if slot.rpartition("-")[2] in _NAME_SLOTS:
        return _bare_name(text)
    return text


@lru_cache(maxsize=1 << 16)
def fuzzily_same(slot: str, first: str, second: str) -> bool:
    """Whether two canonical values differ by a slip of the pen only.

    Word by word: one edit (two swapped letters are one) in words from five letters on, two from twelve on; words
    with digits must be equal.

    >>> fuzzily_same("hotel-name", "acorn guesthouse", "acorn guesthose")
    True
    >>> fuzzily_same("hotel-bookpeople", "1", "10"), fuzzily_same("train-day", "tuesday", "thursday")
    (False, False)
    """
    if first == second:
        return True
    ours, theirs = first.split(), second.split()
    if len(ours) != len(theirs):
        joined = "".join(ours)
        return joined == "".join(theirs) and not any(map(str.isdigit, joined))
    return all(map(_close, ours, theirs))


class Match:
    """A named policy for when a predicted value is right; verdicts are kept, most values recur."""

    def __init__(self, name: str, same: Callable[[str, str, str], bool]) -> None:
        self.name = name
        self._same = same
        self._verdicts: dict[tuple[str, Value, Value], bool] = {}

    def __repr__(self) -> str:
        return f"<match {self.name}>"

    def right(self, slot: str, predicted: Value, gold: Value) -> bool:
        """Whether the predicted value means the same as one of the gold alternatives; of several, each must."""
        key = (slot, predicted, gold)
        verdict = self._verdicts.get(key)
        if verdict is None:
            verdict = self._decide(slot, _several(predicted), _several(gold))
            if len(self._verdicts) >= 1 << 17:
                self._verdicts.clear()
            self._verdicts[key] = verdict
        return verdict

    def _decide(self, slot: str, predicted: tuple[str, ...], gold: tuple[str, ...]) -> bool:
        return bool(predicted) and all(any(self._same(slot, ours, theirs) for theirs in gold) for ours in predicted)


STRICT = Match("strict", lambda slot, a, b: plain(slot, a) == plain(slot, b))
CANONICAL = Match("canonical", lambda slot, a, b: canonical(slot, a) == canonical(slot, b))
FUZZY = Match("fuzzy", lambda slot, a, b: fuzzily_same(slot, canonical(slot, a), canonical(slot, b)))
POLICIES = {policy.name: policy for policy in (STRICT, CANONICAL, FUZZY)}


def _several(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _clock(text: str, certain: bool) -> str:
    """The time of day as HH:MM, empty where the text is none; a slot that is certain to be a time may say 1715."""
    if certain:
        text = _ABOUT.sub("", text, count=1)
        if len(text) == 4 and text.isdigit():
            return f"{text[:2]}:{text[2:]}"
    if text in _TIMES:
        return _TIMES[text]
    match = _TIME.fullmatch(text)
    if not match:
        return ""
    hour, minute, half, full_hour = match.groups()
    hours = int(hour or full_hour)
    if half == "p" and hours < 12:
        hours += 12
    if half == "a" and hours == 12:
        hours = 0
    return f"{hours:02d}:{minute or '00'}"


def _bare_name(text: str) -> str:
    for article in _ARTICLES:
        if text.startswith(article):
            text = text[len(article) :]
    for suffix in _SUFFIXES:
        if text.endswith(suffix):
            return text[: -len(suffix)]
    return text


def _close(first: str, second: str) -> bool:
    if first == second:
        return True
    if any(map(str.isdigit, first + second)):
        return False
    from rapidfuzz.distance import OSA

    longest = max(len(first), len(second))
    # One slip in ten letters or so; in words below five letters a slip makes another word (food, good).
    allowed = 0 if longest < 5 else 1 if longest < 12 else 2
    return OSA.distance(first, second) <= allowed
