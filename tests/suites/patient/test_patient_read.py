"""Consultations as they are found in the wild, read as a user reads them."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from patient_visits import rows

from adjudge.core.coverage import Coverage
from adjudge.engines.local import Job, survey
from adjudge.score import Plan
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.read.cases import demographics
from adjudge.suites.patient.read.rows import OwnRow
from workspace import Workspace

DATA = Path(__file__).parents[4] / "shared" / "data" / "patient"
PRIMOCK = DATA / "primock57_CC-BY-4.0" / "primock57.jsonl.gz"
ACI = DATA / "aci_bench_CC-BY-4.0" / "valid.jsonl.gz"
CLINIC = DATA / "agentclinic_MIT" / "agentclinic_medqa.jsonl.gz"
needs_data = pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not there")


class Seen(NamedTuple):
    """The records that were read and what was said about them."""

    records: list[Consultation]
    coverage: Coverage

    @property
    def only(self) -> Consultation:
        (record,) = self.records
        return record

    @property
    def warnings(self) -> str:
        return "\n".join(self.coverage.warnings)

    @property
    def remarks(self) -> str:
        return "\n".join(remark for arm in self.coverage.arms.values() for remark in arm.remarks)


class Clinic(Workspace):
    """A folder in which consultations are written and read."""

    def read(self, *paths: Path, skip_bad: bool = False, **options: Any) -> Seen:
        """What is read from files that are fine."""
        plan = Plan(suite="patient", files=tuple(map(str, paths)), options=options, skip_bad=skip_bad)
        result = survey(Job.open(plan))
        assert result.kept is not None
        records = [record for row in result.kept for record in row if isinstance(record, Consultation)]
        return Seen(records, result.coverage)

    def of(self, record: Any, **options: Any) -> Seen:
        """What is read from one record of JSON, or from one transcript."""
        is_text = isinstance(record, str)
        return self.read(self.write("one.txt" if is_text else "one.jsonl", record if is_text else (record,)), **options)

    def refused(self, *arguments: object) -> str:
        """The message of files that cannot be used."""
        done = self.adjudge("validate", "patient", *arguments)
        assert done.code == 2, done.out[:300]
        assert "Traceback" not in done.err
        return done.err


@pytest.fixture
def clinic(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Clinic:
    monkeypatch.setenv("COLUMNS", "400")
    return Clinic(tmp_path, capsys)


TURNS = [
    {"id": "1", "speaker": "doctor", "text": "What brings you here?"},
    {"id": "2", "speaker": "patient", "text": "My chest hurts."},
]


def own(**changes: Any) -> dict[str, Any]:
    """A record of our own."""
    persona = {"personality": "impatient", "language": "B", "recall": "low", "confusion": "normal"}
    return {"id": "v1", "arm": "mine", "profile": {"age": "65"}, "persona": persona, "turns": TURNS, **changes}


def chat(*roles: str, **changes: Any) -> dict[str, Any]:
    """A chat whose messages are called after their places."""
    messages = [{"role": role, "content": f"message {place}"} for place, role in enumerate(roles)]
    return {"id": "c1", "patient_profile": {"age": 40}, "messages": messages, **changes}


def dialogue(**changes: Any) -> dict[str, Any]:
    """A line of `dialogue.jsonl`."""
    return {
        "hadm_id": 20001,
        "diagnosis": "Pneumonia",
        "cefr_type": "A",
        "personality_type": "distrust",
        "recall_level_type": "high",
        "dazed_level_type": "high",
        "dialog_history": [{"role": "Doctor", "content": "Hello."}, {"role": "Patient", "content": "Where am I?"}],
        **changes,
    }


TRANSCRIPT = """\
==============================
Simulated visit
==============================
Date: 2025-03-01 10:00

Patient Profile:
  Age: 65
  Chiefcomplaint: chest pain
  Smoking: None
  Allergies: not recorded
  Medication:
    - aspirin
    - metformin
  Medical History: high blood pressure,
    seen in the spring

Persona Configuration:
  Personality: Overly Positive
  Language Proficiency: B (intermediate)
  Recall Level: Low
  Confusion Level: Normal

------------------------------
Conversation Content:
------------------------------

[Turn 1] Doctor:
What brings you here?

[Turn 2] Patient:
My chest hurts.

But only a little.

