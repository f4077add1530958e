"""The metrics of teams that ask a judge: what is asked, and what comes of the answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from team_talks import RUBRICS, Clerk, call, marks, result, talk, values

from adjudge.core.ask import NO_LABEL
from adjudge.core.conversation import Fault, Outcome
from adjudge.core.errors import Unanswered
from adjudge.core.mark import Unlabelled
from adjudge.suites.team.metrics.failures import failure_modes
from adjudge.suites.team.metrics.goal import goal_reached
from adjudge.suites.team.rules.modes import MODES

BOOKED = (
    ("mia", "Book a room."),
    call("ann", "book", room="Elm"),
    result("book", "Elm, booking 7"),
    ("ann", "Elm is booked, booking 8."),
)


def test_the_goal_is_judged_without_the_outcome_and_the_annotations() -> None:
    outcome, faults = Outcome(False, text="the secret outcome"), (Fault("ann", "4", "the secret reason"),)
    judge = Clerk(lambda shown: {"reasoning": "booked", "reached": True, "turn": 3})
    said = talk(*BOOKED, goal="a room", outcome=outcome, faults=faults)
    (mark,) = marks("goal_reached", said, judge=judge, rubrics=RUBRICS)
    assert (mark.value, mark.turn, mark.why) == (1.0, "3", "booked")
    assert "secret" not in judge.asked[0].material
    assert json.loads(judge.asked[0].material)["turns"][1] == {
        "turn": 2,
        "speaker": "ann",
        "kind": "call",
        "tool": "book",
        "arguments": {"room": "Elm"},
        "text": "",
    }


def test_without_a_goal_nobody_is_asked() -> None:
    assert values("goal_reached", talk(*BOOKED), judge=None, rubrics=RUBRICS) == []


def test_a_turn_that_does_not_exist_is_no_answer() -> None:
    judge = Clerk(lambda shown: {"reasoning": "", "reached": True, "turn": 99})
    with pytest.raises(Unanswered, match="names turn 99; there are 4"):
        marks("goal_reached", talk(*BOOKED, goal="a room"), judge=judge, rubrics=RUBRICS)


def modes_answer(**present: int) -> dict[str, Any]:
    return {
        mode: {"reasoning": "seen" if mode in present else "", "present": mode in present, "turn": present.get(mode, 0)}
        for mode in MODES
    }


def test_failure_modes_come_from_one_question_with_turn_and_agent() -> None:
    judge = Clerk(lambda shown: modes_answer(step_repetition=4))
    results = marks("failure_modes", talk(*BOOKED), judge=judge, rubrics=RUBRICS)
    assert len(judge.asked) == 1
    assert len(results) == 14
    (seen,) = [mark for mark in results if mark.value]
    assert (seen.at, seen.group, seen.turn, seen.why) == ("step_repetition", "step_repetition", "4", "ann: seen")


def test_the_rubric_describes_every_mode_and_no_other() -> None:
    described = [line.split("**")[1] for line in RUBRICS.text("failure_modes").splitlines() if line.startswith("- **")]
    assert described == list(MODES)


def test_items_without_a_label_have_no_value() -> None:
    class People:
        def __call__(self, questions: Any) -> Any:
            return [Empty() for _ in questions]

    class Empty:
        reached = NO_LABEL
        present = NO_LABEL

        def __getattr__(self, name: str) -> Any:
            return self

    assert list(goal_reached(talk(*BOOKED, goal="a room"), judge=People(), rubrics=RUBRICS)) == [Unlabelled()]
    unlabelled: Any = list(failure_modes(talk(*BOOKED), judge=People(), rubrics=RUBRICS))
    assert unlabelled == [Unlabelled(mode) for mode in MODES]


def test_instructions_are_judged_for_each_agent_that_has_some() -> None:
    judge = Clerk(lambda shown: {"agent_1": {"reasoning": "wrong number", "kept": False, "turn": 4}})
    said = talk(*BOOKED, ("bob", "Good."), instructions={"ann": "Report numbers.", "mia": "Be kind."})
    (mark,) = marks("instruction_kept", said, judge=judge, rubrics=RUBRICS)
    assert (mark.value, mark.at, mark.group, mark.turn) == (0.0, "ann", "ann", "4")
    assert json.loads(judge.asked[0].material)["agents"] == {
        "agent_1": {"name": "ann", "instructions": "Report numbers."}
    }


def test_instructions_for_all_are_for_each_agent() -> None:
    kept = {"reasoning": "", "kept": True, "turn": 0}
    judge = Clerk(lambda shown: dict.fromkeys(shown["agents"], kept))
    said = talk(*BOOKED, ("bob", "Good."), instructions={"": "Be brief."})
    assert values("instruction_kept", said, judge=judge, rubrics=RUBRICS) == [1.0, 1.0]
    assert values("instruction_kept", talk(*BOOKED), judge=judge, rubrics=RUBRICS) == []


def test_turns_after_a_result_are_judged_for_grounding_eight_at_a_time() -> None:
    def answer(shown: dict[str, Any]) -> Any:
        return {
            code: {"reasoning": "r", "claims": number != 5, "supported": number != 4}
            for code, number in shown["judged"].items()
        }

    judge = Clerk(answer)
    said = talk(*BOOKED, *(("ann", f"Word {number}.") for number in range(9)), ("mia", "Hm."))
    results = marks("grounded", said, judge=judge, rubrics=RUBRICS)
    assert len(judge.asked) == 2
    assert [mark.turn for mark in results] == ["4", *map(str, range(6, 14))]
    assert [mark.value for mark in results] == [0.0, *[1.0] * 8]


def test_without_tools_there_is_nothing_to_be_grounded_in() -> None:
    assert values("grounded", talk(("ann", "It rains.")), judge=None, rubrics=RUBRICS) == []
