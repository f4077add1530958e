"""Who broke it, and when: the rules, the ranking, and the three ways to ask a judge."""

from __future__ import annotations

from typing import Any

import pytest
from team_talks import RUBRICS, Clerk, call, marks, result, talk, values

from adjudge.core.conversation import Conversation, Fault, Outcome
from adjudge.suites.team.rules import suspects as rules
from adjudge.suites.team.rules.attribution import WAYS

FAILED = Outcome(False)
TURNS = (
    ("mia", "Please book a room."),
    ("planner", "Clerk, book a room for Tuesday."),
    call("clerk", "book", room="Elm"),
    result("book", "Error: full", "error"),
    ("clerk", "Let us assume that Birch would do as well."),
    call("clerk", "book", room="Birch"),
    result("book", "Error: full", "error"),
    ("clerk", "It has been booked."),
    ("planner", "TERMINATE"),
)


def failed(*turns: Any, **more: Any) -> Conversation:
    return talk(*(turns or TURNS), outcome=FAILED, **more)


@pytest.mark.parametrize(
    ("rule", "turn"),
    [
        (rules.unrecovered_failure, "3"),
        (rules.first_failure, "3"),
        (rules.contradiction, "8"),
        (rules.assumption, "5"),
        (rules.first_reply, "3"),
        (rules.last_change, "5"),
    ],
)
def test_what_each_rule_names(rule: rules.Rule, turn: str) -> None:
    place = rule(failed())
    assert place is not None
    assert failed().turns[place].id == turn


def test_a_failure_after_which_the_tool_works_is_recovered() -> None:
    again = (call("clerk", "book", room="Oak"), result("book", "booked"))
    assert rules.unrecovered_failure(failed(*TURNS[:4], *again)) is None
    assert rules.first_failure(failed(*TURNS[:4], *again)) == 2


@pytest.mark.parametrize("rule", rules.RULES)
def test_a_rule_may_name_nothing(rule: rules.Rule) -> None:
    assert rule(failed(("mia", "Please book a room."))) is None


def test_blame_is_a_list_with_the_share_of_rules_that_name_each_step() -> None:
    results = marks("blame", failed())
    assert [(mark.turn, mark.at, mark.value) for mark in results] == [
        ("3", "clerk", pytest.approx(3 / 6)),
        ("5", "clerk", pytest.approx(2 / 6)),
        ("8", "clerk", pytest.approx(1 / 6)),
    ]
    assert results[0].why == "unrecovered failure, first failure, first reply"


def test_only_conversations_that_failed_have_somebody_to_blame() -> None:
    assert values("blame", talk(*TURNS, outcome=Outcome(True))) == []
    assert values("blame", talk(*TURNS)) == []
    assert len(values("blame", talk(*TURNS, faults=(Fault("clerk", "3"),)))) == 3


def test_rules_do_not_read_the_annotations() -> None:
    item, other = (failed(faults=(Fault(agent, "2", "because"),)) for agent in ("planner", "clerk"))
    assert marks("blame", item) == marks("blame", other) == marks("blame", failed())


HITS = ("blamed_agent", "blamed_agent_in_3", "blamed_turn", "blamed_turn_in_3", "blamed_turn_within_2")


@pytest.mark.parametrize(
    ("agent", "turn", "hits"),
    [
        ("clerk", "3", [1, 1, 1, 1, 1]),
        ("clerk", "5", [1, 1, 0, 1, 1]),
        ("clerk", "8", [1, 1, 0, 1, 0]),
        ("planner", "9", [0, 0, 0, 0, 0]),
    ],
)
def test_hits_among_the_first_suspects(agent: str, turn: str, hits: list[int]) -> None:
    said = failed(faults=(Fault(agent, turn),))
    assert [values(name, said) for name in HITS] == [[float(hit)] for hit in hits]


def test_without_annotations_there_is_nothing_to_hit() -> None:
    assert [values(name, failed()) for name in HITS] == [[]] * 5


def test_a_fault_without_a_turn_counts_for_the_agent_alone() -> None:
    said = failed(faults=(Fault("clerk"),))
    assert (values("blamed_agent", said), values("blamed_turn", said)) == ([1.0], [])


def blamed(way: str, judge: Clerk) -> list[str]:
    results = marks("judged_blame", failed(), judge=judge, rubrics=RUBRICS, attributor=WAYS[way])
    assert [mark.turn for mark in results] == ["2", "3", "5", "6", "8", "9"]
    return [mark.turn for mark in results if mark.value]


def test_a_judge_is_asked_about_the_whole_conversation() -> None:
    judge = Clerk(lambda shown: {"reasoning": "r", "turn": 5})
    assert blamed("whole", judge) == ["5"]
    assert len(judge.asked) == 1


def test_the_result_of_a_call_is_blamed_on_its_step() -> None:
    assert blamed("whole", Clerk(lambda shown: {"reasoning": "r", "turn": 7})) == ["6"]


def test_a_judge_is_asked_step_by_step_until_it_sees_an_error() -> None:
    judge = Clerk(lambda shown: {"reasoning": "r", "error": len(shown["turns"]) == 5})
    assert blamed("steps", judge) == ["5"]
    assert len(judge.asked) == 3


def test_a_judge_that_sees_no_error_blames_nobody() -> None:
    judge = Clerk(lambda shown: {"reasoning": "r", "error": False})
    assert blamed("steps", judge) == []
    tools = {"judge": judge, "rubrics": RUBRICS, "attributor": WAYS["steps"]}
    assert values("judged_agent", failed(faults=(Fault("clerk", "5"),)), **tools) == [0.0]


def test_a_judge_is_asked_in_halves() -> None:
    def answer(shown: dict[str, Any]) -> Any:
        return {"reasoning": "r", "half": "first" if shown["first"][1] >= 5 else "second"}

    judge = Clerk(answer)
    assert blamed("halving", judge) == ["5"]
    assert len(judge.asked) == 2


def test_what_the_judge_blames_is_held_against_the_annotators() -> None:
    tools = {
        "judge": Clerk(lambda shown: {"reasoning": "r", "turn": 5}),
        "rubrics": RUBRICS,
        "attributor": WAYS["whole"],
    }
    said = failed(faults=(Fault("clerk", "3"),))
    names = ("judged_agent", "judged_turn", "judged_turn_within_2")
    assert [values(name, said, **tools) for name in names] == [[1.0], [0.0], [1.0]]
    assert [values(name, failed(), **tools) for name in names] == [[], [], []]
