"""Whether the patient is more exact than its persona would be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import plain_speech as plain
from adjudge.english.tokens import bare_words as words
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.lexicon import table_of, words_of
from adjudge.suites.patient.lexicon.fields import group_of
from adjudge.suites.patient.lexicon.phrases import last_question, pattern
from adjudge.suites.patient.rules.amounts import PERIODS, amounts
from adjudge.suites.patient.rules.checks import quality
from adjudge.suites.patient.rules.numbers import NUMBER, digits
from adjudge.suites.patient.rules.personas import Expectation, expectations

# Shorter words that begin an entry are rarely names of medicines.
SHORTEST_NAME = 5
# "500 mg", "12.5 milligrams", "a gram".
_DOSE = re.compile(
    rf"(?<![\d.])(?:{NUMBER}|\ban?)\s?(mgs?|mcgs?|ug|g|ml|iu|meq|units?|milligram(?:me)?s?|microgram(?:me)?s?"
    r"|grams?|millilit(?:er|re)s?|milliequivalents?)\b"
)
_UNITS = {"milliliter": "ml", "millilitre": "ml", "iu": "unit", "milliequivalent": "meq"}
# How many milligrams a unit of weight has: 1 g and 1000 mg are one dose.
_MILLIGRAMS = {"mg": 1.0, "milligram": 1.0, "mcg": 1e-3, "ug": 1e-3, "microgram": 1e-3, "g": 1e3, "gram": 1e3}
# Decimals in words: "twelve point five", "point four".
_POINT = re.compile(r"(?:\b(\d+) |\b)point (\d+)\b")
# "half a gram".
_HALF = re.compile(r"\bhalf a (?=gram|milligram)")
# The separators of a list of medicines: "metformin; aspirin (81 mg) and insulin".
_ENTRIES = re.compile(r"[;,/+()\[\]]|\b(?:and|plus|with)\b")
# A dose before the name: "takes 500 mg of [metformin]".
_LEADING_DOSE = re.compile(
    r"^\s*(?:takes?|taking|on|uses?)?\s*(?:\d[\d.,]*\s?(?:mg|mcg|ug|g|ml|iu|units?)\b)?(?:\s*of\b)?"
)
# "amlodipine [5 mg]", "aspirin [for the heart]".
_NAME_ENDS = re.compile(
    r"\d|\b(?:for|as|when|if|because|due|against|to|after|before|since|until|by|in|at|from|once|twice|per|only|not|was|is)\b"
)
# "in 1998"; not "2000 steps".
_YEAR = re.compile(r"\b(?:19|20)\d\d\b(?! (?:degrees|steps|calories|dollars|people))")
# The last two digits of a year: "back in ninety-nine", "since '05", "the summer of 87", "in oh-five".
_SHORT_YEAR = re.compile(
    r"(?:\b(?:in|since|until|from|of|back in|year|early|late|around|by|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|spring|summer|fall|autumn|winter)[ ,]+|(?='))'?(\d\d)\b"
    r"(?![.,:]\d)(?=[.,;!)]|$| (?:and|when|after|because|with|at|i|they|we|he|she|my|the|it|was|so|but|or|as|that|for"
    r"|in|before|just|to)\b)"
    r"(?! or | to \d| and \d)"
)
# Two digits from this number on mean a year of the last century.
_CENTURY = 40
# "around 1998" is no exact year.
_NEARLY = re.compile(r"\b(?:around|about|roughly|circa|sometime|some time|or so|give or take|early|late)\b")
# A number that answers a question, alone or by the day: "Twenty, and I enjoy them", "I smoke thirty a day".
_ANSWER = re.compile(
    r"^(?:(?:oh|well|um|uh|just|only|exactly|it is|about|yes|yeah|still|always|i take|i smoke|i drink|i have|i have had"
    r"|i had|i do|the|around)[,.]? )*(\d+(?:\.\d+)?)(?=[.,;!]|$| (?:and|but|or so|of them|of those|in all|altogether|i"
    r"|in the|before|at|every|each|a|per|once|twice|with|daily)\b)"
)
# "a day", "every single night", "weekly".
_EACH = (
    r"(?:an?|per|each|every|the)[ ](?:single )?(?P<period>day|night|evening|week|month)\b"
    r"|(?P<often>daily|nightly|weekly|monthly)\b"
)
# "30 a day", "6 of them every night".
_BY_THE_DAY = re.compile(rf"(?<![\d.])(?P<number>\d+(?:\.\d+)?)(?: of (?:them|those|these))? (?:{_EACH})")
# "What dose is it?", "How many milligrams?"
_ASKS_DOSE = re.compile(
    r"\bdos(?:e|es|age)\b|\bhow (?:strong|many (?:milligrams|mg|units|micrograms))\b|\bstrength\b"
    r"|how much (?:insulin|of (?:it|that))"
)
# "When was that?", "Which year?"
_ASKS_YEAR = re.compile(r"\bwhen\b|\b(?:what|which) year\b")
# "It was ninety-eight."
_ANSWER_YEAR = re.compile(
    r"^(?:(?:oh|well|um|uh|it was|that was|they were|the year|that is)[,.]? )*'?(0\d|1[3-9]|[2-9]\d)(?=[.,;!]|$)"
)
# "How many a day?"
_ASKS_NUMBER = re.compile(r"\bhow (?:many|much|often)\b|\bnumber of\b")
# Numbers that are asked for and are none of drinks, drugs, smokes and partners.
_NOT_OF_HABITS = re.compile(
    r"\bhow many years\b|\bhow (?:old|long)\b|\b(?:first|start|quit|stop)\b|hours|stairs|kids|children|water|coffee"
    r"|sleep|work"
)
# Words by which a question or an answer is about an item.
_TOPICS: Mapping[str, re.Pattern[str]] = {
    "tobacco": re.compile(r"smok|cigar|tobacco|\bpacks?\b|vap"),
    "alcohol": re.compile(r"drink|drunk|alcohol|beer|wine|liquor|vodka|whisk|spirits|booze|glasses|bottles"),
    "illicit_drug": re.compile(r"drug|joint|weed|cannabis|marijuana|cocaine|heroin|pot\b|lines|\buse\b|inject"),
    "sexual_history": re.compile(r"partner|sex|slept with|people|men\b|women\b"),
}


@metric(
    "Precision",
    formula=(
        "profile items about which the patient states an exact detail that its persona would not / profile items with "
        "such a detail"
    ),
    unit="profile item",
    better="lower",
    probes=("role-play",),
    predicts=("a conversation", "a profile", "a persona"),
    source="our own; what a persona blurs is in its table of expectations",
    departs=quality("unexpected_precision"),
    version=2,
    english=True,
)
def unexpected_precision(visit: Consultation) -> Iterator[Mark]:
    """Does the patient state details that its persona should not remember?

    There is one mark for each profile item that the persona is expected to blur and that has an exact detail: names of
    medicines (by substance or brand) and doses with low recall, years of earlier illnesses, amounts with a pleasing
    personality. A bare number counts if it answers the question for that detail ("How many a day?", "Twenty."). Only
    the detail of the profile counts; questions, guesses, and what the doctor said first do not. Household names
    (aspirin, ibuprofen, insulin) may be remembered. Undefined for personas that blur no such detail.
    """
    for expectation in expectations(visit.persona) if visit.replies else ():
        for item in expectation.items:
            exact = _details(expectation, visit.profile.get(item, ""))
            if exact:
                yield _mark(visit, expectation, item, exact)


def names(value: str) -> set[str]:
    """The names of medicines in a profile's value: the start of each entry, before its dose and its purpose.

    >>> sorted(names("amlodipine 5 mg once daily; 1 g acetaminophen as needed for the knees; blood thinner (Coumadin)"))
    ['acetaminophen', 'amlodipine', 'warfarin']
    """
    entries = (_LEADING_DOSE.sub("", entry) for entry in _ENTRIES.split(value.lower()))
    return {word for entry in entries for word in long_words(_NAME_ENDS.split(entry, maxsplit=1)[0])}


def long_words(text: str) -> set[str]:
    """The words that may name a medicine, brands by their substance: five letters or more, and no plain words."""
    brands: Mapping[str, str] = table_of("phrases")["brands"]
    candidates = {word for word in words(text) if word in brands or (len(word) >= SHORTEST_NAME and word.isalpha())}
    return {brands.get(word, word) for word in candidates - words_of("phrases", "plain_drug_words")}


def doses(text: str) -> set[str]:
    """The doses in a text, in one spelling: "500 milligrams", "500mg" and "half a gram" are the same."""
    plain_text = _POINT.sub(lambda match: f"{match[1] or 0}.{match[2]}", digits(text))
    return {_dose(number, unit) for number, unit in _DOSE.findall(_HALF.sub("0.5 ", plain_text))}


def dates(text: str) -> set[str]:
    """The years in a text, including those given by their last two digits."""
    plain_text = digits(text)
    short = (int(digits_of_year) for digits_of_year in _SHORT_YEAR.findall(plain_text))
    return set(_YEAR.findall(plain_text)) | {str(year + (1900 if year >= _CENTURY else 2000)) for year in short}


def quantities(text: str) -> set[str]:
    """The amounts in a text, such as "6 beer a day"; "a beer" without a period does not count."""
    return {f"{number} {of}" for number, of in amounts(text) if number != "1" or " a " in of}


DETAILS: Mapping[str, Callable[[str], set[str]]] = {
    "names": long_words,
    "doses": doses,
    "dates": dates,
    "amounts": quantities,
}


def _details(expectation: Expectation, value: str) -> dict[str, set[str]]:
    """The exact details of each kind that a profile's value holds."""
    by_kind = {kind: names(value) if kind == "names" else DETAILS[kind](value) for kind in expectation.details}
    return {kind: exact for kind, exact in by_kind.items() if exact}


