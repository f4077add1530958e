"""Numbers as people say them: words to digits, and ranges that a number fits into or not."""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf

from msgspec import Struct

from adjudge.suites.patient.phrases import plain

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_ONES)} | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
_SCALES = {"hundred": 100, "thousand": 1000}
_WORD = "|".join((*sorted(_VALUES, key=len, reverse=True), *_SCALES))
_RUN = re.compile(
    rf"\b(?:an? (?=hundred|thousand))?(?:{_WORD})(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and )(?:{_WORD}))*\b"
)
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_TENS)})[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b")
_DECADE = re.compile(r"\b(twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b")
_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_ROUND = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split()
_ROUND_ORDINAL = re.compile(rf"\b({'|'.join(_ROUND)})\b")
_HALVED = "pack|bottle|glass|pint|pill|tablet|lit(?:er|re)|hour|day|year"
_PHRASES = (
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\b(\d+) and an? half\b"), r"\1.5"),
    (
        re.compile(rf"\b(?:half|1/2) an? (?={_HALVED})|\bhalf (?=pack\b)|\b1/2 (?=pack|ppd)"),
        "0.5 ",
    ),
    (re.compile(r"\bhalf a dozen\b"), "6"),
    (re.compile(r"\ba dozen\b"), "12"),
    (re.compile(r"\btwice\b"), "2 times"),
    (re.compile(r"\bthrice\b"), "3 times"),
    (re.compile(r"\bonce(?= (?:an?|per|each|every|daily|nightly|weekly|monthly|in an?)\b)"), "1 time"),
)
# "Twenty-one, no, twenty-two": what is taken back at once was not said.
_TAKEN_BACK = re.compile(
    r"\b\d+(?:\.\d+)?\b[ \w]{0,20}[\s,.;-]+"
    r"(?:no|sorry|wait|i mean|i meant|or rather|rather|make that|correction)\b[\s,.]+(?:(?:no|sorry|wait"
    r"|i mean|i am|it is|that is|make that|it was)\b[\s,.]+)*(?=\d)"
)


class Span(Struct, frozen=True, gc=False):
    """What a stated number can stand for: from `low` to `high`, both included."""

    low: float
    high: float

    def meets(self, other: Span) -> bool:
        """Whether a number can be both."""
        return self.low <= other.high and other.low <= self.high

    def __str__(self) -> str:
        if self.high == inf:
            return f"{self.low:g} or more"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"


@lru_cache(maxsize=50_000)
def digits(text: str) -> str:
    """Plain text with its number words as digits.

    >>> digits("I'm forty-five; it began in nineteen ninety eight, two and a half years on")
    'i am 45; it began in 1998, 2.5 years on'
    """
    text = _ORDINAL.sub(lambda found: found[0].replace("-", "").replace(" ", ""), plain(text))
    text = _RUN.sub(lambda found: " ".join(map(str, _parsed(re.split(r"[ -]", found[0])))), text)
    text = _DECADE.sub(lambda found: f"{20 + 10 * _DECADES.index(found[1])}s", text)
    text = _ROUND_ORDINAL.sub(lambda found: f"{20 + 10 * _ROUND.index(found[1])}th", text)
    for said, meant in _PHRASES:
        text = said.sub(meant, text)
    return text


def meant(text: str) -> str:
    """Plain text with digits, without the numbers that the next words take back.

    >>> meant("Twenty-one... no, sorry, twenty-two since Sunday")
    '22 since sunday'
    """
    return _TAKEN_BACK.sub("", digits(text))


def _parsed(run: list[str]) -> list[int]:
    """The numbers of a run of number words: "forty five" is one, "six seven" are two."""
    found: list[int] = []
    rest = [word for word in run if word not in ("and", "a", "an")]
    while rest:
        value, used = _year(rest) or _number(rest)
        found.append(value)
        rest = rest[used:]
    return found


def _year(run: list[str]) -> tuple[int, int] | None:
    """A year said as two numbers, "nineteen ninety eight" or "twenty fifteen", and how many words it takes."""
    if len(run) < 2 or run[0] not in ("nineteen", "twenty") or run[1] in _SCALES:
        return None
    within, used = _below_hundred(run[1:])
    is_year = within >= 10 and (run[0] == "nineteen" or within < 40)
    return (_VALUES[run[0]] * 100 + within, used + 1) if is_year else None


def _number(run: list[str]) -> tuple[int, int]:
    """The first number of a run and how many words it takes."""
    value, used = (1, 0) if run[0] in _SCALES else _below_hundred(run)
    while used < len(run) and run[used] in _SCALES:
        value, used = value * _SCALES[run[used]], used + 1
        if used < len(run) and run[used] not in _SCALES:
            within, more = _below_hundred(run[used:])
            value, used = value + within, used + more
    return value, used


def _below_hundred(run: list[str]) -> tuple[int, int]:
    first = _VALUES[run[0]]
    if first >= 20 and len(run) > 1 and 0 < _VALUES.get(run[1], 0) < 10:
        return first + _VALUES[run[1]], 2
    return first, 1
