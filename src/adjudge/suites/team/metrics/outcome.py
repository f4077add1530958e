"""How the conversation ended, as its log says it."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark


@metric(
    "Success",
    formula="conversations that reached their goal / conversations whose log says whether they did",
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("outcome",),
    source="our own",
    primary=True,
    predicts=("an outcome",),
)
def success(conversation: Conversation) -> Iterator[Mark]:
    """Did the conversation reach its goal, according to its log?

    Undefined if the log does not say. `goal_reached` asks a judge.
    """
    outcome = conversation.outcome
    if outcome is not None and outcome.reached is not None:
        yield Mark(float(outcome.reached), why=outcome.text or ("reached" if outcome.reached else "not reached"))


@metric(
    "LogScore",
    formula="the scores in the log, one for each name",
    unit="score",
    better="neither",
    scale=(None, None),
    probes=("outcome",),
    source="our own",
    predicts=("an outcome",),
)
def log_score(conversation: Conversation) -> Iterator[Mark]:
    """Which scores did the tool that wrote the log give?

    There is one mark for each score, with the name of the score as its group. Read the value by group: scores may have
    different scales, so their mean over names is meaningless.
    """
    for name, value in (conversation.outcome.scores if conversation.outcome else {}).items():
        yield Mark(value, at=name, group=name)