def _mark(visit: Consultation, expectation: Expectation, item: str, exact: dict[str, set[str]]) -> Mark:
    heard: set[str] = set()
    for reply in visit.replies:
        heard |= {detail for text in reply.heard for detail in _details_heard(text, exact)}
        for sentence in reply.sentences:
            details = (_details_in(sentence.text, exact) | _details_answered(sentence, item, exact)) - heard
            if details and not _unsure(sentence.text, exact):
                told_of = f"says {', '.join(sorted(details))} exactly ({sentence.text!r})"
                why = f"{told_of}; with this persona the patient {expectation.allows}"
                return Mark(1.0, item, reply.turn, why, group_of(item))
    return Mark(0.0, item, why=f"no exact {' or '.join(exact)} said", group=group_of(item))


def _details_in(text: str, exact: dict[str, set[str]]) -> set[str]:
    """The exact details in a text."""
    return {detail for kind, details in exact.items() for detail in details & DETAILS[kind](text)}


def _details_heard(text: str, exact: dict[str, set[str]]) -> set[str]:
    """The exact details that a doctor names; an amount also counts without its period or its noun."""
    untimed = {f"{number} {of}".partition(" a ")[0] for number, of in amounts(text)}
    by_the_day = {often["number"] for often in _BY_THE_DAY.finditer(digits(text))}
    amounts_told = {
        amount
        for amount in exact.get("amounts", ())
        if amount.partition(" a ")[0] in untimed or _number(amount) in by_the_day
    }
    return _details_in(text, exact) | amounts_told


