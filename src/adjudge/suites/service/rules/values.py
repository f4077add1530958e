"""When two slot values mean the same: the named policies strict, canonical, fuzzy and leaderboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.english.numbers import UNITS
from adjudge.suites.service.data import Value
from adjudge.suites.service.rules.spelling import database_value, slot_name
from adjudge.suites.service.rules.tables import LEXICON, read_table

DONTCARE = "dontcare"

# Number words up to twenty: counts of people, nights and stars.
_NUMBERS = {word: str(number) for word, number in UNITS.items()} | {"twenty": "20"}
# 5:15 pm, 17.15, 5pm, 5 a.m., 5 o'clock; the minutes may be left out before am or pm only.
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2})|(?=\s*[ap]))\s*(?:([ap])\.?\s?m\.?)?|(\d{1,2})\s*o'?clock")
_TIME_SLOTS = frozenset({"leaveat", "arriveby", "booktime", "leave", "arrive", "time"})
_NAME_SLOTS = frozenset({"name", "destination", "departure"})


def plain(slot: str, value: str) -> str:
    """The value without case and superfluous white space."""
    return " ".join(value.lower().split())


@lru_cache(maxsize=1 << 16)
def canonical(slot: str, value: str) -> str:
    """The canonical form of a value: times as HH:MM, number words as digits, and so on.

    >>> canonical("hotel-area", "Center"), canonical("train-leaveat", "5:15 pm"), canonical("hotel-stars", "four")
    ('centre', '17:15', '4')
    >>> canonical("hotel-name", "The Larkspur Hotel"), canonical("hotel-type", "hotel")
    ('larkspur', 'hotel')
    >>> canonical("restaurant-food", "don't care"), canonical("hotel-bookpeople", "10")
    ('dontcare', '10')
    """
    text = plain(slot, value).replace("’", "'").replace(" '", "'").strip(" .,?!")
    words = _words()
    if text in words.dontcare:
        return DONTCARE
    if text in _NUMBERS:
        return _NUMBERS[text]
    if time := _clock(text, slot.rpartition("-")[2] in _TIME_SLOTS):
        return time
    text = text.replace(" & ", " and ").replace("&", " and ")
    text = _spelling().sub(lambda spelling: words.spellings[spelling.group()], text)
    if slot.rpartition("-")[2] in _NAME_SLOTS:
        return _bare_name(text)
    return text


@lru_cache(maxsize=1 << 16)
def fuzzily_same(slot: str, first: str, second: str) -> bool:
    """Whether two canonical values differ only by typing errors.

    Values are compared word by word. One edit is allowed from five letters on, two from twelve on; two swapped letters
    are one edit. Words with digits must be equal (docs/methods/service.md).

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


def same_on_leaderboard(slot: str, predicted: str, gold: str) -> bool:
    """Whether two values are equal once both are written as the evaluation behind the leaderboard writes them.

    That evaluation knows the time of a booking by the name that systems give it, `time`, and not by gold's `booktime`,
    so it normalises the predicted value alone. Its published values rest on this.

    >>> same_on_leaderboard("train-leaveat", "5:15 pm", "17:15"), same_on_leaderboard("hotel-area", "center", "centre")
    (True, False)
    """
    name = slot_name(slot.rpartition("-")[2])
    return database_value("time" if name == "booktime" else name, predicted) == database_value(name, gold)


class Match:
    """A named policy that decides whether a predicted value is right. Most values recur, so verdicts are cached.

    `ignored` are the values under which the policy takes a gold slot as not there.
    """

    def __init__(self, name: str, same: Callable[[str, str, str], bool], ignored: frozenset[str] = frozenset()) -> None:
        self.name = name
        self.ignored = ignored
        self._same = same
        self._verdicts: dict[tuple[str, Value, Value], bool] = {}

    def __repr__(self) -> str:
        return f"<match {self.name}>"

    def right(self, slot: str, predicted: Value, gold: Value) -> bool:
        """Whether the predicted value, or each of several, means the same as one of the gold alternatives."""
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
LEADERBOARD = Match("leaderboard", same_on_leaderboard, ignored=frozenset({DONTCARE}))
POLICIES = {policy.name: policy for policy in (STRICT, CANONICAL, FUZZY, LEADERBOARD)}


class _ValueWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of `lexicon/values.toml`, which says what each table holds."""

    dontcare: frozenset[str]
    before_times: tuple[str, ...]
    articles: tuple[str, ...]
    venue_kinds: tuple[str, ...]
    times: dict[str, str]
    spellings: dict[str, str]


@cache
def _words() -> _ValueWords:
    return read_table(LEXICON / "values.toml", _ValueWords)


@cache
def _spelling() -> re.Pattern[str]:
    """Finds the spellings as whole words: "guest house" in "acorn guest house", not in "guest houses"."""
    return re.compile(r"\b(?:" + "|".join(map(re.escape, _words().spellings)) + r")(?!\w)")


def _several(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _clock(text: str, certain: bool) -> str:
    """The time of day as HH:MM, empty if the text is no time; `certain` marks a time slot, where 1715 is a time."""
    words = _words()
    if certain:
        first, _, rest = text.partition(" ")
        text = rest if rest and first in words.before_times else text
        if len(text) == 4 and text.isdigit():
            return f"{text[:2]}:{text[2:]}"
    if text in words.times:
        return words.times[text]
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
    """The name without articles before it and the kind of venue after it."""
    words = _words()
    for article in words.articles:
        text = text.removeprefix(f"{article} ")
    for kind in words.venue_kinds:
        if text.endswith(f" {kind}"):
            return text.removesuffix(f" {kind}")
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
