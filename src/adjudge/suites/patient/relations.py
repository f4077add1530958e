"""How what a patient claims relates to one item of its profile: rules by the kind of item, and cosines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from msgspec import Struct, structs

from adjudge.core.ask import Relation
from adjudge.suites.patient.fields import SEPARATOR
from adjudge.suites.patient.topics import Claim, Clause, asks_for, in_digits, medical, phrases, phrases_of, taken_apart, termed, words
from adjudge.tools.statement import Statement

Near = Callable[[str], float]

HABITS = ("tobacco", "alcohol", "illicit_drug", "exercise", "sexual_history")
OPEN_ENDED = ("occupation", "living_situation")
ILLNESSES = ("family_medical_history", "medical_history")
COMPLAINTS = ("present_illness_positive", "chief_complaint")
_ONSET = re.compile(r"\b(?:how long|start(?:ed)?|began|begin|begun|first notice|going on|since when|when did (?:it|this|that|the|your))\b")
_AGE = re.compile(
    r"\b(?:i'm|i am|turned|age|aged|just turned|be) (\d{1,3})\b(?! ?(?:%|mg|hours?|days?|weeks?|months?|minutes?|pounds|lbs|kg|times))"
    r"|\b(\d{1,3})[ -]years?[ -]old\b"
)
_DECADE = re.compile(r"\bin my (early |mid |mid-|middle |late )?(\d0|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)")
_DECADES = {word: 10 * place for place, word in enumerate("twenties thirties forties fifties sixties seventies eighties nineties".split(), 2)}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)[ -](hour|hr|day|week|month|year)s?\b(?![ -]old)")
_DAYS = {"hour": 1 / 24, "hr": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}
_RECENT = {"yesterday": 1.0, "last night": 1.0, "this morning": 0.0, "today": 0.0, "tonight": 0.0}
_HOURS = frozenset({"day", "night", "morn", "even", "first", "last", "befor", "before", "after", "old", "new", "young"})
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_YEARS = re.compile(r"\b\d{1,3}\b(?! ?(?:%|mg|hours?|days?|weeks?|months?|minutes?|pounds|lbs|kg|times|years? (?!old)))")
_OUT_OF = re.compile(r"(\d+(?:\.\d+)?) ?(?:/|out of|on a scale of) ?10\b")
_RATED = re.compile(r"\b(?:scale|rate|rating|how bad|how strong|how severe|0 to 10|1 to 10|level|number|score|out of 10)\b")
_OTHER_NUMBER = re.compile(r"\b(?:how old|age|how long|how many|how often|dose)\b")
_BARE = re.compile(r"\b(?:10|\d)(?:\.\d)?\b(?! ?(?:%|mg|hours?|days?|weeks?|months?|years?|minutes?|times|o'clock|am|pm)\b)")
_PAINFUL = re.compile(r"\b(?:any|in|have|a lot of) pain\b(?! (?:in|when|with|while|on))|\bis it pain\b|\bdoes it pain\b")
_DRINKS = re.compile(r"\b(?:pint|beer|glass|can|shot|unit|cocktail)(?:s|es)?\b(?: of (?:wine|beer|whiskey|vodka|gin))?")
_PIECES = re.compile(r",|\band\b")
_CHILD = re.compile(r"\b(a|an|1|\d+|1st|my|our|several) (?:(?:\w+ )?)(son|daughter|boy|girl|kid|child|children)s?\b")
_I_AM = re.compile(r"\b(?:i'm|i am) (?:a |an |half |part )?\w+(?: american)?(?:[.,]| and\b| (?:man|woman|male|female)\b|$)")
_REFUSED = re.compile(r"\b(?:can't|cannot|can not|couldn't|not supposed to|not allowed to) (?:take|have|eat|tolerate|use|touch)\b")
_UNSURE = re.compile(r"\b(?:don't|do not|can't|cannot|couldn't|not) (?:\w+ )?(?:know|remember|recall|sure|tell)\b|\brather not\b|\bno idea\b")


class Finding(Struct, frozen=True):
    """How a claim relates to an item, and the reason."""

    relation: Relation
    why: str = ""


OPEN = Finding("neutral")


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """From which weighted share of words, and from which multiple of the embedder's threshold, a part is named."""

    share: float
    near: float
    far: float


