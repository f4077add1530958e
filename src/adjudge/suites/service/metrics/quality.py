"""The quality of replies as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.ask import About, Judge, NoLabel, Question
from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.service.data import Exchange, ServiceDialogue
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.judging import Quality, material
from adjudge.suites.service.rules.policy import Policy
from adjudge.tools.rubrics import Rubrics

# The scores of a verdict, with the metric that shows each.
SHOWN_AS = {
    "overall": "response_quality",
    "correctness": "response_correctness",
    "completeness": "response_completeness",
    "clarity": "response_clarity",
    "policy_adherence": "response_policy_adherence",
}

judged = partial(
    metric,
    formula="turn: the judge's score 1-5; dialogue: mean over turns; data set: mean over dialogues",
    unit="turn",
    better="higher",
    scale=(1.0, 5.0),
    pool="conversations",
    bands=(Band(1.0, "poor"), Band(2.0, "weak"), Band(3.0, "fair"), Band(4.0, "good"), Band(4.5, "excellent")),
    probes=("end-to-end",),
    predicts=("reply",),
    source="MAS4CS evaluation choices, 11",
)


@judged("Quality")
def response_quality(
    dialogue: ServiceDialogue, judge: Judge, rubrics: Rubrics, policy: Policy, db: Venues | None = None
) -> Iterator[Mark | Unlabelled]:
    """How good is each reply overall?

    The judge sees the dialogue so far, what the database has for the state, and the booking policy. All five
    response metrics come from one question a turn.
    """
    for exchange, quality in _verdicts(dialogue, judge, rubrics, policy, db):
        yield _mark(exchange, quality.overall, quality.reasoning)


@judged("Correctness")
def response_correctness(
    dialogue: ServiceDialogue, judge: Judge, rubrics: Rubrics, policy: Policy, db: Venues | None = None
) -> Iterator[Mark | Unlabelled]:
    """How true is each reply to the dialogue and the database?"""
    for exchange, quality in _verdicts(dialogue, judge, rubrics, policy, db):
        yield _mark(exchange, quality.correctness)


@judged("Completeness")
def response_completeness(
    dialogue: ServiceDialogue, judge: Judge, rubrics: Rubrics, policy: Policy, db: Venues | None = None
) -> Iterator[Mark | Unlabelled]:
    """How much of what the user asked does each reply deal with?"""
    for exchange, quality in _verdicts(dialogue, judge, rubrics, policy, db):
        yield _mark(exchange, quality.completeness)


@judged("Clarity")
def response_clarity(
    dialogue: ServiceDialogue, judge: Judge, rubrics: Rubrics, policy: Policy, db: Venues | None = None
) -> Iterator[Mark | Unlabelled]:
    """How easy is each reply to understand?"""
    for exchange, quality in _verdicts(dialogue, judge, rubrics, policy, db):
        yield _mark(exchange, quality.clarity)


@judged("Adherence", probes=("policy", "end-to-end"))
def response_policy_adherence(
    dialogue: ServiceDialogue, judge: Judge, rubrics: Rubrics, policy: Policy, db: Venues | None = None
) -> Iterator[Mark | Unlabelled]:
    """How well does each reply keep to the booking policy?"""
    for exchange, quality in _verdicts(dialogue, judge, rubrics, policy, db):
        yield _mark(exchange, quality.policy_adherence)


def _verdicts(
    dialogue: ServiceDialogue, judge: Judge, rubrics: Rubrics, policy: Policy, db: Venues | None
) -> Iterator[tuple[Exchange, Quality]]:
    """Each exchange that has a reply, with the judge's verdict on it."""
    places = [place for place, exchange in enumerate(dialogue.exchanges) if exchange.reply]
    rubric = rubrics.text("response_quality")
    questions = [
        Question(
            rubric,
            Quality,
            material(dialogue.exchanges[: place + 1], policy, db),
            about=_about(dialogue, dialogue.exchanges[place]),
        )
        for place in places
    ]
    if questions:
        yield from zip([dialogue.exchanges[place] for place in places], judge(questions), strict=True)


def _about(dialogue: ServiceDialogue, exchange: Exchange) -> tuple[About, ...]:
    """What the scores of a verdict are about, each under the name of the metric that shows it."""
    return tuple(About(field, dialogue.key, exchange.turn, label=metric) for field, metric in SHOWN_AS.items())


def _mark(exchange: Exchange, points: float | NoLabel, why: str = "") -> Mark | Unlabelled:
    if isinstance(points, NoLabel):
        return Unlabelled(turn=exchange.turn)
    return Mark(float(points), "", exchange.turn, why, exchange.group)
