"""Section 11 of spec/service.md: the quality of replies as a judge sees it."""

import json
from collections.abc import Hashable, Iterable
from typing import Any

import msgspec
import pytest
from dialogues import POLICY, dialogue

from adjudge.core.ask import Question, Reply
from adjudge.core.errors import Unanswered
from adjudge.core.mark import Score
from adjudge.core.suite import Missing
from adjudge.score import Scorer
from adjudge.suites.service import HERE
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.metrics import quality
from adjudge.suites.service.metrics.quality import (
    response_clarity,
    response_completeness,
    response_correctness,
    response_policy_adherence,
    response_quality,
)
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.judging import Quality
from adjudge.suites.service.rules.policy import Policy, Requirement
from adjudge.tools.rubrics import Rubrics

ALL = [response_quality, response_correctness, response_completeness, response_clarity, response_policy_adherence]
RUBRICS = Rubrics(HERE / "rubrics")
OWN_POLICY = Policy({"card": Requirement(all=("number",))})
VERDICT = Quality("minor detail missing", correctness=5, completeness=3, clarity=4, policy_adherence=2, overall=4)


class TestJudge:
    """Answers every question with the next of its verdicts, the last one again and again."""

    __test__ = False

    def __init__(self, *verdicts: object) -> None:
        self.verdicts = list(verdicts)
        self.asked: list[Question[Quality]] = []
        self.waiting: list[tuple[Hashable, Reply]] = []

    def ask(self, requests: Iterable[Hashable], asker: str = "") -> None:
        for request in requests:
            assert isinstance(request, Question)
            self.asked.append(request)
            verdict = self.verdicts.pop(0) if len(self.verdicts) > 1 else self.verdicts[0]
            self.waiting.append((request, Reply(verdict)))

    def wait(self) -> Iterable[tuple[Hashable, Reply]]:
        ready, self.waiting = self.waiting, []
        return ready


def talk(*replies: str) -> ServiceDialogue:
    gold = {"intents": ("find_hotel",), "state": {"hotel-area": "west"}}
    return dialogue(*[(gold, None, reply) for reply in replies])


def scored(record: ServiceDialogue, **tools: Any) -> dict[str, Score]:
    scorer = Scorer(ALL, {"policy": POLICY, "rubrics": RUBRICS, **tools}, {"ours": {"reply"}})
    ((_, scores),) = scorer.score([record])
    return scores


def test_worked_example_of_section_11_and_the_four_criteria() -> None:
    scores = scored(talk("Try the Larkspur."), judge=TestJudge(VERDICT))
    assert [score.value for score in scores.values()] == [4.0, 5.0, 3.0, 4.0, 2.0]
    assert scores["response_quality"].marks[0].why == "minor detail missing"


def test_all_five_come_from_one_call_a_turn() -> None:
    judge = TestJudge(VERDICT)
    scores = scored(talk("Try the Larkspur.", "It is in the west."), judge=judge)
    assert len(judge.asked) == 2
    assert [score.n for score in scores.values()] == [2] * 5


def test_the_dialogue_value_is_the_mean_over_turns() -> None:
    poor = Quality("", 1, 1, 1, 1, 1)
    assert scored(talk("Yes.", "No."), judge=TestJudge(VERDICT, poor))["response_quality"].value == 2.5


def test_without_judge_all_five_are_skipped() -> None:
    for score in scored(talk("Hello.")).values():
        assert score.value is None
        assert score.skipped is not None
        assert score.skipped.status == "no_tool"
        assert score.skipped.why.startswith("no judge is configured")


@pytest.mark.parametrize("status", ["parse_error", "refusal", "timeout", "rate_limited"])
def test_a_judge_that_fails_is_a_skipped_score_and_never_a_number(status: Any) -> None:
    failure = Unanswered(status, "no luck")
    for score in scored(talk("Yes.", "No."), judge=TestJudge(VERDICT, failure)).values():
        assert (score.value, score.n, score.marks) == (None, 0, ())
        assert score.skipped is not None
        assert (score.skipped.status, score.skipped.why) == (status, "no luck")


def test_turns_without_reply_are_not_judged() -> None:
    judge = TestJudge(VERDICT)
    assert scored(talk("", "Yes."), judge=judge)["response_quality"].n == 1
    assert len(judge.asked) == 1


def test_a_dialogue_without_replies_is_undefined_and_asks_nothing() -> None:
    judge = TestJudge(VERDICT)
    score = scored(talk("", ""), judge=judge)["response_quality"]
    assert (score.value, score.skipped, judge.asked) == (None, None, [])


def test_the_judge_sees_the_dialogue_so_far_the_database_and_the_policy() -> None:
    db = Venues(
        {"hotel": [{"id": "1", "name": "red lion", "area": "west"}, {"id": "2", "name": "inn", "area": "east"}]}
    )
    judge = TestJudge(VERDICT)
    scored(talk("First reply.", "Second reply."), judge=judge, db=db)
    first, second = sorted((question.material for question in judge.asked), key=len)
    assert "Second reply." not in first
    assert "First reply." in second
    assert "red lion" in second
    assert '"name":"inn"' not in second
    assert "bookstay" in second


def test_a_missing_database_does_not_stop_the_judge() -> None:
    judge = TestJudge(VERDICT)
    assert scored(talk("Yes."), judge=judge, db=Missing("no database"))["response_quality"].value == 4.0
    assert '"database":null' in judge.asked[0].material


def test_points_go_from_1_to_5_and_have_a_word() -> None:
    assert {metric.card.scale for metric in ALL} == {(1.0, 5.0)}
    assert [quality.response_quality.card.band(value) for value in (1.0, 2.5, 3.9, 4.0, 5.0)] == [
        "poor",
        "weak",
        "fair",
        "good",
        "excellent",
    ]


@pytest.mark.parametrize(
    ("gold", "policy", "shown"),
    [
        ({}, POLICY, {}),
        ({"intents": ("block_card",)}, POLICY, {}),
        ({"intents": ("find_hotel",)}, POLICY, POLICY.book),
        ({}, OWN_POLICY, OWN_POLICY.book),
    ],
)
def test_the_judge_sees_the_policy_of_multiwoz_only_with_dialogues_of_its_domains(
    gold: dict[str, Any], policy: Policy, shown: dict[str, Requirement]
) -> None:
    judge = TestJudge(VERDICT)
    scored(dialogue((gold, None, "Your card is blocked.")), judge=judge, policy=policy)
    assert msgspec.convert(json.loads(judge.asked[0].material)["policy"], dict[str, Requirement]) == shown
