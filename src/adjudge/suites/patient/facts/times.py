"""When a complaint began, how long it has lasted, how often it came, and how often a day a medicine is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from adjudge.suites.patient.facts.finding import OPEN, Finding, same
from adjudge.suites.patient.facts.habits import HABITS
from adjudge.suites.patient.numbers import NUMBER
from adjudge.suites.patient.topics import Claim, asks_for, termed

# How long one of these has lasted is not how long the complaint has.
_LASTING = (
    *HABITS,
    "medication",
    "occupation",
    "living_situation",
    "marital_status",
    "allergies",
    "family_medical_history",
)
_ONSET = re.compile(
    r"\b(?:how long|start(?:ed)?|began|begin|begun|first notice|going on|since when"
    r"|when did (?:it|this|that|the|your))\b"
)
_SPAN = re.compile(rf"(?<!\d){NUMBER}[ -](hour|hr|day|week|month|year)s?\b(?![ -]old)")
_DAYS = {"hour": 1 / 24, "hr": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}
_RECENT = {"yesterday": 1.0, "last night": 1.0, "this morning": 0.0, "today": 0.0, "tonight": 0.0}
# Two durations are the same if they differ by less than this share of the longer.
_TOLERANCE = 0.15
_IT_LASTS = re.compile(r"(?:and )?(?:it|this|that)(?:'s| is| has| was| started| began| goes| all)\b")
_OTHER_UNIT = (
    r"(?! ?(?:hours?|hrs?|days?|weeks?|months?|years?|minutes?|times|out of|/|mg|%|in 10|people|pounds|kilos))"
)
_CLOCK = re.compile(rf"\b(?:at|around|about|since|by|from|near) (\d{{1,2}})(?: o'clock| ?am| ?pm)?\b{_OTHER_UNIT}")
_AT_A_TIME = re.compile(r"\b(?:woke|began|begun|start(?:ed)?|came on|since|happened|when)\b")
_COUNT = re.compile(r"\b(\d+) (?:\w+ ){0,2}(?:times?|attacks?|episodes?|occasions?|fits|bouts|spells)\b")
_HOW_OFTEN = re.compile(r"\b(?:before|happened|how often|how many|earlier|first time|again|ever)\b")
_TIMES_OF_DAY = {
    "morning": re.compile(r"\b(?:morning|breakfast|wake up|get up)\b"),
    "noon": re.compile(r"\b(?:noon|lunch|midday)\b"),
    "evening": re.compile(r"\b(?:evening|night|dinner|supper|bedtime|go to bed|before bed)\b"),
}
_OFTEN = re.compile(r"\b(?:(\d) (?:times|x)|(once)|(twice))\b")
_EVERY_DAY = re.compile(r"\b(?:daily|every day|a day|each day|per day)\b")
_TAKEN = re.compile(
    r"\b(?:pills?|tablets?|capsules?|1|one|dose|puffs?|it|them|take)\b|^(?:in the |every )?(?:morning|evening|night)"
)


def lasted(claim: Claim, part: str) -> Finding:
    """How an answer that is a time alone relates to a part of a complaint."""
    asked = _asks_onset(claim.asked)
    recorded, told = _spans(termed(part)), _spans(claim.said)
    if recorded and told and (asked or (_IT_LASTS.match(claim.said) and _no_other_topic(claim))):
        alike = any(_alike(one, other) for one in recorded for other in told)
        return same(alike, f"time of {part}") if asked or alike else OPEN
    if _same_clock(claim, part, asked) or _same_count(claim, part):
        return Finding("entail", f"time of {part}")
    return OPEN


def dosed(claim: Claim, part: str) -> bool:
    """Whether somebody asked for medicines tells how often a day one is taken, as the record has it."""
    if not asks_for(claim.asked, "medication") or not claim.leans or not _TAKEN.search(claim.raw):
        return False
    told, recorded = _doses(claim.raw), _doses(termed(part))
    return told is not None and told == recorded


def as_often(claim: Claim, part: str) -> Finding:
    """How often a day somebody takes the medicine that was asked for, against how often the record has it."""
    told, recorded = _doses(claim.raw), _doses(termed(part))
    return OPEN if told is None or recorded is None else same(told == recorded, f"{told} a day against {part}")


def _asks_onset(asked: str) -> bool:
    """Whether a question asks how long the complaint has lasted, and not how long something else has."""
    return _ONSET.search(asked) is not None and not any(asks_for(asked, item) for item in _LASTING)


def _no_other_topic(claim: Claim) -> bool:
    return not any(asks_for(claim.asked, item) for item in (*_LASTING, "medical_history", "medical_device"))


def _same_clock(claim: Claim, part: str, asked: bool) -> bool:
    if not asked and not _AT_A_TIME.search(claim.raw):
        return False
    return bool(set(_CLOCK.findall(claim.raw)) & set(_CLOCK.findall(termed(part))))


def _same_count(claim: Claim, part: str) -> bool:
    if not claim.leans or not _HOW_OFTEN.search(claim.asked):
        return False
    return bool(set(_COUNT.findall(claim.said)) & set(_COUNT.findall(termed(part))))


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= _TOLERANCE * max(one, other)


@lru_cache(maxsize=10_000)
def _spans(text: str) -> frozenset[float]:
    """The durations in a text, in days."""
    spans = {round(float(number) * _DAYS[unit], 2) for number, unit in _SPAN.findall(text)}
    return frozenset(spans | {days for word, days in _RECENT.items() if word in text})


@lru_cache(maxsize=10_000)
def _doses(text: str) -> int | None:
    """How often a day something is taken; None where a text does not tell."""
    often = next(_counts(text), None)
    if often is not None:
        return often
    times = sum(pattern.search(text) is not None for pattern in _TIMES_OF_DAY.values())
    return times or (1 if _EVERY_DAY.search(text) else None)


def _counts(text: str) -> Iterator[int]:
    for number, once, _ in _OFTEN.findall(text):
        yield int(number) if number else 1 if once else 2
