"""Items that are numbers: age, pain, children."""

from __future__ import annotations

import re

from adjudge.suites.patient.facts.finding import OPEN, Finding, first_number, listing, same, says_nothing
from adjudge.suites.patient.numbers import DECADES, NUMBER
from adjudge.suites.patient.topics import Claim, asks_for, phrases_of, termed, words

Span = tuple[float, float]

_NO_YEARS = r"%|mg|hours?|days?|weeks?|months?|minutes?|pounds|lbs|kg|times"
_AGE = re.compile(
    rf"\b(?:i'm|i am|turned|age|aged|be) (\d{{1,3}})\b(?! ?(?:{_NO_YEARS}))|\b(\d{{1,3}})[ -]years?[ -]old\b"
)
_YEARS = re.compile(rf"\b\d{{1,3}}\b(?! ?(?:{_NO_YEARS}|years? (?!old)))")
_COUNTED = r"(?! ?(?:%|mg|percent|(?:kilo|pound|hour|day|week|month|minute|time)s?\b|years? (?!old)))"
_SOON = re.compile(
    r"\b(?:i'll be|i will be|i turn|turning|i'll turn|going on|(?:nearly|almost|just under)) (\d{2,3})\b" + _COUNTED
)
_OLD_MAN = re.compile(r"\bold (?:man|woman|lady|guy|fellow)\b[^.\d]{0,20}\b(\d{2,3})\b")
_AT_THAT_AGE = re.compile(r"\bi was \d+\b|\bwhen i was\b|\bsince i was\b")
_DECADE = re.compile(rf"\bin my (early |mid |mid-|middle |late )?(\d0|{'|'.join(DECADES)})")
_PART_OF_DECADE = {"early": (0, 4), "mid": (3, 7), "middle": (3, 7), "late": (6, 10)}

_OUT_OF = re.compile(rf"(?<!\d){NUMBER} ?(?:/|out of|on a scale of) ?10\b")
_RATED = re.compile(
    r"\b(?:scale|rate|rating|how bad|how strong|how severe|how painful|0 to 10|1 to 10|0 and 10|1 and 10|level"
    r"|number|score|out of 10)\b"
)
_OTHER_NUMBER = re.compile(r"\b(?:how old|age|how long|how many|how often|dose)\b")
_BARE = re.compile(
    r"\b(?:10|\d)(?:\.\d)?\b(?! ?(?:%|mg|hours?|days?|weeks?|months?|years?|minutes?|times|o'clock|am|pm)\b)"
)
_HOW_BAD = re.compile(r"\bhow (?:bad|strong|severe|painful) is (?:it|the pain|that)\b")
# "No pain in the chest" tells nothing about pain elsewhere.
_ELSEWHERE = re.compile(
    r"\bno (?:more )?pain (?:in|when|with|on|at (?:the|my|rest|night))\b"
    r"|\b(?!it\b|that\b|this\b)\w+ does(?:n't| not) hurt\b"
)
_AS_A_NUMBER = re.compile(r"\b(?:a|an|say|call it|give it|about a|maybe a|at a|to a) (10|\d)\b(?! years?\b)" + _COUNTED)
_PAINFUL = re.compile(
    r"\b(?:any|in|have|a lot of) pain\b(?! (?:in|when|with|while|on))|\bis it pain\b|\bdoes it pain\b"
)
# Words for a pain that differ by less than this from the recorded number do not contradict it.
_APART = 2

_CHILD = re.compile(r"\b(a|an|1|\d+|1st|my|our|several) (?:\w+ )?(?:son|daughter|boy|girl|kid|child|children)s?\b")
_ASKED_CHILDREN = re.compile(r"\b(?:child(?:ren)?|kids?|sons?|daughters?)\b")
_SONS = re.compile(r"\b(?:sons?|boys?)\b")
_DAUGHTERS = re.compile(r"\b(?:daughters?|girls?)\b")
_EITHER = re.compile(r"\b(?:child|children|kids?)\b")
_NO_CHILDREN = re.compile(r"\b(?:no|any|have) (?:kids|children)\b")
_OTHERS_CHILDREN = re.compile(r"\b(?:brother|sister|neighbor|friend|teach|look after|(?:was|as) a (?:kid|child))")
_COUNT = re.compile(NUMBER)
_EXACTLY = re.compile(r"\d|just")


def age(claim: Claim, value: str) -> Finding:
    """How a claim relates to the age: by number or by decade."""
    true = first_number(value)
    if true is None or not claim.of_self or _AT_THAT_AGE.search(claim.said):
        return OPEN
    soon = {float(found) - 1 for found in _SOON.findall(claim.said)}
    stated = soon or _stated_ages(claim)
    return same(true in stated, f"age {listing(stated)} against {value}") if stated else _decade(claim, true)


