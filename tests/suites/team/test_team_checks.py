"""Checks of single turns that need no judge: tools, claims, questions, repetition, endings, form, outcome."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from team_talks import call, marks, result, talk, values, wrong_turns

from adjudge.core.conversation import Outcome
from adjudge.core.record import Call, Turn
from adjudge.suites.team.rules.calls import tool_uses


def test_failed_calls_by_the_status_of_the_log() -> None:
    said = talk(call("ann", "search"), result("search", "Error in the title of a book"), call("ann", "book"))
    assert values("tool_error_rate", said) == [0.0]
    failed = talk(call("ann", "search"), result("search", "nothing", "error"))
    assert [(mark.value, mark.at, mark.turn, mark.group) for mark in marks("tool_error_rate", failed)] == [
        (1.0, "search", "1", "ann")
    ]


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("Error: no such flight", True),
        ("Traceback (most recent call last):", True),
        ('{"error": "no such flight"}', True),
        ('{"error": null, "flights": []}', False),
        ("exitcode: 1 (execution failed)", True),
        ("exitcode: 0 (execution succeeded)", False),
        ("There was no error", False),
    ],
)
def test_failed_calls_by_how_the_result_begins(text: str, failed: bool) -> None:
    assert values("tool_error_rate", talk(call("ann", "run"), result("run", text, None))) == [float(failed)]


def test_results_find_their_calls_by_id() -> None:
    def turn(kind: Any, speaker: str, number: str, status: Any = None) -> Turn:
        return Turn("", speaker, number, kind=kind, call=Call("search", {}, status, number))

    said = talk(
        turn("call", "ann", "a"),
        turn("call", "bob", "b"),
        turn("result", "search", "b", "error"),
        turn("result", "search", "a", "ok"),
    )
    assert [(use.caller, use.failed) for use in tool_uses(said)] == [("ann", False), ("bob", True)]


def test_a_result_without_a_call_belongs_to_the_step_before() -> None:
    """As in logs whose code executor speaks like a participant."""
    said = talk(("ann", "run this"), Turn("", "terminal", "exitcode: 1", kind="result"), ("bob", "hm"))
    assert [(use.caller, use.name, use.failed, use.turn) for use in tool_uses(said)] == [("ann", "terminal", True, "2")]


def test_a_call_that_was_made_before_with_the_same_arguments() -> None:
    said = talk(call("ann", "find", a=1, b=2), call("bob", "find", b=2, a=1), call("ann", "find", a=1))
    assert wrong_turns("repeated_calls", said) == ["2"]
    retried = talk(call("ann", "find"), result("find", "", "error"), call("ann", "find"))
    assert marks("repeated_calls", retried)[1].why == "as in turn 1, which failed"


def test_unknown_tools_only_where_the_log_lists_the_tools() -> None:
    said = talk(call("ann", "find"), call("ann", "fnid"))
    assert values("unknown_tools", said) == []
    assert wrong_turns("unknown_tools", structs.replace(said, tools=("find",))) == ["2"]


def test_a_result_is_used_where_one_of_its_new_words_comes_again() -> None:
    outcome = (("mia", "any rooms?"), call("ann", "find"), result("find", "Birch has rooms, a screen and 12 seats"))
    assert values("unused_results", talk(*outcome, ("ann", "Take Birch."))) == [0.0]
    assert values("unused_results", talk(*outcome, call("ann", "book", room="Birch"))) == [0.0]
    assert wrong_turns("unused_results", talk(*outcome, ("ann", "I cannot help."))) == ["3"]


def test_a_result_that_brings_little_that_is_new_is_not_judged() -> None:
    assert values("unused_results", talk(("mia", "rooms?"), call("ann", "find"), result("find", "rooms"))) == []
    assert values("unused_results", talk(call("ann", "show"), result("show", "Presented successfully."))) == []
    assert values("unused_results", talk(call("ann", "find"), result("find", "Birch", "error"))) == []


def test_a_claim_of_success_right_after_a_failure() -> None:
    failed = (call("ann", "book"), result("book", "Error: full", "error"))
    assert wrong_turns("false_success", talk(*failed, ("ann", "Your room has been booked."))) == ["3"]
    assert values("false_success", talk(*failed, ("ann", "Unfortunately it has not been booked."))) == [0.0]
    again = (call("ann", "book"), result("book", "done"))
    assert values("false_success", talk(*failed, *again, ("ann", "Your room has been booked."))) == []


def test_another_number_than_the_result_has() -> None:
    total = (call("ann", "sum"), result("sum", '{"total": 412.5, "nights": 3}'))
    assert wrong_turns("result_contradiction", talk(*total, ("ann", "The total is 312.50."))) == ["3"]
    assert values("result_contradiction", talk(*total, ("ann", "The total is 412.50. See A320."))) == [0.0]
    assert values("result_contradiction", talk(*total, ("ann", "The total for 3 nights is 412.50."))) == []
    assert (
        values("result_contradiction", talk(call("ann", "sum"), result("sum", "412"), ("ann", "The total is 3"))) == []
    )


def test_questions_that_nobody_answers() -> None:
    assert wrong_turns("unanswered_questions", talk(("ann", "Which room?"), ("ann", "Hm."))) == ["1"]
    assert wrong_turns("unanswered_questions", talk(("ann", "Which room?"), ("bob", "TERMINATE"))) == ["1"]
    assert values("unanswered_questions", talk(("ann", "Which room?"), ("bob", "Birch."))) == [0.0]
    assert values("unanswered_questions", talk(("ann", "Why? Because."))) == []


def test_a_question_is_for_those_that_it_names() -> None:
    said = talk(("ann", "Which room?", "cem"), ("bob", "Birch."), ("cem", ""))
    assert marks("unanswered_questions", said)[0].why == "cem, to whom it is put, does not speak after it: Which room?"


def test_a_question_that_is_asked_again_had_no_answer() -> None:
    asked = "Which of the rooms shall I book?"
    said = talk(("ann", asked), ("bob", "It rains."), ("ann", asked), ("bob", "Birch."))
    assert wrong_turns("unanswered_questions", said) == ["1"]


def test_turns_that_say_again_what_was_said() -> None:
    long = "I will now look for a room with a screen for eight people on Tuesday morning"
    said = talk(("ann", long), ("bob", "Fine."), ("ann", long + "."), ("bob", f"So, {long}"))
    assert wrong_turns("repeated_turns", said) == ["3", "4"]
    assert marks("repeated_turns", said)[0].why == "as in turn 1"


def test_other_numbers_and_short_turns_are_no_repetition() -> None:
    order = "Please book the room for the number of people that I told you: {}"
    assert wrong_turns("repeated_turns", talk(("ann", order.format(8)), ("ann", order.format(9)))) == []
    assert values("repeated_turns", talk(("ann", "Yes please."), ("ann", "Yes please."))) == []


def test_repetition_by_meaning_is_the_highest_cosine_before() -> None:
    vectors = {"one two three four five": [1.0, 0.0], "two three four five six": [0.6, 0.8], "a b c d e": [0.0, 2.0]}
    said = talk(*(("ann", text) for text in vectors))
    results = marks("repetition_by_meaning", said, embed=lambda texts: [vectors[text] for text in texts])
    assert [mark.value for mark in results] == pytest.approx([0.6, 0.8])
    assert results[1].why == "closest to turn 2"


def test_turns_after_the_end() -> None:
    done = (("mia", "Book it."), ("ann", "Booked.\nTERMINATE"))
    late = talk(*done, ("bob", "Shall I draw a chart of all rooms?"), call("bob", "draw"))
    assert values("late_turns", late) == [0.0, 0.0, 1.0, 1.0]
    assert values("late_turns", talk(*done, ("mia", "Thank you, bye!"), ("ann", "TERMINATE"))) == [0.0] * 4
    assert values("late_turns", talk(("mia", "Book it."), ("ann", "Booked."))) == []


def test_the_opening_turn_and_conditions_announce_no_end() -> None:
    assert values("late_turns", talk(("mia", "Work. TERMINATE"), ("ann", "Yes."))) == []
    assert (
        values("late_turns", talk(("mia", "Hi"), ("ann", "Once the task is complete, tell me."), ("mia", "Ok"))) == []
    )


@pytest.mark.parametrize(("text", "empty"), [("", 1.0), (" ... ", 1.0), ("None", 1.0), ("No.", 0.0), ("7", 0.0)])
def test_empty_turns(text: str, empty: float) -> None:
    assert values("empty_turns", talk(("ann", text))) == [empty]


def test_calls_that_were_not_parsed() -> None:
    garbled = Turn("", "ann", kind="call", call=Call("find", "room=Birch"))
    left = '{"name": "find", "arguments": {}}'
    said = talk(garbled, call("ann", "find", room="Birch"), ("ann", left), ("ann", "<tool_call>"), ("ann", "fine"))
    assert values("unparsed_turns", said) == [1.0, 0.0, 1.0, 1.0, 0.0]


def test_the_outcome_of_the_log() -> None:
    assert values("success", talk(outcome=Outcome(True))) == [1.0]
    assert values("success", talk(outcome=Outcome(scores={"reward": 0.5}))) == []
    (mark,) = marks("log_score", talk(outcome=Outcome(scores={"reward": 0.5})))
    assert (mark.value, mark.group) == (0.5, "reward")