def relate(claim: Claim, item: str, value: str, near: Near, limits: Limits) -> Finding:
    """How a claim relates to an item of the profile; `near` gives the cosine of the claim and a part of the value."""
    if _UNSURE.search(claim.said):
        return OPEN
    if item == "age":
        return _age(claim, value)
    if item == "pain":
        return _pain(claim, value)
    if item == "children":
        return _children(claim, value)
    if item in HABITS:
        found = _habit(claim, item, value)
        if found is not OPEN or item != "sexual_history":
            return found
    if item in words()["categories"]:
        found = _category(claim, item, value)
        if found is not OPEN or item not in OPEN_ENDED:
            return found
    if item == "occupation" and asks_for(claim.asked, item):
        return _single(claim, value, Matcher(near, limits))
    if item in OPEN_ENDED and not claim.about(item):
        return OPEN
    return _listed(claim, item, value, Matcher(near, limits))


def in_passing(claim: Claim, item: str) -> bool:
    """Whether spouse or children are mentioned by somebody who was not asked about them."""
    return item in ("marital_status", "children") and not asks_for(claim.asked, item)


def parts(value: str) -> list[str]:
    """The single values that an item has."""
    return [part.strip(" .") for part in value.split(SEPARATOR.strip()) if part.strip(" .")]


def pieces(value: str) -> list[str]:
    """The single values and, of those that are enumerations themselves, what they enumerate."""
    found = dict.fromkeys(parts(value))
    for part in parts(value):
        found.update(dict.fromkeys(piece.strip() for piece in _PIECES.split(part) if piece.strip()))
    return list(found)


def says_nothing(value: str) -> bool:
    """Whether a value says that there is nothing: "none", "denies", "no known allergies".

    >>> says_nothing("No known drug allergies"), says_nothing("penicillin")
    (True, False)
    """
    found = parts(value)
    return bool(found) and all(_nothing().match(part.lower()) for part in found)


def _age(claim: Claim, value: str) -> Finding:
    true = _first_number(value)
    if true is None or not claim.of_self or re.search(r"\bi was \d+\b|\bwhen i was\b|\bsince i was\b", claim.said):
        return OPEN
    stated = {float(found) for pair in _AGE.findall(claim.said) for found in pair if found}
    if asks_for(claim.asked, "age") and claim.leans or stated:
        stated |= {float(found) for found in _YEARS.findall(claim.said)}
    if stated:
        return _same(true in stated, f"age {_listing(stated)} against {value}")
    return _decade(claim, true)


def _decade(claim: Claim, true: float) -> Finding:
    found = _DECADE.search(claim.said)
    if not found:
        return OPEN
    low = _DECADES.get(found[2]) or int(found[2])
    span = {"early": (0, 4), "mid": (3, 7), "middle": (3, 7), "late": (6, 10)}.get((found[1] or "").strip(" -"), (0, 10))
    return _same(low + span[0] <= true < low + span[1], f"age {found[0]} against {true:g}")


def _pain(claim: Claim, value: str) -> Finding:
    true = _first_number(value)
    strength = _strength(value)
    low, high = (true, true) if true is not None else strength or (None, None)
    if low is None or high is None or not claim.of_self:
        return OPEN
    stated = _stated_pain(claim)
    if stated:
        return _same(any(low <= one <= high for one in stated), f"pain {_listing(stated)} against {value}")
    said = _strength(claim.raw) if claim.about("pain") else None
    if claim.answer == "no" and _PAINFUL.search(claim.asked):
        said = (0.0, 0.0)
    if said is None:
        return OPEN
    return _within(said, (low, high), f"pain {said[0]:g} to {said[1]:g} against {value}")


def _stated_pain(claim: Claim) -> set[float]:
    """The numbers that a sentence gives for a pain."""
    rated = {float(found) for found in _OUT_OF.findall(claim.said)}
    if rated or not _RATED.search(claim.asked) or _OTHER_NUMBER.search(claim.asked):
        return rated
    return {float(found) for found in _BARE.findall(claim.said)}


