"""What the entailment heuristic sees of a sentence: its words, its quantities, and whether it is negated."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files

from msgspec import Struct

Quantity = tuple[float, str]

_WORD = re.compile(r"[a-z_]+(?:'[a-z]+)?")
_NUMBER = r"(?<!\d)(\d+(?:\.\d+)?)"
_OUT_OF = re.compile(_NUMBER + r" ?(?:/|out of) ?(10|5|100)\b")
_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2}) ?(am|pm)?\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_RATE = re.compile(_NUMBER + r" (?:times?|x) ?(?:a |an |per |every |each )?(day|daily|week|weekly|month|monthly)\b")
_SPAN = re.compile(_NUMBER + r"[ -](day|week|month|year)s?\b(?!.old)")
_AGE = re.compile(_NUMBER + r"[ -]years?[ -]old\b|\bage[d]? (?:of )?" + _NUMBER)
_COUNT = re.compile(_NUMBER + r"[ -]?([a-z]{1,})")
_DAYS = {"day": 1.0, "daily": 1.0, "week": 7.0, "weekly": 7.0, "month": 30.0, "monthly": 30.0, "year": 365.0}
_UNITS = {"kilo": "kg", "kilogram": "kg", "milligram": "mg", "hr": "hour", "min": "minute", "person": "people"}
_DIGITS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "once": "1 times", "twice": "2 times"}
_ENDINGS = ("ing", "ies", "ed", "es", "er", "s", "e", "y")
_SHORTEST_STEM = 3


class Statement(Struct, frozen=True):
    """One sentence taken apart."""

    words: frozenset[str]
    quantities: frozenset[Quantity]
    negated: bool

    @classmethod
    def of(cls, text: str) -> Statement:
        """The sentence as the rules see it."""
        return _taken_apart(text)

    def covered_by(self, other: Statement) -> float:
        """The share of this statement's words that the other has, from 0 to 1."""
        return len(self.words & other.words) / len(self.words) if self.words else 0.0

    def other_quantity(self, other: Statement) -> bool:
        """Whether both give a quantity of the same unit and never the same one."""
        units = {unit for _, unit in self.quantities} & {unit for _, unit in other.quantities}
        return any(not self._values(unit) & other._values(unit) for unit in units)

    def other_side(self, other: Statement) -> bool:
        """Whether both name a side, direction, day or month and never the same one."""
        return any(
            self.words & group and other.words & group and not self.words & other.words & group
            for group in _lexicon().exclusive
        )

    def opposes(self, other: Statement) -> bool:
        """Whether a word that only this statement has is the opposite of one that only the other has."""
        mine, theirs = self.words - other.words, other.words - self.words
        return any(
            (one in mine and another in theirs) or (another in mine and one in theirs)
            for one, another in _lexicon().antonyms
        )

    def _values(self, unit: str) -> set[float]:
        return {value for value, of in self.quantities if of == unit}


class _Lexicon(Struct, frozen=True):
    """The words of `nli_words.toml`, ready for use."""

    negation: re.Pattern[str]
    no_negation: re.Pattern[str]
    empty: frozenset[str]
    synonym: re.Pattern[str]
    meaning: dict[str, str]
    antonyms: frozenset[tuple[str, str]]
    exclusive: tuple[frozenset[str], ...]


@cache
def _lexicon() -> _Lexicon:
    raw = tomllib.loads(files("adjudge.tools").joinpath("nli_words.toml").read_text("utf-8"))
    meaning = {word: line[0].replace(" ", "_") for line in raw["synonyms"] for word in line}
    return _Lexicon(
        negation=_any_of(raw["negations"]),
        no_negation=_any_of(raw["not_negations"]),
        empty=frozenset(raw["empty"]),
        synonym=_any_of(meaning),
        meaning=meaning,
        antonyms=frozenset((_stem(one), _stem(another)) for one, another in raw["antonyms"]),
        exclusive=tuple(frozenset(map(_stem, line)) for line in raw["exclusive"]),
    )


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """One of these phrases, the longest where several begin at the same place."""
    return re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) + r")\b")


@lru_cache(maxsize=100_000)
def _taken_apart(text: str) -> Statement:
    lexicon = _lexicon()
    plain = _in_digits(re.sub(r"n't\b", " not", text.lower().replace("\u2019", "'")))
    negated = lexicon.negation.search(lexicon.no_negation.sub(" ", plain)) is not None
    common = lexicon.synonym.sub(lambda found: lexicon.meaning[found[0]], plain)
    words = (word.removesuffix("'s") for word in _WORD.findall(lexicon.negation.sub(" ", common)))
    return Statement(
        frozenset(_stem(word) for word in words if word not in lexicon.empty), frozenset(_quantities(plain)), negated
    )


def _in_digits(text: str) -> str:
    return _WORD.sub(lambda found: _DIGITS.get(found[0], found[0]), text)


def _quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text with what they count; times become minutes, spans days, rates times a day."""
    for found in _OUT_OF.finditer(text):
        yield float(found[1]) / float(found[2]), "rating"
    for found in _CLOCK.finditer(text):
        afternoon = 12 if found[3] == "pm" and found[1] != "12" else 0
        yield 60.0 * (int(found[1]) + afternoon) + int(found[2]), "clock"
    for found in _YEAR.finditer(text):
        yield float(found[0]), "calendar"
    for found in _RATE.finditer(text):
        yield float(found[1]) / _DAYS[found[2]], "rate"
    for found in _SPAN.finditer(text):
        yield float(found[1]) * _DAYS[found[2]], "span"
    for found in _AGE.finditer(text):
        yield float(found[1] or found[2]), "age"
    yield from _counts(text)


def _counts(text: str) -> Iterator[Quantity]:
    for pattern in (_OUT_OF, _CLOCK, _YEAR, _RATE, _SPAN, _AGE):
        text = pattern.sub(" ", text)
    for found in _COUNT.finditer(text):
        if found[2] not in _lexicon().empty:
            unit = _stem(found[2])
            yield float(found[1]), _UNITS.get(unit, unit)


def _stem(word: str) -> str:
    """The word without its ending: enough to tell that smoke, smoked and smoking are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word
