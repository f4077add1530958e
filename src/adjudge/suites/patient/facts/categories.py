"""Items with a closed set of answers: gender, race, marital status, insurance, transport and the like."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from adjudge.suites.patient.facts.finding import OPEN, Finding, listing, same
from adjudge.suites.patient.topics import Claim, asks_for, or_termed, phrases, termed, words
from adjudge.tools.statement import Statement

# What others do tells of the patient here: "my husband drove me".
_THROUGH_OTHERS = ("marital_status", "arrival_transport")
_I_AM = re.compile(
    r"\b(?:i'm|i am) (?:a |an |half |part )?\w+(?: american)?(?:[.,]| and\b| (?:man|woman|male|female)\b|$)"
)
_ELSEWHERE = re.compile(r"\blives? (?!with|here|there|at home|together)")
_ALONE = re.compile(r"\b(?:alone|nobody|no one|by myself|on my own|just me)\b")
_LOST = re.compile(r"\b(?:lost|died|passed away|die)\b")
_OTHERS_SPOUSE = re.compile(r"\b(?:friend|neighbor|boss|brother|sister|son|daughter)\b")


def category(claim: Claim, item: str, value: str) -> Finding:
    """How a claim relates to an item by the categories that both name."""
    true = _categories(item, value)
    if not true or not _concerns(claim, item) or (claim.of_others and not _tells_through_others(claim, item)):
        return OPEN
    stated = _categories(item, claim.said)
    if not stated:
        return _answered(claim, item, true, value)
    if _denies(claim, item):
        return same(not stated & true, f"not {listing(stated)} against {value}")
    return _overlap(stated, true, value)


def _tells_through_others(claim: Claim, item: str) -> bool:
    """Whether what is said about others tells of the patient: "my husband drove me", or "my wife" at home."""
    return item in _THROUGH_OTHERS or (item == "living_situation" and _at_home(claim))


def _answered(claim: Claim, item: str, true: frozenset[str], value: str) -> Finding:
    """How yes or no relates to the categories that were asked for."""
    asked = _categories(item, claim.asked) if claim.answer or claim.leans else frozenset[str]()
    if claim.answer == "yes" and asked:
        return _overlap(asked, true, value)
    if claim.answer == "no" and asked:
        return same(not asked & true, f"not {listing(asked)} against {value}")
    if claim.answer == "no" and claim.about(item) and "none" in words()["categories"][item]:
        return same("none" in true, f"none against {value}")
    return OPEN


def _denies(claim: Claim, item: str) -> bool:
    """Whether a sentence denies the category it names; a phrase such as "no insurance" does not deny itself."""
    if item == "gender" or claim.answer:
        return False
    naming = [clause.text for clause in claim.clauses if any(one.search(clause.text) for _, one in _patterns(item))]
    return any(Statement.of(_without_categories(item, text)).negated for text in naming or [claim.said])


def _without_categories(item: str, text: str) -> str:
    for _, pattern in _patterns(item):
        text = pattern.sub(" ", text)
    return text


def _concerns(claim: Claim, item: str) -> bool:
    """Whether a sentence is about the item at all; many words for categories have other uses."""
    if item == "race":
        return claim.about(item) or _I_AM.search(claim.said) is not None
    if item == "living_situation":
        return _concerns_home(claim)
    if item == "marital_status" and _OTHERS_SPOUSE.search(claim.said):
        return False
    return item == "gender" or claim.about(item)


def _concerns_home(claim: Claim) -> bool:
    """Whether a sentence tells with whom or where the patient lives."""
    bereaved = _LOST.search(claim.raw) is not None and not _ALONE.search(claim.raw)
    if bereaved or not claim.about("living_situation"):
        return False
    return claim.of_self or _at_home(claim)


def _at_home(claim: Claim) -> bool:
    """Whether others are named by somebody who was asked for those at home, and not said to live elsewhere."""
    return asks_for(claim.asked, "living_situation") and not _ELSEWHERE.search(claim.raw)


def _overlap(stated: frozenset[str], true: frozenset[str], value: str) -> Finding:
    why = f"{listing(stated)} against {value}"
    if stated & true:
        return Finding("entail", why)
    if any({one, other} in _compatible() for one in stated for other in true):
        return OPEN
    return Finding("contradict", why)


@lru_cache(maxsize=10_000)
def _categories(item: str, text: str) -> frozenset[str]:
    """The categories that a text names; of marital states the first, as "my wife passed away" also names a wife."""
    found = [name for name, pattern in _patterns(item) if pattern.search(termed(text))]
    if item == "occupation" and not found and text and not text.endswith((".", "?", "!")):
        found = ["employed"]
    return frozenset(found[:1] if item == "marital_status" else found)


@cache
def _patterns(item: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, phrases(or_termed(some))) for name, some in words()["categories"][item].items())


@cache
def _compatible() -> tuple[set[str], ...]:
    return tuple(set(pair) for pair in words()["compatible"]["pairs"])
