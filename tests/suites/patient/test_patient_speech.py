"""What a patient says, apart from what the text says it does."""

import pytest
from patient_visits import rows

from adjudge.english.normalise import plain_speech as plain
from adjudge.suites.patient.lexicon.phrases import last_question
from adjudge.suites.patient.lexicon.speech import opening, spoken_text, statements
from adjudge.suites.patient.rules.numbers import ValueRange, digits


@pytest.mark.parametrize(
    ("written", "said"),
    rows("actions_are_not_speech"),
)
def test_actions_are_not_speech(written: str, said: str) -> None:
    assert spoken_text(written) == said


@pytest.mark.parametrize(
    "written",
    rows("brackets_and_stars_that_hold_speech_are_kept"),
)
def test_brackets_and_stars_that_hold_speech_are_kept(written: str) -> None:
    assert spoken_text(written) == written


@pytest.mark.parametrize(
    ("written", "said"),
    rows("stressed_words_are_said"),
)
def test_stressed_words_are_said(written: str, said: str) -> None:
    assert spoken_text(written) == said


@pytest.mark.parametrize("written", ["", "...", "[silence]", "*nods*", "(shrugs) ..."])
def test_a_turn_without_words_says_nothing(written: str) -> None:
    assert spoken_text(written) == ""


def test_pieces_without_a_word_are_no_sentences() -> None:
    assert statements("It hurts.\n...\nA lot.") == ("It hurts.", "A lot.")


def test_a_long_reply_is_known_by_its_first_eight_words() -> None:
    assert opening("one two three four five six seven eight nine") == "one two three four five six seven eight ..."
    assert opening("one two three four five six seven eight") == "one two three four five six seven eight"


@pytest.mark.parametrize(
    ("said", "meant"),
    rows("number_words_become_digits"),
)
def test_number_words_become_digits(said: str, meant: str) -> None:
    assert digits(said) == meant


def test_plain_text_has_long_forms_even_where_a_transcript_parts_them() -> None:
    assert plain("I\u2019m sure it is n't , I ca n't and wo n't") == "i am sure it is not, i can not and will not"


def test_the_last_question_is_the_one_answered() -> None:
    assert last_question("How old are you? And how bad is it? Take your time.") == "and how bad is it?"
    assert last_question("Tell me your age") == "tell me your age"


@pytest.mark.parametrize(
    ("one", "other", "meet"), [((6, 8), (8, 9), True), ((6, 7), (8, 9), False), ((1, 9), (3, 4), True)]
)
def test_spans_meet_where_a_number_can_be_both(one: tuple[int, int], other: tuple[int, int], meet: bool) -> None:
    assert ValueRange(*one).meets(ValueRange(*other)) is meet
    assert ValueRange(*other).meets(ValueRange(*one)) is meet
