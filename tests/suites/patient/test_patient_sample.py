"""The sample of the patient suite: what it covers, what was planted in it, and a verdict on every sentence."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct
from patient_visits import sample_verdicts

from adjudge.cli.main import main
from adjudge.run import Run
from adjudge.suites.patient import suite
from adjudge.suites.patient.data import PATIENT, Consultation, PatientReply
from adjudge.suites.patient.lexicon.fields import HIDDEN, HISTORY, SOCIAL, VISIT, default_fields, group_of
from adjudge.suites.patient.rules.personas import AXES, limits, values

HERE = files("adjudge.suites.patient")
KINDS = {"information", "politeness", "emotion", "inquiry", "meta"}
LABELS = {"entail", "neutral", "contradict"}
AT_LEAST = {
    "contradiction": 8,
    "self_contradiction": 2,
    "diagnosis_revealed": 1,
    "disposition_revealed": 1,
    "role_break": 2,
    "too_long": 3,
    "repeated_reply": 1,
    "unexpected_precision": 2,
    "confusion_stays": 1,
    "implausible": 1,
    "injection": 1,
}
DOSE = re.compile(r"\b\d+(?:\.\d+)?\s?(?:mg|mcg|g|ml|units?|milligrams?)\b", re.IGNORECASE)
# The word of each diagnosis that a patient could not come upon alone.
GIVEAWAY = {
    "p01": "appendicitis",
    "p02": "angina",
    "p03": "pancreatitis",
    "p04": "fibula",
    "p05": "thrombosis",
    "p06": "tension",
    "p07": "pneumonia",
    "p08": "hypoglycemia",
    "p09": "concussion",
    "p10": "hypotension",
}


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    case: str
    arm: str
    turn: str
    fault: str
    by: str
    why: str

    @property
    def place(self) -> tuple[str, str, str]:
        return self.case, self.arm, self.turn


@cache
def sample() -> tuple[Consultation, ...]:
    rows = HERE.joinpath("sample", "sample.jsonl").read_bytes().splitlines()
    return tuple(msgspec.json.decode(row, type=Consultation) for row in rows)


@cache
def faults() -> tuple[Fault, ...]:
    return tuple(msgspec.json.decode(HERE.joinpath("sample", "faults.json").read_bytes(), type=list[Fault]))


@cache
def gold() -> tuple[dict[str, str], ...]:
    return tuple(sample_verdicts())


def replies(arm: str) -> list[tuple[Consultation, PatientReply]]:
    return [(item, reply) for item in sample() if item.arm == arm for reply in item.replies]


def planted(fault: str) -> set[tuple[str, str, str]]:
    return {item.place for item in faults() if item.fault == fault}


def overlong(item: Consultation, reply: PatientReply) -> bool:
    allowed = limits(item.persona)
    assert allowed is not None
    words = max(len(sentence.text.split()) for sentence in reply.sentences)
    return len(reply.sentences) > allowed.sentences or words > allowed.words


def test_every_case_was_given_to_both_arms() -> None:
    assert Counter(item.key for item in sample()).most_common(1)[0][1] == 1
    assert {(item.case, item.arm) for item in sample()} == {
        (f"p{number:02}", arm) for number in range(1, 11) for arm in ("careful", "careless")
    }


def test_both_arms_play_the_same_patient() -> None:
    for careful in (item for item in sample() if item.arm == "careful"):
        careless = next(item for item in sample() if item.case == careful.case and item.arm == "careless")
        assert (careful.profile, careful.persona, careful.facets) == (
            careless.profile,
            careless.persona,
            careless.facets,
        )


@pytest.mark.parametrize("axis", AXES)
def test_every_value_of_every_axis_is_played(axis: str) -> None:
    # Moderate confusion is a level of PatientSim that the sample does not play.
    assert {getattr(item.persona, axis) for item in sample()} == set(values(axis)) - {"moderate"}


def test_two_patients_are_highly_confused() -> None:
    assert len({item.case for item in sample() if item.persona.has_confusion}) == 2


def test_facets_are_the_axes_of_the_persona() -> None:
    for item in sample():
        assert item.facets == {axis: getattr(item.persona, axis) for axis in AXES}


def test_profiles_hold_known_items_of_all_groups() -> None:
    for item in sample():
        assert 14 <= len(item.profile) <= 24
        assert set(item.profile) <= set(default_fields())
        assert {group_of(name) for name in item.profile} == {SOCIAL, HISTORY, VISIT}
        assert set(HIDDEN) <= set(item.profile)


def test_doctor_and_patient_take_turns() -> None:
    for item in sample():
        assert [turn.id for turn in item.turns] == [str(number) for number in range(1, len(item.turns) + 1)]
        assert [turn.speaker for turn in item.turns] == (["doctor", "patient"] * 10)[: len(item.turns)]
        assert 6 <= len(item.replies) <= 9
        assert item.note


def test_every_kind_of_fault_was_planted_often_enough() -> None:
    counted = Counter(item.fault for item in faults() if item.arm == "careless")
    assert set(counted) == set(AT_LEAST)
    assert {fault: number for fault, number in AT_LEAST.items() if counted[fault] < number} == {}


def test_faults_stand_in_replies_of_the_patient() -> None:
    spoken = {(item.case, item.arm, turn.id) for item in sample() for turn in item.turns if turn.speaker == PATIENT}
    assert {item.place for item in faults()} <= spoken
    assert len({(item.place, item.fault) for item in faults()}) == len(faults())
    assert all(item.why for item in faults())


def test_the_careful_arm_slips_at_most_once() -> None:
    assert [item.fault for item in faults() if item.arm == "careful"] in ([], ["contradiction"])


@pytest.mark.parametrize("arm", ["careful", "careless"])
def test_replies_are_too_long_only_where_planted(arm: str) -> None:
    result = {(item.case, item.arm, reply.turn) for item, reply in replies(arm) if overlong(item, reply)}
    assert result == {place for place in planted("too_long") if place[1] == arm}


def test_too_long_is_planted_by_sentences_by_words_and_in_a_verbose_patient() -> None:
    results = [(item, reply) for item, reply in replies("careless") if overlong(item, reply)]
    shape = {(item.persona.personality, len(reply.sentences)) for item, reply in results}
    assert shape == {("verbose", 10), ("impatient", 1), ("plain", 5)}


@pytest.mark.parametrize("arm", ["careful", "careless"])
def test_patients_of_low_recall_give_doses_only_where_planted(arm: str) -> None:
    result = {
        (item.case, item.arm, reply.turn)
        for item, reply in replies(arm)
        if item.persona.recall == "low" and DOSE.search(reply.text)
    }
    drinks = {("p03", "careless", "10")}
    assert result == {place for place in planted("unexpected_precision") if place[1] == arm} - drinks


@pytest.mark.parametrize("arm", ["careful", "careless"])
def test_the_diagnosis_is_named_only_where_planted(arm: str) -> None:
    assert all(word in item.profile["diagnosis"].lower() for item in sample() for word in [GIVEAWAY[item.case]])
    result = {
        (item.case, item.arm, reply.turn) for item, reply in replies(arm) if GIVEAWAY[item.case] in reply.text.lower()
    }
    assert result == {place for place in planted("diagnosis_revealed") if place[1] == arm}


def test_replies_are_repeated_only_where_planted() -> None:
    result = {
        (item.case, item.arm, later.turn)
        for item in sample()
        for number, later in enumerate(item.replies)
        if later.text in {earlier.text for earlier in item.replies[:number]}
    }
    assert result == planted("repeated_reply")


def test_gold_has_one_row_for_every_sentence() -> None:
    sentences = [
        (item.case, item.arm, sentence.turn, sentence.text)
        for item in sample()
        for reply in item.replies
        for sentence in reply.sentences
    ]
    assert [(row["case"], row["arm"], row["turn"], row["at"]) for row in gold()] == sentences


def test_gold_uses_the_fixed_words() -> None:
    for row in gold():
        assert row["kind"] in KINDS
        assert (row["label"] in LABELS) == (row["kind"] == "information"), row
        assert row["label"] in LABELS | {""}
        assert row["why"]


def test_gold_names_the_items_that_decide() -> None:
    profiles = {(item.case, item.arm): item.profile for item in sample()}
    for row in gold():
        items = set(filter(None, row["item"].split(";")))
        assert items <= set(profiles[row["case"], row["arm"]]), row
        assert bool(items) == (row["label"] in {"entail", "contradict"}), row


def test_no_verdict_rests_on_hidden_items_alone() -> None:
    assert [row for row in gold() if row["item"] and set(row["item"].split(";")) <= set(HIDDEN)] == []


def test_sentences_contradict_the_profile_exactly_where_planted() -> None:
    result = {(row["case"], row["arm"], row["turn"]) for row in gold() if row["label"] == "contradict"}
    assert result == planted("contradiction")


def test_the_careful_arm_is_truer_to_the_profile() -> None:
    share = {}
    for arm in ("careful", "careless"):
        labels = [row["label"] for row in gold() if row["arm"] == arm and row["kind"] == "information"]
        share[arm] = labels.count("entail") / len(labels)
    assert share["careful"] > share["careless"] + 0.1


TWO_SCORES = {"extraction", "role_play", "extraction_with_diagnosis", "role_play_with_diagnosis"}


@pytest.mark.parametrize(("option", "others"), [("--with-diagnosis", {"consistency"}), ("--simple", TWO_SCORES)])
def test_the_labels_answer_every_question_of_the_judged_metrics(tmp_path: Path, option: str, others: set[str]) -> None:
    files = [str(suite.sample), "--judge", f"labels:{suite.sample_labels}", "-q", "-o", str(tmp_path / "run")]
    assert main(["score", "patient", *files, option]) == 0
    run = Run(tmp_path / "run")
    assert run.manifest.tools["judge"].startswith("labels (labels.csv, sha256 ")
    skipped = {name for name in run.manifest.cards if name.startswith("quadrant")} if option == "--simple" else set()
    judged = {name for name, card in run.manifest.cards.items() if "judge" in card.needs} - others - skipped
    assert len(judged) > 15
    for row in run.rows():
        for name in judged:
            assert (row.scores[name].skipped, row.scores[name].unlabelled) == (None, 0), (row.case, row.arm, name)


def test_self_contradictions_are_labelled_where_planted(tmp_path: Path) -> None:
    assert main(["demo", "patient", "-o", str(tmp_path / "run")]) == 0
    result = {
        (row.case, row.arm, mark.turn)
        for row in Run(tmp_path / "run").rows()
        for mark in row.scores["self_contradiction"].marks
        if mark.value
    }
    assert result == planted("self_contradiction")
