"""How what a patient claims relates to one item of its profile: rules by the kind of item, and cosines."""

from __future__ import annotations

import re

from adjudge.suites.patient.facts.categories import category
from adjudge.suites.patient.facts.finding import OPEN, Finding, Limits, Near, absent, pieces
from adjudge.suites.patient.facts.habits import HABITS, habit
from adjudge.suites.patient.facts.lists import NEGATIVE, closely, listed, single
from adjudge.suites.patient.facts.matching import Matcher
from adjudge.suites.patient.facts.numbers import age, children, pain
from adjudge.suites.patient.facts.work import WHICH, work
from adjudge.suites.patient.topics import Claim, asks_for, words

__all__ = ["Finding", "Limits", "Near", "in_passing", "pieces", "read_as", "relate"]

_NUMBERS = {"age": age, "pain": pain, "children": children}
# Items whose categories do not name all that can be said about them.
_OPEN_ENDED = ("occupation", "living_situation")
# Whom a sentence mentions while it tells something else: "my wife says", "my daughter's school".
_IN_PASSING = {
    "marital_status": re.compile(
        r"\b(?:married|divorced?|widow\w*|single|separated|bachelor|split up|dead|died|passed away"
        r"|late (?:wife|husband)|no longer with us|lost my)\b"
    ),
    "children": re.compile(
        r"\b(?:i|we)(?:'ve| have| had)? (?:\w+ ){0,4}"
        r"(?:kids?|child|children|sons?|daughters?|girls?|boys?)\b"
    ),
}
_UNSURE = re.compile(
    r"\b(?:don't|do not|can't|cannot|couldn't|not) (?:\w+ )?(?:know|remember|recall|sure|tell)\b"
    r"|\brather not\b|\bno idea\b"
)


def read_as(item: str, value: str) -> str:
    """The value of an item as the rules read it: of what a patient does not have, the names alone."""
    return absent(value) if item == NEGATIVE else value


def relate(claim: Claim, item: str, value: str, near: Near, limits: Limits) -> Finding:
    """How a claim relates to an item of the profile; who is not sure claims nothing."""
    if _unsure(claim) and not _UNSURE.search(value.lower()):
        return OPEN
    if item in _NUMBERS:
        return _NUMBERS[item](claim, value)
    closed = item in (*HABITS, *words()["categories"]) and item not in (*_OPEN_ENDED, "sexual_history")
    found = _by_rule(claim, item, value)
    return found if closed or found is not OPEN else _in_words(claim, item, value, Matcher(near, limits))


def _by_rule(claim: Claim, item: str, value: str) -> Finding:
    """How a claim relates to a habit, or to an item by the jobs or categories that both name."""
    if item in HABITS:
        return habit(claim, item, value)
    found = work(claim, value) if item == "occupation" else OPEN
    return category(claim, item, value) if found is OPEN and item in words()["categories"] else found


def _unsure(claim: Claim) -> bool:
    """Whether somebody is not sure; "a small pill, but I don't know the name" tells of the pill."""
    if not _UNSURE.search(claim.said):
        return False
    return len(claim.clauses) < 2 or _UNSURE.search(claim.clauses[0].text) is not None


def in_passing(claim: Claim, item: str) -> bool:
    """Whether spouse or children are mentioned by somebody who was not asked about them and tells something else."""
    telling = _IN_PASSING.get(item)
    if telling is None or asks_for(claim.asked, item) or asks_for(claim.asked, "living_situation"):
        return False
    return telling.search(claim.raw) is None


def _in_words(claim: Claim, item: str, value: str, matcher: Matcher) -> Finding:
    """How a claim relates to an item by words in common and by cosines."""
    if item == "occupation" and WHICH.search(claim.asked):
        return single(claim, value, matcher)
    if item in _OPEN_ENDED and not claim.about(item):
        return closely(claim, value, matcher) if item == "occupation" else OPEN
    return listed(claim, item, value, matcher)
