"""Items that are numbers: age, pain, children."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf

from adjudge.suites.patient.data import Reply, Sentence
from adjudge.suites.patient.facts.finding import OPEN, Finding, listing, same, says_nothing
from adjudge.suites.patient.numbers import Span
from adjudge.suites.patient.pains import pain_of, pains
from adjudge.suites.patient.quantities import age_of, children_of, told_ages
from adjudge.suites.patient.quantities import children as told_children
from adjudge.suites.patient.topics import Claim, asks_for, phrases_of, termed, words

_HOW_BAD = re.compile(r"\bhow (?:bad|strong|severe|painful) is (?:it|the pain|that)\b")
# "No pain in the chest" tells nothing about pain elsewhere.
_ELSEWHERE = re.compile(
    r"\bno (?:more )?pain (?:in|when|with|on|at (?:the|my|rest|night))\b"
    r"|\b(?!it\b|that\b|this\b)\w+ does(?:n't| not) hurt\b"
)
_PAINFUL = re.compile(
    r"\b(?:any|in|have|a lot of) pain\b(?! (?:in|when|with|while|on))|\bis it pain\b|\bdoes it pain\b"
)
# Words for a pain that differ by less than this from the recorded number do not contradict it.
_APART = 2

_ASKED_CHILDREN = re.compile(r"\b(?:child(?:ren)?|kids?|sons?|daughters?)\b")
_SONS = re.compile(r"\b(?:sons?|boys?)\b")
_DAUGHTERS = re.compile(r"\b(?:daughters?|girls?)\b")
_EITHER = re.compile(r"\b(?:child|children|kids?)\b")


def age(claim: Claim, value: str) -> Finding:
    """How a claim relates to the age."""
    true, stated = age_of(value), [one.span for one in told_ages(_alone(claim))] if claim.of_self else []
    return _met(stated, true, f"age {listing(stated)} against {value}")


def _alone(claim: Claim) -> Reply:
    """A claim as if it were a whole reply."""
    return Reply("", claim.asked, claim.raw, (Sentence("", claim.raw, claim.asked),))


def _met(stated: Sequence[Span], true: Sequence[Span], why: str) -> Finding:
    """Whether a stated number can be the true one; open where either is not given."""
    if not stated or not true:
        return OPEN
    return same(any(one.meets(other) for one in stated for other in true), why)


def pain(claim: Claim, value: str) -> Finding:
    """How a claim relates to the pain: by number or by words for how strong it is."""
    true = _recorded_pain(value)
    if not true or not claim.of_self:
        return OPEN
    stated = [one.span for one in pains(_alone(claim))]
    if stated:
        return _met(stated, true, f"pain {listing(stated)} against {value}")
    said = _in_words(claim)
    return OPEN if said is None else _compared(said, true, f"pain {said} against {value}")


def _recorded_pain(value: str) -> list[Span]:
    """The points that a profile's value gives its pain, by number or by words; none where it does not tell."""
    strength = _strength(value)
    return pain_of(value) or ([strength] if strength else [])


def _in_words(claim: Claim) -> Span | None:
    """The points that a sentence's words for a pain stand for; None where it has no such words."""
    if claim.answer == "no" and _PAINFUL.search(claim.asked):
        return Span(0, 0)
    about = claim.about("pain") or asks_for(claim.raw, "pain") or _HOW_BAD.search(claim.asked) is not None
    return _strength(claim.raw) if about and not _ELSEWHERE.search(claim.raw) else None


def _compared(said: Span, true: Sequence[Span], why: str) -> Finding:
    """How words for a pain relate to its points; words that are only a little off contradict nothing."""
    if any(said.meets(one) for one in true):
        return Finding("entail", why)
    apart = min(max(said.low - one.high, one.low - said.high) for one in true)
    return Finding("contradict", why) if apart >= _APART else OPEN


def _strength(text: str) -> Span | None:
    for entry in words()["strengths"].values():
        if phrases_of(tuple(entry["words"])).search(text):
            return Span(entry["from"], entry["to"])
    return None


def children(claim: Claim, value: str) -> Finding:
    """How a claim relates to the number of children; those mentioned in passing may be fewer than there are."""
    true = [Span(0, 0)] if says_nothing(value) else children_of(value)
    if not true or (claim.of_others and not asks_for(claim.asked, "living_situation")):
        return OPEN
    stated = _stated_children(claim)
    if stated and _other_sex(claim.said, termed(value)):
        return Finding("contradict", f"sons for daughters against {value}")
    return _met(stated, true, f"{listing(stated)} children against {value}")


def _stated_children(claim: Claim) -> list[Span]:
    """How many children a sentence gives the patient; yes or no to a question for them counts too."""
    stated = [one.span for one in told_children(_alone(claim))]
    if stated or not claim.answer or not _ASKED_CHILDREN.search(claim.asked):
        return stated
    return [Span(1, inf) if claim.answer == "yes" else Span(0, 0)]


def _other_sex(said: str, true: str) -> bool:
    """Whether one speaks of sons alone and the other of daughters alone."""
    told, recorded = ((bool(_SONS.search(text)), bool(_DAUGHTERS.search(text))) for text in (said, true))
    return {told, recorded} == {(True, False), (False, True)} and not _EITHER.search(true)
