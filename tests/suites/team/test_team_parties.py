"""Who takes part how much, who hands over to whom, and what it takes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import structs
from team_talks import call, marks, result, talk, values, wrong_turns

from adjudge.core.conversation import Conversation
from adjudge.core.record import Participant, Turn
from adjudge.core.usage import Usage


def test_shares_of_turns_and_words_by_participant() -> None:
    said = talk(("ann", "one two three"), ("bob", "four"), ("ann", "five six"))
    assert [(mark.group, mark.value) for mark in marks("turn_share", said)] == [
        ("ann", pytest.approx(2 / 3)),
        ("bob", pytest.approx(1 / 3)),
    ]
    assert [mark.value for mark in marks("word_share", said)] == pytest.approx([5 / 6, 1 / 6])


def test_balance_is_one_minus_gini() -> None:
    """Turns 2 and 1: Gini (2 * 2 - 2 - 1) * 2 + (2 - 2 - 1) * 1 over 2 * 3 = 1 / 6."""
    said = talk(("ann", "one two three"), ("bob", "four"), ("ann", "five six"))
    assert values("turn_balance", said) == pytest.approx([5 / 6])
    assert values("word_balance", said) == pytest.approx([1 - 1 / 3])


def test_a_listed_party_that_says_nothing_counts_with_zero() -> None:
    said = talk(("ann", "hello"))
    assert values("turn_balance", said) == []
    silent = structs.replace(said, participants=(*said.participants, Participant("bob")))
    assert values("turn_balance", silent) == [0.5]


def test_tools_calls_and_thoughts_take_no_share() -> None:
    thought = Turn("", "bob", "hm, let me think", kind="thought")
    said = talk(("ann", "go"), call("bob", "search"), result("search", "many words here"), thought, ("bob", "done"))
    assert [(mark.at, mark.value) for mark in marks("turn_share", said)] == [("ann", 0.5), ("bob", 0.5)]


def test_who_speaks_to_whom_by_name_or_by_who_speaks_next() -> None:
    said = talk(("ann", "hi", "cem"), ("bob", "and you?"), ("ann", "fine"), ("cem", "good"))
    assert [(mark.at, mark.value) for mark in marks("address_share", said)] == [
        ("ann to cem", 1.0),
        ("bob to ann", 1.0),
    ]


def test_a_monologue_is_for_nobody() -> None:
    assert marks("address_share", talk(("ann", "one"), ("ann", "two"))) == []


LOOP = (
    ("ann", "Please decide which room we take on Tuesday."),
    ("bob", "I would rather that you decide which room we take."),
    ("ann", "Please decide which room we take on Tuesday."),
    ("bob", "Rather you decide which room we take."),
)


def test_back_and_forth_without_anything_new_is_a_loop() -> None:
    said = talk(*LOOP)
    assert values("handover_count", said) == [3.0]
    assert wrong_turns("handover_loops", said) == ["3", "4"]


def test_a_new_fact_or_a_tool_ends_a_loop() -> None:
    assert wrong_turns("handover_loops", talk(*LOOP[:2], ("ann", "Then Birch, because it has a screen."))) == []
    used = talk(*LOOP[:2], call("ann", "list_rooms"), result("list_rooms", "Birch"), LOOP[2])
    assert wrong_turns("handover_loops", used) == []


def test_people_are_no_agents_that_hand_over() -> None:
    said = talk(("mia", "Book a room."), ("ann", "Which?"), ("mia", "Any."))
    assert (values("handover_count", said), values("handover_loops", said)) == ([], [])


def test_steps_tokens_and_cost_in_all_and_by_participant() -> None:
    spent = Turn("", "ann", "hi", usage=Usage(1, 10, 5, 0.25))
    unpriced = Turn("", "bob", "ho", usage=Usage(1, 20, 5))
    said = talk(spent, call("ann", "search"), spent)
    assert values("step_count", said) == values("participant_steps", said) == [3.0]
    assert values("token_count", said) == [30.0]
    assert values("cost", said) == [0.5]
    assert [(mark.group, mark.value) for mark in marks("participant_tokens", talk(spent, unpriced))] == [
        ("ann", 15.0),
        ("bob", 25.0),
    ]
    assert values("cost", talk(spent, unpriced)) == []
    assert values("participant_cost", talk(spent, unpriced)) == [0.25]


def test_usage_of_the_whole_conversation_where_turns_have_none() -> None:
    said = talk(("ann", "hi"), usage=Usage(2, 100, 20, 0.1))
    assert (values("token_count", said), values("cost", said)) == ([120.0], [0.1])
    assert values("participant_tokens", said) == []


def timed(*seconds: int | None, zone: bool = True) -> Conversation:
    start = datetime(2026, 3, 2, 9, tzinfo=UTC if zone else None)
    times = [None if each is None else start + timedelta(seconds=each) for each in seconds]
    return talk(*(Turn("", "ann", "hi", time=time) for time in times))


def test_latency_is_the_time_since_the_turn_before() -> None:
    assert values("latency", timed(0, 3, 10)) == [3.0, 7.0]


def test_missing_times_and_times_that_run_backwards_have_no_latency() -> None:
    assert values("latency", timed(0, None, 10)) == []
    assert values("latency", timed(10, 0)) == []
    mixed = (*timed(0).turns, *timed(5, zone=False).turns)
    assert values("latency", talk(*mixed)) == []
