"""The quality of replies as a judge sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from adjudge.core.ask import About, Judge, NoLabel, Question
from adjudge.core.card import Band, Metric, metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.service.data import Exchange, ServiceDialogue
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.judging import Quality, material
from adjudge.suites.service.rules.policy import Policy, policy_for
from adjudge.tools.rubrics import Rubrics

# The scores of a verdict, with the metric that shows each.
SHOWN_AS = {
    "overall": "response_quality",
    "correctness": "response_correctness",
    "completeness": "response_completeness",
    "clarity": "response_clarity",
    "policy_adherence": "response_policy_adherence",
}

reply_card = partial(
    metric,
    formula="turn: the judge's score 1-5; dialogue: mean over turns; dataset: mean over dialogues",
    unit="turn",
    better="higher",
    scale=(1.0, 5.0),
    pool="conversations",
    bands=(Band(1.0, "poor"), Band(2.0, "weak"), Band(3.0, "fair"), Band(4.0, "good"), Band(4.5, "excellent")),
    predicts=("reply",),
    rubrics=("response_quality",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 11 LLM-Judged Response Quality",
)


# Marks one reply by what the judge said of it.
ReplyVerdict = Callable[[Exchange, Quality], Mark | Unlabelled]


def reply_metric(symbol: str, *probes: str, primary: bool = False) -> Callable[[ReplyVerdict], Metric]:
    """Declare a function that marks one reply by the judge's verdict the metric of all replies."""

    def declare(verdict: ReplyVerdict) -> Metric:
        def mark_replies(
            dialogue: ServiceDialogue, judge: Judge, rubrics: Rubrics, policy: Policy, db: Venues | None = None
        ) -> Iterator[Mark | Unlabelled]:
            questions = _questions(dialogue, rubrics, policy, db)
            if questions:
                for exchange, quality in zip(_exchanges_with_reply(dialogue), judge(questions), strict=True):
                    yield verdict(exchange, quality)

        mark_replies.__name__, mark_replies.__doc__ = verdict.__name__, verdict.__doc__
        return reply_card(symbol, probes=probes, primary=primary)(mark_replies)

    return declare


@reply_metric("Quality", "end-to-end", primary=True)
def response_quality(exchange: Exchange, quality: Quality) -> Mark | Unlabelled:
    """How good is each reply overall?

    The judge sees the dialogue so far, the database result for the state, and the booking policy. One question for each
    turn answers all five response metrics.
    """
    return _mark(exchange, quality.overall, quality.reasoning)


@reply_metric("Correctness", "end-to-end")
def response_correctness(exchange: Exchange, quality: Quality) -> Mark | Unlabelled:
    """Does each reply agree with the dialogue and the database?"""
    return _mark(exchange, quality.correctness)


@reply_metric("Completeness", "end-to-end")
def response_completeness(exchange: Exchange, quality: Quality) -> Mark | Unlabelled:
    """How much of the user's request does each reply deal with?"""
    return _mark(exchange, quality.completeness)


@reply_metric("Clarity", "end-to-end")
def response_clarity(exchange: Exchange, quality: Quality) -> Mark | Unlabelled:
    """How easy is each reply to understand?"""
    return _mark(exchange, quality.clarity)


@reply_metric("Adherence", "policy", "end-to-end")
def response_policy_adherence(exchange: Exchange, quality: Quality) -> Mark | Unlabelled:
    """How well does each reply follow the booking policy?"""
    return _mark(exchange, quality.policy_adherence)


def _exchanges_with_reply(dialogue: ServiceDialogue) -> list[Exchange]:
    """The exchanges that have a reply."""
    return [exchange for exchange in dialogue.exchanges if exchange.reply]


def _questions(
    dialogue: ServiceDialogue, rubrics: Rubrics, policy: Policy, db: Venues | None
) -> list[Question[Quality]]:
    """A question about each reply."""
    rubric, shown = rubrics.text("response_quality"), policy_for(dialogue, policy)
    return [
        Question(rubric, Quality, material(dialogue.exchanges[:end], shown, db), about=_about(dialogue, exchange))
        for end, exchange in enumerate(dialogue.exchanges, 1)
        if exchange.reply
    ]


def _about(dialogue: ServiceDialogue, exchange: Exchange) -> tuple[About, ...]:
    """What the scores of a verdict are about, each under the name of the metric that shows it."""
    return tuple(About(field, dialogue.key, exchange.turn, label=metric) for field, metric in SHOWN_AS.items())


def _mark(exchange: Exchange, points: float | NoLabel, why: str = "") -> Mark | Unlabelled:
    if isinstance(points, NoLabel):
        return Unlabelled(turn=exchange.turn)
    return Mark(float(points), "", exchange.turn, why, exchange.group)
