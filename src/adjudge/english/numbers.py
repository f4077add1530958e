"""Turn spoken numbers into digits: "forty-five" becomes "45"."""

from __future__ import annotations

import re
from functools import lru_cache

UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}


def _by_tens(words: str) -> dict[str, int]:
    return dict(zip(words.split(), range(20, 100, 10), strict=True))


TENS = _by_tens("twenty thirty forty fifty sixty seventy eighty ninety")
DECADES = _by_tens("twenties thirties forties fifties sixties seventies eighties nineties")
SCALES = {"hundred": 100, "thousand": 1000}
NUMBER_WORDS = UNITS | TENS | SCALES

_TENTHS = _by_tens("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth")
_BELOW_HUNDRED = UNITS | TENS
# A number stops growing here, so that "hundred hundred hundred ..." is read as several numbers and not as a huge one.
_LARGEST = 10**12
_WORD = "|".join((*sorted(_BELOW_HUNDRED, key=len, reverse=True), *SCALES))
# "forty-five", "a hundred and two", "nineteen ninety eight".
_RUN = re.compile(
    rf"\b(?:an? (?=hundred|thousand))?(?:{_WORD})(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and )(?:{_WORD}))*\b"
)
# "twenty-first" is kept as one word, so that "twenty" is not read as a number.
_ORDINAL = re.compile(rf"\b(?:{'|'.join(TENS)})[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b")
# "in her sixties" is "in her 60s".
_DECADE = re.compile(rf"\b({'|'.join(DECADES)})\b")
# "my fiftieth birthday" is "my 50th birthday".
_ROUND_ORDINAL = re.compile(rf"\b({'|'.join(_TENTHS)})\b")
# The units in "half a pack" and "half an hour".
_HALVED = "pack|bottle|glass|pint|pill|tablet|lit(?:er|re)|hour|day|year"
# "1,200" becomes "1200", "2 and a half" "2.5", "half a pack" "0.5 pack", "twice" "2 times", "once a" "1 time a".
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


def number_of(text: str) -> int | None:
    """The whole number that a word or digits stand for; None for anything else.

    >>> number_of("Seven"), number_of("12"), number_of("1,200"), number_of("some")
    (7, 12, 1200, None)
    """
    word = text.strip().lower()
    digits = word.replace(",", "")
    return int(digits) if digits.isdecimal() and digits.isascii() else NUMBER_WORDS.get(word)


@lru_cache(maxsize=50_000)
def in_digits(text: str) -> str:
    """A lower-case text with its number words as digits.

    >>> in_digits("i am forty-five; it began in nineteen ninety eight, two and a half years on")
    'i am 45; it began in 1998, 2.5 years on'
    """
    text = _ORDINAL.sub(lambda match: match[0].replace("-", "").replace(" ", ""), text)
    text = _RUN.sub(lambda match: " ".join(map(str, _numbers_in(re.split(r"[ -]", match[0])))), text)
    text = _DECADE.sub(lambda match: f"{DECADES[match[1]]}s", text)
    text = _ROUND_ORDINAL.sub(lambda match: f"{_TENTHS[match[1]]}th", text)
    for pattern, digits in _PHRASES:
        text = pattern.sub(digits, text)
    return text


def _numbers_in(run: list[str]) -> list[int]:
    """The numbers in a sequence of number words: "forty five" is one number, "six seven" are two."""
    numbers: list[int] = []
    words, at = [word for word in run if word not in ("and", "a", "an")], 0
    while at < len(words):
        value, at = _year(words, at) or _number(words, at)
        numbers.append(value)
    return numbers


def _year(run: list[str], at: int) -> tuple[int, int] | None:
    """A year spoken as two numbers ("nineteen ninety eight", "twenty fifteen"), and the index of the next word."""
    if len(run) < at + 2 or run[at] not in ("nineteen", "twenty") or run[at + 1] in SCALES:
        return None
    within, after = _below_hundred(run, at + 1)
    is_year = within >= 10 and (run[at] == "nineteen" or within < 40)
    return (_BELOW_HUNDRED[run[at]] * 100 + within, after) if is_year else None


def _number(run: list[str], at: int) -> tuple[int, int]:
    """The number that starts at index `at`, and the index of the next word."""
    value, after = (1, at) if run[at] in SCALES else _below_hundred(run, at)
    while after < len(run) and run[after] in SCALES and value < _LARGEST:
        value, after = value * SCALES[run[after]], after + 1
        if after < len(run) and run[after] not in SCALES:
            within, after = _below_hundred(run, after)
            value += within
    return value, after


def _below_hundred(run: list[str], at: int) -> tuple[int, int]:
    """The number below a hundred that starts at index `at`, and the index of the next word."""
    first, second = _BELOW_HUNDRED[run[at]], _BELOW_HUNDRED.get(run[at + 1], 0) if at + 1 < len(run) else 0
    return (first + second, at + 2) if first >= 20 and 0 < second < 10 else (first, at + 1)
