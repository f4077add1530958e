"""How much of the profile a visit echoes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from patient_visits import visit

from adjudge.core.ask import Vector
from adjudge.suites.patient.metrics.overlap import content_words, profile_overlap

PROFILE = {
    "chief_complaint": "Severe headache",
    "age": "67",
    "allergies": "none",
    "medication": "lisinopril 10 mg; aspirin",
    "diagnosis": "migraine",
}


def about_headaches(texts: Sequence[str]) -> list[Vector]:
    """Vectors by which everything about the head means the same, and nothing else does."""
    return [[1.0, 0.0] if "head" in text.lower() else [0.0, float(place + 1)] for place, text in enumerate(texts)]


def test_the_worked_example() -> None:
    """One of two words of the complaint, the age in words, the item's name for "none", two of four words."""
    record = visit(
        ("How old are you?", "Sixty-seven. I have headaches."),
        ("Any allergies?", "No. I take lisinopril, and aspirins too."),
        profile=PROFILE,
    )
    marks = {mark.at: mark for mark in profile_overlap(record)}
    shares = {item: mark.value for item, mark in marks.items()}
    assert shares == {"chief_complaint": 0.5, "age": 1.0, "allergies": 1.0, "medication": 0.5}
    assert marks["medication"].why == "2 of 4 words echoed; not: 10, mg"
    assert marks["medication"].group == "current visit"


def test_a_contradiction_echoes_as_well() -> None:
    record = visit(("Any headache?", "No headache, and it was never severe."), profile=PROFILE)
    assert [mark.value for mark in profile_overlap(record) if mark.at == "chief_complaint"] == [1.0]


def test_with_an_embedder_other_words_of_the_same_meaning_count_in_full() -> None:
    record = visit(
        ("What brings you here?", "My head is killing me."), profile={"chief_complaint": "Severe migraine, headache"}
    )
    (by_words,) = profile_overlap(record)
    (by_meaning,) = profile_overlap(record, about_headaches, {"same": 0.9})
    assert (by_words.value, by_meaning.value) == (0.0, 1.0)
    assert (by_meaning.turn, by_meaning.why) == ("2", "in other words: 'My head is killing me.'")


def test_of_an_item_with_several_values_all_must_be_meant() -> None:
    record = visit(("What brings you here?", "My head is killing me."), profile={"symptoms": "headache; nausea"})
    (mark,) = profile_overlap(record, about_headaches, {"same": 0.9})
    assert mark.value == 0.0


def test_what_a_patient_cannot_know_is_left_out() -> None:
    record = visit(("Hello.", "Is it migraine?"), profile={"diagnosis": "migraine", "disposition": "admitted"})
    assert list(profile_overlap(record)) == []


@pytest.mark.parametrize("record", [visit(("Hello.", "Hello.")), visit(("Hello.", ""), profile=PROFILE)])
def test_without_profile_or_reply_it_is_undefined(record: object) -> None:
    assert list(profile_overlap(record)) == []


def test_an_embedder_without_thresholds_leaves_the_words() -> None:
    record = visit(("Hello.", "My head."), profile={"chief_complaint": "headache"})
    (mark,) = profile_overlap(record, about_headaches, {})
    assert mark.value == 0.0


def test_words_are_compared_by_stems_and_digits() -> None:
    assert content_words("Headaches for three days") == content_words("headache, 3 days")
