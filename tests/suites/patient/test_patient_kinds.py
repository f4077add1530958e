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
    ("", "You've all been wonderful to me.", "politeness"),
    ("", "That is kind of you to say.", "politeness"),
    ("", "Sorry to keep you waiting.", "politeness"),
    ("", "Good evening, doctor, I hope I'm not too late.", "politeness"),
    ("What brings you in?", "Good morning, my knee hurts.", "information"),
    ("How is the pain?", "Thank you for taking such good care of me.", "politeness"),
    ("How is the pain?", "Good, thank you.", "information"),
    ("", "I'm worried it could be cancer.", "emotion"),
    ("", "This waiting is driving me mad.", "emotion"),
    ("", "I feel so helpless.", "emotion"),
    ("", "About time too.", "emotion"),
    ("", "I don't like this one bit.", "emotion"),
    ("How is your sleep?", "I'm afraid I hardly sleep.", "information"),
    ("Which wrist is it?", "It's the left, I'm afraid.", "information"),
    ("", "I had a terrible night with the cough.", "information"),
    ("", "I got sick at last year's party.", "information"),
    ("Which tablets?", "The names have slipped my mind.", "meta"),
    ("Which tablets?", "I don't know the name, it is on the box at home.", "meta"),
    ("What medicine?", "I don't remember the name, it's a white pill.", "information"),
    ("", "You'd have to ask my wife about that.", "meta"),
    ("And the last shot?", "That one, I honestly couldn't tell you.", "meta"),
    ("When did it start?", "I don't know exactly, about two weeks ago.", "information"),
    ("How did it happen?", "I can't remember hitting my head.", "information"),
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
