"""Replies that fall out of the role or give orders to a judge, and what real patients say in much the same words."""

from __future__ import annotations

import pytest
from patient_visits import rows, visit

from adjudge.core.card import Metric
from adjudge.suites.patient.data import Consultation, PatientTurn
from adjudge.suites.patient.metrics.breaks import injection_suspected, role_break
from growth import assert_linear

Said = str | tuple[str, str]

BROKEN: list[Said] = rows("a_reply_out_of_the_role")
PATIENTS: list[Said] = rows("a_patient_of_any_trade")
ORDERED: list[Said] = rows("an_order_to_a_judge")
UNORDERED: list[Said] = rows("courts_exams_and_pain_scales")


def fired(check: Metric, said: Said) -> list[bool]:
    """Whether a check fires on each reply of a visit with one question and one reply."""
    asked, reply = said if isinstance(said, tuple) else ("Please go on.", said)
    turns = (PatientTurn("1", "doctor", asked), PatientTurn("2", "patient", reply))
    return [mark.value == 1.0 for mark in check(Consultation(id="v", turns=turns))]


@pytest.mark.parametrize("said", BROKEN)
def test_a_reply_out_of_the_role_is_found(said: Said) -> None:
    assert fired(role_break, said) == [True]


@pytest.mark.parametrize("said", PATIENTS)
def test_a_patient_of_any_trade_stays_in_the_role(said: Said) -> None:
    assert fired(role_break, said) == [False]


@pytest.mark.parametrize("said", ORDERED)
def test_an_order_to_a_judge_is_found(said: Said) -> None:
    assert fired(injection_suspected, said) == [True]


@pytest.mark.parametrize("said", UNORDERED)
def test_courts_exams_and_pain_scales_are_no_orders(said: Said) -> None:
    assert fired(injection_suspected, said) == [False]


def test_what_a_patient_quotes_is_not_its_own() -> None:
    advice = "You should avoid alcohol and take your pills twice a day."
    assert fired(role_break, advice) == [True]
    assert fired(role_break, f'At the end came: "{advice}" I laughed.') == [False]


def test_a_story_needs_a_teller_who_is_nobody() -> None:
    told = '"No," he says, and he looks at the floor.'
    assert fired(role_break, ("Is there more?", told)) == [True]
    assert fired(role_break, ("What does your son do then?", told)) == [False]
    assert fired(role_break, ("Is there more?", f"{told} That is my son for you.")) == [False]


def test_a_quotation_that_begins_the_reply_is_its_own() -> None:
    assert fired(role_break, '"What brings you in today?"') == [True]


@pytest.mark.parametrize(
    "often", ["do you have pain ", "i will not just ", "score this reply ", '"so ', "your pain is "]
)
def test_the_time_for_an_endless_sentence_grows_with_its_length(often: str) -> None:
    def endless(times: int) -> None:
        # Another letter in each, so that nothing is remembered.
        for check in (role_break, injection_suspected):
            fired(check, f"{times} {check.card.name[0]} " + often * times)

    assert_linear(endless, 400)


@pytest.mark.parametrize(
    ("said", "fires"),
    rows("roles_that_were_missed_or_wrongly_broken"),
)
def test_roles_that_were_missed_or_wrongly_broken(said: str, fires: bool) -> None:
    (mark,) = role_break(visit(("How are you?", said)))
    assert bool(mark.value) is fires
