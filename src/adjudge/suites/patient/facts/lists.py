"""Items that list things: complaints, illnesses, medicines, allergies, devices, and items of a user's own."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import structs

from adjudge.core.ask import Relation
from adjudge.suites.patient.causes import account, recorded
from adjudge.suites.patient.facts.finding import OPEN, Finding, listing, parts, pieces, same, says_nothing
from adjudge.suites.patient.facts.habits import HABITS
from adjudge.suites.patient.facts.matching import FULL, Matcher, called, heft, part_of, sites
from adjudge.suites.patient.facts.systems import of_the_system
from adjudge.suites.patient.fields import HIDDEN, default_fields
from adjudge.suites.patient.topics import Claim, Clause, asks_for, medical, taken_apart, termed
from adjudge.tools.statement import Statement

ILLNESSES = ("family_medical_history", "medical_history")
COMPLAINTS = ("present_illness_positive", "chief_complaint")
NEGATIVE = "present_illness_negative"
MEDICATION = "medication"
# How long one of these has lasted is not how long the complaint has.
_LASTING = (
    *HABITS,
    MEDICATION,
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
_SPAN = re.compile(r"(\d+(?:\.\d+)?)[ -](hour|hr|day|week|month|year)s?\b(?![ -]old)")
_DAYS = {"hour": 1 / 24, "hr": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}
_RECENT = {"yesterday": 1.0, "last night": 1.0, "this morning": 0.0, "today": 0.0, "tonight": 0.0}
# Opposites that say nothing about a complaint ("pain at night", "cough for 5 days").
_TIMES = frozenset({"day", "night", "morn", "even", "first", "last", "befor", "before", "after", "old", "new", "young"})
# What was taken against the complaint, as a question or a patient asks and tells it, and as a record puts it.
_AGAINST_IT = re.compile(
    r"\b(?:take|taken|taking|took|try|tried|trying|used|using|use) (?:anything|something|a thing|any(?: \w+)?)"
    r"(?: \w+)? (?:for|against|to (?:help|relieve|ease|stop)) (?:it|this|that|the|your|my|these|those)\b"
)
_TAKEN = re.compile(
    r"\b\d+ (?:hours?|hrs?|minutes?|mins?) ago\b|\b(?:today|tonight|yesterday|last night|this morning|this afternoon"
    r"|this evening)\b|\b(?:before|prior to) (?:arrival|coming|presentation)\b|\bfor (?:the|this) pain\b"
)
# "I can't take sulfa" denies no allergy.
_REFUSED = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|not supposed to|not allowed to) (?:take|have|eat|tolerate|use|touch)\b"
)
# Where a question takes what it names for granted, "have you had fever with this headache?", yes or no is not about it.
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "your"})
_HAS = frozenset({"have", "having", "got", "had"})
# Other times and other people: no to "have you had headaches before?" does not deny a headache.
_ELSEWHERE = re.compile(
    r"\b(?:before|in the past|previously|ever|normally|usually|history|famil(?:y|ies)|relatives?|anyone|anybody|someone"
    r"|diagnosed|apart from|other than|besides|anything else)\b"
)
_TOKEN = re.compile(r"[\w'-]+")
_TURN: dict[Relation, Relation] = {"entail": "contradict", "contradict": "entail", "neutral": "neutral"}


def listed(claim: Claim, item: str, value: str, matcher: Matcher) -> Finding:
    """How a claim relates to an item: to the parts of its value that it names, or to the whole of it."""
    if not (claim.of_family if item == "family_medical_history" else claim.of_self):
        return OPEN
    if says_nothing(value):
        return _against_nothing(claim, item, value)
    told = _caused(claim, value) if item in COMPLAINTS else OPEN
    if told is not OPEN:
        return told
    found = [one for part in pieces(value) if (one := _named(claim, item, part, matcher)) is not OPEN]
    if not found:
        return _generally(claim, item, value)
    best = next((one for one in found if one.relation == "entail"), found[0])
    return Finding(_TURN[best.relation], best.why) if item == NEGATIVE else best


def single(claim: Claim, value: str, matcher: Matcher) -> Finding:
    """How an answer relates to an item that has one value: close to it, far from it, or neither."""
    if claim.denies or not claim.words or not claim.of_self:
        return OPEN
    if matcher.close(value) or matcher.shares(claim.words, part_of(value).words):
        return Finding("entail", f"close to {value}")
    return Finding("contradict", f"far from {value}") if matcher.far(value) else OPEN


def _named(claim: Claim, item: str, part: str, matcher: Matcher) -> Finding:
    """How a claim relates to one part, if it names it or was asked for it."""
    if _asked_for(claim, item, part, matcher):
        return same((claim.answer == "yes") != part_of(part).negated, f"{claim.answer} to {part}")
    for clause in claim.clauses:
        finding = _told(claim, clause, item, part, matcher)
        if finding is not OPEN:
            return finding
    if item in COMPLAINTS:
        return _detail(claim, part)
    return of_the_system(claim, part) if item in ILLNESSES else OPEN


def _caused(claim: Claim, value: str) -> Finding:
    """How an account of an injury relates to the recorded one."""
    told, true = account(claim), frozenset[str]().union(*map(recorded, parts(value)))
    return same(bool(told & true), f"{listing(told)} against {value}") if told and true else OPEN


def _asked_for(claim: Claim, item: str, part: str, matcher: Matcher) -> bool:
    """Whether a claim is yes or no to a question for the part; yes to one of several things says nothing."""
    if not claim.answer or (claim.answer == "yes" and re.search(r"\bor\b", claim.asked)):
        return False
    true = part_of(part).words
    if item in COMPLAINTS and not _asks_whether(claim.asked, true):
        return False
    return _calls(claim, item, claim.asked, true) or matcher.shares(claim.question.words, true)


@lru_cache(maxsize=10_000)
def _asks_whether(asked: str, true: frozenset[str]) -> bool:
    """Whether a question asks if the patient has a complaint, and not about something else beside it."""
    if _ELSEWHERE.search(asked):
        return False
    tokens = _TOKEN.findall(asked)
    begins = max((at for at, token in enumerate(tokens[:-1]) if token == "any"), default=0)
    named = [at for at, token in enumerate(tokens) if taken_apart(token).words & true - sites()]
    return any(at >= begins and not _granted(tokens[:at]) for at in named)


def _granted(before: list[str]) -> bool:
    """Whether the words before a thing take it for granted: "with this", "when you have the"."""
    last = next((at for at in range(len(before) - 1, max(len(before) - 4, -1), -1) if before[at] in _DEFINITE), None)
    if last is None:
        return False
    asked_for = last > 0 and before[last - 1] in _HAS and "when" not in before[max(last - 3, 0) : last]
    return not asked_for


def _calls(claim: Claim, item: str, text: str, true: frozenset[str]) -> bool:
    return item == MEDICATION and claim.about(item) and bool(called(text) & true)


def _told(claim: Claim, clause: Clause, item: str, part: str, matcher: Matcher) -> Finding:
    """How a clause relates to a part, if it names it."""
    true = part_of(part)
    by_words = matcher.shares(clause.words, true.words) or _with_question(claim, clause, item, true, matcher)
    # What is embedded of yes or no holds the question too, and without a word of its own it is close to that alone.
    empty = claim.answer != "" and heft(clause.words) < FULL
    close = len(claim.clauses) == 1 and not empty and matcher.close(part)
    if not (by_words or close or _calls(claim, item, clause.text, true.words)):
        return OPEN
    if true.other_quantity(clause.statement) or true.other_side(clause.statement):
        return Finding("contradict", f"other detail than {part}") if by_words else OPEN
    denies = (clause.denies and not _REFUSED.search(clause.text)) or (claim.answer == "no" and not by_words)
    return same(denies == true.negated, f"{'denies' if denies else 'names'} {part}")


def _with_question(claim: Claim, clause: Clause, item: str, true: Statement, matcher: Matcher) -> bool:
    """Whether clause and question together name a part that the clause has a word of, or says yes or no to."""
    answers = claim.answer and (item not in COMPLAINTS or _asks_whether(claim.asked, true.words))
    if not claim.leans or not (heft(clause.words & true.words) or answers):
        return False
    return matcher.shares(clause.words | claim.question.words, true.words)


def _detail(claim: Claim, part: str) -> Finding:
    """An answer that is a detail alone: how long, which side, what it feels like."""
    if not claim.leans:
        return OPEN
    recorded, told = _spans(termed(part)), _spans(claim.said)
    if recorded and told and _asks_onset(claim.asked):
        return same(bool(recorded & told), f"time of {part}")
    true, said = part_of(part), Statement.of(claim.said)
    if true.other_side(said) or _timeless(said).opposes(_timeless(true)):
        return Finding("contradict", f"other detail than {part}")
    return OPEN


def _asks_onset(asked: str) -> bool:
    """Whether a question asks how long the complaint has lasted, and not how long something else has."""
    return _ONSET.search(asked) is not None and not any(asks_for(asked, item) for item in _LASTING)


def _timeless(statement: Statement) -> Statement:
    return structs.replace(statement, words=statement.words - _TIMES)


def _spans(text: str) -> frozenset[float]:
    """The durations in a text, in days."""
    spans = {round(float(number) * _DAYS[unit], 2) for number, unit in _SPAN.findall(text)}
    return frozenset(spans | {days for word, days in _RECENT.items() if word in text})


def _against_nothing(claim: Claim, item: str, value: str) -> Finding:
    """How a claim relates to an item of which there is nothing."""
    if item in ILLNESSES and (found := of_the_system(claim, value)) is not OPEN:
        return found
    if not claim.about(item):
        return OPEN
    if claim.denies:
        return Finding("entail", f"denies, as {value}") if _general(claim, item) else OPEN
    if item in ILLNESSES and not medical(claim.said) and claim.answer != "yes":
        return OPEN
    if claim.answer == "yes" or claim.leans or claim.names(item) or heft(claim.words) >= FULL:
        return Finding("contradict", f"affirms against {value}")
    return OPEN


def _generally(claim: Claim, item: str, value: str) -> Finding:
    """How a denial of everything relates to an item that holds something."""
    if item == MEDICATION and claim.denies and _for_this(claim):
        return Finding("contradict", f"took nothing against {value}") if _TAKEN.search(termed(value)) else OPEN
    if item in (NEGATIVE, *COMPLAINTS, *HIDDEN) or not claim.about(item):
        return OPEN
    if claim.denies and _general(claim, item):
        return Finding("contradict", f"denies all against {value}")
    return OPEN


def _for_this(claim: Claim) -> bool:
    """Whether a claim tells what was taken against the complaint, and not what is taken as a rule."""
    return _AGAINST_IT.search(claim.asked if claim.answer or claim.leans else claim.raw) is not None


def _general(claim: Claim, item: str) -> bool:
    """Whether a denial is about the item as a whole and not about one thing that was asked for."""
    denied = claim.words or claim.question.words
    return heft(denied - _topic_words(item)) < FULL


@cache
def _topic_words(item: str) -> frozenset[str]:
    field = default_fields().get(item)
    return Statement.of(" ".join(termed(word) for word in field.topics)).words if field else frozenset()
