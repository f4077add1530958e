"""Amounts that a patient smokes, drinks or takes, with the period if one is given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.suites.patient.rules.numbers import RANGE, ValueRange, digits

# "a day", "every single night", "weekly".
_EACH = (
    r"(?:[\s,]{0,3}(?:an?|per|each|every|/|in an?) ?(?:single )?(day|night|evening|week|month|year)\b"
    r"|[\s,]{0,3}(daily|nightly|weekly|monthly)\b)"
)
# "6", "2 or 3", "a couple of", with one word between: "6 cold (beers)".
_SO_MANY = rf"(?:(?<![\d.]){RANGE}|\b(an?|a couple(?: of)?))(?: (?!few|lot|couple|bit|of|day|week)[a-z]+)?"
# "6 beers a day", "half a pack of cigarettes daily". These nouns count without a period too: "6 beers".
_CONSUMED = re.compile(
    rf"{_SO_MANY} (packs?|cigarettes?|cigs?|smokes|drinks?|beers?|glass(?:es)?|bottles?|cans?|shots?|pints?|units?"
    rf"|joints?|grams?|partners?|bags?)\b(?: of (\w+))?{_EACH}?"
)
# "3 whiskeys every evening", "2 cups of strong coffee a day".
_COUNTED_BY_TIME = re.compile(
    rf"{_SO_MANY} (?!(?:few|lots?|couple|bit|little)\b)([a-z]+)(?: of (?:[a-z]+ )?([a-z]+))?{_EACH}"
)
# Words for a period, by the period they mean; drinks of a night or an evening are drinks of a day.
PERIODS = {"daily": "day", "nightly": "day", "night": "day", "evening": "day", "weekly": "week", "monthly": "month"}
_NOUNS = {"cigs": "cigarette", "cig": "cigarette", "smokes": "cigarette", "glasses": "glass", "glass": "glass"}
# People count some drinks by the vessel: "two cups of coffee" are two coffees.
_VESSELS = ("cup", "mug")
# The least and the most that these words can mean.
_SOME = {"a": (1.0, 1.0), "an": (1.0, 1.0), "a couple": (2.0, 3.0), "a couple of": (2.0, 3.0)}


def amounts(text: str) -> Iterator[tuple[str, ValueRange]]:
    """The things that a text says are smoked, drunk or taken, each with its amount.

    The name of a thing includes the period if one is given. With a period, any noun counts as a thing.

    >>> [(of, str(span)) for of, span in amounts("Six beers a day and half a pack of cigarettes daily")]
    [('beer a day', '6'), ('pack of cigarettes a day', '0.5')]
    >>> [(of, str(span)) for of, span in amounts("Two cups of strong coffee a day")]
    [('coffee a day', '2')]
    """
    plain = re.sub(r"\bppd\b", "packs a day", digits(text))
    consumed = list(_CONSUMED.finditer(plain))
    yield from map(_amount_of, consumed)
    starts = {match.start() for match in consumed}
    for match in _COUNTED_BY_TIME.finditer(plain):
        if match.start() not in starts:
            yield _amount_of(match)


def _amount_of(match: re.Match[str]) -> tuple[str, ValueRange]:
    """The thing that a match counts, in one spelling, and its amount."""
    low, high, some, noun, what, per, often = match.groups()
    span = ValueRange.between(low, high) if low else ValueRange(*_SOME[some])
    period = per or often or ""
    of = _NOUNS.get(noun, noun.rstrip("s"))
    if of in _VESSELS and what:
        of, what = what.rstrip("s"), ""
    return " ".join(filter(None, (of, what and f"of {what}", period and f"a {PERIODS.get(period, period)}"))), span
