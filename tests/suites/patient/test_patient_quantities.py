"""Numbers as patients say them: against the profile, what was said before, and what a person can have."""

from __future__ import annotations

import pytest
from patient_visits import rows, visit

from adjudge.core.card import Metric
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.metrics.numbers import number_contradiction
from adjudge.suites.patient.metrics.values import impossible_value
from adjudge.suites.patient.rules.numbers import without_corrections as meant
from growth import assert_linear


def raised(check: Metric, record: Consultation) -> bool:
    return any(mark.value == 1.0 and mark.turn == record.turns[-1].id for mark in check(record))


@pytest.mark.parametrize(
    ("item", "value", "asked", "said"),
    rows("another_number_than_the_profile_has_contradicts_it"),
)
def test_another_number_than_the_profile_has_contradicts_it(item: str, value: str, asked: str, said: str) -> None:
    assert raised(number_contradiction, visit((asked, said), profile={item: value}))


@pytest.mark.parametrize(
    ("item", "value", "asked", "said"),
    rows("the_same_number_and_those_of_others_do_not_contradict_it"),
)
def test_the_same_number_and_those_of_others_do_not_contradict_it(item: str, value: str, asked: str, said: str) -> None:
    assert not raised(number_contradiction, visit((asked, said), profile={item: value}))


@pytest.mark.parametrize(
    ("asked", "said"),
    rows("a_value_outside_what_a_person_can_have_is_found"),
)
def test_a_value_outside_what_a_person_can_have_is_found(asked: str, said: str) -> None:
    assert raised(impossible_value, visit((asked, said)))


@pytest.mark.parametrize(
    ("asked", "said"),
    rows("rare_values_and_other_numbers_are_possible"),
)
def test_rare_values_and_other_numbers_are_possible(asked: str, said: str) -> None:
    assert not raised(impossible_value, visit((asked, said)))


@pytest.mark.parametrize(
    ("said", "expected"),
    rows("a_number_is_read_as_it_was_meant"),
)
def test_a_number_is_read_as_it_was_meant(said: str, expected: str) -> None:
    assert meant(said) == expected


@pytest.mark.parametrize(
    "words",
    ["well, ", "now ", "my son, ", "it is about ", "at 5 ", "a boy and ", "for 3 days ", "i am ", "6, no, ", "5 or "],
)
@pytest.mark.parametrize("check", [number_contradiction, impossible_value])
def test_the_time_for_a_sentence_grows_with_its_length(check: Metric, words: str) -> None:
    asked = "How old are you, how bad is the pain now, how many kids a day, and your weight and temperature?"

    def long_sentence(times: int) -> None:
        said = words * times
        list(check(visit((asked, said), (asked, said), profile={"age": "40", "pain": "3", "children": "2"})))

    assert_linear(long_sentence, 300)


@pytest.mark.parametrize(
    ("personality", "said", "expected"),
    rows("pain_may_be_off_to_the_side_to_which_the_persona_shifts_it"),
)
def test_pain_may_be_off_to_the_side_to_which_the_persona_shifts_it(
    personality: str, said: str, expected: float
) -> None:
    asked, persona = "How bad is the pain, from 0 to 10?", Persona(personality=personality)
    (mark,) = number_contradiction(visit((asked, said), profile={"pain": "7"}, persona=persona))
    assert (mark.value, mark.group) == (expected, "current visit")


def test_a_number_without_end_is_no_number_of_children() -> None:
    assert (
        list(number_contradiction(visit(("Children?", "Two."), profile={"children": "1" * 5000 + " children"}))) == []
    )