def _within(said: tuple[float, float], true: tuple[float, float], why: str) -> Finding:
    if said[0] <= true[1] and true[0] <= said[1]:
        return Finding("entail", why)
    apart = max(said[0] - true[1], true[0] - said[1])
    return Finding("contradict", why) if apart >= 2 else OPEN


def _strength(text: str) -> tuple[float, float] | None:
    for entry in words()["strengths"].values():
        if phrases_of(tuple(entry["words"])).search(text):
            return float(entry["from"]), float(entry["to"])
    return None


def _children(claim: Claim, value: str) -> Finding:
    true = 0.0 if says_nothing(value) else _count_children(termed(value))
    if true is None or (claim.clauses and all(c.person == "other" for c in claim.clauses)):
        return OPEN
    asked = claim.asked and re.search(r"\b(?:child|kid)", claim.asked) is not None
    if claim.denies and (asked or re.search(r"\b(?:no|any|have) (?:kids|children)\b", claim.said)):
        return _same(true == 0, f"no children against {value}")
    if re.search(r"\b(?:brother|sister|neighbor|friend|teach|look after|(?:was|as) a (?:kid|child))", claim.said):
        return OPEN
    stated = _count_children(claim.said)
    if asked and stated is None:
        alone = _NUMBER.search(claim.said)
        stated = float(alone[0]) if alone else 1.0 if claim.answer == "yes" else None
    if stated is None:
        return OPEN
    exact = asked and re.search(r"\d", claim.said) is not None or (asked and "just" in claim.said)
    right = stated == true if exact else 0 < stated <= true
    return _same(right, f"{stated:g} children against {value}")


def _count_children(text: str) -> float | None:
    """How many children a text speaks of: "a son and 2 daughters" are 3."""
    counts = [1.0 if found in ("a", "an", "my", "our") else _to_number(found) for found, _ in _CHILD.findall(text)]
    if not counts and (number := _first_number(text)) is not None and "child" in text:
        return number
    return sum(counts) if counts else None


def _to_number(text: str) -> float:
    return float(text) if text.replace(".", "").isdigit() else 2.0


class Habit(Struct, frozen=True):
    """How a habit stands: never, not now, former or current; how heavy; and in which quantities."""

    state: str
    degrees: frozenset[str]
    statement: Statement


def _habit(claim: Claim, item: str, value: str) -> Finding:
    if not claim.of_self or not claim.about(item):
        return OPEN
    said, true = _said_habit(claim, item), _true_habit(value, item)
    if said is None:
        return OPEN
    why = f"{said.state} against {value}"
    if said.state == "current" and true.state == "current":
        return _amount(said, true, value)
    agree = {
        ("never", "never"),
        ("never", "absent"),
        ("absent", "never"),
        ("absent", "absent"),
        ("absent", "former"),
        ("former", "former"),
    }
    if (said.state, true.state) == ("former", "absent"):
        return OPEN
    return _same((said.state, true.state) in agree, why)


def _said_habit(claim: Claim, item: str) -> Habit | None:
    said, degrees = claim.raw, _degrees(claim.raw)
    statement = Statement.of(_DRINKS.sub("drinks", said))
    denies = _denies_habit(claim, item)
    if _any_of("habits", "never").search(said) and denies:
        return Habit("never", frozenset(), statement)
    if _any_of("habits", "former").search(said) and not (claim.answer == "no" and not claim.words):
        return Habit("former", frozenset(), statement)
    if _any_of("habits", "denied").search(said) or denies:
        return Habit("absent", frozenset(), statement)
    if claim.answer == "yes" or claim.names(item) or degrees or statement.quantities:
        return Habit("current", degrees, statement)
    return None


def _true_habit(value: str, item: str) -> Habit:
    plain = in_digits(value.lower())
    statement = Statement.of(_DRINKS.sub("drinks", plain))
    if _any_of("habits", "former").search(plain):
        return Habit("former", frozenset(), statement)
    if _any_of("habits", "never").search(plain):
        return Habit("never", frozenset(), statement)
    if says_nothing(value):
        return Habit("absent", frozenset(), statement)
    return Habit("current", _degrees(plain), statement)


