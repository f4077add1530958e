"""Illnesses by the part of the body they are of: whoever has nothing wrong with the brain has had no stroke."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from adjudge.suites.patient.facts.finding import OPEN, Finding, listing, same
from adjudge.suites.patient.facts.matching import part_of
from adjudge.suites.patient.topics import Claim, or_termed, phrases, phrases_of, plain, termed, words


def of_the_system(claim: Claim, part: str) -> Finding:
    """How what a claim says about a part of the body as a whole, or an illness of it, relates to a recorded illness."""
    if other_relative(claim, part):
        return OPEN
    if part_of(part).negated:
        return _against_denial(claim, as_a_whole(plain(part)), part)
    denied = _denied(claim) & ill(plain(part))
    return Finding("contradict", f"nothing wrong with {listing(denied)} against {part}") if denied else OPEN


def _against_denial(claim: Claim, healthy: frozenset[str], part: str) -> Finding:
    """How a claim relates to the record that a part of the body was never ill."""
    affirmed = _affirmed(claim) & healthy
    if affirmed or _denied(claim) & healthy:
        return same(not affirmed, f"{'illness of' if affirmed else 'nothing wrong with'} {listing(healthy)}: {part}")
    return OPEN


def _denied(claim: Claim) -> frozenset[str]:
    """The parts of the body that a claim says nothing is wrong with."""
    asked = as_a_whole(claim.asked) if claim.answer == "no" else frozenset[str]()
    return asked.union(*(as_a_whole(clause.text) for clause in claim.clauses if clause.denies))


def _affirmed(claim: Claim) -> frozenset[str]:
    """The parts of the body that a claim says were ill."""
    asked = as_a_whole(claim.asked) if claim.answer == "yes" else frozenset[str]()
    return asked.union(*(ill(clause.text) | as_a_whole(clause.text) for clause in claim.clauses if not clause.denies))


@lru_cache(maxsize=10_000)
def as_a_whole(text: str) -> frozenset[str]:
    """The parts of the body that a text speaks of as a whole and not of one illness: "anything wrong with her brain".

    >>> sorted(as_a_whole("no earlier neurological illness")), sorted(as_a_whole("a brain aneurysm"))
    (['brain'], [])
    """
    if not phrases(words()["ailing"]["words"]).search(text):
        return frozenset()
    return frozenset(
        name for name, (called, illnesses) in _systems().items() if called.search(text) and not illnesses.search(text)
    )


@lru_cache(maxsize=10_000)
def ill(text: str) -> frozenset[str]:
    """The parts of the body that a text names an illness of.

    >>> sorted(ill("mother: ruptured brain aneurysm at 61"))
    ['brain']
    """
    said = termed(text)
    return frozenset(name for name, (_, illnesses) in _systems().items() if illnesses.search(said))


def other_relative(claim: Claim, part: str) -> bool:
    """Whether claim and record name relatives and none in common."""
    said = frozenset(_relatives().findall(" ".join(clause.text for clause in claim.clauses)))
    true = frozenset(_relatives().findall(termed(part)))
    return bool(said and true) and not said & true


@cache
def _relatives() -> re.Pattern[str]:
    general = {"parent", "family", "relatives", "siblings", "grandparents"}
    return phrases_of(tuple(one for one in words()["persons"]["family"] if one not in general))


@cache
def _systems() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    return {
        name: (phrases(table["called"]), phrases(or_termed(table["illnesses"])))
        for name, table in words()["systems"].items()
    }
