"""Numbers as people say them: words to digits, where a number stands in a sentence, and what it can stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import inf

from msgspec import Struct

from adjudge.suites.patient.data import Reply
from adjudge.suites.patient.lexicon.phrases import plain

ONES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}


def _by_tens(words: str) -> dict[str, int]:
    return {word: value for value, word in zip(range(20, 100, 10), words.split(), strict=True)}


TENS = _by_tens("twenty thirty forty fifty sixty seventy eighty ninety")
DECADES = _by_tens("twenties thirties forties fifties sixties seventies eighties nineties")
_TENTHS = _by_tens("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth")
_VALUES = ONES | TENS
_SCALES = {"hundred": 100, "thousand": 1000}
# No number that is said in one breath goes on from here: "hundred hundred hundred ..." is a row of them.
_LARGEST = 10**12
_WORD = "|".join((*sorted(_VALUES, key=len, reverse=True), *_SCALES))
_RUN = re.compile(
    rf"\b(?:an? (?=hundred|thousand))?(?:{_WORD})(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and )(?:{_WORD}))*\b"
)
_ORDINAL = re.compile(rf"\b(?:{'|'.join(TENS)})[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b")
_DECADE = re.compile(rf"\b({'|'.join(DECADES)})\b")
_ROUND_ORDINAL = re.compile(rf"\b({'|'.join(_TENTHS)})\b")
_HALVED = "pack|bottle|glass|pint|pill|tablet|lit(?:er|re)|hour|day|year"
_PHRASES = (
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\b(\d+) and an? half\b"), r"\1.5"),
    (re.compile(rf"\b(?:half|1/2) an? (?={_HALVED})|\bhalf (?=pack\b)|\b1/2 (?=pack|ppd)"), "0.5 "),
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
# What the next sentence begins with where it corrects the number of this one: "No, sorry, 42."
_TAKES_BACK = re.compile(
    r"(?:no|oh no|sorry|wait|i mean|actually|hang on|make that)\b[\s,.]+"
    r"(?:(?:no|sorry|wait|i mean|actually|make that|it is|that is|i am|i have)\b[\s,.]+)*(?:an? )?\d"
)
_DIGIT = re.compile(r"\d")
NUMBER = r"(\d+(?:\.\d+)?)"
RANGE = (
    rf"{NUMBER}(?:\s*(?:-|to\b|or\b|,|and\b|maybe\b|perhaps\b|\.\.+)+"
    rf"(?: (?:maybe|or|even|perhaps|a|an|like|sometimes|to))*\s*{NUMBER})?"
)
_FILLER = (
    r"(?:no|nope|um+|uh+|er+|eh|ah|well|yes|yeah|so|oh|hi|hello|ok|okay|sure|doctor|hmm+|i would|i am|i have"
    r"|say|it is|that is|i think|i guess|probably|maybe|about|around|like|roughly|right now|now|just|only"
    r"|at least|got|we have|give it|call it|rate it|it|the pain is|my pain is|my age is|a solid|a good|at|an?"
    r"|perhaps|let me see|and|definitely|easily|honestly|almost|nearly|but|today|currently|somewhere|between|exactly"
    r"|still|already|not even|barely|close to|closer to|going on|pushing|approaching|nearing|coming up (?:on|to|for)"
    r"|just gone|gone|turning|turned|over|under|past|or|aged?|there are|that makes|another|the|a mere"
    r"|a young|a ripe old|i was|it was)\b"
)
# What may stand before a number that answers a question, from the beginning of the sentence or of any clause.
FILLERS = rf"^(?:{_FILLER}[\s,.]*)*"
ALONE = rf"(?:^|(?<=[,;:.!?]) )(?:{_FILLER} ?){{0,8}}"
# Whose age, pain or habits a question may ask for as well.
ASKS_OF_OTHERS = re.compile(
    r"\byour (?:\w+ )?(?:wife|husband|partner|mother|father|mom|mum|dad|parents?|brothers?|sisters?|sons?"
    r"|daughters?|child|kids?|children|baby|girlfriend|boyfriend|friends?|grand\w+|uncle|aunt|cousin|dog|cat)\b"
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

    @classmethod
    def between(cls, one: str, other: str | None) -> Span:
        """The span of two numbers in either order, or of the one alone."""
        return cls(*sorted((float(one), float(other or one))))

    @property
    def rounded(self) -> Span:
        """The span in whole numbers; a half stands for either neighbour."""
        return Span(self.low // 1, -(-self.high // 1))


class Stated(Struct, frozen=True):
    """A number that a patient stated: of what, what it can stand for, and where it was said."""

    of: str
    span: Span
    turn: str
    text: str


class Told(Struct, frozen=True):
    """A sentence of a reply that holds good: its place, as it stands, and in plain words and digits."""

    at: int
    text: str
    said: str


@lru_cache(maxsize=50_000)
def digits(text: str) -> str:
    """Plain text with its number words as digits.

    >>> digits("I'm forty-five; it began in nineteen ninety eight, two and a half years on")
    'i am 45; it began in 1998, 2.5 years on'
    """
    text = _ORDINAL.sub(lambda found: found[0].replace("-", "").replace(" ", ""), plain(text))
    text = _RUN.sub(lambda found: " ".join(map(str, _parsed(re.split(r"[ -]", found[0])))), text)
    text = _DECADE.sub(lambda found: f"{DECADES[found[1]]}s", text)
    text = _ROUND_ORDINAL.sub(lambda found: f"{_TENTHS[found[1]]}th", text)
    for said, meant in _PHRASES:
        text = said.sub(meant, text)
    return text


def meant(text: str) -> str:
    """Plain text with digits, without the numbers that the next words take back.

    >>> meant("Twenty-one... no, sorry, twenty-two since Sunday")
    '22 since sunday'
    """
    return _TAKEN_BACK.sub("", digits(text))


def has_digit(text: str) -> bool:
    """Whether a text holds a digit, without which no pattern for numbers is worth trying."""
    return _DIGIT.search(text) is not None


def told(reply: Reply) -> Iterator[Told]:
    """The sentences of a reply but those whose number the next takes back."""
    said = [meant(sentence.text) for sentence in reply.sentences]
    for at, (one, following) in enumerate(zip(said, [*said[1:], ""], strict=True)):
        if not _TAKES_BACK.match(following):
            yield Told(at, reply.sentences[at].text, one)


def _parsed(run: list[str]) -> list[int]:
    """The numbers of a run of number words: "forty five" is one, "six seven" are two."""
    found: list[int] = []
    words, at = [word for word in run if word not in ("and", "a", "an")], 0
    while at < len(words):
        value, at = _year(words, at) or _number(words, at)
        found.append(value)
    return found


def _year(run: list[str], at: int) -> tuple[int, int] | None:
    """A year said as two numbers, "nineteen ninety eight" or "twenty fifteen", and where the next number begins."""
    if len(run) < at + 2 or run[at] not in ("nineteen", "twenty") or run[at + 1] in _SCALES:
        return None
    within, after = _below_hundred(run, at + 1)
    is_year = within >= 10 and (run[at] == "nineteen" or within < 40)
    return (_VALUES[run[at]] * 100 + within, after) if is_year else None


def _number(run: list[str], at: int) -> tuple[int, int]:
    """The number at a place of a run, and where the next begins."""
    value, after = (1, at) if run[at] in _SCALES else _below_hundred(run, at)
    while after < len(run) and run[after] in _SCALES and value < _LARGEST:
        value, after = value * _SCALES[run[after]], after + 1
        if after < len(run) and run[after] not in _SCALES:
            within, after = _below_hundred(run, after)
            value += within
    return value, after


def _below_hundred(run: list[str], at: int) -> tuple[int, int]:
    """The number below a hundred at a place of a run, and where the next begins."""
    first, second = _VALUES[run[at]], _VALUES.get(run[at + 1], 0) if at + 1 < len(run) else 0
    return (first + second, at + 2) if first >= 20 and 0 < second < 10 else (first, at + 1)
