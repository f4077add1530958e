"""Cases of an examination (OSCE) for simulated patients, which have a profile and no conversation."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.read.decode import decode
from adjudge.suites.patient.read.drafts import Draft, line_of

CASE = "OSCE_Examination"

Text = str | int | float | bool | list[Any] | dict[str, Any] | None

# "35-year-old", "8 months old".
_AGE = re.compile(r"(?<!\d)(\d{1,3})[- ]?(year|month|week|day|hour)s?[- ]?old", re.IGNORECASE)
# The word for the gender in "a 35-year-old woman".
_GENDERS = {
    "female": re.compile(r"\b(?:female|woman|girl|lady)\b", re.IGNORECASE),
    "male": re.compile(r"\b(?:male|man|boy|gentleman)\b", re.IGNORECASE),
}
_NEWBORN = re.compile(r"\bnewborn\b", re.IGNORECASE)


class Examination(Struct, frozen=True):
    """The instructions to the patient, and the diagnosis that the doctor should find."""

    Patient_Actor: dict[str, Any] = {}
    Correct_Diagnosis: Text = None


class Case(Struct, frozen=True):
    """One line of a file of cases; the doctor's instructions and the test results are not read."""

    OSCE_Examination: Examination


CASES = msgspec.json.Decoder(Case)


def read_case(where: str, row: bytes) -> Draft:
    """A case as a record without a conversation."""
    return Draft(id=case_id(where), profile=case_profile(where, row))


def case_id(where: str) -> str:
    """The id of a case, made from its line because cases have no id of their own."""
    return f"case-{line_of(where)}"


def case_profile(where: str, row: bytes) -> dict[str, Any]:
    """The profile of a case's patient, with the diagnosis that the patient does not know."""
    examination = decode(where, row, CASES).OSCE_Examination
    actor = dict(examination.Patient_Actor)
    symptoms = actor.pop("Symptoms", None)
    primary, secondary = _symptoms(symptoms) if isinstance(symptoms, dict) else (None, symptoms)
    return {
        **demographics(str(actor.pop("Demographics", "") or "")),
        "chief_complaint": primary,
        "present_illness_positive": [actor.pop("History", None), primary, secondary],
        **actor,
        "diagnosis": examination.Correct_Diagnosis,
    }


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


def _symptoms(symptoms: dict[str, Any]) -> tuple[Any, Any]:
    """The primary symptom, and all others."""
    rest = dict(symptoms)
    return rest.pop("Primary_Symptom", None), list(rest.values())
