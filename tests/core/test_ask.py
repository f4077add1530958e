"""Requests: what makes two of them the same."""

import pytest

from adjudge.core.ask import About, Question, YesNo
from adjudge.core.record import Key

QUESTION = Question("Is it polite?", YesNo, '"Hello"')


@pytest.mark.parametrize(
    "other",
    [
        Question("Is it clear?", YesNo, '"Hello"'),
        Question("Is it polite?", str, '"Hello"'),
        Question("Is it polite?", YesNo, '"Hi"'),
        Question("Is it polite?", YesNo, '"Hello"', temperature=0.7),
        Question("Is it polite?", YesNo, '"Hello"', draw=1),
    ],
    ids=["prompt", "answer type", "material", "temperature", "draw"],
)
def test_all_that_decides_the_answer_tells_questions_apart(other: Question[object]) -> None:
    assert other != QUESTION
    assert len({QUESTION, other}) == 2


def test_what_an_answer_is_about_does_not_tell_questions_apart() -> None:
    about = (About("yes", Key("case", "arm"), "3", "greeting"),)
    other = Question("Is it polite?", YesNo, '"Hello"', about=about)
    assert other == QUESTION
    assert {QUESTION: "kept"}[other] == "kept"
    assert other.about == about
