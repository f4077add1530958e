"""Outputs that could not be read: wrong everywhere, and counted by a metric of their own."""

from __future__ import annotations

from adjudge.suites.service.data import Annotation, ServiceDialogue, ServiceTurn
from adjudge.suites.service.metrics.goal import joint_goal_accuracy
from adjudge.suites.service.metrics.parsing import unparsed_output
from adjudge.suites.service.rules.values import CANONICAL

EMPTY = Annotation(intents=("find_hotel",), state={})


def _dialogue(*predicted: Annotation | None) -> ServiceDialogue:
    turns = [ServiceTurn(str(place), "user", "hello", EMPTY, annotation) for place, annotation in enumerate(predicted)]
    return ServiceDialogue(id="d", turns=tuple(turns))


def test_each_turn_with_an_output_says_whether_it_could_be_read() -> None:
    marks = list(unparsed_output(_dialogue(Annotation(state={}), Annotation(unparsed="{'state': oops"), None)))
    assert [(mark.value, mark.why) for mark in marks] == [(0.0, ""), (1.0, "{'state': oops")]


def test_an_unreadable_output_is_wrong_even_where_gold_is_empty() -> None:
    marks = list(joint_goal_accuracy(_dialogue(Annotation(state={}), Annotation(unparsed="oops")), match=CANONICAL))
    assert [mark.value for mark in marks] == [1.0, 0.0]
