"""Speakers, personas and cases as published simulators and data sets write them."""

from __future__ import annotations

from typing import Any

import pytest
from test_patient_read import Clinic, chat, clinic, dialogue, own

from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.metrics.dimensions import dimensions_of
from adjudge.suites.patient.read.cases import profile_in_prose

__all__ = ["clinic"]

# Who speaks.


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Therapist: Hello.\nClient: Hi.\n", ["doctor", "patient"]),
        ("D: Hello.\nP: Hi.\nD: And?\nP: It hurts.\n", ["doctor", "patient", "doctor", "patient"]),
        ("Doctor_1: Hello.\nPatient: Hi.\nDoctor 2: Hello.\n", ["doctor", "patient", "doctor"]),
        ("Doctor: Hello.\nGuest_family: He coughs.\n", ["doctor", "guest_family"]),
        ("Doctor: Hello.\nPatient: My list:\nPulse: 80\nPulse: 90\n", ["doctor", "patient"]),
        ("Doctor: Hi.\nJane Roe: Hi.\nDoctor: Well?\nJane Roe: I cough.\n", ["doctor", "jane_roe"] * 2),
        ("Doctor: Hi.\nPatient: Hi.\nSpouse_2: He coughs.\n", ["doctor", "patient", "spouse_2"]),
    ],
)
def test_labels_at_the_start_of_a_line_are_speakers(clinic: Clinic, text: str, speakers: list[str]) -> None:
    assert [turn.speaker for turn in clinic.of(text).only.turns] == speakers


def test_named_patient_and_named_doctor_are_told_apart(clinic: Clinic) -> None:
    text = "Ann: Hello.\nBob: Hi.\nAnn: What is it?\nBob: I cough.\n"
    record = clinic.of(text, patient="Bob").only
    assert [turn.speaker for turn in record.turns] == ["ann", "patient", "ann", "patient"]


@pytest.mark.parametrize(
    ("roles", "hint"),
    [
        (("therapist", "nurse", "sufferer"), "such as --patient sufferer\n"),
        (("Anna Roe", "Bob"), "such as --patient 'anna roe' or --patient bob\n"),
        (("user", "assistant"), "such as --patient assistant\n"),
    ],
)
def test_hint_names_who_may_be_the_patient(clinic: Clinic, roles: tuple[str, ...], hint: str) -> None:
    assert hint in clinic.refused(clinic.write("chat.jsonl", (chat(*roles),)))


def test_therapist_is_the_doctor_where_there_is_none(clinic: Clinic) -> None:
    assert [turn.speaker for turn in clinic.of(chat("therapist", "client")).only.turns] == ["doctor", "patient"]
    trio = clinic.of(chat("doctor", "therapist", "patient")).only
    assert [turn.speaker for turn in trio.turns] == ["doctor", "therapist", "patient"]


# PatientSim's profiles.

PATIENTSIM = {
    "hadm_id": 20001,
    "age": "58",
    "split": "persona",
    "cefr": "B",
    "personality": "distrust",
    "recall_level": "low",
    "dazed_level": "moderate",
    "cefr_A1": "go, come, eat",
    "cefr_C2": "abate",
    "cefr_B": "arrange",
    "med_A": "pain",
    "med_C": "dyspnoea",
}


def test_word_lists_are_no_profile_items_and_traits_are_the_persona(clinic: Clinic) -> None:
    beside = clinic.write("patient_profile.json", [PATIENTSIM])
    bare = {name: value for name, value in dialogue().items() if not name.endswith("_type")}
    seen = clinic.read(clinic.write("one.jsonl", (bare,)), profiles=str(beside))
    assert seen.only.profile == {"age": "58", "diagnosis": "Pneumonia"}
    assert seen.only.persona == Persona("distrustful", "B", "low", "moderate")
    assert seen.only.facets["confusion"] == "moderate"
    inside = clinic.of(chat("doctor", "patient", patient_profile={"age": 3, "med_A": "pain", "cefr_B2": "go"})).only
    assert inside.profile == {"age": "3"}


def test_own_persona_comes_first(clinic: Clinic) -> None:
    beside = clinic.write("profiles.json", {"v1": {"age": 3, "persona": {"recall": "high"}}})
    record = clinic.of(own(persona={"recall": "low"}), profiles=str(beside)).only
    assert record.persona == Persona(recall="low")


