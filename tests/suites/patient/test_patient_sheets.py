"""Consultations in tables, as spreadsheets and published data sets have them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from test_patient_read import Clinic, clinic

from adjudge.suites.patient.data import Persona

__all__ = ["clinic"]

# The columns and labels of MTS-Dialog; the conversations are invented.
SECTIONS = """\
ID,section_header,section_text,dialogue
0,GENHX,"A 30-year-old with a cough, for two weeks.","Doctor: What brings you here?
Patient: I cough, day and night.
 Patient: It began two weeks ago."
1,ROS,No fever.,"Doctor: Does she have a fever?
Guest_family: No, she does not.
Guest_clinician: I measured it.
Doctor: Good."
"""


def test_conversations_with_a_section_of_the_note_are_read(clinic: Clinic) -> None:
    seen = clinic.read(clinic.write("MTS-Dialog.csv", SECTIONS))
    first, second = seen.records
    assert (first.id, first.arm, first.note) == ("0", "human", "A 30-year-old with a cough, for two weeks.")
    assert first.facets == {"section": "GENHX"}
    assert [(turn.speaker, turn.text) for turn in first.turns] == [
        ("doctor", "What brings you here?"),
        ("patient", "I cough, day and night."),
        ("patient", "It began two weeks ago."),
    ]
    assert [turn.speaker for turn in second.turns] == ["doctor", "guest_family", "guest_clinician", "doctor"]
    assert "1 of 2 without any turn of the patient" in seen.remarks
    assert "speakers where nobody is the patient: 'guest_clinician' (in 1), 'guest_family' (in 1)" in seen.remarks
    assert seen.warnings == ""


def test_relative_who_speaks_for_the_patient_can_be_named(clinic: Clinic) -> None:
    seen = clinic.read(clinic.write("MTS-Dialog.csv", SECTIONS), patient="Guest_family")
    assert [turn.speaker for turn in seen.records[1].turns] == ["doctor", "patient", "guest_clinician", "doctor"]


WHOLE = """\
{0}Encounter ID{1}Dialogue{1}Reference Summary{1}age{1}Smoking{1}Recall Level{1}colour
{0}v1{1}"Doctor: Hello.
Patient: Hi; there, you."{1}A note.{1}58{1}never{1}low{1}red
"""


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_whole_conversations_are_read_whatever_separates_the_cells(clinic: Clinic, delimiter: str, mark: str) -> None:
    text = mark + WHOLE.format("", delimiter)
    seen = clinic.read(clinic.write("visits.csv", text))
    assert (seen.only.id, seen.only.arm, seen.only.note) == ("v1", "patient", "A note.")
    assert seen.only.profile == {"age": "58", "tobacco": "never"}
    assert seen.only.persona == Persona(recall="low")
    assert [turn.text for turn in seen.only.turns] == ["Hello.", "Hi; there, you."]
    assert "visits.csv: columns not read: 'colour'" in seen.warnings


TURNS = """\
conversation_id,turn,Speaker,Utterance,age
a,1,Doctor,Hello.,58
a,2,Patient,Hi.,58
b,1,Doctor,Hello.,60
b,2,Patient,"Well, hello.",60
"""


@pytest.mark.parametrize("name", ["visits.csv", "visits.txt"])
def test_turns_are_gathered_to_conversations(clinic: Clinic, name: str) -> None:
    seen = clinic.read(clinic.write(name, TURNS))
    assert [(record.id, record.profile["age"]) for record in seen.records] == [("a", "58"), ("b", "60")]
    assert [(turn.id, turn.speaker, turn.text) for turn in seen.records[1].turns] == [
        ("1", "doctor", "Hello."),
        ("2", "patient", "Well, hello."),
    ]


def test_turns_without_a_name_of_their_conversation_are_one(clinic: Clinic) -> None:
    seen = clinic.read(clinic.write("visit_7.csv", "role,content\ndoctor,Hello.\npatient,Hi.\n"))
    assert (seen.only.id, [turn.text for turn in seen.only.turns]) == ("visit_7", ["Hello.", "Hi."])


def test_rows_of_one_conversation_stand_together(clinic: Clinic) -> None:
    message = clinic.refused(clinic.write("visits.csv", TURNS + "a,3,Doctor,Well.,58\n"))
    assert "visits.csv:6: rows of 'a' already occur above, with another dialogue in between" in message


def test_a_broken_row_spoils_its_conversation(clinic: Clinic) -> None:
    broken = TURNS.replace("a,2,Patient,Hi.,58\n", "a,2,Patient\na,3,Doctor,Well.,58\n")
    seen = clinic.read(clinic.write("visits.csv", broken), skip_bad=True)
    assert [record.id for record in seen.records] == ["b"]


def test_a_broken_row_between_two_conversations_spoils_both(clinic: Clinic) -> None:
    broken = TURNS.replace("b,1,Doctor", "?,1\nb,1,Doctor") + "c,1,Doctor,Hello.,61\n"
    seen = clinic.read(clinic.write("visits.csv", broken), skip_bad=True)
    assert [record.id for record in seen.records] == ["c"]
    assert "visits.csv:4: the dialogue of this row is left out with it" in seen.warnings


@pytest.mark.parametrize(
    "text",
    [
        "question,answer\nWhat is it?,A cough.\n",
        "Description,Doctor,Patient\nCough,Rest.,I cough.\n",
        "just one column\nDoctor: Hello.\n",
        "id,profile\nv1,old\n",
    ],
)
def test_tables_that_hold_no_conversations_are_refused(clinic: Clinic, text: str) -> None:
    message = clinic.refused(clinic.write("other.csv", text))
    assert "other.csv: the columns are '" in message
    assert "expected whole conversations in a column 'dialogue'" in message


def test_conversation_in_which_nobody_speaks_is_refused_with_its_row(clinic: Clinic) -> None:
    message = clinic.refused(clinic.write("other.csv", "id,dialogue\nv1,a cough\n"))
    assert "other.csv:2: dialogue: starts 'a cough', and no line says who speaks" in message


def test_table_of_a_data_set_under_an_agreement_is_credentialed(clinic: Clinic) -> None:
    text = "id,dataset,dialogue\nv1,MIMIC-IV,Doctor: Hello.\n"
    assert clinic.read(clinic.write("visits.csv", text)).only.credentialed
    assert clinic.read(clinic.write("visits.csv", text.replace("dataset", "hadm_id"))).only.credentialed


def test_profiles_are_read_from_a_table(clinic: Clinic) -> None:
    beside = clinic.write("profiles.csv", "ID;Age;Smoking;Personality\na;58;never;verbose\nb;60;;\n")
    seen = clinic.read(clinic.write("visits.csv", TURNS.replace(",age", ",")), profiles=str(beside))
    assert [record.profile for record in seen.records] == [{"age": "58", "tobacco": "never"}, {"age": "60"}]
    assert [record.persona for record in seen.records] == [Persona("verbose"), Persona()]


def test_conversation_as_one_text_in_json_is_read(clinic: Clinic) -> None:
    record = {"id": "j", "patient_profile": {"age": 3}, "conversation": "Doctor: Hello.\nPatient: Hi."}
    assert [turn.speaker for turn in clinic.of(record).only.turns] == ["doctor", "patient"]


def test_archive_of_tables_is_read(clinic: Clinic, tmp_path: Path) -> None:
    path = tmp_path / "visits.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", TURNS)
        archive.writestr("b.csv", SECTIONS)
    assert [record.id for record in clinic.read(path).records] == ["a", "b", "0", "1"]


def test_spreadsheet_is_read_as_a_table(clinic: Clinic, tmp_path: Path) -> None:
    workbook = pytest.importorskip("openpyxl").Workbook()
    for row in (["id", "age", "dialogue"], ["v1", 58, "Doctor: Hello.\nPatient: Hi."]):
        workbook.active.append(row)
    workbook.save(tmp_path / "visits.xlsx")
    record = clinic.read(tmp_path / "visits.xlsx").only
    assert (record.id, record.profile, len(record.turns)) == ("v1", {"age": "58"}, 2)


def test_folder_of_transcripts_is_a_record_each(clinic: Clinic) -> None:
    first = clinic.write("visits/a.txt", "Doctor: Hello.\nPatient: Hi.\n")
    clinic.write("visits/b.txt", "Doctor: Hello.\nPatient: It hurts.\n")
    assert [record.id for record in clinic.read(first.parent).records] == ["a", "b"]
