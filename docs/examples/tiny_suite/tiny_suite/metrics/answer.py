"""Whether the answer is right."""

from collections.abc import Iterator

from adjudge import Mark, metric
from tiny_suite.data import QuizAnswer


@metric(
    "Acc",
    formula="right answers / questions",
    unit="conversation",
    better="higher",
    pool="conversations",
    predicts=("given",),
    source="our own",
)
def right_answer(quiz: QuizAnswer) -> Iterator[Mark]:
    """Is the answer the right one?

    Case and white space at the ends do not matter. No answer is a wrong one.
    """
    given = quiz.given or ""
    right = given.strip().lower() == quiz.right.lower()
    yield Mark(float(right), why="" if right else f"said {given!r}, right is {quiz.right!r}")
