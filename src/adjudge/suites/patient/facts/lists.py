"""Items that list things: complaints, illnesses, medicines, allergies, devices, and items of a user's own."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import structs

from adjudge.core.ask import Relation
from adjudge.suites.patient.causes import account, recorded
from adjudge.suites.patient.facts.finding import OPEN, Finding, asides, listing, parts, pieces, same, says_nothing
from adjudge.suites.patient.facts.matching import FULL, WEAK, Matcher, called, heft, part_of, sites
from adjudge.suites.patient.facts.systems import of_the_system, other_relative
from adjudge.suites.patient.facts.times import as_often, dosed, lasted
from adjudge.suites.patient.fields import HIDDEN, default_fields
from adjudge.suites.patient.numbers import NUMBER
from adjudge.suites.patient.topics import Claim, Clause, medical, phrases, taken_apart, termed, vetoed, words
from adjudge.tools.statement import Statement

NEGATIVE = "present_illness_negative"
MEDICATION = "medication"
ALLERGIES = "allergies"
FAMILY = "family_medical_history"
ILLNESSES = (FAMILY, "medical_history")
COMPLAINTS = ("present_illness_positive", "chief_complaint")
_WHERE = re.compile(
    r"\b(?:what is (?:wrong|the (?:matter|problem|trouble))|what's (?:wrong|the (?:matter|problem|trouble)|up)|where"
    r"|brings? you|brought you|which|what hurts|anything hurt|can i (?:help|do for you)|happened|are you here)\b"
)
# The share of a denied complaint's words that names it.
_MOST = 0.6
# The share of a complaint's words below which it is hardly named.
_SOME = 0.4
# As many words point at a place.
_POINTING = 2
# Items with a limit of their own, set on labelled visits: their parts are told in many words, in whatever clause.
_CLOSE = {"present_illness_positive": 0.85, NEGATIVE: 0.85, "medical_history": 0.95}
# Opposites that say nothing about a complaint ("pain at night", "cough for 5 days").
_TIMES = Statement.of("day night morning evening first last before old new young big small").words
# What helps is told where nobody asked for it, and then of whatever was taken or done.
_COURSE = Statement.of("better worse").words
_ASKS_COURSE = re.compile(r"\b(?:better|worse|help|helps|ease|eases|relieve|feel|changed)\b")
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
    r"\b(?:can't|cannot|can not|couldn't|not supposed to|not allowed to) "
    r"(?:take|have|eat|tolerate|use|touch|go near|be near|be around)\b"
)
# Where a question takes what it names for granted, "have you had fever with this headache?", yes or no is not about it.
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "your"})
_HAS = frozenset({"have", "having", "got", "had"})
# Other times and other people: no to "have you had headaches before?" does not deny a headache.
_ELSEWHERE = re.compile(
    r"\b(?:before|in the past|previously|ever|normally|usually|history|famil(?:y|ies)|relatives?|anyone|anybody|someone"
    r"|diagnosed|apart from|other than|besides|anything else)\b"
)
# An illness that is over was one.
_OVER = re.compile(r"\b(?:any ?more|no longer|not now)\b")
# Who has one of these for an occupation does not work.
_IDLE = re.compile(r"\b(?:retired|unemployed|disab\w+|homemaker|housewife|student|none|out of work)\b")
_NUMBER = re.compile(NUMBER)
_TOKEN = re.compile(r"[\w'-]+")
_TURN: dict[Relation, Relation] = {"entail": "contradict", "contradict": "entail", "neutral": "neutral"}


def listed(claim: Claim, item: str, value: str, matcher: Matcher) -> Finding:
    """How a claim relates to an item: to the parts of its value that it names, or to the whole of it."""
    if not (claim.of_family if item == FAMILY else claim.of_self):
        return OPEN
    if says_nothing(value):
        return _against_nothing(claim, item, value)
    told = _caused(claim, value) if item in COMPLAINTS else OPEN
    if told is not OPEN:
        return told
    found = [one for part in pieces(value) if (one := _named(claim, item, part, matcher)) is not OPEN]
    if not found:
        return _to_another(claim, value) if item == ALLERGIES else _generally(claim, item, value)
    best = min(found, key=lambda one: (one.relation != "entail", one.by_sense))
    return _of_absence(best) if item == NEGATIVE else best


def _of_absence(found: Finding) -> Finding:
    """How a claim relates to the absence of what it relates to so; who is only close to it in meaning tells nothing."""
    if found.by_sense and found.relation == "entail":
        return OPEN
    return structs.replace(found, relation=_TURN[found.relation])


def closely(claim: Claim, value: str, matcher: Matcher) -> Finding:
    """Entailed if the claim is close to the value, else open."""
    if claim.denies or not claim.of_self or not matcher.close(value):
        return OPEN
    return Finding("entail", f"close to {value}", by_sense=True)


def single(claim: Claim, value: str, matcher: Matcher) -> Finding:
    """How an answer relates to an item that has one value: close to it, far from it, or neither."""
    if claim.denies or not claim.words or not claim.of_self:
        return OPEN
    if matcher.close(value) or matcher.shares(claim.words, part_of(value).words):
        return Finding("entail", f"close to {value}")
    return Finding("contradict", f"far from {value}") if matcher.far(value) else OPEN


def _to_another(claim: Claim, value: str) -> Finding:
    """How an allergy relates to recorded ones that it does not name: by the reaction to it, or as another allergy."""
    if not claim.about(ALLERGIES) or (claim.denies and not _REFUSED.search(claim.said)):
        return _generally(claim, ALLERGIES, value)
    named = frozenset(_substances().findall(claim.said))
    if named:
        return Finding("contradict", f"{listing(named)} against {value}")
    reaction = next((one for one in asides(value) if part_of(one).words & claim.words), "")
    return Finding("entail", f"names {reaction}") if reaction else OPEN


def _named(claim: Claim, item: str, part: str, matcher: Matcher) -> Finding:
    """How a claim relates to one part, if it names it or was asked for it."""
    if _asked_for(claim, item, part, matcher) and not other_relative(claim, part):
        return same((claim.answer == "yes") != part_of(part).negated, f"{claim.answer} to {part}")
    for clause in claim.clauses:
        finding = _told(claim, clause, item, part, matcher)
        if finding is not OPEN:
            return finding
    if item in COMPLAINTS:
        return _detail(claim, part)
    if item == MEDICATION and not claim.denies:
        return _taken(claim, part, matcher)
    return of_the_system(claim, part) if item in ILLNESSES else OPEN


def _taken(claim: Claim, part: str, matcher: Matcher) -> Finding:
    """How an answer that is a dose alone relates to a medicine: to the one asked for, or to one taken as often."""
    if claim.leans and matcher.shares(claim.question.words, part_of(part).words):
        if part_of(part).other_quantity(Statement.of(claim.said)):
            return Finding("contradict", f"other dose than {part}")
        return as_often(claim, part)
    known = heft(claim.words) <= 3 * FULL and dosed(claim, part)
    return Finding("entail", f"taken as {part}") if known else OPEN


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
    if _answers_else(claim) or (item in ILLNESSES and (vetoed(claim.asked, item) or _OVER.search(claim.raw))):
        return False
    if item == NEGATIVE and claim.answer == "yes" and not _covers(claim, claim.words, part_of(part)):
        return False
    return _calls(claim, item, claim.asked, true) or matcher.shares(claim.question.words, true)


def _answers_else(claim: Claim) -> bool:
    """Whether no stands before a denial of something that the question does not name: "no, I'm not pregnant"."""
    denied = [clause for clause in claim.clauses if clause.denies and heft(clause.words) >= FULL]
    return claim.answer == "no" and any(not clause.words & claim.question.words for clause in denied)


def _covers(claim: Claim, said: frozenset[str], true: Statement) -> bool:
    """Whether what is said, with the question if it leans on it, has most of a part: vomit is no blood in it."""
    known = said | claim.question.words if claim.leans or claim.answer else said
    common = known & true.words
    if common <= sites() and not true.words <= sites():
        return False
    return heft(common) >= _MOST * heft(true.words)


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
    """Whether a text names a medicine by what kind it is of: "water pill"."""
    return item == MEDICATION and claim.about(item) and bool(called(text) & true)


def _told(claim: Claim, clause: Clause, item: str, part: str, matcher: Matcher) -> Finding:
    """How a clause relates to a part, if it names it."""
    if item == FAMILY and other_relative(claim, part):
        return _of_other_relative(claim, clause, part, matcher)
    true = part_of(part)
    by_words = _by_words(claim, clause, item, true, matcher)
    if not (by_words or _calls(claim, item, clause.text, true.words)):
        return _sensed(claim, clause, item, part, matcher)
    if true.other_quantity(clause.statement) or true.other_side(clause.statement):
        return Finding("contradict", f"other detail than {part}") if by_words else OPEN
    denies = (clause.denies and not _REFUSED.search(clause.text)) or (claim.answer == "no" and not by_words)
    if item == NEGATIVE and not denies and not _covers(claim, clause.words, true):
        return OPEN
    if item in COMPLAINTS and denies and not true.negated and _hardly_named(clause, true):
        return OPEN
    return same(denies == true.negated, f"{'denies' if denies else 'names'} {part}")


def _by_words(claim: Claim, clause: Clause, item: str, true: Statement, matcher: Matcher) -> bool:
    """Whether a clause names a part by its own words, with those of the question, or by its place alone."""
    if matcher.shares(clause.words, true.words) or _with_question(claim, clause, item, true, matcher):
        return True
    return item in COMPLAINTS and _points(claim, clause, true)


def _hardly_named(clause: Clause, true: Statement) -> bool:
    """Whether a clause has so few words of a complaint that its denial is of something else."""
    return heft(clause.words & true.words) < _SOME * heft(true.words)


def _points(claim: Claim, clause: Clause, true: Statement) -> bool:
    """Whether somebody asked what is wrong, or where, names the place of a complaint alone: "my back, down here"."""
    wordy = not claim.leans and len(clause.words) > _POINTING
    if wordy or not _WHERE.search(claim.asked):
        return False
    return bool(clause.words & true.words & sites()) and heft(clause.words - sites()) < FULL


def _of_other_relative(claim: Claim, clause: Clause, part: str, matcher: Matcher) -> Finding:
    """How a clause about one relative relates to the record of an illness of another."""
    points = claim.leans and heft(clause.words) < FULL + WEAK
    said = clause.words | claim.question.words if points else clause.words
    if clause.denies or claim.answer == "no" or not matcher.shares(said, part_of(part).words):
        return OPEN
    return Finding("contradict", f"other relative than {part}")


def _sensed(claim: Claim, clause: Clause, item: str, part: str, matcher: Matcher) -> Finding:
    """How a clause relates to a part that the claim is close to in meaning."""
    # What is embedded of yes or no holds the question too, and without a word of its own it is close to that alone.
    empty = claim.answer != "" and heft(clause.words) < FULL
    whole = len(claim.clauses) == 1
    limit = _CLOSE.get(item) if claim.full else None
    if empty or not (whole or limit) or not matcher.close(part, limit) or _differ(claim, clause, part):
        return OPEN
    denies = claim.denies and not _REFUSED.search(clause.text)
    if denies == part_of(part).negated:
        return Finding("entail", f"close to {part}", by_sense=True)
    sure = denies and (item == NEGATIVE or (whole and matcher.close(part)))
    return Finding("contradict", f"denies {part}", by_sense=True) if sure else OPEN


def _differ(claim: Claim, clause: Clause, part: str) -> bool:
    """Whether a clause has another number, side or quality than a part."""
    true, said = part_of(part), clause.statement
    if true.other_quantity(said) or true.other_side(said) or _timeless(said).opposes(_timeless(true)):
        return True
    told, recorded = set(_NUMBER.findall(claim.said)), set(_NUMBER.findall(termed(part)))
    return bool(told and recorded) and not told & recorded


def _with_question(claim: Claim, clause: Clause, item: str, true: Statement, matcher: Matcher) -> bool:
    """Whether clause and question together name a part that the clause has a word of, or says yes or no to."""
    answers = claim.answer != "" and (item not in COMPLAINTS or _asks_whether(claim.asked, true.words))
    if not claim.leans or not (heft(clause.words & true.words) or answers):
        return False
    return matcher.shares(clause.words | claim.question.words, true.words)


def _detail(claim: Claim, part: str) -> Finding:
    """An answer that is a detail alone: how long, which side, what it feels like."""
    timed = lasted(claim, part)
    if timed is not OPEN or not claim.leans:
        return timed
    true, said = part_of(part), Statement.of(claim.said)
    course = not _COURSE.isdisjoint(said.words) and not _ASKS_COURSE.search(claim.asked)
    if true.other_side(said) or (not course and _timeless(said).opposes(_timeless(true))):
        return Finding("contradict", f"other detail than {part}")
    return OPEN


def _timeless(statement: Statement) -> Statement:
    return structs.replace(statement, words=statement.words - _TIMES)


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
    if item in (NEGATIVE, "living_situation", *COMPLAINTS, *HIDDEN) or not claim.about(item):
        return OPEN
    if (item == FAMILY and other_relative(claim, value)) or (item == "occupation" and _IDLE.search(value.lower())):
        return OPEN
    if claim.denies and _general(claim, item):
        return Finding("contradict", f"denies all against {value}")
    return OPEN


def _for_this(claim: Claim) -> bool:
    """Whether a claim tells what was taken against the complaint, and not what is taken as a rule."""
    return _AGAINST_IT.search(claim.asked if claim.answer or claim.leans else claim.raw) is not None


def _general(claim: Claim, item: str) -> bool:
    """Whether a denial is about the item as a whole and not about one thing that was asked for."""
    denied = claim.question.words if claim.answer == "no" else claim.words or claim.question.words
    return heft(denied - _topic_words(item)) < FULL


@cache
def _topic_words(item: str) -> frozenset[str]:
    field = default_fields().get(item)
    return Statement.of(" ".join(termed(word) for word in field.topics)).words if field else frozenset()


@cache
def _substances() -> re.Pattern[str]:
    return phrases(words()["substances"]["words"])
