"""What the conversation took: steps, tokens, money and time, in all and by participant."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.core.usage import Usage
from adjudge.suites.team.rules.parties import amounts_of, parties, steps

effort = partial(metric, scale=(0.0, None), probes=("effort",), source="our own")
total = partial(effort, better="lower", unit="conversation", pool="conversations")
# The effort of one part is neither good nor bad: a part that does more takes more.
by_part = partial(effort, better="neither")


@total(
    "Steps",
    formula="turns and calls of the parties",
    primary=True,
)
def step_count(conversation: Conversation) -> Iterator[Mark]:
    """How many steps does the conversation take?

    A step is something that a party says, or a call that it makes; results and thoughts are not steps. Fewer steps are
    better only if the outcome is the same.
    """
    counts = _step_counts(conversation)
    if counts:
        yield Mark(float(sum(counts.values())), why=amounts_of(tuple(counts), counts))


@by_part("StepsBy", formula="turns and calls of a participant", unit="participant")
def participant_steps(conversation: Conversation) -> Iterator[Mark]:
    """How many steps does each participant take?

    The group of a mark is its participant.
    """
    for name, count in _step_counts(conversation).items():
        yield Mark(float(count), at=name, group=name)


@total(
    "Tokens",
    formula="tokens of all model calls, in and out",
    predicts=("usage",),
)
def token_count(conversation: Conversation) -> Iterator[Mark]:
    """How many tokens does the conversation take?

    The counts are those of the log, by turn or for the whole conversation. Undefined if the log has none.
    """
    usage = total_usage(conversation)
    if usage is not None and tokens_of(usage):
        yield Mark(float(tokens_of(usage)), why=f"{usage.input_tokens} in, {usage.output_tokens} out")


@by_part(
    "TokensBy",
    formula="tokens of the model calls of a participant, in and out",
    unit="participant",
    predicts=("usage",),
)
def participant_tokens(conversation: Conversation) -> Iterator[Mark]:
    """How many tokens does each participant take?

    Undefined unless the log counts tokens by turn. The group of a mark is its participant.
    """
    for name, usage in _usages(conversation).items():
        if tokens_of(usage):
            yield Mark(float(tokens_of(usage)), at=name, group=name)


@total(
    "Cost",
    formula="cost of all model calls, in US dollars",
    primary=True,
    predicts=("usage",),
)
def cost(conversation: Conversation) -> Iterator[Mark]:
    """What does the conversation cost?

    The costs are those of the log, by turn or for the whole conversation. Undefined if the cost of any call is not
    known.
    """
    usage = total_usage(conversation)
    if usage is not None and usage.cost is not None:
        yield Mark(usage.cost)


@by_part(
    "CostBy", formula="cost of the model calls of a participant, in US dollars", unit="participant", predicts=("usage",)
)
def participant_cost(conversation: Conversation) -> Iterator[Mark]:
    """What does each participant cost?

    Undefined unless the log has the cost by turn. The group of a mark is its participant.
    """
    for name, usage in _usages(conversation).items():
        if usage.cost is not None:
            yield Mark(usage.cost, at=name, group=name)


@by_part("Latency", formula="seconds from the previous turn to this one", unit="turn", predicts=("times",))
def latency(conversation: Conversation) -> Iterator[Mark]:
    """How long does the next turn take?

    Turns and calls of parties are judged if both they and the turn before have a time. Times that run backwards are
    left out, and so are pairs in which only one time has a time zone. The group of a mark is the speaker.
    """
    turns = conversation.turns
    for place, turn in steps(conversation):
        before = turns[place - 1].time if place else None
        seconds = _seconds(before, turn.time)
        if seconds is not None:
            yield Mark(seconds, turn.speaker, turn.id, group=turn.speaker)


def total_usage(conversation: Conversation) -> Usage | None:
    """What the whole conversation took; None where the log says nothing."""
    if conversation.usage is not None:
        return conversation.usage
    usages = _usages(conversation)
    return sum(usages.values(), Usage(cost=0.0)) if usages else None


def tokens_of(usage: Usage) -> int:
    """Tokens in and out."""
    return usage.input_tokens + usage.output_tokens


@once
def _usages(conversation: Conversation) -> dict[str, Usage]:
    usages: dict[str, Usage] = {}
    for turn in conversation.turns:
        if turn.usage is not None:
            before = usages.get(turn.speaker)
            usages[turn.speaker] = turn.usage if before is None else before + turn.usage
    return usages


@once
def _step_counts(conversation: Conversation) -> dict[str, float]:
    taken = steps(conversation)
    counts = dict.fromkeys(parties(conversation) if taken else (), 0.0)
    for _, turn in taken:
        counts[turn.speaker] += 1
    return counts


def _seconds(before: datetime | None, after: datetime | None) -> float | None:
    if before is None or after is None or (before.tzinfo is None) != (after.tzinfo is None):
        return None
    seconds = (after - before).total_seconds()
    return seconds if seconds >= 0 else None
