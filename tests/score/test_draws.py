"""Several judges or samples: asked the same, combined mark by mark, each one's values kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pytest

from adjudge.core.ask import Judge, Question, Reply
from adjudge.core.card import metric
from adjudge.core.errors import Unanswered
from adjudge.core.mark import Mark, Score, Unlabelled
from adjudge.core.panel import Combine, Panel, PanelMember
from adjudge.core.record import Record
from adjudge.score import Scorer
from adjudge.score.draws import combine_draws


class Instant:
    """A judge that answers at once with what its function says."""

    def __init__(self, answer: Callable[[Any], object]) -> None:
        self.answer = answer
        self.asked: list[Any] = []
        self.open: list[Any] = []

    def ask(self, requests: Iterable[Any], asker: str = "") -> None:
        new = list(requests)
        self.asked += new
        self.open += new

    def wait(self) -> Iterator[tuple[Any, Reply]]:
        while self.open:
            request = self.open.pop()
            yield request, Reply(self.answer(request))


@metric("V", formula="the judge's word", unit="turn", better="higher", scale=(1.0, 5.0), source="this test")
def verdict(record: Record, judge: Judge) -> Iterable[Mark]:
    """What does the judge say of both turns?"""
    for turn, value in zip("ab", judge([Question("a", float), Question("b", float)]), strict=True):
        yield Mark(value, turn=turn, why=f"said {value}")


def panel_of(judges: Mapping[str, Instant], combine: Combine = "mean") -> Panel:
    return Panel({name: PanelMember(judge) for name, judge in judges.items()}, combine)


def score(panel: Panel) -> Score:
    ((_, scores),) = Scorer([verdict], {"judge": panel}, {}).score([Record(id="r")])
    return scores["verdict"]


def test_each_member_is_asked_each_question_once() -> None:
    members = {"x": Instant(lambda question: 2.0), "y": Instant(lambda question: 4.0)}
    outcome = score(panel_of(members))
    assert [sorted(question.prompt for question in member.asked) for member in members.values()] == [["a", "b"]] * 2
    assert (outcome.value, outcome.n) == (3.0, 2)
    assert outcome.draws == {"x": (2.0, 2.0), "y": (4.0, 4.0)}
    assert [mark.spread for mark in outcome.marks] == [2.0, 2.0]


def test_the_reason_is_that_of_the_member_closest_to_the_outcome() -> None:
    values = {"x": 1.0, "y": 4.0, "z": 5.0}
    outcome = score(panel_of({name: Instant(lambda _, value=value: value) for name, value in values.items()}))
    assert outcome.value == pytest.approx(10 / 3)
    assert {mark.why for mark in outcome.marks} == {"said 4.0"}


@pytest.mark.parametrize(("values", "outcome"), [((5.0, 5.0, 1.0), 5.0), ((1.0, 5.0), 3.0), ((2.0,), 2.0)])
def test_majority_takes_the_most_frequent_and_the_mean_of_equals(values: tuple[float, ...], outcome: float) -> None:
    draws = {str(place): Score.of([Mark(value)]) for place, value in enumerate(values)}
    assert combine_draws(draws, "majority", (1.0, 5.0)).value == outcome


def test_a_member_that_fails_is_kept_as_having_said_nothing() -> None:
    outcome = score(panel_of({"x": Instant(lambda _: 2.0), "y": Instant(lambda _: Unanswered("timeout", "too slow"))}))
    assert outcome.value == 2.0
    assert outcome.draws == {"x": (2.0, 2.0), "y": (None, None)}


def test_a_panel_that_fails_wholly_is_skipped_with_the_reason() -> None:
    outcome = score(
        panel_of(
            {"x": Instant(lambda _: Unanswered("refusal", "no")), "y": Instant(lambda _: Unanswered("timeout", "slow"))}
        )
    )
    assert outcome.value is None
    assert outcome.skipped is not None
    assert outcome.skipped.status == "refusal"


def test_undefined_for_all_is_undefined() -> None:
    assert combine_draws({"x": Score(), "y": Score()}, "mean", (0.0, 1.0)) == Score()


def test_marks_that_are_alike_stay_apart() -> None:
    draws = {label: Score.of([Mark(1.0), Mark(0.0)]) for label in "xy"}
    assert combine_draws(draws, "mean", (0.0, 1.0)).n == 2


def test_a_draw_that_the_budget_did_not_cover_leaves_no_score() -> None:
    draws = {"x": Score.of([Mark(1.0)]), "y": Score.skip("over_budget", "spent")}
    assert combine_draws(draws, "mean", (0.0, 1.0)).skipped == draws["y"].skipped


def test_why_a_member_said_nothing_is_kept() -> None:
    draws = {"x": Score.of([Mark(1.0)]), "y": Score.skip("provider_error", "HTTP 401")}
    assert combine_draws(draws, "mean", (0.0, 1.0)).missing == {"y": draws["y"].skipped}


def test_items_that_no_member_labelled_are_counted() -> None:
    ann = Score.of_labelled([Mark(1.0, at="age"), Unlabelled("tobacco"), Unlabelled("alcohol")])
    ben = Score.of_labelled([Unlabelled("age"), Mark(0.0, at="tobacco"), Unlabelled("alcohol")])
    assert combine_draws({"ann": ann, "ben": ben}, "mean", (0.0, 1.0)).unlabelled == 1
    model = Score.of([Mark(1.0, at="age"), Mark(1.0, at="tobacco"), Mark(1.0, at="alcohol")])
    assert combine_draws({"ann": ann, "model": model}, "mean", (0.0, 1.0)).unlabelled == 0
