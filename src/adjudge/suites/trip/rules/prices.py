"""Price limits in wishes: "at most $40 each"."""

from __future__ import annotations

import re
from functools import cache

from adjudge.english.negation import NEGATION
from adjudge.english.normalise import single_spaces
from adjudge.english.numbers import NUMBER_WORDS
from adjudge.english.tokens import stem
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.vocabulary import informative

# "a hundred dollars" may be a price; a number word below ten seldom is one.
SMALLEST_IN_LETTERS = 10

# A limit before the amount: "under $80", "up to 40 each", "a budget of $100".
_SAYS_MOST = (
    r"(?<!\bnothing )(?<!\bnot )(?:under|below|less than|cheaper than|lower than|at most|up to|no more than"
    r"|not more than|max(?:imum)?(?: of)?|within|not (?:to )?exceed(?:ing)?|(?:a )?budget of)"
)
# The same by negation: "nothing over $80", "don't want to pay more than 40".
_SAYS_NOT_MORE = (
    rf"{NEGATION}(?:\s(?!{NEGATION}|(?:and|or|but)\b)[\w']+){{0,5}}?\s"
    r"(?:over|above|more than|exceeding|beyond)"
)
# A limit after the amount: "$80 max", "40 or less".
_SAID_AFTER = r"\s?(?:max(?:imum)?|tops|at (?:the )?most|or (?:less|under|below|cheaper))\b"
# "80 dollars", "80 €".
_CURRENCY = r"(?:\s?[$€£]|\s?(?:dollars?|bucks|usd|euros?|eur|pounds?|gbp)\b)"
# "80 a night", "40 per person", "40 each".
_UNIT = r"\s?(?:(?:/|\ban?\b|\bper\b)\s?(?:night|person|head|meal|ticket|guest)\b|\b(?:each|pp)\b)"
# "80", "1,200", "79.50"; not a part of a longer number.
_DIGITS = r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.\d{1,2})?(?!\d)"
# "in total", "per week", "for all of us": such a limit cannot be compared with the price of one night, meal or ticket.
_FOR_ALL = re.compile(
    r"\s?(?:in total|total\b|altogether|all in\b|(?:a|per) (?:day|week)\b|for (?:the|all|everyone|everybody|us|both)\b"
    r"|for (?:\d+|two|three|four|five|six) (?:nights|days|people|persons|of us)\b)",
    re.IGNORECASE,
)


@cache
def _limits() -> tuple[re.Pattern[str], ...]:
    """The patterns of a price limit: the limiting words before the amount, or after it."""
    letters = "|".join(word for word, value in NUMBER_WORDS.items() if value >= SMALLEST_IN_LETTERS)
    number = rf"(?P<sign>[$€£]\s?)?(?P<number>{_DIGITS}|\b(?:a )?(?:{letters})\b)"
    amount = rf"{number}(?P<currency>{_CURRENCY})?(?P<unit>{_UNIT})?"
    before = rf"\b(?:{_SAYS_NOT_MORE}|{_SAYS_MOST})\s(?:about |around )?{amount}"
    return tuple(re.compile(phrase, re.IGNORECASE) for phrase in (before, rf"{amount}{_SAID_AFTER}"))


def split_price_limit(text: str) -> tuple[str, float | None]:
    """A wish without its price limit, and the limit; None if it has none.

    >>> split_price_limit("Thai for at most $40 each")
    ('Thai for ', 40.0)
    """
    plain = single_spaces(text)
    for pattern in _limits():
        for match in pattern.finditer(plain):
            if _is_price(match) and not _FOR_ALL.match(plain, match.end()):
                return plain[: match.start()] + plain[match.end() :], _amount(match["number"])
    return text, None


def _is_price(match: re.Match[str]) -> bool:
    """Whether a currency or a unit beside a number shows that it is a price."""
    return any(match[sign] for sign in ("sign", "currency", "unit"))


def _amount(number: str) -> float:
    word = number.lower().removeprefix("a ")
    return float(NUMBER_WORDS.get(word) or word.replace(",", ""))


def only_price(text: str, slot: str = "") -> bool:
    """Whether the words beside a price limit add nothing to it: "something cheap"."""
    return set(informative(text, slot)) <= {stem(word) for word in table_of("wishes")["price"]["words"]}
