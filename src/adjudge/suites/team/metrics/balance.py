"""How evenly the parties take part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.stats.inequality import gini
from adjudge.suites.team.rules.parties import amounts_of, parties, speeches
from adjudge.suites.team.rules.wording import wordings


@metric(
    "Turns",
    formula="turns of a participant / all turns; one mark for each participant",
    unit="participant",
    better="neither",
    probes=("balance",),
    source="our own",
)
def turn_share(conversation: Conversation) -> Iterator[Mark]:
    """What share of the turns does each participant take?

    Only what parties say counts as a turn; calls, results and thoughts do not. The group of a mark is its participant.
    Read the value by group: the mean over participants is always 1 / their number. Undefined with fewer than two
    parties.
    """
    yield from _shares(conversation, turn_counts(conversation))


@metric(
    "Words",
    formula="words of a participant / all words; one mark for each participant",
    unit="participant",
    better="neither",
    probes=("balance",),
    source="our own",
)
def word_share(conversation: Conversation) -> Iterator[Mark]:
    """What share of the words does each participant say?

    Like turn_share, with the words of the turns. Text in scripts without spaces counts as few words.
    """
    yield from _shares(conversation, word_counts(conversation))


@metric(
    "TurnBal",
    formula="1 - Gini over parties of their turns",
    unit="conversation",
    better="neither",
    pool="conversations",
    probes=("balance",),
    source="Gini coefficient as in Damgaard and Weiner (2000), Describing inequality in plant size or fecundity",
)
def turn_balance(conversation: Conversation) -> Iterator[Mark]:
    """How evenly are the turns shared?

    1 if all parties take the same number of turns; 1 / n if one of n parties takes them all. Parties that are listed
    and say nothing count as 0. Whether an even share is good depends on the task. Undefined with fewer than two
    parties.
    """
    yield from _balance(conversation, turn_counts(conversation))


@metric(
    "WordBal",
    formula="1 - Gini over parties of their words",
    unit="conversation",
    better="neither",
    pool="conversations",
    probes=("balance",),
    source="Gini coefficient as in Damgaard and Weiner (2000), Describing inequality in plant size or fecundity",
    primary=True,
)
def word_balance(conversation: Conversation) -> Iterator[Mark]:
    """How evenly are the words shared?

    Like turn_balance, with the words of the turns.
    """
    yield from _balance(conversation, word_counts(conversation))


@once
def turn_counts(conversation: Conversation) -> Mapping[str, float]:
    """The number of turns of each party."""
    counts = dict.fromkeys(parties(conversation), 0.0)
    for _, turn in speeches(conversation):
        counts[turn.speaker] += 1
    return counts


@once
def word_counts(conversation: Conversation) -> Mapping[str, float]:
    """The number of words of each party."""
    words = wordings(conversation)
    counts = dict.fromkeys(parties(conversation), 0.0)
    for place, turn in speeches(conversation):
        counts[turn.speaker] += len(words[place])
    return counts


def _shares(conversation: Conversation, counts: Mapping[str, float]) -> Iterator[Mark]:
    total = sum(counts.values())
    if len(counts) > 1 and total:
        for name, count in counts.items():
            yield Mark(count / total, at=name, group=name, why=f"{count:g} of {total:g}")


def _balance(conversation: Conversation, counts: Mapping[str, float]) -> Iterator[Mark]:
    uneven = gini(counts.values()) if len(counts) > 1 else None
    if uneven is not None:
        yield Mark(1 - uneven, why=amounts_of(tuple(counts), counts))
