"""How much a patient smokes, drinks and takes, since when it is unwell, and in which year something happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from adjudge.suites.patient.data import Reply
from adjudge.suites.patient.numbers import Span, digits
from adjudge.suites.patient.phrases import any_word, last_question, pattern
from adjudge.suites.patient.quantities import FILLERS, NUMBER, RANGE, Stated

_SO_MANY = rf"(?<![\d.])(?:{RANGE}|\b(an?|a couple(?: of)?))(?: (?!few|lot|couple|bit|of|day|week)[a-z]+)?"
_EACH = (
    r"(?:[\s,]*(?:u[hm]+[\s,]*)?(?:a|an|per|each|every|/|in an?)\s*(?:single )?(day|night|evening|week|month|year)\b"
    r"|[\s,]*(daily|nightly|weekly|monthly)\b)"
)
_AMOUNT = re.compile(
    rf"{_SO_MANY} (packs?|cigarettes?|cigs?|smokes|drinks?|beers?|glass(?:es)?|bottles?|cans?|shots?|pints?|units?"
    rf"|joints?|grams?|partners?|bags?)\b(?: of (\w+))?{_EACH}?"
)
_ANY_AMOUNT = re.compile(
    rf"{_SO_MANY} (?!(?:few|lots?|couple|bit|little)\b)([a-z]+)(?: of (?:[a-z]+ )?([a-z]+))?{_EACH}"
)
# Vessels by which people count the drink in them: "two cups of coffee" are two coffees.
_VESSELS = ("cup", "mug")
_PERIODS = {"daily": "day", "nightly": "day", "night": "day", "evening": "day", "weekly": "week", "monthly": "month"}
_NOUNS = {"cigs": "cigarette", "cig": "cigarette", "smokes": "cigarette", "glasses": "glass", "glass": "glass"}
_SOME = {"a": (1.0, 1.0), "an": (1.0, 1.0), "a couple": (2.0, 3.0), "a couple of": (2.0, 3.0), "a few": (2.0, 7.0)}
_ROUNDED = 0.25


def amounts(text: str) -> Iterator[tuple[str, Span]]:
    """What is smoked, drunk or taken and how much of it, with the time where one is given.

    Things of any kind count where a time is given, unless their word does not tell what they are ("three times a day").

    >>> [(of, str(span)) for of, span in amounts("Six beers a day and half a pack of cigarettes daily")]
    [('beer a day', '6'), ('pack of cigarettes a day', '0.5')]
    >>> [(of, str(span)) for of, span in amounts("Two cups of strong coffee a day, and three pills a day")]
    [('coffee a day', '2')]
    """
    said = re.sub(r"\bppd\b", "packs a day", digits(text))
    known = list(_AMOUNT.finditer(said))
    yield from map(_amount, known)
    taken = {found.start() for found in known}
    yield from (
        _amount(found)
        for found in _ANY_AMOUNT.finditer(said)
        if found.start() not in taken and (found[5] or not any_word("counted_of_anything").fullmatch(found[4]))
    )


def _amount(found: re.Match[str]) -> tuple[str, Span]:
    """What an amount is of, in one spelling, and how much of it."""
    low, high, some, noun, what, per, often = found.groups()
    span = Span(*sorted((float(low), float(high or low)))) if low else Span(*_SOME[some])
    period = per or often or ""
    of = _NOUNS.get(noun, noun.rstrip("s"))
    if of in _VESSELS and what:
        of, what = what.rstrip("s"), ""
    return " ".join(filter(None, (of, what and f"of {what}", period and f"a {_PERIODS.get(period, period)}"))), span


def habits(reply: Reply) -> Iterator[Stated]:
    """How much the patient says it smokes, drinks or takes in a day, a week or a month, at present and as a rule."""
    for sentence in reply.sentences:
        said = digits(sentence.text)
        if pattern("partial_amount").search(said) or pattern("others").search(said):
            continue
        for of, span in amounts(sentence.text):
            if of.endswith((" a day", " a week", " a month")):
                rounded = Span(span.low * (1 - _ROUNDED), span.high * (1 + _ROUNDED))
                yield Stated(of, rounded, reply.turn, sentence.text)


_DAYS = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.0}
_LENGTH = rf"(?:{NUMBER}(?:\s*(?:-|to|or|,)\s*{NUMBER})?|\b(an?|a couple(?: of)?|a few)) (day|week|month|year)s?\b"
_SO_LONG = (
    r"(?:(?:about|around|like|maybe|probably|roughly|almost|just|over|let's say|say|the|past|last|at least|nearly|now"
    r"|quite|for)[\s,]+)*"
)
_BEGAN = re.compile(
    rf"\b(?:start(?:ed)?|began|begun|came on|notice[ds]?|felt)\b[^.;?]{{0,60}}?\b{_SO_LONG}{_LENGTH} ago\b"
)
_BEEN = re.compile(
    r"\b(?:have|has|had|been|having|going on|is)\b[^.;?]{0,60}?\b(?:for|over|since|these|the (?:past|last))\b[\s,]+"
    rf"{_SO_LONG}{_LENGTH}"
    r"(?! (?:ago|old|later|after))"
)
_ANSWER = re.compile(rf"{FILLERS}(?:for |over )?{_SO_LONG}{_LENGTH}(?! (?:old|later|after|before))")
_ASKS_LENGTH = re.compile(
    r"\bhow long (?:have|has|did|is|was)\b|\bwhen did\b[^?]*\b(?:start|begin|notice)|\bhow long ago\b"
)
# People round: three days may be five, but hardly two weeks.
_SHORTEST, _LONGEST = 0.6, 1.7


def onsets(reply: Reply) -> Iterator[Stated]:
    """How many days ago the patient says a complaint began; people round, so a span around it."""
    question = digits(last_question(reply.asked))
    asked = _ASKS_LENGTH.search(question) is not None and not pattern("partial_time").search(question)
    said = [digits(sentence.text) for sentence in reply.sentences]
    around = cache(lambda: _complaint(" ".join(said)) or (_complaint(question) if asked else ""))
    for at, sentence in enumerate(reply.sentences):
        found = _lasting(said[at], answers=asked and at == 0)
        complaint = (_complaint(said[at]) or around()) if found else ""
        if found and complaint:
            yield Stated(f"days since the {complaint} began", _days(found), reply.turn, sentence.text)


def _lasting(said: str, answers: bool) -> re.Match[str] | None:
    """Where a sentence says how long a complaint as a whole has lasted."""
    found = _BEGAN.search(said) or _BEEN.search(said) or (_ANSWER.search(said) if answers else None)
    return found if found and _tells_all(said) else None


def _days(found: re.Match[str]) -> Span:
    low, high = (float(found[1]), float(found[2] or found[1])) if found[1] else _SOME[found[3]]
    return Span(min(low, high) * _DAYS[found[4]] * _SHORTEST, max(low, high) * _DAYS[found[4]] * _LONGEST)


def _complaint(text: str) -> str:
    """The one complaint that a text names, with the part of the body; none where it names several or none."""
    symptoms = {found[0] for found in any_word("symptoms").finditer(text)}
    if len(symptoms) != 1:
        return ""
    symptom = re.sub(r"^hurt\w*", "hurt", symptoms.pop())
    parts = {found[0] for found in any_word("body").finditer(text)} - set(symptom.split())
    return " ".join([*parts, symptom]) if len(parts) <= 1 else ""


def _tells_all(said: str) -> bool:
    """Whether a duration is that of the complaint as a whole, and of this patient."""
    if pattern("partial_time").search(said) or pattern("others").search(said):
        return False
    return len(re.findall(_LENGTH, said)) == 1


_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")


def years(reply: Reply) -> Iterator[Stated]:
    """The years that the patient gives for what happens once in a life."""
    for sentence in reply.sentences:
        said = digits(sentence.text)
        found, events = set(_YEAR.findall(said)), {event[0] for event in any_word("events").finditer(said)}
        one_of_several = any_word("which_of_several").search(said) or pattern("others").search(said)
        if len(found) == len(events) == 1 and not one_of_several:
            year = int(found.pop())
            yield Stated(f"year ({events.pop()})", Span(year, year), reply.turn, sentence.text)
