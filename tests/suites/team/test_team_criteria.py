"""Criteria of a scenario: each is a question of its own, and the judge is not told whether it must hold."""

from __future__ import annotations

import json

import pytest
from team_talks import RUBRICS, Clerk, marks, talk, values

from adjudge.core.conversation import Criterion
from adjudge.core.errors import Unanswered

TALK = (("mia", "Will it work?"), ("ann", "I guarantee it."))
POLITE, PROMISE = Criterion("It is polite."), Criterion("It promises something.", must=False)


def test_what_must_hold_and_what_must_not_are_judged_one_by_one() -> None:
    judge = Clerk(lambda shown: {"reasoning": "r", "holds": True, "turn": 2})
    polite, promise = marks("criteria", talk(*TALK, criteria=(POLITE, PROMISE)), judge=judge, rubrics=RUBRICS)
    assert (polite.value, polite.at, polite.group, polite.turn) == (1.0, "It is polite.", "must", "2")
    assert (promise.value, promise.at, promise.group, promise.why) == (0.0, PROMISE.text, "must not", "r")
    shown = [json.loads(question.material) for question in judge.asked]
    assert [each["criterion"] for each in shown] == [POLITE.text, PROMISE.text]
    assert "must" not in shown[0] | shown[1]


def test_what_must_not_hold_and_does_not_is_right() -> None:
    judge = Clerk(lambda shown: {"reasoning": "r", "holds": False, "turn": 0})
    assert values("criteria", talk(*TALK, criteria=(PROMISE,)), judge=judge, rubrics=RUBRICS) == [1.0]


def test_without_criteria_the_question_does_not_arise() -> None:
    assert values("criteria", talk(*TALK), judge=lambda questions: [], rubrics=RUBRICS) == []


def test_a_turn_that_does_not_exist_is_no_answer() -> None:
    judge = Clerk(lambda shown: {"reasoning": "r", "holds": True, "turn": 9})
    with pytest.raises(Unanswered, match="names turn 9"):
        marks("criteria", talk(*TALK, criteria=(POLITE,)), judge=judge, rubrics=RUBRICS)
