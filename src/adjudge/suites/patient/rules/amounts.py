"""Exact amounts that a patient smokes, drinks or takes, with the period if one is given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.suites.patient.rules.numbers import RANGE, digits

# "a day", "every single night", "weekly".
_EACH = (
    r"(?:[\s,]{0,3}(?:an?|per|each|every|/|in an?) ?(?:single )?(day|night|evening|week|month|year)\b"
    r"|[\s,]{0,3}(daily|nightly|weekly|monthly)\b)"
)
# "6", "2 or 3", "a", with one word between: "6 cold (beers)".
_SO_MANY = rf"(?:(?<![\d.]){RANGE}|\ban?)(?: (?!few|lot|couple|bit|of|day|week)[a-z]+)?"
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


def amounts(text: str) -> Iterator[tuple[str, str]]:
    """The things that a text says are smoked, drunk or taken, each after its number; ranges such as "2 or 3" are not.

    The name of a thing includes the period if one is given. With a period, any noun counts as a thing.

    >>> list(amounts("Six beers a day, 2 or 3 shots and half a pack of cigarettes daily"))
    [('6', 'beer a day'), ('0.5', 'pack of cigarettes a day')]
    >>> list(amounts("Two cups of strong coffee a day"))
    [('2', 'coffee a day')]
    """
    plain = re.sub(r"\bppd\b", "packs a day", digits(text))
    consumed = list(_CONSUMED.finditer(plain))
    starts = {match.start() for match in consumed}
    timed = (match for match in _COUNTED_BY_TIME.finditer(plain) if match.start() not in starts)
    for match in (*consumed, *timed):
        low, high, *thing = match.groups()
        if not high or float(high) == float(low):
            yield f"{float(low or 1):g}", _thing(*thing)


def _thing(noun: str, what: str | None, per: str | None, often: str | None) -> str:
    """The thing that is counted, in one spelling."""
    period = per or often or ""
    of = _NOUNS.get(noun, noun.rstrip("s"))
    if of in _VESSELS and what:
        of, what = what.rstrip("s"), ""
    return " ".join(filter(None, (of, what and f"of {what}", period and f"a {PERIODS.get(period, period)}")))
