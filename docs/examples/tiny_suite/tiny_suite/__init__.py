"""Quiz questions with one right answer: the smallest suite that is a whole one."""

from pathlib import Path

from adjudge import Suite
from tiny_suite.data import QuizAnswer
from tiny_suite.read.source import QuizSource

suite = Suite(
    name="tiny",
    title="Quiz questions with one right answer",
    record=QuizAnswer,
    package=__name__,
    open=QuizSource,
    tools=lambda options: {},
    sample=Path(__file__).parent / "sample" / "sample.jsonl",
)
