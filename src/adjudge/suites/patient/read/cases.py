"""Cases for simulated patients, which have a profile and no conversation: OSCE examinations and NEJM's cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.english.negation import NEGATION
from adjudge.english.normalise import plain_speech
from adjudge.english.sentences import sentences
from adjudge.read.decode import decode
from adjudge.suites.patient.lexicon.fields import is_recorded
from adjudge.suites.patient.read.drafts import ConsultationDraft, as_text, line_of

CASE = "OSCE_Examination"

Text = str | int | float | bool | list[Any] | dict[str, Any] | None

# "35-year-old", "8 months old".
_AGE = re.compile(r"(?<!\d)(\d{1,3})[- ]?(year|month|week|day|hour)s?[- ]?old", re.IGNORECASE)
# The word for the gender in "a 35-year-old woman".
_GENDERS = {
    "female": re.compile(r"\b(?:female|woman|girl|lady)\b", re.IGNORECASE),
    "male": re.compile(r"\b(?:male|man|boy|gentleman)\b", re.IGNORECASE),
}
# "A newborn boy" has no number for its age.
_NEWBORN = re.compile(r"\bnewborn\b", re.IGNORECASE)
# "Denies fever", "The patient has not had a rash", "You've never smoked", "On review, there's no cough".
# "Nothing makes it better" is a finding.
_NEGATIVE = re.compile(
    r"(?:on review,? )?(?:(?:the )?(?:patient|mother|father|parents?|baby|he|she|they|you|there)(?:'s)? )?"
    r"(?:(?:has|have|had|does|did|do|is|was|are|were) )?(?:also |currently )?"
    rf"(?:(?!nothing|nobody){NEGATION}|(?:den(?:y|ies|ied)|negative for)\b)"
)
# Where a sentence changes between present findings and denied ones: "minor pain but denies fever".
_TURNS = re.compile(rf";\s|,?\s(?:but|and)\s(?=denies\b|{NEGATION})|,\s(?=(?:denies|reports?)\b)", re.I)
# The points of a list in running text: " - You have a cough.", " 2. **Fever**: You feel hot."
_POINT = re.compile(r"(?:^|\s)(?:-|\d{1,2}\.)\s+(?=\*\*|[A-Z])")
# The title of a point, "**Symptoms**:", and the words before the facts: "For your role as a patient, you need to
# convey the following symptoms:".
_BEFORE_FACTS = re.compile(
    r"\*\*[^*]{1,80}\*\*:?\s*"
    r"|\A(?:for your role )?as a patient(?: actor)?,\s*(?:(?:here's|you need to)[^:]{0,120}:)?\s*"
    r"|\Ahere's[^:]{0,120}:\s*",
    re.I,
)
# Orders to the actor, which are no facts about the patient: "Remember, you are not aware of your diagnosis."
_ORDER = re.compile(rf"\Aremember\b|(?:{NEGATION}|\bun) ?(?:aware of|know)\b", re.I)
# "You are a 28-year-old woman."
_YOU_ARE = re.compile(r"\Ayou(?: are|'re) an? ", re.I)


class Examination(Struct, frozen=True):
    """The instructions to the patient, and the diagnosis that the doctor should find."""

    Patient_Actor: dict[str, Any] = {}
    Correct_Diagnosis: Text = None


class ClinicalCase(Struct, frozen=True):
    """One line of a file of cases; the doctor's instructions and the test results are not read."""

    OSCE_Examination: Examination


class PictureCase(Struct, frozen=True):
    """One line of AgentClinic's NEJM file: what the actor is told, and answers of which the right one is marked."""

    patient_info: str
    answers: tuple[dict[str, Any], ...]


CASES = msgspec.json.Decoder(ClinicalCase)
PICTURE_CASES = msgspec.json.Decoder(PictureCase)


def is_case(raw: Mapping[str, Any]) -> bool:
    """Whether a row is a case: a profile without a conversation, in one of AgentClinic's formats."""
    return CASE in raw or (isinstance(raw.get("patient_info"), str) and isinstance(raw.get("answers"), list))


def read_case(where: str, row: bytes, raw: Mapping[str, Any]) -> ConsultationDraft:
    """A case as a record without a conversation."""
    return ConsultationDraft(id=case_id(where), profile=case_profile(where, row, raw))


def case_id(where: str) -> str:
    """The id of a case, made from its line because cases have no id of their own."""
    return f"case-{line_of(where)}"


