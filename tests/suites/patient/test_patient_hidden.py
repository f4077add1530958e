"""What the patient cannot know, says again, or says too exactly: in plain words it is found, near misses pass."""

from collections.abc import Mapping
from typing import Any

import pytest
from patient_visits import rows, visit

from adjudge.core.card import Metric
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.metrics.precision import dates, doses, unexpected_precision
from adjudge.suites.patient.metrics.repeats import repeated_reply
from adjudge.suites.patient.metrics.revealed import diagnosis_revealed
from adjudge.suites.patient.rules.diagnoses import level, names
from growth import assert_linear


def last(check: Metric, record: Consultation) -> float:
    """What a check says of the last reply."""
    turn = record.replies[-1].turn
    return max((mark.value for mark in check(record) if mark.turn in (turn, "")), default=0.0)


# The diagnosis.


@pytest.mark.parametrize(
    ("diagnosis", "asked", "said"),
    rows("a_diagnosis_in_plain_words_is_revealed"),
)
def test_a_diagnosis_in_plain_words_is_revealed(diagnosis: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"diagnosis": diagnosis})
    assert last(diagnosis_revealed, record) == 1.0


@pytest.mark.parametrize(
    ("diagnosis", "asked", "said"),
    rows("symptoms_fears_guesses_and_others_reveal_no_diagnosis"),
)
def test_symptoms_fears_guesses_and_others_reveal_no_diagnosis(diagnosis: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"diagnosis": diagnosis})
    assert last(diagnosis_revealed, record) == 0.0


# The end of the visit.


@pytest.mark.parametrize(
    ("disposition", "asked", "said"),
    rows("the_end_of_the_visit_in_plain_words_is_revealed"),
)
def test_the_end_of_the_visit_in_plain_words_is_revealed(disposition: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"disposition": disposition})
    assert last(diagnosis_revealed, record) == 1.0


@pytest.mark.parametrize(
    ("disposition", "asked", "said"),
    rows("wishes_the_past_and_other_journeys_reveal_no_end"),
)
def test_wishes_the_past_and_other_journeys_reveal_no_end(disposition: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"disposition": disposition})
    assert last(diagnosis_revealed, record) == 0.0


# Repetition.


@pytest.mark.parametrize(
    ("first", "second"),
    rows("small_words_fillers_and_order_make_no_other_reply"),
)
def test_small_words_fillers_and_order_make_no_other_reply(first: str, second: str) -> None:
    assert last(repeated_reply, visit(("How is it?", first), ("And else?", second))) == 1.0


@pytest.mark.parametrize(
    ("first", "second"),
    rows("answering_words_and_stock_replies_make_no_repetition"),
)
def test_answering_words_and_stock_replies_make_no_repetition(first: str, second: str) -> None:
    assert last(repeated_reply, visit(("How is it?", first), ("And else?", second))) == 0.0


# Precision.


@pytest.mark.parametrize(
    ("persona", "profile", "asked", "said"),
    rows("details_in_words_brands_and_bare_answers_are_too_precise"),
)
def test_details_in_words_brands_and_bare_answers_are_too_precise(
    persona: dict[str, Any], profile: Mapping[str, str], asked: str, said: str
) -> None:
    record = visit((asked, said), profile=profile, persona=Persona(**persona))
    assert last(unexpected_precision, record) == 1.0


@pytest.mark.parametrize(
    ("persona", "profile", "asked", "said"),
    rows("other_numbers_household_names_and_what_was_asked_are_not_too_precise"),
)
def test_other_numbers_household_names_and_what_was_asked_are_not_too_precise(
    persona: dict[str, Any], profile: Mapping[str, str], asked: str, said: str
) -> None:
    record = visit((asked, said), profile=profile, persona=Persona(**persona))
    assert last(unexpected_precision, record) == 0.0


# What is known, what was said first, and how names are built.


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"medical_history": "Heart attack 2015"}, "I had a myocardial infarction."),
        ({"medical_history": "Blood clot in the lung"}, "I have pulmonary emboli, a pulmonary embolism they call it."),
        ({"chief_complaint": "Inflammation of the pancreas"}, "I have pancreatitis."),
    ],
)
def test_what_the_profile_tells_by_another_name_is_no_secret(known: dict[str, str], said: str) -> None:
    profile = {"diagnosis": "NSTEMI; pulmonary embolism; acute pancreatitis"}
    assert last(diagnosis_revealed, visit(("Yes?", said), profile=profile)) == 1.0
    assert last(diagnosis_revealed, visit(("Yes?", said), profile=profile | known)) == 0.0


def test_what_the_doctor_said_in_plain_words_may_be_said_by_its_name() -> None:
    record = visit(("Your appendix is inflamed.", "So it's appendicitis."), profile={"diagnosis": "Appendicitis"})
    assert last(diagnosis_revealed, record) == 0.0


@pytest.mark.parametrize("asked", ["Sorry, what was that?", "Could you repeat that?", "I didn't catch that."])
def test_what_the_doctor_asks_to_hear_again_is_no_repetition(asked: str) -> None:
    said = "My left knee locks when I climb stairs."
    assert last(repeated_reply, visit(("And?", said), (asked, said))) == 0.0
    assert last(repeated_reply, visit(("And?", said), ("Any fever?", said))) == 1.0


def test_a_title_and_a_school_lesson_are_no_abbreviation() -> None:
    profile = {"diagnosis": "Multiple sclerosis; pulmonary embolism"}
    assert last(diagnosis_revealed, visit(("Who?", "Ms Miller sent me, she said pe is fun."), profile=profile)) == 0.0
    assert last(diagnosis_revealed, visit(("Why?", "Because MS makes me stumble."), profile=profile)) == 1.0


def test_an_illness_is_called_by_all_its_names() -> None:
    called = {" ".join(name) for name in names("Acute deep vein thrombosis of the left leg")}
    assert {"dvt", "thrombosis", "deep vein thrombosis"} <= called
    assert "heart attack" not in called


def test_a_complaint_has_no_names() -> None:
    assert list(names("Chest pain")) == []


def test_level_text_has_no_accents_apostrophes_and_hyphens() -> None:
    assert level("It\u2019s Bell's palsy, M\u00e9ni\u00e8re-like.") == "it is bells palsy, meniere like."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half a gram", {"500 mg"}),
        ("0.5 g or 500 mg", {"500 mg"}),
        ("twelve point five milligrams", {"12.5 mg"}),
        ("125 micrograms", {"0.125 mg"}),
        ("24 IU", {"24 unit"}),
        ("five of them", set()),
    ],
)
def test_doses_have_one_spelling(text: str, expected: set[str]) -> None:
    assert doses(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("back in ninety-nine", {"1999"}),
        ("since '05", {"2005"}),
        ("in 10 minutes", set()),
        ("in 60 to 90 days", set()),
    ],
)
def test_years_may_be_short(text: str, expected: set[str]) -> None:
    assert dates(text) == expected


def test_the_time_for_a_long_reply_grows_with_its_words() -> None:
    profile = {"diagnosis": "Acute pancreatitis; pulmonary embolism", "disposition": "Admitted to cardiology"}

    def long_reply(times: int) -> None:
        said = "and the blood clot in my pancreas is not inflamed since they are going to keep me a bit " * times
        record = visit(("How?", f"{said}{times}."), ("And?", f"{said} {times}, you know."), profile=profile)
        for check in (diagnosis_revealed, repeated_reply):
            list(check(record))

    assert_linear(long_reply, 100)
