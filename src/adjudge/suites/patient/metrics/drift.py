"""Whether the patient stays with what it said before, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Protocol

import msgspec
from msgspec import Meta

from adjudge.core.ask import Judge, Question
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.answers import answer_of
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.tools.rubrics import Rubrics


class Clash(Protocol):
    """Two statements of a patient that cannot both be true, by number."""

    reasoning: str
    earlier: int
    later: int


@metric(
    "SelfContra",
    formula="replies after the first that contradict an earlier statement of the patient / replies after the first",
    unit="reply",
    better="lower",
    probes=("drift",),
    predicts=("a conversation",),
    source="our own",
)
def self_contradiction(consultation: Consultation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark]:
    """Does the patient contradict what it said before?

    One question for each conversation. A patient that corrects itself, or whose state has changed, contradicts nothing;
    and neither does one that gets clearer after it was confused.
    """
    first, *later = consultation.replies or (None,)
    if first is None or not later:
        return
    statements = [sentence for reply in consultation.replies for sentence in reply.sentences]
    question: Question[Any] = Question(
        rubrics.text("self_contradiction"), _answer(len(statements)), _material(statements)
    )
    (found,) = judge([question])
    clashes: dict[str, Clash] = {statements[clash.later - 1].turn: clash for clash in found.pairs}
    for reply in later:
        clash = clashes.get(reply.turn)
        why = _why(clash, statements) if clash else ""
        yield Mark(float(clash is not None), reply.text[:80], reply.turn, why)


def _material(statements: list[Sentence]) -> str:
    shown = [{"number": number, "doctor": one.asked, "patient": one.text} for number, one in enumerate(statements, 1)]
    return msgspec.json.encode({"statements": shown}).decode()


@cache
def _answer(statements: int) -> Any:
    """The answer about so many statements: pairs of them, the earlier first."""
    number = Annotated[int, Meta(ge=1, le=statements)]
    clash: Any = answer_of("Clash", {"reasoning": str, "earlier": number, "later": number}, _check_order)
    return answer_of("Clashes", {"reasoning": str, "pairs": tuple[clash, ...]})


def _check_order(clash: Clash) -> None:
    if clash.earlier >= clash.later:
        raise ValueError(f"later: expected a number above that of the earlier statement, {clash.earlier}")


def _why(clash: Clash, statements: list[Sentence]) -> str:
    earlier = statements[clash.earlier - 1]
    return f"against turn {earlier.turn} ({earlier.text!r}): {clash.reasoning}"
