"""Items that are habits: tobacco, alcohol, drugs, exercise, sexual activity."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from msgspec import Struct

from adjudge.suites.patient.facts.finding import OPEN, Finding, listing, same, says_nothing
from adjudge.suites.patient.topics import Claim, asks_for, in_digits, or_termed, phrases, words
from adjudge.tools.statement import Statement

State = Literal["never", "absent", "former", "current"]

HABITS = ("tobacco", "alcohol", "illicit_drug", "exercise", "sexual_history")
_DRINKS = re.compile(r"\b(?:pint|beer|glass|can|shot|unit|cocktail)(?:s|es)?\b(?: of (?:wine|beer|whiskey|vodka|gin))?")
_PACKS = re.compile(r"\b(\d+(?:\.\d+)?) packs?\b(?:\s+of cigarettes)?(?!-)")
# Cigarettes in a pack.
_PACK = 20
# What is said and what is recorded, where both can be true; "denies" and "none" leave open what once was.
_AGREE = {
    "never": ("never", "absent"),
    "absent": ("never", "absent", "former"),
    "former": ("former",),
    "current": (),
}
_EVER = re.compile(r"\bever\b")


class Habit(Struct, frozen=True):
    """How a habit stands, how heavy it is, and its quantities."""

    state: State
    statement: Statement
    degrees: frozenset[str] = frozenset()


def habit(claim: Claim, item: str, value: str) -> Finding:
    """How a claim relates to a habit: whether there is one, was one, and how much of it."""
    said = _said(claim, item) if claim.of_self and claim.about(item) and not _of_another(claim, item) else None
    if said is None:
        return OPEN
    true = _recorded(value)
    if said.state == true.state == "current":
        return _amount(said, true, value)
    if said.state == "former" and true.state == "absent":
        return _given_up(claim, item, value)
    return same(true.state in _AGREE[said.state], f"{said.state} against {value}")


def _given_up(claim: Claim, item: str, value: str) -> Finding:
    """How a habit of old relates to a record of none: who no longer exercises does not, and once was not asked for."""
    if item == "exercise":
        return Finding("entail", f"former against {value}")
    return Finding("contradict", f"once against {value}") if _EVER.search(claim.asked) else OPEN


def _of_another(claim: Claim, item: str) -> bool:
    """Whether a sentence names another habit and not this one, for which was asked beside it."""
    return not claim.names(item) and any(claim.names(other) for other in HABITS if other != item)


def _said(claim: Claim, item: str) -> Habit | None:
    """The habit as the patient tells it; None where it tells nothing about it."""
    statement, denies = _measured(claim.raw), _denies(claim, item)
    if denies and _words_for("never").search(claim.raw):
        return Habit("never", statement)
    if _words_for("former").search(claim.raw) and not (claim.answer == "no" and not claim.words):
        return Habit("former", statement)
    if denies or _words_for("denied").search(claim.raw):
        return Habit("absent", statement)
    degrees = _degrees(claim.raw)
    if claim.answer == "yes" or claim.names(item) or degrees or statement.quantities:
        return Habit("current", statement, degrees)
    return None


def _recorded(value: str) -> Habit:
    plain = in_digits(value.lower())
    statement = _measured(plain)
    if _words_for("former").search(plain):
        return Habit("former", statement)
    if _words_for("never").search(plain):
        return Habit("never", statement)
    if says_nothing(value):
        return Habit("absent", statement)
    return Habit("current", statement, _degrees(plain))


def _amount(said: Habit, true: Habit, value: str) -> Finding:
    why = f"{listing(said.degrees) or 'some'} against {value}"
    apart = bool(said.degrees and true.degrees) and not said.degrees & true.degrees
    return same(not (apart or said.statement.other_quantity(true.statement)), why)


def _denies(claim: Claim, item: str) -> bool:
    """Whether a sentence denies a habit: by its answer, in the clause that names it, or in its first clause."""
    if claim.answer:
        return claim.answer == "no"
    naming = [clause for clause in claim.clauses if asks_for(clause.text, item)]
    return any(clause.denies for clause in naming or claim.clauses[:1])


def _degrees(text: str) -> frozenset[str]:
    return frozenset(name for name in ("heavy", "light") if _words_for(name).search(text))


def _measured(text: str) -> Statement:
    single = _PACKS.sub(lambda found: f"{_PACK * float(found[1]):g} cigarettes", text)
    return Statement.of(_DRINKS.sub("drinks", single))


@cache
def _words_for(name: str) -> re.Pattern[str]:
    return phrases(or_termed(words()["habits"][name]))