def _stated_ages(claim: Claim) -> set[float]:
    """The numbers that can be an age: where one is told or was asked for, all that count nothing else."""
    told = [found for pair in _AGE.findall(claim.said) for found in pair if found] + _OLD_MAN.findall(claim.said)
    if told or (asks_for(claim.asked, "age") and claim.leans):
        told += _YEARS.findall(claim.said)
    return {float(found) for found in told}


def _decade(claim: Claim, true: float) -> Finding:
    found = _DECADE.search(claim.said)
    if not found:
        return OPEN
    first = DECADES.get(found[2]) or int(found[2])
    low, high = _PART_OF_DECADE.get((found[1] or "").strip(" -"), (0, 10))
    return same(first + low <= true < first + high, f"age {found[0]} against {true:g}")


def pain(claim: Claim, value: str) -> Finding:
    """How a claim relates to the pain: by number or by words for how strong it is."""
    number = first_number(value)
    true = _strength(value) if number is None else (number, number)
    if true is None or not claim.of_self:
        return OPEN
    stated = _rated(claim)
    if stated:
        right = any(true[0] <= one <= true[1] for one in stated)
        return same(right, f"pain {listing(stated)} against {value}")
    said = _in_words(claim)
    return OPEN if said is None else _compared(said, true, f"pain {said[0]:g} to {said[1]:g} against {value}")


def _rated(claim: Claim) -> set[float]:
    """The numbers that a sentence gives for a pain."""
    rated = {float(found) for found in _OUT_OF.findall(claim.said)}
    if rated or not _RATED.search(claim.asked):
        return rated
    if _OTHER_NUMBER.search(claim.asked):
        return {float(found) for found in _AS_A_NUMBER.findall(claim.said)}
    return {float(found) for found in _BARE.findall(claim.said)}


def _in_words(claim: Claim) -> Span | None:
    """The numbers that a sentence's words for a pain stand for; None where it has no such words."""
    if claim.answer == "no" and _PAINFUL.search(claim.asked):
        return 0.0, 0.0
    about = claim.about("pain") or asks_for(claim.raw, "pain") or _HOW_BAD.search(claim.asked) is not None
    return _strength(claim.raw) if about and not _ELSEWHERE.search(claim.raw) else None


def _compared(said: Span, true: Span, why: str) -> Finding:
    if said[0] <= true[1] and true[0] <= said[1]:
        return Finding("entail", why)
    apart = max(said[0] - true[1], true[0] - said[1])
    return Finding("contradict", why) if apart >= _APART else OPEN


def _strength(text: str) -> Span | None:
    for entry in words()["strengths"].values():
        if phrases_of(tuple(entry["words"])).search(text):
            return float(entry["from"]), float(entry["to"])
    return None


def children(claim: Claim, value: str) -> Finding:
    """How a claim relates to the number of children; those mentioned in passing may be fewer than there are."""
    true = _recorded_children(value)
    if true is None or (claim.of_others and not asks_for(claim.asked, "living_situation")):
        return OPEN
    asked = _ASKED_CHILDREN.search(claim.asked) is not None
    if claim.denies and (asked or _NO_CHILDREN.search(claim.said)):
        return same(true == 0, f"no children against {value}")
    stated = None if _OTHERS_CHILDREN.search(claim.said) else _stated_children(claim)
    if stated is None:
        return OPEN
    if _other_sex(claim.said, termed(value)):
        return Finding("contradict", f"sons for daughters against {value}")
    exact = asked and _EXACTLY.search(claim.said) is not None
    return same(stated == true if exact else 0 < stated <= true, f"{stated:g} children against {value}")


def _recorded_children(value: str) -> float | None:
    """How many children a profile's value gives; None where it does not tell."""
    if says_nothing(value):
        return 0.0
    counted = _counted(termed(value))
    return first_number(value) if counted is None else counted


def _other_sex(said: str, true: str) -> bool:
    """Whether one speaks of sons alone and the other of daughters alone."""
    told, recorded = ((bool(_SONS.search(text)), bool(_DAUGHTERS.search(text))) for text in (said, true))
    return {told, recorded} == {(True, False), (False, True)} and not _EITHER.search(true)


def _stated_children(claim: Claim) -> float | None:
    """How many children a sentence counts, or an answer to a question for them gives; None where it does not tell."""
    counted = _counted(claim.said)
    if counted is not None or not _ASKED_CHILDREN.search(claim.asked):
        return counted
    number = _COUNT.search(claim.said)
    return float(number[0]) if number else 1.0 if claim.answer == "yes" else None


def _counted(text: str) -> float | None:
    """How many children a text speaks of: "a son and 2 daughters" are 3."""
    counts = [_number(found) for found in _CHILD.findall(text)]
    if not counts and "child" in text:
        return first_number(text)
    return sum(counts) if counts else None


def _number(text: str) -> float:
    if text in ("a", "an", "my", "our"):
        return 1.0
    return float(text) if text.isdigit() else 2.0
