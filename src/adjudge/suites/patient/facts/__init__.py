"""How what a patient claims relates to one item of its profile: rules by the kind of item, and cosines."""

from __future__ import annotations

import re

from adjudge.suites.patient.facts.categories import category
from adjudge.suites.patient.facts.finding import OPEN, Finding, Limits, Near, pieces
from adjudge.suites.patient.facts.habits import HABITS, habit
from adjudge.suites.patient.facts.lists import listed, single
from adjudge.suites.patient.facts.matching import Matcher
from adjudge.suites.patient.facts.numbers import age, children, pain
from adjudge.suites.patient.topics import Claim, asks_for, words

__all__ = ["Finding", "Limits", "Near", "in_passing", "pieces", "relate"]

_NUMBERS = {"age": age, "pain": pain, "children": children}
# Items whose categories do not name all that can be said about them.
_OPEN_ENDED = ("occupation", "living_situation")
_WHICH_WORK = re.compile(
    r"\b(?:what|which|where|(?:kind|sort|type|line) of|tell me about)\b[^?]*"
    r"\b(?:work|job|living|occupation|profession)\b"
    r"|\bwhat (?:do|did) you do\b|\b(?:your|you an?|you still) (?:job|occupation|profession|working as)\b"
)
_UNSURE = re.compile(
    r"\b(?:don't|do not|can't|cannot|couldn't|not) (?:\w+ )?(?:know|remember|recall|sure|tell)\b"
    r"|\brather not\b|\bno idea\b"
)


def relate(claim: Claim, item: str, value: str, near: Near, limits: Limits) -> Finding:
    """How a claim relates to an item of the profile; who is not sure claims nothing."""
    if _UNSURE.search(claim.said):
        return OPEN
    if item in _NUMBERS:
        return _NUMBERS[item](claim, value)
    if item in HABITS:
        found = habit(claim, item, value)
        if found is not OPEN or item != "sexual_history":
            return found
    if item in words()["categories"]:
        found = category(claim, item, value)
        if found is not OPEN or item not in _OPEN_ENDED:
            return found
    return _in_words(claim, item, value, Matcher(near, limits))


def in_passing(claim: Claim, item: str) -> bool:
    """Whether spouse or children are mentioned by somebody who was not asked about them."""
    return item in ("marital_status", "children") and not asks_for(claim.asked, item)


def _in_words(claim: Claim, item: str, value: str, matcher: Matcher) -> Finding:
    if item == "occupation" and _WHICH_WORK.search(claim.asked):
        return single(claim, value, matcher)
    if item in _OPEN_ENDED and not claim.about(item):
        return OPEN
    return listed(claim, item, value, matcher)