def _amount(said: Habit, true: Habit, value: str) -> Finding:
    why = f"{_listing(said.degrees) or 'some'} against {value}"
    apart = said.degrees and true.degrees and not said.degrees & true.degrees
    return _same(not (apart or said.statement.other_quantity(true.statement)), why)


def _degrees(text: str) -> frozenset[str]:
    return frozenset(name for name in ("heavy", "light") if _any_of("habits", name).search(text))


def _denies_habit(claim: Claim, item: str) -> bool:
    """Whether a sentence denies a habit: by its answer, or in a clause that names it or stands for an answer."""
    if claim.answer:
        return claim.answer == "no"
    naming = [clause for clause in claim.clauses if asks_for(clause.text, item)]
    return any(clause.denies for clause in naming or claim.clauses[:1])


def _category(claim: Claim, item: str, value: str) -> Finding:
    true = _categories(item, value)
    if not true or (claim.clauses and all(c.person == "other" for c in claim.clauses) and item not in ("marital_status", "arrival_transport")):
        return OPEN
    if not _category_asked(claim, item):
        return OPEN
    stated = _categories(item, claim.said)
    if stated and _denied_category(claim, item):
        return _same(not stated & true, f"not {_listing(stated)} against {value}")
    if stated:
        return _overlap(stated, true, value)
    asked = _categories(item, claim.asked) if claim.answer or claim.leans else frozenset[str]()
    if claim.answer == "yes" and asked:
        return _overlap(asked, true, value)
    if claim.answer == "no" and asked:
        return _same(not asked & true, f"not {_listing(asked)} against {value}")
    if claim.answer == "no" and claim.about(item) and "none" in words()["categories"][item]:
        return _same("none" in true, f"none against {value}")
    return OPEN


def _denied_category(claim: Claim, item: str) -> bool:
    """Whether a sentence denies the category it names; a phrase such as "no insurance" does not deny itself."""
    said = claim.said
    for _, pattern in _category_patterns(item):
        said = pattern.sub(" ", said)
    return item != "gender" and claim.answer == "" and Statement.of(said).negated


def _category_asked(claim: Claim, item: str) -> bool:
    """Whether a sentence is about the item of a category at all; many of the words have other uses."""
    if item == "race":
        return claim.about(item) or _I_AM.search(claim.said) is not None
    if item == "living_situation" and (not claim.of_self or re.search(r"\b(?:lost|died|passed away|die)\b", claim.raw)):
        return False
    if item == "marital_status" and re.search(r"\b(?:friend|neighbor|boss|brother|sister|son|daughter)\b", claim.said):
        return False
    return item == "gender" or claim.about(item)


def _overlap(stated: frozenset[str], true: frozenset[str], value: str) -> Finding:
    why = f"{_listing(stated)} against {value}"
    if stated & true:
        return Finding("entail", why)
    if any({one, other} in _compatible() for one in stated for other in true):
        return OPEN
    return Finding("contradict", why)


@lru_cache(maxsize=10_000)
def _categories(item: str, text: str) -> frozenset[str]:
    """The categories that a text names; of marital states the first, as "my wife passed away" also names a wife."""
    found = [name for name, pattern in _category_patterns(item) if pattern.search(termed(text))]
    if item == "occupation" and not found and text and not text.endswith((".", "?", "!")):
        found = ["employed"]
    return frozenset(found[:1] if item == "marital_status" else found)