def _details_answered(sentence: Sentence, item: str, exact: dict[str, set[str]]) -> set[str]:
    """The exact details that a sentence gives as a bare number, because the question or a verb says what it counts."""
    asked, reply = last_question(sentence.asked), digits(sentence.text)
    bare = _bare_number(reply) if _ASKS_DOSE.search(asked) else ""
    year = _ANSWER_YEAR.search(reply) if _ASKS_YEAR.search(asked) else None
    details = {detail for detail in exact.get("doses", ()) if bare and _number(detail) == bare}
    details |= {detail for detail in exact.get("dates", ()) if year and detail.endswith(year[1])}
    topic = _TOPICS.get(item)
    if topic is None or _NOT_OF_HABITS.search(asked):
        return details
    return details | _answered_amounts(asked, reply, topic, exact.get("amounts", set()))


def _answered_amounts(asked: str, reply: str, topic: re.Pattern[str], exact: set[str]) -> set[str]:
    """The exact amounts that answer the question "how many", or that come with a period only: "30 a day"."""
    asks = topic.search(asked) and _ASKS_NUMBER.search(asked)
    bare, asked_period = _bare_number(reply) if asks else "", _period(re.search(_EACH, asked))
    by_the_day = _BY_THE_DAY.finditer(reply) if topic.search(f"{asked} {reply}") else ()
    timed = {(often["number"], _period(often)) for often in by_the_day}
    return {
        amount
        for amount in exact
        if _answers(amount, bare, asked_period) or (_number(amount), _period_of(amount)) in timed
    }


def _answers(amount: str, bare: str, asked_period: str) -> bool:
    """Whether a bare number is this amount; if both question and amount have a period, it must be the same."""
    return _number(amount) == bare and (not asked_period or _period_of(amount) in ("", asked_period))


def _bare_number(reply: str) -> str:
    match = _ANSWER.search(reply)
    return match[1] if match else ""


def _period(match: re.Match[str] | None) -> str:
    """The day, week or month of a match; "" without one."""
    word = (match["period"] or match["often"]) if match else ""
    return PERIODS.get(word, word)


def _period_of(amount: str) -> str:
    of = amount.partition(" ")[2]
    return of.rpartition(" a ")[2] if " a " in of else ""


def _unsure(sentence: str, exact: dict[str, set[str]]) -> bool:
    plain_text = plain(sentence)
    if plain_text.endswith("?") or pattern("unsure").search(plain_text):
        return True
    return "dates" in exact and _NEARLY.search(plain_text) is not None


def _dose(number: str, unit: str) -> str:
    """A dose in one spelling; without a number it is one, as in "a gram"."""
    many = float(number or 1)
    name = unit.replace("gramme", "gram")
    name = name if name in ("g", "ug") else name.rstrip("s")
    return f"{many * _MILLIGRAMS[name]:g} mg" if name in _MILLIGRAMS else f"{many:g} {_UNITS.get(name, name)}"


def _number(detail: str) -> str:
    """The number that a dose or an amount begins with."""
    return detail.partition(" ")[0]
