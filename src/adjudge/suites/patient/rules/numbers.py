"""Numbers that patients state, each with the clause around it and the range of values it can mean."""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from collections.abc import Iterator
from functools import lru_cache
from math import inf

from msgspec import Struct

from adjudge.english.normalise import plain_speech
from adjudge.english.numbers import in_digits
from adjudge.suites.patient.data import PatientReply

# "6", "12.5".
NUMBER = r"(\d+(?:\.\d+)?)"
# "6", "6-8", "2 or maybe 3", "fifty, fifty-one".
RANGE = rf"{NUMBER}(?: ?(?:-|to\b|or\b|and\b|,|\.\.+)(?: (?:or|maybe|perhaps|even|an?|to)){{0,2}} ?{NUMBER})?"
# The number of characters kept on each side of a number. It bounds the time for texts with many numbers.
_AROUND = 120
# "45", "2 or 3"; not parts of dates, times, fractions and ordinals: "3/4", "10:30", "5th", "70s".
_FIGURE = re.compile(rf"(?<![\d.,/:])(?<![\d]-){RANGE}(?![\d:]|[.,/]\d|(?:st|nd|rd|th|s)\b)")
# The end of a clause; a decimal point or a comma inside a number does not end one.
_CLAUSE_END = re.compile(r"[;!?()]|[.,:](?!\d)|\.\.+| - | (?:but|though|because) ")
# "21, no, 22": the next words take the first number back, so it was not stated.
_TAKEN_BACK = re.compile(
    r"\b\d+(?:\.\d+)?\b[ \w]{0,20}[\s,.;-]{1,6}(?:no|sorry|wait|i mean|i meant|or rather|rather|make that)\b[\s,.]{1,6}"
    r"(?:(?:no|sorry|wait|i mean|i am|it is|that is|make that|it was)\b[\s,.]{1,6}){0,3}(?=\d)"
)
# The start of a sentence that corrects the number in the previous one: "No, sorry, 42."
_TAKES_BACK = re.compile(
    r"(?:no|oh no|sorry|wait|i mean|actually|hang on|make that)\b[\s,.]{1,6}"
    r"(?:(?:no|sorry|wait|i mean|actually|make that|it is|that is|i am|i have)\b[\s,.]{1,6}){0,3}(?:an? )?\d"
)
# Any digit, to pass over texts without a number.
_DIGIT = re.compile(r"\d")


class ValueRange(Struct, frozen=True, gc=False):
    """The range of values that a stated number can mean, from `low` to `high` inclusive."""

    low: float
    high: float

    def meets(self, other: ValueRange) -> bool:
        """Whether the two ranges share a value."""
        return self.low <= other.high and other.low <= self.high

    def __str__(self) -> str:
        if self.high == inf:
            return f"{self.low:g} or more"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"

    @classmethod
    def between(cls, first: str, second: str | None) -> ValueRange:
        """The span of two numbers in either order, or of the first alone."""
        return cls(*sorted((float(first), float(second or first))))

    @property
    def whole(self) -> ValueRange:
        """The span widened to whole numbers, so that 6.5 becomes 6 to 7."""
        return ValueRange(self.low // 1, -(-self.high // 1))


class StatedNumber(Struct, frozen=True):
    """A number that a patient stated: the range of values it can mean, its turn and its sentence."""

    span: ValueRange
    turn: str
    text: str


class PlainSentence(Struct, frozen=True):
    """A sentence of a reply: its position from 0, its original text, and its plain text with digits."""

    at: int
    text: str
    plain: str


class Figure(Struct, frozen=True):
    """A number in a sentence, with the text around it.

    `before` and `after` are the text in the same clause; `earlier` is the text before that clause.
    """

    span: ValueRange
    earlier: str
    before: str
    after: str

    @property
    def clause(self) -> str:
        """The clause without the number."""
        return f"{self.before} {self.after}"


@lru_cache(maxsize=50_000)
def digits(text: str) -> str:
    """Plain text with its number words as digits.

    >>> digits("I'm forty-five; it began in nineteen ninety eight, two and a half years on")
    'i am 45; it began in 1998, 2.5 years on'
    """
    return in_digits(plain_speech(text))


def without_corrections(text: str) -> str:
    """Plain text with digits, without the numbers that the patient corrects at once.

    >>> without_corrections("Twenty-one... no, sorry, twenty-two since Sunday")
    '22 since sunday'
    """
    return _TAKEN_BACK.sub("", digits(text))


def has_digit(text: str) -> bool:
    """Whether a text holds a digit; if not, the slower patterns for numbers can be skipped."""
    return _DIGIT.search(text) is not None


def lines_of(reply: PatientReply) -> Iterator[PlainSentence]:
    """The sentences of a reply, except those whose number the next sentence corrects."""
    plain = [without_corrections(sentence.text) for sentence in reply.sentences]
    for at, (text, following) in enumerate(zip(plain, [*plain[1:], ""], strict=True)):
        if not _TAKES_BACK.match(following):
            yield PlainSentence(at, reply.sentences[at].text, text)


def figures_of(text: str) -> Iterator[Figure]:
    """The numbers of a plain text, each in its clause.

    >>> [(str(figure.span), figure.before, figure.after) for figure in figures_of("well, i am 45 now, 2 or 3 kids")]
    [('45', 'i am', 'now'), ('2 to 3', '', 'kids')]
    """
    stops = list(_CLAUSE_END.finditer(text))
    begins, ends = [0, *(stop.end() for stop in stops)], [*(stop.start() for stop in stops), len(text)]
    for match in _FIGURE.finditer(text):
        begin, end = begins[bisect(begins, match.start()) - 1], ends[bisect_left(ends, match.end())]
        near = max(begin, match.start() - _AROUND)
        yield Figure(
            _span_of(match),
            earlier=text[max(0, begin - _AROUND) : begin].strip(),
            before=text[near : match.start()].strip(),
            after=text[match.end() : min(end, match.end() + _AROUND)].strip(),
        )


def _span_of(match: re.Match[str]) -> ValueRange:
    """The span of one number or of a range.

    Two numbers with a comma between them are a range only if they differ by at most 1: "fifty, fifty-one".
    """
    first, second = match[1], match[2]
    if second and "," in match[0] and abs(float(second) - float(first)) > 1:
        second = None
    return ValueRange.between(first, second)