[Turn 3] Doctor: I see.
[Turn 4] Doctor:
Goodbye.
"""


# Records of our own.


def test_our_own_record_is_read_as_it_stands(clinic: Clinic) -> None:
    record = clinic.of(own(case="k", trial=2, note="n", facets={"ward": "3"})).only
    assert (record.id, record.case, record.arm, record.trial, record.note) == ("v1", "k", "mine", 2, "n")
    assert record.profile == {"age": "65"}
    assert record.persona == Persona("impatient", "B", "low", "normal")
    assert [(turn.id, turn.speaker, turn.text) for turn in record.turns] == [
        ("1", "doctor", "What brings you here?"),
        ("2", "patient", "My chest hurts."),
    ]


def test_own_rows_have_the_fields_of_a_consultation() -> None:
    assert set(OwnRow.__struct_fields__) == set(Consultation.__struct_fields__)


def test_known_axes_of_the_persona_are_facets(clinic: Clinic) -> None:
    record = clinic.of(own(persona={"personality": "Talkative", "recall": None}, facets={"ward": "3"})).only
    assert record.facets == {"personality": "verbose", "ward": "3"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (["nuts", "latex"], "nuts; latex"),
        (7, "7"),
        (7.0, "7"),
        (0.5, "0.5"),
        (True, "yes"),
        (False, "no"),
        ({"drug": "penicillin", "since": None, "severe": True}, "drug: penicillin; severe: yes"),
        (["nuts", None, ["latex", 3]], "nuts; latex; 3"),
        (" None ", "None"),
    ],
)
def test_profile_values_of_all_kinds_become_text(clinic: Clinic, value: Any, text: str) -> None:
    assert clinic.of(own(profile={"allergies": value})).only.profile == {"allergies": text}


@pytest.mark.parametrize(
    "value", [None, "", "Not recorded", "n/a", "unknown.", [], {}, [None], "Information not provided."]
)
def test_what_was_not_recorded_is_not_in_the_profile(clinic: Clinic, value: Any) -> None:
    assert clinic.of(own(profile={"allergies": value, "age": 3})).only.profile == {"age": "3"}


def test_profile_items_go_by_our_names(clinic: Clinic) -> None:
    raw = {"chiefcomplaint": "cough", "Sex": "male", "PMH": "asthma", "Shoe size": 44}
    assert clinic.of(own(profile=raw)).only.profile == {
        "chief_complaint": "cough",
        "gender": "male",
        "medical_history": "asthma",
        "shoe_size": "44",
    }


def test_two_names_of_one_item_are_joined(clinic: Clinic) -> None:
    raw = {"smoking": "a pack a day", "tobacco": "since 1990", "tobacco_use": "a pack a day"}
    seen = clinic.of(own(profile=raw))
    assert seen.only.profile == {"tobacco": "a pack a day; since 1990"}
    assert "one.jsonl:1: profile: 'smoking' and 'tobacco' are both 'tobacco'; their values" in seen.warnings
    assert "(and 1 more like it)" in seen.warnings


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        ({"\u5e74\u9f84": "58", "\u6027\u522b": "\u7537"}, ["\u5e74\u9f84", "\u6027\u522b"]),
        ({"Gr\u00f6\u00dfe": "180", "Poids (kg)": "80"}, ["gr\u00f6sse", "poids_kg"]),
        ({"\u00c9tat civil": "x", "\u00c0ge": "y"}, ["\u00e9tat_civil", "\u00e0ge"]),
        ({"\u0915\u093e": "x", "\u0915\u0940": "y"}, ["\u0915\u093e", "\u0915\u0940"]),
        ({"class": "x", "2 shoes": "y"}, ["item_class", "item_2_shoes"]),
        ({"\uff21\uff27\uff25": "58"}, ["age"]),
        ({"e\u0301tat": "x"}, ["\u00e9tat"]),
    ],
)
def test_items_keep_their_names_in_any_script(clinic: Clinic, raw: dict[str, str], names: list[str]) -> None:
    seen = clinic.of(own(profile=raw))
    assert seen.only.profile == dict(zip(names, raw.values(), strict=True))
    assert seen.warnings == ""
    answer = msgspec.defstruct("Answer", [(name, str) for name in seen.only.profile])
    assert answer.__struct_fields__ == tuple(names)


def test_aliases_in_another_script_name_one_item_each(clinic: Clinic) -> None:
    aliases = clinic.write("aliases.toml", '"\u5e74\u9f84" = "age"\n')
    raw = {"\u5e74\u9f84": "58", "\u6027\u522b": "\u7537"}
    seen = clinic.of(own(profile=raw), aliases=str(aliases))
    assert seen.only.profile == {"age": "58", "\u6027\u522b": "\u7537"}


def test_items_in_groups_are_taken_out_of_them(clinic: Clinic) -> None:
    raw = {"present_illness": {"positive": "cough", "negative": "fever"}, "demographics": {"age": 40, "job": "baker"}}
    assert clinic.of(own(profile=raw)).only.profile == {
        "present_illness_positive": "cough",
        "present_illness_negative": "fever",
        "age": "40",
        "occupation": "baker",
    }


@pytest.mark.parametrize(
    ("raw", "expected"),
    rows("groups_are_opened_at_every_depth"),
)
def test_groups_are_opened_at_every_depth(clinic: Clinic, raw: dict[str, Any], expected: dict[str, str]) -> None:
    seen = clinic.of(own(profile=raw))
    assert seen.only.profile == expected
    assert seen.warnings == ""


def test_one_item_in_a_group_and_beside_it_is_remarked(clinic: Clinic) -> None:
    seen = clinic.of(own(profile={"age": 40, "social": {"age": 41}}))
    assert seen.only.profile == {"age": "40; 41"}
    assert "'age' and 'social.age' are both 'age'" in seen.warnings


def test_aliases_of_a_users_own_are_used(clinic: Clinic) -> None:
    aliases = clinic.write("aliases.toml", 'puffs = "Smoking"\ncarries = "luggage"\n')
    seen = clinic.of(own(profile={"Puffs": "daily", "carries": "a bag"}), aliases=str(aliases))
    assert seen.only.profile == {"tobacco": "daily", "luggage": "a bag"}


def test_alias_of_an_unknown_item_is_remarked(clinic: Clinic) -> None:
    aliases = clinic.write("aliases.toml", 'Rauchen = "smokin"\nSchuhe = "Shoe size"\nalter = "age"\n')
    seen = clinic.of(own(profile={"Rauchen": "daily", "Schuhe": 44}), aliases=str(aliases))
    assert seen.only.profile == {"smokin": "daily", "shoe_size": "44"}
    assert (
        "aliases.toml: Rauchen: 'smokin' is no known item, so it is one of your own; did you mean 'smoking'? "
        "(and 1 more like it)" in seen.warnings
    )


@pytest.mark.parametrize(
    ("word", "role"),
    rows("words_for_speakers"),
)
def test_words_for_speakers(clinic: Clinic, word: str, role: str) -> None:
    turns = [*TURNS, {"id": "3", "speaker": word, "text": "Well."}]
    assert clinic.of(own(turns=turns)).only.turns[2].speaker == role


def test_turns_without_ids_are_numbered(clinic: Clinic) -> None:
    turns = [{"role": "Doctor", "content": "Hello."}, {"role": "Patient", "content": "Hi."}]
    assert [(turn.id, turn.speaker) for turn in clinic.of(own(turns=turns)).only.turns] == [
        ("1", "doctor"),
        ("2", "patient"),
    ]


def test_records_of_a_run_are_read_again_as_they_are(clinic: Clinic) -> None:
    first = clinic.of(TRANSCRIPT, arm=["x"]).records
    again = clinic.read(clinic.write("again.jsonl", b"".join(msgspec.json.encode(item) + b"\n" for item in first)))
    assert again.records == first


# Chats.


def test_dialogue_lines_are_read_and_credentialed(clinic: Clinic) -> None:
    seen = clinic.of(dialogue())
    assert seen.only.id == "20001"
    assert seen.only.profile == {"diagnosis": "Pneumonia"}
    assert seen.only.known_items == {}
    assert seen.only.persona == Persona("distrustful", "A", "high", "high")
    assert [(turn.speaker, turn.text) for turn in seen.only.turns] == [
        ("doctor", "Hello."),
        ("patient", "Where am I?"),
    ]
    assert seen.only.credentialed
    assert "1 of 1 credentialed" in seen.remarks
    assert seen.warnings == ""


def test_dialogue_line_without_its_number_is_credentialed_too(clinic: Clinic) -> None:
    record = dialogue(id="x")
    del record["hadm_id"]
    assert clinic.of(record).only.credentialed


@pytest.mark.parametrize("name", ["messages", "conversation", "dialogue", "dialog_history", "turns"])
@pytest.mark.parametrize(("profile", "persona"), [("patient_profile", "persona_config"), ("profile", "persona")])
def test_chats_under_any_of_their_names(clinic: Clinic, name: str, profile: str, persona: str) -> None:
    messages = [{"role": "Doctor", "content": "Hello."}, {"role": "Patient", "content": "Hi."}]
    record = {"id": 7, profile: {"Age": 40}, persona: {"CEFR": "C1", "dazed_level": "normal"}, name: messages}
    if profile == "profile" and name == "turns":
        record["id"] = "7"
    seen = clinic.of(record)
    assert (seen.only.id, seen.only.arm, seen.only.profile) == ("7", "patient", {"age": "40"})
    assert seen.only.persona == Persona(language="C", confusion="normal")
    assert [turn.speaker for turn in seen.only.turns] == ["doctor", "patient"]
    assert not seen.only.credentialed


@pytest.mark.parametrize(
    ("raw", "axis", "value"),
    [
        ({"personality": "Overly Positive"}, "personality", "pleasing"),
        ({"language_proficiency": "B2"}, "language", "B"),
        ({"language": "Basic"}, "language", "A"),
        ({"Recall Level": "HIGH"}, "recall", "high"),
        ({"confusion": "highly confused"}, "confusion", "high"),
        ({"dazed": True}, "confusion", "high"),
        ({"cefr": "C (advanced)"}, "language", "C"),
        ({"recall": "not specified"}, "recall", None),
        ({"personality": "None"}, "personality", None),
        ({"personality": "null"}, "personality", None),
        ({"personality": "NaN"}, "personality", None),
        ({"recall": "None"}, "recall", None),
        ({"personality": "neutral"}, "personality", "plain"),
        ({"confusion": "None"}, "confusion", "normal"),
    ],
)
def test_words_of_personas(clinic: Clinic, raw: dict[str, Any], axis: str, value: str | None) -> None:
    seen = clinic.of(chat("doctor", "patient", persona_config=raw))
    assert getattr(seen.only.persona, axis) == value
    assert seen.only.facets == ({axis: value} if value else {})
    assert seen.warnings == ""


def test_profile_as_text_is_read_by_its_lines(clinic: Clinic) -> None:
    record = chat("doctor", "patient", patient_profile="Age: 40\nSex: female\n")
    assert clinic.of(record).only.profile == {"age": "40", "gender": "female"}


def test_persona_as_text_is_read_by_its_lines(clinic: Clinic) -> None:
    record = chat("doctor", "patient", persona="Recall: low\nPersonality: Talkative\n")
    assert clinic.of(record).only.persona == Persona("verbose", recall="low")


@pytest.mark.parametrize(("option", "roles"), [("assistant", ["doctor", "patient"]), ("USER", ["patient", "doctor"])])
def test_option_says_who_the_patient_is(clinic: Clinic, option: str, roles: list[str]) -> None:
    record = clinic.of(chat("user", "assistant"), patient=option).only
    assert [turn.speaker for turn in record.turns] == roles


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (("doctor", "assistant"), ["doctor", "patient"]),
        (("user", "patient"), ["doctor", "patient"]),
        (("user", "doctor"), ["patient", "doctor"]),
        (("doctor", "patient", "assistant"), ["doctor", "patient", "assistant"]),
    ],
)
def test_one_clear_role_makes_the_other_clear(clinic: Clinic, roles: tuple[str, ...], expected: list[str]) -> None:
    assert [turn.speaker for turn in clinic.of(chat(*roles)).only.turns] == expected


def test_prompts_are_no_speech(clinic: Clinic) -> None:
    seen = clinic.of(chat("system", "doctor", "patient", "tool"))
    assert [turn.text for turn in seen.only.turns] == ["message 1", "message 2"]
    assert "messages[0]: a message of 'system' is not speech and was left out (and 1 more like it)" in seen.warnings


def test_messages_in_parts_are_joined(clinic: Clinic) -> None:
    parts = [
        {"type": "text", "text": "It"},
        {"type": "image_url", "image_url": "x"},
        {"type": "text", "text": "hurts."},
    ]
    record = {"id": "p", "messages": [{"role": "patient", "content": parts}, {"role": "doctor", "content": None}]}
    assert [turn.text for turn in clinic.of(record).only.turns] == ["It\nhurts.", ""]


def test_chat_without_an_id_is_called_after_its_line(clinic: Clinic) -> None:
    records = chat("doctor", "patient"), chat("doctor", "patient")
    for record in records:
        del record["id"]
    seen = clinic.read(clinic.write("visits.jsonl", records))
    assert [record.id for record in seen.records] == ["visits-1", "visits-2"]
    assert "visits.jsonl:1: no id" in seen.warnings


TIMED = {"presenting_complaint": "cough", "turns": [{"role": "doctor", "text": "Hello."}]}


@pytest.mark.parametrize(
    "record",
    [own(), chat("doctor", "patient"), TIMED, {"src": "[doctor] Hello."}],
    ids=["own", "chat", "timed", "tags"],
)
@pytest.mark.parametrize("id", ["", " "])
def test_record_with_an_empty_id_is_called_after_its_line(clinic: Clinic, record: dict[str, Any], id: str) -> None:
    seen = clinic.of({**record, "id": id})
    assert seen.only.id == "one-1"
    assert "one.jsonl:1: no id, so it is called 'one-1'" in seen.warnings


def test_what_is_not_read_is_named(clinic: Clinic) -> None:
    seen = clinic.of(chat("doctor", "patient", persona_confg={"recall": "low"}))
    assert "one.jsonl:1: not read: 'persona_confg'" in seen.warnings


@pytest.mark.parametrize("name", ["hadm_id", "subject_id", "stay_id", "admission_id"])
def test_numbers_of_mimic_make_a_record_credentialed(clinic: Clinic, name: str) -> None:
    at_the_top = clinic.of(chat("doctor", "patient", **{name: 1})).only
    in_the_profile = clinic.of(chat("doctor", "patient", patient_profile={name.upper(): 1, "age": 4})).only
    in_our_own = clinic.of(own(profile={name: 1, "age": 4})).only
    assert at_the_top.credentialed
    assert in_the_profile.credentialed
    assert in_our_own.credentialed
    assert in_our_own.profile == {"age": "4"}


@pytest.mark.parametrize(
    "record",
    [
        chat("doctor", "patient", HADM_ID=7),
        own(HADM_ID=7),
        chat("doctor", "patient", metadata={"source": [{"Subject_ID": 7}]}),
        own(persona={"recall": "low", "stay_id": 7}),
        own(profile={"ids": {"hadm_id": 7}, "age": 4}),
        own(profile="Age: 4\nHADM_ID: 7"),
        own(facets={"hadm_id": "7"}),
        {**TIMED, "id": "t", "meta": {"stay_id": 7}},
        {"src": "[doctor] Hello.", "id": "s", "subject_id": 7},
        {"OSCE_Examination": {"Patient_Actor": {"Demographics": "35-year-old", "hadm_id": 7}}},
        chat("doctor", "patient", **{"metadata.icustay_id": 7}),
    ],
    ids=["top", "own", "list", "persona", "profile", "text", "facets", "timed", "tags", "case", "flat"],
)
def test_numbers_of_mimic_are_seen_at_every_depth(clinic: Clinic, record: dict[str, Any]) -> None:
    result = clinic.of(record).only
    assert result.credentialed
    assert "7" not in "".join(f"{name}{value}" for name, value in result.profile.items())


@pytest.mark.parametrize(
    ("origin", "held"),
    [({"source": "MIMIC-IV-ED"}, True), ({"meta": {"Dataset": "eICU"}}, True), ({"source": "written by hand"}, False)],
    ids=str,
)
def test_a_collection_under_an_agreement_makes_its_records_credentialed(
    clinic: Clinic, origin: dict[str, Any], held: bool
) -> None:
    assert clinic.of(chat("doctor", "patient", **origin)).only.credentialed is held


def test_empty_numbers_of_mimic_say_nothing(clinic: Clinic) -> None:
    assert not clinic.of(chat("doctor", "patient", metadata={"hadm_id": None, "stay_id": ""})).only.credentialed


def test_number_of_mimic_in_capitals_is_the_id(clinic: Clinic) -> None:
    record = chat("doctor", "patient", HADM_ID=7)
    del record["id"]
    seen = clinic.of(record)
    assert seen.only.id == "7"
    assert seen.warnings == ""


def test_numbers_that_identify_are_in_no_profile_at_any_depth(clinic: Clinic) -> None:
    raw = {"visits": [{"HADM_ID": 20001, "reason": "cough"}], "social": {"ids": {"stay_id": 3}, "smoking": "no"}}
    assert clinic.of(own(profile=raw)).only.profile == {"visits": "reason: cough", "tobacco": "no"}
    beside = clinic.write("profiles.json", {"v1": raw})
    record = clinic.of(own(profile={}), profiles=str(beside)).only
    assert record.profile == {"visits": "reason: cough", "tobacco": "no"}
    assert record.credentialed


def test_all_can_be_said_to_be_credentialed(clinic: Clinic) -> None:
    assert not clinic.of(own()).only.credentialed
    assert clinic.of(own(credentialed=True)).only.credentialed
    assert clinic.of(own(), credentialed="all").only.credentialed


# Transcripts.


def test_transcript_is_read_with_its_profile_and_persona(clinic: Clinic) -> None:
    seen = clinic.read(clinic.write("patient_28651902.txt", TRANSCRIPT))
    record = seen.only
    assert (record.id, record.arm, record.credentialed) == ("patient_28651902", "patient", True)
    assert record.profile == {
        "age": "65",
        "chief_complaint": "chest pain",
        "tobacco": "None",
        "medication": "aspirin; metformin",
        "medical_history": "high blood pressure, seen in the spring",
    }
    assert record.persona == Persona("pleasing", "B", "low", "normal")
    assert [(turn.id, turn.speaker, turn.text) for turn in record.turns] == [
        ("1", "doctor", "What brings you here?"),
        ("2", "patient", "My chest hurts.\n\nBut only a little."),
        ("3", "doctor", "I see."),
        ("4", "doctor", "Goodbye."),
    ]
    assert seen.warnings == "patient_28651902: looks like an admission of MIMIC, so that it is taken as credentialed"


@pytest.mark.parametrize(("line", "id"), [("Patient ID: 77", "77"), ("Conversation ID: c-9", "c-9")])
def test_header_names_the_record(clinic: Clinic, line: str, id: str) -> None:
    assert clinic.of(TRANSCRIPT.replace("Date: 2025-03-01 10:00", line)).only.id == id


def test_number_of_mimic_in_a_header_makes_the_record_credentialed(clinic: Clinic) -> None:
    record = clinic.of(TRANSCRIPT.replace("Date: 2025-03-01 10:00", "HADM_ID: 20001")).only
    assert (record.id, record.credentialed) == ("20001", True)


@pytest.mark.parametrize("above", ["Transcript", "PERSONA\n  Recall: low", "Conversation Content:"])
def test_number_of_mimic_is_seen_in_every_part_of_a_transcript(clinic: Clinic, above: str) -> None:
    assert clinic.of(f"{above}\n  HADM ID: 20001\nDoctor: Hello.\nPatient: Hi.\n").only.credentialed


@pytest.mark.parametrize(
    ("profile", "persona", "talk"),
    [
        ("Patient Profile", "PERSONA", "CONVERSATION"),
        ("Profile", "Persona", "Conversation"),
        ("PROFILE", "Persona Configuration", "TRANSCRIPT"),
    ],
)
@pytest.mark.parametrize("inset", ["  ", ""])
def test_titles_may_stand_alone_on_a_line(clinic: Clinic, profile: str, persona: str, talk: str, inset: str) -> None:
    seen = clinic.of(
        f"{profile}\n{inset}Age: 65\n{inset}Allergies: nuts\n{persona}\n{inset}Recall Level: Low\n"
        f"{talk}\nDoctor: Hello.\nPatient: Hi.\n"
    )
    assert seen.only.profile == {"age": "65", "allergies": "nuts"}
    assert seen.only.persona == Persona(recall="low")
    assert [turn.text for turn in seen.only.turns] == ["Hello.", "Hi."]
    assert seen.warnings == ""


def test_name_of_the_whole_text_is_above_its_header(clinic: Clinic) -> None:
    text = "Transcript\nCase ID: k7\nPatient Profile\n  Age: 65\nConversation\nDoctor: Hello.\nPatient: Hi.\n"
    record = clinic.of(text).only
    assert (record.id, record.profile, len(record.turns)) == ("k7", {"age": "65"}, 2)


def test_titles_that_are_said_are_no_titles(clinic: Clinic) -> None:
    text = "Doctor: What is it about?\nPatient: This.\nDoctor: What?\nPatient: Look:\nConversation\nDoctor: I see.\n"
    assert len(clinic.of(text).only.turns) == 5
    set_in = "Patient Profile:\n  Pain: worse with every\n    Conversation\nDoctor: Hello.\n"
    assert clinic.of(set_in).only.profile == {"pain": "worse with every Conversation"}


def test_line_of_a_profile_that_is_no_item_is_left_out_with_a_remark(clinic: Clinic) -> None:
    seen = clinic.of("Patient Profile:\n  Age: 65\n  Allergies: nuts\nwritten by hand\nDoctor: Hello.\n")
    assert seen.only.profile == {"age": "65", "allergies": "nuts"}
    assert "one.txt:4: 'written by hand' is not an item and not indented below one; left out" in seen.warnings


def test_points_below_an_item_belong_to_it(clinic: Clinic) -> None:
    seen = clinic.of("Patient Profile:\nMedication:\n- aspirin\n- metformin\nAge: 65\nDoctor: Hello.\n")
    assert seen.only.profile == {"medication": "aspirin; metformin", "age": "65"}
    assert seen.warnings == ""


def test_persona_in_a_profile_is_remarked(clinic: Clinic) -> None:
    seen = clinic.of(own(profile={"age": 65, "Recall Level": "low", "language": "Spanish"}))
    assert seen.only.profile == {"age": "65", "recall_level": "low", "language": "Spanish"}
    assert "one.jsonl:1: profile: 'Recall Level' is a trait of a persona" in seen.warnings
    assert "more like it" not in seen.warnings
    assert "'language' is a trait" in clinic.of(own(profile={"language": "B2"})).warnings


def test_turns_that_share_a_number_are_told_apart(clinic: Clinic) -> None:
    text = "[Turn 1] Doctor: a\n[Turn 1] Patient: b\n[Turn 2] Doctor: c\n[Turn 3] Doctor: d\n[Turn 3] Doctor: e\n"
    assert [turn.id for turn in clinic.of(text).only.turns] == ["1.1", "1.2", "2", "3.1", "3.2"]


def test_numbered_turns_may_hold_lines_that_look_like_speakers(clinic: Clinic) -> None:
    text = "[Turn 1] Doctor:\nHello.\n[Turn 2] Patient:\nDoctor: how do you feel?\nPatient: fine.\n"
    assert [turn.text for turn in clinic.of(text).only.turns] == ["Hello.", "Doctor: how do you feel?\nPatient: fine."]


@pytest.mark.parametrize(
    "text",
    rows("plain_transcripts"),
)
def test_plain_transcripts(clinic: Clinic, text: str) -> None:
    seen = clinic.of(text)
    assert [(turn.id, turn.speaker, turn.text) for turn in seen.only.turns] == [
        ("1", "doctor", "Hello."),
        ("2", "patient", "Hi."),
    ]
    assert seen.only.id == "one"
    assert seen.warnings == ""


def test_names_of_models_in_a_header_are_no_turns(clinic: Clinic) -> None:
    text = "Doctor: some model\nPatient: another model\n\nConversation Content:\nDoctor: Hello.\nPatient: Hi.\n"
    assert [turn.text for turn in clinic.of(text).only.turns] == ["Hello.", "Hi."]


def test_asides_are_no_speakers(clinic: Clinic) -> None:
    seen = clinic.of("[doctor] Does it hurt?\n[patient]\n[sighs] It does.\n")
    assert [turn.text for turn in seen.only.turns] == ["Does it hurt?", "[sighs] It does."]


def test_relatives_speak_where_they_do_so_more_than_once(clinic: Clinic) -> None:
    family = clinic.of("Doctor: Any illness in the family?\nPatient: Let me see.\nMother: diabetes\n")
    assert [turn.speaker for turn in family.only.turns] == ["doctor", "patient"]
    visit = clinic.of("Doctor: Hello.\nMother: He coughs.\nDoctor: And you?\nPatient: Yes.\nMother: At night.\n")
    assert [turn.speaker for turn in visit.only.turns] == ["doctor", "mother", "doctor", "patient", "mother"]


@pytest.mark.parametrize("who", ["Nurse", "Paramedic", "Interpreter", "Guest", "Carer", "Social Worker"])
def test_third_person_who_speaks_once_is_no_patient(clinic: Clinic, who: str) -> None:
    seen = clinic.of(f"Doctor: Hello.\nPatient: It hurts.\n{who}: It is 120/80.\nDoctor: I see.\n")
    assert [(turn.speaker, turn.text) for turn in seen.only.turns] == [
        ("doctor", "Hello."),
        ("patient", "It hurts."),
        (who.lower().replace(" ", "_"), "It is 120/80."),
        ("doctor", "I see."),
    ]


def test_third_person_of_a_header_does_not_begin_the_conversation(clinic: Clinic) -> None:
    seen = clinic.of("Nurse: J. Roe\n\nPatient Profile:\n  Age: 65\n\nDoctor: Hello.\nPatient: Hi.\n")
    assert seen.only.profile == {"age": "65"}
    assert [turn.speaker for turn in seen.only.turns] == ["doctor", "patient"]


def test_patient_of_another_name_is_found_in_a_transcript(clinic: Clinic) -> None:
    text = "Doctor: Hello.\nJane Roe: Hi.\n"
    assert [turn.speaker for turn in clinic.of(text, patient="Jane Roe").only.turns] == ["doctor", "patient"]


def test_zip_of_transcripts_is_a_record_each(clinic: Clinic) -> None:
    path = clinic.folder / "visits.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("out/patient_2.txt", "Doctor: Hello.\nPatient: Hi.\n")
        archive.writestr("out/patient_1.txt", TRANSCRIPT)
    seen = clinic.read(path, arm=["sim"])
    assert [(record.id, record.arm) for record in seen.records] == [("patient_1", "sim"), ("patient_2", "sim")]


@pytest.mark.parametrize("content", [TRANSCRIPT, json.dumps(own()) + "\n"], ids=["text", "json"])
def test_gzip_is_read_whatever_it_is_called(clinic: Clinic, content: str) -> None:
    path = clinic.folder / "visit.dat"
    path.write_bytes(gzip.compress(content.encode()))
    assert len(clinic.read(path).only.turns) in (2, 4)


def test_json_is_told_by_its_content(clinic: Clinic) -> None:
    assert clinic.read(clinic.write("visits.txt", [own(), own(id="v2")])).records[1].id == "v2"
    assert clinic.read(clinic.write("visit.json", TRANSCRIPT)).only.id == "visit"


def test_lines_set_in_below_an_item_belong_to_it(clinic: Clinic) -> None:
    text = "Patient Profile:\n  Medication:\n    Morning: aspirin\n    - at night: metformin\n  Age: 65\nDoctor: Hi.\n"
    assert clinic.of(text).only.profile == {"medication": "Morning: aspirin; at night: metformin", "age": "65"}


def test_separators_may_stand_below_titles_and_end_sections(clinic: Clinic) -> None:
    text = "Patient Profile:\n\n-----\nAge: 65\n-----\nRun: 7\nConversation Content:\n-----\nDoctor: Hi.\n"
    seen = clinic.of(text)
    assert seen.only.profile == {"age": "65"}
    assert [turn.text for turn in seen.only.turns] == ["Hi."]


# Arms and profiles.


def test_arms_are_named_for_all_files_or_for_each(clinic: Clinic) -> None:
    first, second = clinic.write("a/v.txt", TRANSCRIPT), clinic.write("b/v.txt", TRANSCRIPT)
    seen = clinic.read(first, second, arm=["x", "y"])
    assert [(record.id, record.arm) for record in seen.records] == [("v", "x"), ("v", "y")]
    assert clinic.of(own(), arm=["z"]).only.arm == "z"
    assert clinic.of(own()).only.arm == "mine"


PROFILE_FILES = {
    "a dict by id": {"20001": {"age": 30}, "5": {"age": 9}},
    "a list": [{"hadm_id": 20001, "Age": 30, "persona": {"recall": "low"}}, {"id": "5", "patient_profile": {"age": 9}}],
    "lines": ({"id": 20001, "age": 30}, {"id": 5, "profile": {"age": 9}}),
}


@pytest.mark.parametrize("profiles", PROFILE_FILES.values(), ids=PROFILE_FILES)
def test_profiles_are_found_by_id(clinic: Clinic, profiles: Any) -> None:
    beside = clinic.write("profiles.json", profiles)
    visits = clinic.write(
        "visits.jsonl",
        (own(id="20001", profile={}), own(id="v2", profile={}), own(id="v3")),
    )
    seen = clinic.read(visits, profiles=str(beside))
    assert [record.profile for record in seen.records] == [{"age": "30"}, {}, {"age": "65"}]
    assert "1 of 3 without a profile" in seen.remarks
    assert "1 of 2 profiles belong to no conversation, such as '5'" in seen.remarks


def test_profile_of_a_transcript_is_found_by_the_number_in_its_name(clinic: Clinic) -> None:
    beside = clinic.write("profiles.json", [{"hadm_id": 77, "age": 30}])
    record = clinic.read(clinic.write("patient_77.txt", "Doctor: a\nPatient: b\n"), profiles=str(beside)).only
    assert record.profile == {"age": "30"}
    assert record.credentialed


def test_profile_of_the_record_itself_comes_first(clinic: Clinic) -> None:
    beside = clinic.write("profiles.json", {"v1": {"age": 30}})
    assert clinic.of(own(), profiles=str(beside)).only.profile == {"age": "65"}


# Coverage.


def test_stage_directions_alone_are_no_reply(clinic: Clinic) -> None:
    turns = [*TURNS, {"id": "3", "speaker": "patient", "text": "*winces*"}]
    assert clinic.of(own(turns=turns)).coverage.arms["mine"].turns == 1


def test_coverage_counts_replies_and_expects_all_cases_of_all_arms(clinic: Clinic) -> None:
    seen = clinic.read(clinic.write("v.jsonl", (own(), own(id="v2"), own(arm="other"))))
    mine, other = seen.coverage.arms["mine"], seen.coverage.arms["other"]
    assert (mine.conversations, mine.expected, mine.turns) == (2, 2, 2)
    assert (other.conversations, other.expected, other.turns) == (1, 2, 1)
    assert mine.fields == ["a profile", "a persona", "a conversation"]


def test_fields_are_what_an_arm_brings(clinic: Clinic) -> None:
    bare = clinic.of(own(profile={}, persona={})).coverage.arms["mine"]
    assert bare.fields == ["a conversation"]
    assert [remark.split(":")[0] for remark in bare.remarks] == ["1 of 1 without a profile", "1 of 1 without a persona"]


# Published data.


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().split("\n") if line]


@needs_data
def test_all_recorded_consultations_are_read(clinic: Clinic) -> None:
    seen = clinic.read(PRIMOCK)
    rows = lines_of(PRIMOCK)
    assert len(seen.records) == len(rows) == 57
    for record, row in zip(seen.records, rows, strict=True):
        assert (record.id, record.arm, record.note) == (row["id"], "human", row["note"])
        assert record.profile == {"chief_complaint": row["presenting_complaint"].strip()}
        assert [turn.text for turn in record.turns] == [turn["text"].strip() for turn in row["turns"]]
        assert {item.kind for item in record.participants} == {"human"}
    assert seen.coverage.arms["human"].turns == 3261
    assert "order" not in seen.remarks


@needs_data
def test_all_tagged_consultations_are_read(clinic: Clinic) -> None:
    seen = clinic.read(ACI)
    rows = lines_of(ACI)
    assert [record.id for record in seen.records] == [row["file"] for row in rows]
    assert [record.note for record in seen.records] == [row["tgt"] for row in rows]
    speakers = Counter(turn.speaker for record in seen.records for turn in record.turns)
    assert speakers == {"doctor": 547, "patient": 466, "patient_guest": 38}
    assert "(and 1 more like it)" in seen.warnings
    assert len(seen.records) == 20


@needs_data
def test_all_cases_are_read(clinic: Clinic) -> None:
    seen = clinic.read(CLINIC)
    cases = [line["OSCE_Examination"] for line in lines_of(CLINIC)]
    assert [record.id for record in seen.records] == [f"case-{line}" for line in range(1, 108)]
    for record, case in zip(seen.records, cases, strict=True):
        assert record.turns == ()
        assert record.profile["diagnosis"] == case["Correct_Diagnosis"]
        assert record.profile["chief_complaint"] == case["Patient_Actor"]["Symptoms"]["Primary_Symptom"]
        assert case["Patient_Actor"]["History"].strip() in record.profile["present_illness_positive"]
        for symptom in _secondary(case):
            sign = "negative" if symptom.startswith(("No ", "Not ", "Denies ")) else "positive"
            assert symptom in record.profile[f"present_illness_{sign}"]
    numbers = [record for record in seen.records if record.profile.get("age", "").isdecimal()]
    assert len(numbers) == sum("year-old" in case["Patient_Actor"]["Demographics"] for case in cases)
    assert "107 of 107 without a conversation: cases to play" in seen.remarks
    assert seen.coverage.arms["patient"].fields == ["a profile"]


@needs_data
def test_cases_are_profiles_for_conversations_about_them(clinic: Clinic) -> None:
    record = clinic.of(own(id="case-1", profile={}), profiles=str(CLINIC)).only
    assert (record.profile["age"], record.profile["gender"]) == ("35", "female")
    assert set(record.known_items) == set(record.profile) - {"diagnosis"}


def _secondary(case: dict[str, Any]) -> list[str]:
    return [item.strip() for item in case["Patient_Actor"]["Symptoms"]["Secondary_Symptoms"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("70-year-old man", {"age": "70", "gender": "male"}),
        ("1-day-old girl", {"age": "1 day", "gender": "female"}),
        ("Newborn, male", {"age": "newborn", "gender": "male"}),
        ("Newborn at 33 weeks", {"age": "newborn", "demographics": "Newborn at 33 weeks"}),
        ("", {}),
    ],
)
def test_demographics_give_age_and_gender(text: str, expected: dict[str, str]) -> None:
    assert demographics(text) == expected


def test_case_becomes_a_profile(clinic: Clinic) -> None:
    actor = {
        "Demographics": "8-month-old boy, twin",
        "History": "Cries at night.",
        "Symptoms": {"Primary_Symptom": "Crying", "Secondary_Symptoms": ["Fever", "Cough"]},
        "Past_Medical_History": "None.",
        "Social_History": "Information not provided.",
        "Review_of_Systems": "No rash.",
        "Current_Medications": ["syrup"],
    }
    case = {"OSCE_Examination": {"Patient_Actor": actor, "Test_Results": {}, "Correct_Diagnosis": "Otitis"}}
    record = clinic.of(case).only
    assert record.id == "case-1"
    assert record.profile == {
        "age": "8 months",
        "gender": "male",
        "demographics": "8-month-old boy, twin",
        "chief_complaint": "Crying",
        "present_illness_positive": "Cries at night.; Crying; Fever; Cough",
        "medical_history": "None.",
        "present_illness_negative": "No rash.",
        "medication": "syrup",
        "diagnosis": "Otitis",
    }


def test_a_diagnosis_alone_is_no_profile_and_the_rest_comes_from_beside(clinic: Clinic) -> None:
    alone = clinic.of(dialogue())
    assert "1 of 1 without a profile" in alone.remarks
    assert "a profile" not in alone.coverage.arms["patient"].fields
    beside = clinic.write("profiles.json", {"20001": {"age": "30", "diagnosis": "another"}})
    result = clinic.read(clinic.write("one.jsonl", (dialogue(),)), profiles=str(beside))
    assert result.only.profile == {"age": "30", "diagnosis": alone.only.profile["diagnosis"]}
    assert "without a profile" not in result.remarks


@pytest.mark.parametrize(
    ("id", "held"),
    rows("an_admission_of_mimic_is_known_by_its_number"),
)
def test_an_admission_of_mimic_is_known_by_its_number(clinic: Clinic, id: str, held: bool) -> None:
    seen = clinic.read(clinic.write(f"{id}.txt", "Doctor: Hello.\nPatient: It hurts.\n"))
    assert seen.only.credentialed is held
    assert ("looks like an admission of MIMIC" in seen.warnings) is held


def test_replies_that_say_nothing_are_remarked(clinic: Clinic) -> None:
    turns = [("doctor", "Hello."), ("patient", ""), ("doctor", "Pain?"), ("patient", "[sighs]"), ("patient", "Yes.")]
    record = own(turns=[{"id": str(at), "speaker": speaker, "text": text} for at, (speaker, text) in enumerate(turns)])
    seen = clinic.of(record)
    assert seen.coverage.arms[seen.only.arm].turns == 1
    assert f"2 replies say nothing, the first in {seen.only.id}, turn 1: no metric counts them" in seen.remarks