def case_profile(where: str, row: bytes, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The profile of a case's patient, with the diagnosis that the patient does not know."""
    return _examination(where, row) if CASE in raw else _picture_case(where, row)


def _examination(where: str, row: bytes) -> dict[str, Any]:
    examination = decode(where, row, CASES).OSCE_Examination
    actor = dict(examination.Patient_Actor)
    symptoms = actor.pop("Symptoms", None)
    primary, secondary = _symptoms(symptoms) if isinstance(symptoms, dict) else (None, _texts(symptoms))
    present, absent = _present_and_absent([*secondary, *_texts(actor.pop("Review_of_Systems", None))])
    return {
        **demographics(str(actor.pop("Demographics", "") or "")),
        "chief_complaint": primary,
        "present_illness_positive": [actor.pop("History", None), primary, *present],
        "present_illness_negative": absent,
        **actor,
        "diagnosis": examination.Correct_Diagnosis,
    }


def _picture_case(where: str, row: bytes) -> dict[str, Any]:
    case = decode(where, row, PICTURE_CASES)
    right = [answer.get("text") for answer in case.answers if str(answer.get("correct")).lower() == "true"]
    return {**profile_in_prose(case.patient_info), "diagnosis": right}


def profile_in_prose(text: str) -> dict[str, Any]:
    """The profile in a text that tells an actor whom to play; orders to the actor are left out.

    >>> profile_in_prose("You are a 28-year-old woman. You have a dry cough. You have never smoked. Remember to cough.")
    ... # doctest: +NORMALIZE_WHITESPACE
    {'age': '28', 'gender': 'female', 'present_illness_positive': ['You have a dry cough.'],
     'present_illness_negative': ['You have never smoked.']}
    """
    facts = [fact for fact in _facts(text) if not _ORDER.search(fact)]
    about = [demographics(_YOU_ARE.sub("", fact)) for fact in facts]
    known = next((items for items in about if "age" in items), {})
    others = [fact for fact, items in zip(facts, about, strict=True) if not items or "demographics" in items]
    present, absent = _present_and_absent(others)
    items = {name: value for name, value in known.items() if name != "demographics"}
    return {**items, "present_illness_positive": present, "present_illness_negative": absent}


def _facts(text: str) -> Iterator[str]:
    """The sentences of a text and of the points of its lists, without titles."""
    for point in _POINT.split(text.replace("\u2019", "'")):
        yield from sentences(_BEFORE_FACTS.sub("", point.strip()).strip())


def _present_and_absent(findings: Iterable[str]) -> tuple[list[str], list[str]]:
    """The findings that the patient has, and those that it does not have."""
    parts = [
        part.strip()
        for finding in findings
        for sentence in sentences(finding)
        for part in _TURNS.split(sentence)
        if part.strip()
    ]
    return [part for part in parts if not _is_negative(part)], [part for part in parts if _is_negative(part)]


def _is_negative(finding: str) -> bool:
    return _NEGATIVE.match(plain_speech(finding)) is not None


def _texts(value: Any) -> list[str]:
    """The texts in a value of JSON, at any depth."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    text = as_text(value)
    return [text] if is_recorded(text) else []


def demographics(text: str) -> dict[str, str]:
    """Age and gender from words such as "35-year-old female"; also the text itself if it says more than these.

    >>> demographics("35-year-old female"), demographics("8-month-old boy")
    ({'age': '35', 'gender': 'female'}, {'age': '8 months', 'gender': 'male'})
    """
    items: dict[str, str] = {}
    rest = text
    if age := _AGE.search(text):
        items["age"] = _age(int(age[1]), age[2].lower())
        rest = rest.replace(age[0], "")
    elif _NEWBORN.search(text):
        items["age"] = "newborn"
    for gender, words in _GENDERS.items():
        if words.search(text):
            items["gender"] = gender
            rest = words.sub("", rest)
    return {**items, "demographics": text} if re.search(r"\w", _NEWBORN.sub("", rest)) else items


def _age(number: int, unit: str) -> str:
    return str(number) if unit == "year" else f"{number} {unit}{'s'[: number != 1]}"


def _symptoms(symptoms: dict[str, Any]) -> tuple[Any, list[str]]:
    """The primary symptom, and all others."""
    rest = dict(symptoms)
    return rest.pop("Primary_Symptom", None), _texts(rest)
