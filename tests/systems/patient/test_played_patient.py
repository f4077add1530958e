"""The patient system in play: cases, personas, what participants know, the record, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudge.core.errors import BadInput
from adjudge.core.play import End, PlayedConversation, PlayedTurn, Said
from adjudge.suites.patient.data import Persona
from adjudge.systems.patient import setup
from adjudge.systems.patient.cases import case_of, parse_personas, read_cases, vary_persona
from adjudge.systems.patient.data import DoctorFacts, PatientCase
from workspace import Workspace

CASES = Path(__file__).parents[4] / "shared/data/patient/agentclinic_MIT/agentclinic_medqa.jsonl.gz"
PROFILE = {"age": "45", "gender": "female", "pain": "6", "job": "baker", "diagnosis": "Gout", "disposition": "Home"}
CASE = case_of("c1", {**PROFILE, "arrival_transport": "Bus"}, Persona(recall="high"))
DOCTOR, PATIENT = setup.participants(CASE)
CHEAP = ("--metrics", "role_break")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def ended(*turns: Said[Any]) -> PlayedConversation:
    speakers = [DOCTOR.id, PATIENT.id]
    played = tuple(PlayedTurn(place, speakers[place % 2], said) for place, said in enumerate(turns))
    return PlayedConversation("c1/a/0", CASE, "a", 0, (DOCTOR, PATIENT), played, End("participant"))


def test_the_doctor_knows_what_it_sees_and_the_patient_not_its_diagnosis() -> None:
    seen = setup.view(CASE, DOCTOR, ()).facts
    told = msgspec.json.encode(setup.view(CASE, PATIENT, ()).facts).decode()
    assert seen == {"age": "45", "gender": "female", "arrival_transport": "Bus"}
    assert "baker" in told
    assert "45" in told
    assert "Gout" not in told
    assert "Home" not in told


def test_the_record_has_the_whole_profile_and_the_diagnoses_named_last() -> None:
    record = setup.record(
        ended(Said("Hm?", facts=DoctorFacts()), Said("Ow."), Said("Bye.", facts=DoctorFacts(("Gout",))))
    )
    assert record.profile == {**PROFILE, "arrival_transport": "Bus"}  # type: ignore[attr-defined]
    assert record.diagnoses == ("Gout",)  # type: ignore[attr-defined]


def test_a_doctor_without_facts_names_no_diagnoses_and_one_who_is_cut_off_names_nothing() -> None:
    assert setup.record(ended(Said("Hm?"), Said("Ow."))).diagnoses is None  # type: ignore[attr-defined]
    cut_off = setup.record(ended(Said("Hm?", facts=DoctorFacts()), Said("Ow.")))
    assert cut_off.diagnoses == ()  # type: ignore[attr-defined]


def test_personas_make_a_grid_with_ids_of_their_own() -> None:
    options = {"persona": ["recall=low,high", "personality=plain,overly positive"]}
    variants = list(vary_persona(CASE, options))
    assert [case.id for case in variants] == [
        "c1:recall=low,personality=plain",
        "c1:recall=low,personality=pleasing",
        "c1:recall=high,personality=plain",
        "c1:recall=high,personality=pleasing",
    ]
    assert variants[1].persona == Persona("pleasing", recall="low")
    assert variants[1].facets == {"personality": "pleasing", "recall": "low"}
    assert list(vary_persona(CASE, {})) == [CASE]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["recal=low"], "no trait 'recal'; did you mean 'recall'?"),
        (["recall=lo"], "found 'lo'; did you mean 'low'?"),
        (["recall"], "found 'recall'; expected TRAIT=VALUE"),
        (["recall=low", "recall=high"], "recall is named twice"),
    ],
)
def test_an_unknown_persona_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_personas(texts)
    assert message in str(refused.value)


def test_records_are_cases_and_a_shared_profile_is_one(desk: Workspace) -> None:
    row = {"id": "v1", "case": "c1", "profile": PROFILE, "turns": [{"id": "1", "speaker": "patient", "text": "Hi."}]}
    path = desk.write("visits.jsonl", ({**row, "arm": "a"}, {**row, "arm": "b"}))
    [read] = read_cases([path], {})
    assert read.case == PatientCase(
        id="c1",
        arrival={"age": "45", "gender": "female"},
        profile={"pain": "6", "occupation": "baker"},
        hidden={"diagnosis": "Gout", "disposition": "Home"},
    )


def test_all_broken_cases_are_listed_with_their_places(desk: Workspace) -> None:
    rows = ({"id": "a", "profile": {}}, {"id": "b", "profile": PROFILE, "persona": {"recall": "so so"}}, {"x": 1})
    path = desk.write("cases.jsonl", rows)
    done = desk.adjudge("play", "patient", path)
    assert done.code == 2
    assert "cases.jsonl:1: profile: nothing recorded" in done.err
    assert "cases.jsonl:2: persona.recall: found 'so so'" in done.err
    assert "cases.jsonl:3:" in done.err


def test_two_profiles_of_one_id_are_refused(desk: Workspace) -> None:
    path = desk.write("cases.jsonl", ({"id": "a", "profile": PROFILE}, {"id": "a", "profile": {"age": "3"}}))
    done = desk.adjudge("play", "patient", path)
    assert done.code == 2
    assert "cases.jsonl:2: id: another case has the id 'a'" in done.err


def test_the_sample_plays_at_once_and_shows_the_liar(desk: Workspace) -> None:
    done = desk.adjudge("play", "patient", "-o", desk.run, "--limit", 6)
    records = lines(desk.run / "records.jsonl")
    assert done.code == 0, done.err
    assert {record["arm"] for record in records} == {"scripted", "liar"}
    assert all(len(record["diagnoses"]) <= 5 for record in records)
    assert {"personality", "language", "recall", "confusion", "end"} <= records[0]["facets"].keys()
    assert "number_contradiction ↓" in done.out
    assert "profile_overlap" in done.out


def test_the_effect_of_a_persona_stands_in_the_report(desk: Workspace) -> None:
    generated = (
        "--generate",
        "n=4",
        "--persona",
        "recall=low,high",
        "--arm",
        "scripted",
        "--metrics",
        "profile_overlap",
    )
    desk.adjudge("play", "patient", *generated, "-o", desk.run)
    shown = desk.adjudge("report", desk.run, "--by", "recall").out
    assert [line.strip() for line in shown.splitlines() if line.strip() in ("high", "low")] == ["high", "low"]


def test_an_own_function_plays_the_patient_with_its_profile(desk: Workspace) -> None:
    desk.write("mine.py", "def reply(view):\n    return f'I am {view.facts.profile[\"age\"]}.'\n")
    done = desk.adjudge(
        "play", "patient", "--arm", "mine=py:mine.py:reply", "--generate", "n=1", *CHEAP, "-o", desk.run
    )
    record = lines(desk.run / "records.jsonl")[0]
    assert done.code == 0, done.err
    assert record["turns"][1]["text"] == f"I am {record['profile']['age']}."


@pytest.mark.skipif(not CASES.exists(), reason="no data beside the repository")
def test_agentclinics_cases_are_played_as_they_are(desk: Workspace) -> None:
    few = ("--limit", 12, "--arm", "scripted", "--metrics", "role_break,diagnosis_top1")
    done = desk.adjudge("play", "patient", CASES, *few, "-o", desk.run)
    scores = [line["scores"] for line in lines(desk.run / "scores.jsonl")]
    assert done.code == 0, done.err
    assert [each["role_break"]["value"] for each in scores] == [0.0] * 12
    assert all(each["diagnosis_top1"]["value"] in (0.0, 1.0) for each in scores)