def test_moderate_is_a_level_of_confusion(clinic: Clinic) -> None:
    persona = {"personality": "plain", "language": "B", "recall": "low", "confusion": "Moderate"}
    record = clinic.of(own(persona=persona)).only
    assert record.persona.confusion == "moderate"
    assert {"personality", "confusion_consistency"} <= set(dimensions_of(record))
    high = clinic.of(own(persona={**persona, "confusion": "high"})).only
    assert "personality" not in dimensions_of(high)
    normal = clinic.of(own(persona={**persona, "confusion": "normal"})).only
    assert "confusion_consistency" not in dimensions_of(normal)


# AgentClinic's cases.


def nejm(text: str, **changes: Any) -> dict[str, Any]:
    """A line of AgentClinic's NEJM files."""
    answers = [{"text": "Eczema", "correct": False}, {"text": "Ochronosis", "correct": True}]
    return {
        "image_url": "x",
        "question": "?",
        "physical_exams": "A biopsy.",
        "answers": answers,
        "patient_info": text,
        **changes,
    }


def test_case_told_in_one_text_becomes_a_profile(clinic: Clinic) -> None:
    text = (
        "For your role as a patient, here's what you need to know: - You are a 43-year-old woman. - **Skin**: For 8 "
        "years, you\u2019ve had brown spots. - You haven't had any fevers or rashes. - You've never smoked. Remember, "
        "you are not aware of your diagnosis."
    )
    record = clinic.of(nejm(text)).only
    assert (record.id, record.turns) == ("case-1", ())
    assert record.profile == {
        "age": "43",
        "gender": "female",
        "present_illness_positive": "For 8 years, you've had brown spots.",
        "present_illness_negative": "You haven't had any fevers or rashes.; You've never smoked.",
        "diagnosis": "Ochronosis",
    }


def test_told_cases_are_profiles_for_conversations(clinic: Clinic) -> None:
    beside = clinic.write("nejm.jsonl", (nejm("You are a 9-year-old boy. Your neck is swollen."),))
    record = clinic.of(own(id="case-1", profile={}), profiles=str(beside)).only
    assert (record.profile["age"], record.profile["diagnosis"]) == ("9", "Ochronosis")


def test_chat_with_a_told_profile_is_read(clinic: Clinic) -> None:
    record = chat("doctor", "patient", patient_info="As a patient actor, you are a 53-year-old man who has a fever.")
    del record["patient_profile"]
    profile = clinic.of(record).only.profile
    assert profile == {
        "age": "53",
        "gender": "male",
        "present_illness_positive": "you are a 53-year-old man who has a fever.",
    }


def test_text_without_age_or_facts_gives_what_it_has() -> None:
    assert profile_in_prose("Remember to smile.") == {"present_illness_positive": [], "present_illness_negative": []}


@pytest.mark.parametrize("finding", ["You've never smoked.", "She hasn't had a rash.", "Neither arm is weak."])
def test_a_finding_that_begins_with_a_negation_is_negative(finding: str) -> None:
    assert profile_in_prose(finding) == {"present_illness_positive": [], "present_illness_negative": [finding]}


def test_what_nothing_helps_is_a_finding() -> None:
    assert profile_in_prose("Nothing makes it better.")["present_illness_positive"] == ["Nothing makes it better."]


def test_negative_findings_of_a_case_are_kept_apart(clinic: Clinic) -> None:
    actor = {
        "Symptoms": {"Primary_Symptom": "Ear pain", "Secondary_Symptoms": ["No fever", "Hearing loss", "Not itchy"]},
        "Review_of_Systems": {
            "General": "Denies chills. Reports fatigue.",
            "Other": "Complains of pain but denies vomiting, diarrhea, or rash.",
        },
    }
    profile = clinic.of({"OSCE_Examination": {"Patient_Actor": actor}}).only.profile
    assert profile["present_illness_positive"] == "Ear pain; Hearing loss; Reports fatigue.; Complains of pain"
    assert profile["present_illness_negative"] == (
        "No fever; Not itchy; Denies chills.; denies vomiting, diarrhea, or rash."
    )