@cache
def _category_patterns(item: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = words()["categories"][item]
    return tuple((name, phrases({termed(word) for word in some} | set(some))) for name, some in table.items())


@cache
def _compatible() -> tuple[set[str], ...]:
    return tuple(set(pair) for pair in words()["compatible"]["pairs"])


def _single(claim: Claim, value: str, matcher: Matcher) -> Finding:
    """How an answer relates to an item that has one value, by cosine alone."""
    if claim.denies or not claim.words or not claim.of_self:
        return OPEN
    closeness = matcher.near(value)
    if matcher.shares(claim.words, _part(value).words) or closeness >= matcher.limits.near:
        return Finding("entail", f"close to {value}")
    return Finding("contradict", f"far from {value}") if closeness < matcher.limits.far else OPEN


class Matcher(Struct, frozen=True):
    """Tells whether a claim names a part of a value."""

    near: Near
    limits: Limits

    def close(self, part: str) -> bool:
        """Whether the claim is close to the part in meaning."""
        return self.near(part) >= self.limits.near

    def shares(self, some: frozenset[str], other: frozenset[str]) -> bool:
        """Whether most of one is in the other, by weight, and not only words that say little."""
        common = some & other
        if not common & _sites() and some & _sites() and other & _sites():
            return False
        smaller = min(_heft(some), _heft(other))
        return smaller > 0 and _heft(common) >= max(self.limits.share * smaller, 0.6)


def _listed(claim: Claim, item: str, value: str, matcher: Matcher) -> Finding:
    family = item == "family_medical_history"
    if not (claim.of_family if family else claim.of_self):
        return OPEN
    if says_nothing(value):
        return _against_nothing(claim, item, value)
    negative = item == "present_illness_negative"
    found = [one for part in pieces(value) if (one := _named(claim, item, part, matcher)) is not OPEN]
    if not found:
        return OPEN if negative else _generally(claim, item, value)
    best = next((one for one in found if one.relation == "entail"), found[0])
    return _turned(best) if negative else best


def _named(claim: Claim, item: str, part: str, matcher: Matcher) -> Finding:
    """How a claim relates to one part, if it names it."""
    stated = _part(part)
    if claim.answer and _asked_for(claim, item, stated, matcher) and not (claim.answer == "yes" and _several(claim)):
        return _same((claim.answer == "yes") != stated.negated, f"{claim.answer} to {part}")
    for clause in claim.clauses:
        finding = _clause_named(claim, clause, item, part, matcher)
        if finding is not OPEN:
            return finding
    if item in COMPLAINTS:
        return _detail(claim, part)
    return OPEN


def _asked_for(claim: Claim, item: str, stated: Statement, matcher: Matcher) -> bool:
    called = item == "medication" and claim.about(item) and bool(_called(claim.asked) & stated.words)
    return called or matcher.shares(claim.question.words, stated.words)


def _clause_named(claim: Claim, clause: Clause, item: str, part: str, matcher: Matcher) -> Finding:
    stated = _part(part)
    by_words = matcher.shares(clause.words, stated.words) or _with_question(claim, clause, stated, matcher)
    called = item == "medication" and claim.about(item) and bool(_called(clause.text) & stated.words)
    if not (by_words or called or (matcher.close(part) and len(claim.clauses) == 1)):
        return OPEN
    if stated.other_quantity(clause.statement) or stated.other_side(clause.statement):
        return Finding("contradict", f"other detail than {part}")
    denies = (clause.denies and not _REFUSED.search(clause.text)) or (claim.answer == "no" and not by_words)
    return _same(denies == stated.negated, f"{'denies' if denies else 'names'} {part}")


def _with_question(claim: Claim, clause: Clause, stated: Statement, matcher: Matcher) -> bool:
    """Whether clause and question together name a part of which the clause itself has a word."""
    if not claim.leans or not (_heft(clause.words & stated.words) or claim.answer):
        return False
    return matcher.shares(clause.words | claim.question.words, stated.words)


def _detail(claim: Claim, part: str) -> Finding:
    """An answer that is a detail alone: how long, which side, what it feels like."""
    stated, said = _part(part), Statement.of(claim.said)
    if not claim.leans:
        return OPEN
    true, told = _spans(termed(part)), _spans(claim.said)
    if true and told and _asks_onset(claim.asked):
        return _same(bool(true & told), f"time of {part}")
    if stated.other_side(said) or _timeless(said).opposes(_timeless(stated)):
        return Finding("contradict", f"other detail than {part}")
    return OPEN


def _asks_onset(asked: str) -> bool:
    """Whether a question asks how long the complaint has lasted, and not how long something else has."""
    others = (*HABITS, "medication", "occupation", "living_situation", "marital_status", "allergies", "family_medical_history")
    return _ONSET.search(asked) is not None and not any(asks_for(asked, item) for item in others)


def _timeless(statement: Statement) -> Statement:
    """The statement without times of the day, which are no opposites of a complaint."""
    return structs.replace(statement, words=statement.words - _HOURS)


def _spans(text: str) -> frozenset[float]:
    """The durations in a text, in days."""
    spans = {round(float(number) * _DAYS[unit], 2) for number, unit in _SPAN.findall(text)}
    return frozenset(spans | {days for word, days in _RECENT.items() if word in text})


def _against_nothing(claim: Claim, item: str, value: str) -> Finding:
    """How a claim relates to an item of which there is nothing."""
    if not claim.about(item):
        return OPEN
    if claim.denies:
        return Finding("entail", f"denies, as {value}") if _general(claim, item) else OPEN
    if item in ILLNESSES and not medical(claim.said) and claim.answer != "yes":
        return OPEN
    if claim.answer == "yes" or claim.leans or claim.names(item) or _heft(claim.words) >= 1:
        return Finding("contradict", f"affirms against {value}")
    return OPEN


def _generally(claim: Claim, item: str, value: str) -> Finding:
    """A denial of everything that an item holds."""
    if item in COMPLAINTS or item in ("diagnosis", "disposition") or not claim.about(item):
        return OPEN
    if claim.denies and _general(claim, item):
        return Finding("contradict", f"denies all against {value}")
    return OPEN


def _general(claim: Claim, item: str) -> bool:
    """Whether a denial is about the item as a whole and not about one thing that was asked for."""
    asked = claim.words or claim.question.words
    return _heft(asked - _generic(item)) < 1


@cache
def _generic(item: str) -> frozenset[str]:
    from adjudge.suites.patient.fields import default_fields

    field = default_fields().get(item)
    return Statement.of(" ".join(termed(word) for word in field.topics)).words if field else frozenset()


def _several(claim: Claim) -> bool:
    """Whether the doctor asked for one of several things, so that yes does not say which."""
    return re.search(r"\bor\b", claim.asked) is not None


@lru_cache(maxsize=10_000)
def _part(part: str) -> Statement:
    return taken_apart(termed(part))


@cache
def _called(text: str) -> frozenset[str]:
    """The medicines that are called as something in the text is."""
    names = [name for called, some in words()["classes"].items() if called in text for name in some]
    return Statement.of(" ".join(map(termed, names))).words


def _heft(some: Iterable[str]) -> float:
    third, nothing = _weak()
    return sum(0.0 if word in nothing else 1 / 3 if word in third else 1.0 for word in some)


@cache
def _sites() -> frozenset[str]:
    return Statement.of(" ".join(words()["sites"]["words"])).words


@cache
def _weak() -> tuple[frozenset[str], frozenset[str]]:
    weak = words()["weak"]
    return Statement.of(" ".join(weak["third"])).words, Statement.of(" ".join(weak["nothing"])).words


def _turned(finding: Finding) -> Finding:
    turn: dict[Relation, Relation] = {"entail": "contradict", "contradict": "entail", "neutral": "neutral"}
    return Finding(turn[finding.relation], finding.why)


def _same(right: bool, why: str) -> Finding:
    return Finding("entail" if right else "contradict", why)


def _listing(some: Iterable[object]) -> str:
    return ", ".join(sorted(f"{one:g}" if isinstance(one, float) else str(one) for one in some))


def _first_number(text: str) -> float | None:
    found = _NUMBER.search(termed(text))
    return float(found[0]) if found else None


@cache
def _nothing() -> re.Pattern[str]:
    return phrases(words()["nothing"]["values"])


@cache
def _any_of(table: str, row: str) -> re.Pattern[str]:
    return _any(tuple(words()[table][row]))


@cache
def _any(some: tuple[str, ...]) -> re.Pattern[str]:
    return phrases({termed(word) for word in some} | set(some))
