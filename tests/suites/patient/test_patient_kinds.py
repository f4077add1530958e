"""Which kind a patient's sentence is, told by rules; the kinds are those a reader would give."""

from __future__ import annotations

import pytest

from adjudge.suites.patient.kinds import Kind, kind_of
from growth import assert_linear

CASES: list[tuple[str, str, Kind]] = [
    ("Do you smoke?", "No.", "information"),
    ("Have you had a fever?", "Yes, for three days.", "information"),
    ("Have you ever fainted?", "Never.", "information"),
    ("How long has it been going on?", "About a week.", "information"),
    ("How is your appetite?", "Good.", "information"),
    ("", "My mother has diabetes.", "information"),
    ("", "Thanks, but the cough is still there.", "information"),
    ("", "I'm scared because my father died of a heart attack.", "information"),
    ("", "As I said, I take metformin.", "information"),
    ("How long?", "I'm not sure, maybe two weeks.", "information"),
    ("", "It hurts when I breathe, you know?", "information"),
    ("", "I fell down the stairs, right?", "information"),
    ("", "Thank you, doctor.", "politeness"),
    ("", "Hello, doctor.", "politeness"),
    ("How are you?", "Good, thanks.", "politeness"),
    ("We will take some blood now.", "Okay, of course.", "politeness"),
    ("", "I'm so scared.", "emotion"),
    ("", "I hope it's nothing.", "emotion"),
    ("", "This is so frustrating.", "emotion"),
    ("", "Is it serious?", "inquiry"),
    ("", "Could it be cancer?", "inquiry"),
    ("", "I was wondering if I could go home.", "inquiry"),
    ("", "Please help me.", "inquiry"),
    ("", "As I said.", "meta"),
    ("", "Let me think.", "meta"),
    ("When did it start?", "I don't know.", "meta"),
    ("", "Hmm.", "meta"),
    ("Do you have any questions?", "No.", "meta"),
    ("Does that make sense?", "Yes.", "meta"),
]


@pytest.mark.parametrize(("asked", "sentence", "kind"), CASES, ids=[case[1] for case in CASES])
def test_the_kind_is_the_one_a_reader_gives(asked: str, sentence: str, kind: Kind) -> None:
    assert kind_of(sentence, asked) == kind


def test_curly_quotes_and_capitals_change_nothing() -> None:
    assert kind_of("I\u2019M SO SCARED!", "") == "emotion"


@pytest.mark.parametrize(("word", "end"), [("no ", "x"), ("well ", "x"), ("it is ", ""), ("thank you ", "pain")])
def test_the_time_for_a_monotonous_sentence_grows_with_its_length(word: str, end: str) -> None:
    def long_sentence(words: int) -> None:
        assert kind_of(word * words + end, "how is your " * words + "?") == "information"

    assert_linear(long_sentence, 1250)
