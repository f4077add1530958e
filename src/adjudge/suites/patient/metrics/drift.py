"""Whether the patient stays with what it said before, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from adjudge.core.ask import NO_LABEL, About, Judge, Labelled, NoLabel, Question
from adjudge.core.card import metric
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.rules.answers import answer_of
from adjudge.tools.rubrics import Rubrics


@metric(
    "SelfContra",
    formula="replies after the first that contradict an earlier statement of the patient / replies after the first",
    unit="reply",
    better="lower",
    probes=("drift",),
    predicts=("a conversation",),
    rubrics=("self_contradiction",),
    source="our own",
)
def self_contradiction(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Does the patient contradict its own earlier statements?

    There is one question for each conversation. A patient that corrects itself, whose state has changed, or who becomes
    clearer after confusion contradicts nothing.
    """
    later_replies = consultation.replies[1:]
    if not later_replies:
        return
    statements = consultation.sentences
    question: Question[Any] = Question(
        rubrics.text("self_contradiction"),
        _answer(len(statements)),
        _material(statements),
        about=tuple(
            About("pairs", consultation.key, reply.turn, label="self_contradiction") for reply in later_replies
        ),
    )
    (answer,) = judge([question])
    reasons = _reasons(answer.pairs, statements)
    for reply in later_replies:
        reason = reasons.get(reply.turn, "")
        if reason is NO_LABEL:
            yield Unlabelled(reply.text[:80], reply.turn)
        else:
            yield Mark(float(reply.turn in reasons), reply.text[:80], reply.turn, reason)


def _reasons(pairs: Sequence[Any], statements: list[Sentence]) -> dict[str, str | NoLabel]:
    """Why a reply contradicts an earlier one, by turn; NO_LABEL for a reply that nobody labelled."""
    if not pairs or not isinstance(pairs[0], Labelled):
        return dict(_clashes(pairs, statements))
    return {label.about.turn: NO_LABEL if label.value is NO_LABEL else label.why for label in pairs if label.value}


def _clashes(pairs: Iterable[Any], statements: list[Sentence]) -> Iterator[tuple[str, str]]:
    """The turn of the later statement of each pair that a judge names, with the reason; not of pairs in one reply."""
    for pair in pairs:
        earlier, later = (statements[number - 1] for number in sorted((pair.earlier, pair.later)))
        if earlier.turn != later.turn:
            yield later.turn, f"against turn {earlier.turn} ({earlier.text!r}): {pair.reasoning}"


def _material(statements: list[Sentence]) -> str:
    shown = [
        {"number": number, "doctor": statement.asked, "patient": statement.text}
        for number, statement in enumerate(statements, 1)
    ]
    return msgspec.json.encode({"statements": shown}).decode()


@cache
def _answer(statements: int) -> Any:
    """The type of the answer about this number of statements: pairs of them, by number."""
    number = Annotated[int, Meta(ge=1, le=statements)]
    clash: Any = answer_of("Clash", {"reasoning": str, "earlier": number, "later": number})
    return answer_of("Clashes", {"reasoning": str, "pairs": tuple[clash, ...]})
