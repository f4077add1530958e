"""Whether the patient is more exact than its persona would be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.fields import group_of
from adjudge.suites.patient.habits import amounts
from adjudge.suites.patient.hidden import told
from adjudge.suites.patient.numbers import digits
from adjudge.suites.patient.personas import Expectation, expectations
from adjudge.suites.patient.phrases import any_word, pattern, plain, table, words

SHORTEST_NAME = 5
_DOSE = re.compile(
    r"(?<![\d.])(\d+(?:,\d{3})*(?:\.\d+)?)\s?(mg|mcg|ug|g|ml|iu|units?|milligrams?|micrograms?|grams?|millilit(?:er|re)s?)\b"
)
_UNITS = {
    "milligram": "mg",
    "microgram": "mcg",
    "ug": "mcg",
    "gram": "g",
    "milliliter": "ml",
    "millilitre": "ml",
    "iu": "unit",
}
# Where entries of a list of medicines part, and what follows a name: a dose, how it is taken, and what it is for.
_ENTRIES = re.compile(r"[;,/+()\[\]]|\b(?:and|plus|with)\b")
_LEADING_DOSE = re.compile(
    r"^\s*(?:takes?|taking|on|uses?)?\s*(?:\d[\d.,]*\s?(?:mg|mcg|ug|g|ml|iu|units?)\b)?(?:\s*of\b)?"
)
_NAME_ENDS = re.compile(
    r"\d|\b(?:for|as|when|if|because|due|against|to|after|before|since|until|by|in|at|from|once|twice|per|only|not|was|is)\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@metric(
    "Precision",
    formula="profile items of which the patient says an exact detail that its persona would not / such items",
    unit="profile item",
    better="lower",
    probes=("role-play",),
    predicts=("a conversation", "a profile", "a persona"),
    source="our own; what a persona blurs is in its table of expectations",
)
def unexpected_precision(visit: Consultation) -> Iterator[Mark]:
    """Does the patient give details that its persona should not have ready?

    One mark for each profile item that a persona is expected to blur and that holds such a detail: names of medicines
    and doses with low recall, years of earlier illnesses, amounts with a pleasing personality. It is the detail of the
    profile that counts; a question, a guess, and what the doctor said first do not. Household names (aspirin, insulin)
    may be remembered. Undefined for personas that blur no such detail.
    """
    for expectation in expectations(visit.persona) if visit.replies else ():
        for item in expectation.items:
            exact = _details(expectation, visit.profile.get(item, ""))
            if exact:
                yield _mark(visit, expectation, item, exact)


def names(value: str) -> set[str]:
    """The names of medicines in a profile's value: what begins each entry, before its dose and what it is for.

    >>> sorted(names("amlodipine 5 mg once daily; 1 g acetaminophen as needed for the knees; blood thinner (Coumadin)"))
    ['acetaminophen', 'amlodipine', 'coumadin']
    """
    entries = (_LEADING_DOSE.sub("", entry) for entry in _ENTRIES.split(value.lower()))
    found = {word for entry in entries for word in long_words(_NAME_ENDS.split(entry, maxsplit=1)[0])}
    return {word for word in found if not any(any_word(kind).fullmatch(word) for kind in ("body", "symptoms"))}


def long_words(text: str) -> set[str]:
    """The words of five letters or more that are no plain words, so that they may name a medicine."""
    return {word for word in words(text) if len(word) >= SHORTEST_NAME and word.isalpha()} - set(
        table()["plain_drug_words"]
    )


def doses(text: str) -> set[str]:
    """The doses in a text, in one spelling: "500 milligrams" and "500mg" are the same."""
    return {f"{number.replace(',', '')} {_unit(unit)}" for number, unit in _DOSE.findall(digits(text))}


def dates(text: str) -> set[str]:
    """The years in a text."""
    return set(_YEAR.findall(digits(text)))


def quantities(text: str) -> set[str]:
    """The amounts in a text, such as "6 beer a day"; a lone "a beer" is none."""
    found = {(f"{span.low:g}", of) for of, span in amounts(text) if span.low == span.high}
    return {f"{number} {of}" for number, of in found if number != "1" or " a " in of}


DETAILS: Mapping[str, Callable[[str], set[str]]] = {
    "names": long_words,
    "doses": doses,
    "dates": dates,
    "amounts": quantities,
}


def _details(expectation: Expectation, value: str) -> dict[str, set[str]]:
    """The exact details of each kind that a profile's value holds."""
    found = {kind: names(value) if kind == "names" else DETAILS[kind](value) for kind in expectation.details}
    return {kind: exact for kind, exact in found.items() if exact}


def _mark(visit: Consultation, expectation: Expectation, item: str, exact: dict[str, set[str]]) -> Mark:
    heard: set[str] = set()
    for reply, since in told(visit):
        heard |= {detail for text in since for detail in _said(text, exact)}
        for sentence in reply.sentences:
            said = _said(sentence.text, exact) - heard
            if said and not _unsure(sentence.text):
                told_of = f"says {', '.join(sorted(said))} exactly ({sentence.text!r})"
                why = f"{told_of}; with this persona the patient {expectation.allows}"
                return Mark(1.0, item, reply.turn, why, group_of(item))
    return Mark(0.0, item, why=f"no exact {' or '.join(exact)} said", group=group_of(item))


def _said(text: str, exact: dict[str, set[str]]) -> set[str]:
    """The exact details that a text tells."""
    return {detail for kind, details in exact.items() for detail in details & DETAILS[kind](text)}


def _unsure(sentence: str) -> bool:
    said = plain(sentence)
    return said.endswith("?") or pattern("unsure").search(said) is not None


def _unit(unit: str) -> str:
    one = unit if unit in ("mg", "ml", "mcg", "g", "ug", "iu") else unit.rstrip("s")
    return _UNITS.get(one, one)
