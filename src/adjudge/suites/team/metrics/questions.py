"""Whether questions are answered."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.suites.team.rules.questions import asked_questions

SHOWN = 80


@metric(
    "NoAnswer",
    formula="questions without an answer / turns that end in a question",
    unit="question",
    better="lower",
    probes=("questions",),
    source="our own",
    primary=True,
)
def unanswered_questions(conversation: Conversation) -> Iterator[Mark]:
    """Are questions left unanswered?

    A question is a turn that ends in a question mark. It is unanswered if nobody else speaks after it, if those to whom
    the log says it is addressed do not speak, or if it is asked again in nearly the same words. Any reply counts as an
    answer, so evasive replies are missed, and so are questions in the middle of a turn. A polite last question
    ("Anything else?") counts as unanswered. The group of a mark is the one who asks.
    """
    for asked in asked_questions(conversation):
        why = f"{asked.missing}: {asked.question[:SHOWN]}" if asked.missing else ""
        yield Mark(float(asked.missing != ""), asked.turn.speaker, asked.turn.id, why, asked.turn.speaker)
