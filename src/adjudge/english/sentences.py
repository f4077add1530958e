"""Split clinical and ordinary English text into sentences: sentencex, with rules that correct its errors."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from adjudge.core.errors import BadInput

# Abbreviations that sentencex does not know. These never end a sentence: "vs. placebo", "(approx. 3 cm".
_NEVER_LAST = re.compile(r"(?:^|[\s(])(?:approx|vit|vs|e\.g|i\.e|pt)\.$", re.IGNORECASE)
# These end a sentence only if the next word has a capital: not in "took her meds. then slept", "5 mg. daily".
_SELDOM_LAST = re.compile(
    r"(?:^|[\s(])(?:appt|avg|caps?|cont|dept|diag|dx|est|hosp|hx|inj|max|meds?|min|misc|neg|occ|pos|pts|resp|rx|sx|tabs?"
    r"|tbsp|temp|tsp|tx|wt)\.$"
    r"|\d\s?(?:cm|ft|hrs?|in|kg|lbs?|mcg|mg|mins?|ml|mm|mos?|oz|secs?|wks?|yrs?)\.$",
    re.IGNORECASE,
)
# The number of a list item: "1. Aspirin", "; (2) rest"
_LIST_NUMBER = re.compile(r"(?:^|\n|[.!?;:]\s)[^\S\n]*\(?(\d{1,2})[.)]\s")
# A number that sentencex took for a sentence: "2."
_LONE_NUMBER = re.compile(r"^\(?(\d{1,2})[.)]$")
# Times and ways of taking a medicine: "b.i.d", "p.r.n"
_LATIN = r"(?:[bqt]\.i\.d|q\.d|q\.o\.d|q\.h\.s|q\.h|p\.r\.n|p\.o|a\.c|p\.c|h\.s|b\.d|o\.d|s\.c|i\.m|i\.v)"
# Sentence ends that sentencex mistakes for abbreviations. The lookahead is the start of the next sentence.
_ENDS = (
    # "No. I never smoked", "Ok. Then"
    re.compile(r"(^no\.)\s+(?=[\"'a-z])|(^(?:yes|ok|okay)\.)\s+(?=\S)", re.IGNORECASE),
    # "It hurts me. The pain"
    re.compile(r"(\b(?:me|ill|miss|ok|id|ID|may|May)\.)\s+(?=[\"'A-Z(])"),
    # "aspirin etc. She", "(since May.) He", "really?! Yes"
    re.compile(r"((?:\bno|\betc)\.|[.!?]\)|[!?]{2})\s+(?=[\"'A-Z(])"),
    # "I rest. 2. Aspirin"
    re.compile(r"((?<!\d)\.)\s+(?=\d{1,2}\.\s+[A-Z])"),
    # "it was 39 C. Then"
    re.compile(r"(\d ?[mCFL]\.)\s+(?=[A-Z])"),
    # "0.5 mg b.i.d. Her pain"
    re.compile(rf"(\b{_LATIN}\.)\s+(?=[A-Z][a-z'])"),
)
# A line break with the spaces around it: "slept well. \n  Then".
_NEW_LINE = re.compile(r"(?<!\s)\s*\n\s*")
# The start of a line that does not continue the line before: "- item", "a) item", a capital or a digit.
_STARTS = re.compile(r"[-*\u2022\u2013]\s|\(?\w{1,2}[.)]\s|[\"'(\u201c\u2018]?[A-Z0-9]")
# The end of a complete line: "slept well.", 'she said "no."'
_ENDED = re.compile(r"[.!?:;][\"')\u201d\u2019]*$")


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, without the white space around them.

    A blank line ends a sentence. A line break ends one unless the next line continues in lower case.

    >>> sentences("No. I never smoked. Dr. Smith gave me 0.5 mg b.i.d. for 3 days.")
    ['No.', 'I never smoked.', 'Dr. Smith gave me 0.5 mg b.i.d. for 3 days.']
    """
    numbers = frozenset(map(int, _LIST_NUMBER.findall(text)))
    return [
        sentence
        for line in _lines(text)
        for part in _segments(line, numbers)
        for sentence in _split_after_abbreviation(part)
    ]


def _lines(text: str) -> Iterator[str]:
    """The lines of a text; wrapped lines are joined."""
    for paragraph in re.split(r"\n\s*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        line = ""
        for following in filter(None, _NEW_LINE.split(paragraph.strip())):
            if line and (_STARTS.match(following) or _ENDED.search(line)):
                yield line
                line = following
            else:
                line = f"{line} {following}".strip()
        if line:
            yield line


def _segments(line: str, numbers: frozenset[int]) -> list[str]:
    """The segments that sentencex finds, rejoined where it split after an abbreviation or the number of a list item."""
    parts: list[str] = []
    for part in filter(None, map(str.strip, _sentencex().segment("en", line))):
        if parts and (_goes_on(parts[-1], part) or _numbers_item(parts[-1], numbers)):
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    return parts


def _goes_on(part: str, following: str) -> bool:
    if _NEVER_LAST.search(part):
        return True
    return _SELDOM_LAST.search(part) is not None and not following[0].isupper()


def _numbers_item(part: str, numbers: frozenset[int]) -> bool:
    """Whether a lone number such as "7." numbers a list item; it may also be the answer to a question.

    It numbers an item if it is 1, or if the list also has the number before it.
    """
    match = _LONE_NUMBER.match(part)
    return match is not None and (int(match[1]) == 1 or int(match[1]) - 1 in numbers)


def _split_after_abbreviation(part: str) -> list[str]:
    """Split a segment after the sentence ends that sentencex mistakes for abbreviations."""
    for end in _ENDS:
        part = end.sub(lambda match: f"{match[match.lastindex or 0]}\n", part)
    return part.split("\n")


@cache
def _sentencex() -> Any:
    try:
        return importlib.import_module("sentencex")
    except ImportError:
        raise BadInput("splitting text into sentences needs sentencex: pip install sentencex") from None
