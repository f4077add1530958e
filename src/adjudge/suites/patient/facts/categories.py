"""Items with a closed set of answers: gender, race, marital status, insurance, transport and the like."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from adjudge.suites.patient.facts.finding import OPEN, Finding, listing, same
from adjudge.suites.patient.topics import Claim, phrases, termed, words
from adjudge.tools.statement import Statement

# What others do tells of the patient here: "my husband drove me".
_THROUGH_OTHERS = ("marital_status", "arrival_transport")
_I_AM = re.compile(
    r"\b(?:i'm|i am) (?:a |an |half |part )?\w+(?: american)?(?:[.,]| and\b| (?:man|woman|male|female)\b|$)"
)
_LOST = re.compile(r"\b(?:lost|died|passed away|die)\b")
_OTHERS_SPOUSE = re.compile(r"\b(?:friend|neighbor|boss|brother|sister|son|daughter)\b")


def category(claim: Claim, item: str, value: str) -> Finding:
    """How a claim relates to an item by the categories that both name."""
    true = _categories(item, value)
    if not true or not _concerns(claim, item) or (claim.of_others and item not in _THROUGH_OTHERS):
        return OPEN
    stated = _categories(item, claim.said)
    if not stated:
        return _answered(claim, item, true, value)
    if _denies(claim, item):
        return same(not stated & true, f"not {listing(stated)} against {value}")
    return _overlap(stated, true, value)


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
    said = claim.said
    for _, pattern in _patterns(item):
        said = pattern.sub(" ", said)
    return item != "gender" and claim.answer == "" and Statement.of(said).negated


def _concerns(claim: Claim, item: str) -> bool:
    """Whether a sentence is about the item at all; many words for categories have other uses."""
    if item == "race":
        return claim.about(item) or _I_AM.search(claim.said) is not None
    if item == "living_situation" and (not claim.of_self or _LOST.search(claim.raw)):
        return False
    if item == "marital_status" and _OTHERS_SPOUSE.search(claim.said):
        return False
    return item == "gender" or claim.about(item)


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
    table = words()["categories"][item]
    return tuple((name, phrases({termed(word) for word in some} | set(some))) for name, some in table.items())


@cache
def _compatible() -> tuple[set[str], ...]:
    return tuple(set(pair) for pair in words()["compatible"]["pairs"])
