"""Pairwise judging: both orders are asked, and only a preference that survives the swap counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from adjudge.core.ask import Question
from adjudge.core.pairwise import PairwiseOutcome, Place, Preference, prefer


def judge(better: Callable[[str, str], Place]) -> Any:
    """A judge that prefers as the function says, given what it sees first and second."""

    def answer(questions: Sequence[Question[Preference]]) -> list[Preference]:
        shown = [msgspec.json.decode(question.material) for question in questions]
        return [Preference("because", better(pair["first"], pair["second"])) for pair in shown]

    return answer


def longer(first: str, second: str) -> Place:
    return "tie" if len(first) == len(second) else "first" if len(first) > len(second) else "second"


def test_a_preference_that_survives_the_swap_counts() -> None:
    results = prefer(judge(longer), "Which is longer?", [("abc", "a"), ("a", "abc"), ("a", "b")])
    assert [(item.better, item.consistent) for item in results] == [("first", True), ("second", True), ("tie", True)]


def test_a_judge_that_likes_what_it_sees_first_prefers_nothing() -> None:
    assert prefer(judge(lambda first, second: "first"), "Which?", [("a", "b")]) == [
        PairwiseOutcome("tie", False, "because / in the other order: because")
    ]


def test_all_questions_go_out_in_one_call() -> None:
    calls: list[int] = []

    def counting(questions: Sequence[Question[Preference]]) -> list[Preference]:
        calls.append(len(questions))
        return [Preference("", "tie") for _ in questions]

    prefer(counting, "Which?", [("a", "b"), ("c", "d"), ("e", "f")])  # type: ignore[arg-type]
    assert calls == [6]
