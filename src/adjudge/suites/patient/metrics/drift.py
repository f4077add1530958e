"""Whether the patient stays with what it said before, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from adjudge.core.ask import Judge, Question, Unanswered
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.tools.rubrics import Rubrics


class Clash(Struct, frozen=True, forbid_unknown_fields=True):
    """Two statements of a patient that cannot both be true, by number."""

    reasoning: str
    earlier: int
    later: int


class Clashes(Struct, frozen=True, forbid_unknown_fields=True):
    """All pairs of statements that cannot both be true."""

    reasoning: str
    pairs: tuple[Clash, ...]


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
    (found,) = judge([Question(rubrics.text("self_contradiction"), Clashes, _material(statements))])
    clashes = {statements[clash.later - 1].turn: clash for clash in _checked(found, len(statements))}
    for reply in later:
        clash = clashes.get(reply.turn)
        why = _why(clash, statements) if clash else ""
        yield Mark(float(clash is not None), reply.text[:80], reply.turn, why)


def _material(statements: list[Sentence]) -> str:
    shown = [{"number": number, "doctor": one.asked, "patient": one.text} for number, one in enumerate(statements, 1)]
    return msgspec.json.encode({"statements": shown}).decode()


def _checked(found: Clashes, statements: int) -> tuple[Clash, ...]:
    for clash in found.pairs:
        if not 1 <= clash.earlier < clash.later <= statements:
            raise Unanswered(
                "parse_error",
                f"the judge sets statement {clash.later} against {clash.earlier}; there are {statements}, and the "
                "later one comes after the earlier",
            )
    return found.pairs


def _why(clash: Clash, statements: list[Sentence]) -> str:
    earlier = statements[clash.earlier - 1]
    return f"against turn {earlier.turn} ({earlier.text!r}): {clash.reasoning}"
