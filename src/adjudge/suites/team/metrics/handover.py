"""Who speaks to whom, and whether agents pass the work back and forth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.suites.team.rules.parties import agents
from adjudge.suites.team.rules.turn_taking import addressees, handovers


@metric(
    "Address",
    formula="turns of the first to the second / turns of the first to anybody; one mark for each ordered pair",
    unit="pair",
    better="neither",
    probes=("hand-overs",),
    source="our own",
)
def address_share(conversation: Conversation) -> Iterator[Mark]:
    """Who speaks to whom?

    The marks are the rows of a matrix: `at` names both ("planner to coder"), and the group is the speaker. A turn is
    addressed to those whom the log names. If it names nobody, the party that speaks next is assumed. This is a guess: a
    turn to everybody then looks like a turn to one.
    """
    pairs = addressees(conversation)
    totals: Counter[str] = Counter()
    for (speaker, _), count in pairs.items():
        totals[speaker] += count
    for (speaker, other), count in sorted(pairs.items()):
        why = f"{count} of {totals[speaker]} turns"
        yield Mark(count / totals[speaker], at=f"{speaker} to {other}", group=speaker, why=why)


@metric(
    "Handovers",
    formula="number of times that one agent speaks after another",
    unit="conversation",
    better="neither",
    scale=(0.0, None),
    pool="conversations",
    probes=("hand-overs",),
    source="our own",
)
def handover_count(conversation: Conversation) -> Iterator[Mark]:
    """How often does the work pass from one agent to another?

    A turn of a person or a tool in between ends a hand-over. Undefined with fewer than two agents.
    """
    if len(agents(conversation)) > 1 and conversation.turns:
        passes = handovers(conversation)
        pairs = Counter(f"{each.giver} to {each.taker}" for each in passes)
        yield Mark(float(len(passes)), why=", ".join(f"{pair} {count}" for pair, count in pairs.most_common(5)))


@metric(
    "Loops",
    formula="hand-overs in a loop / hand-overs between agents",
    unit="hand-over",
    better="lower",
    probes=("hand-overs",),
    source="our own; step repetition in MAST (arXiv 2503.13657) is the judged counterpart",
    primary=True,
)
def handover_loops(conversation: Conversation) -> Iterator[Mark]:
    """Do two agents pass the work back and forth without adding anything new?

    A hand-over is in a loop if an agent speaks, another replies, the first speaks again, no tool is used in between,
    and at most a fifth of the informative words of the last turn are new. Informative words have four letters or more,
    or a digit; they are new if they are not in the six turns before. Loops in ever new words and loops of three agents
    are missed, and a summary of the last turns is mistaken for a loop. Undefined without a hand-over between agents.
    """
    for each in handovers(conversation):
        why = "back and forth, nothing new" if each.in_loop else ""
        yield Mark(float(each.in_loop), f"{each.giver} to {each.taker}", each.turn, why, each.taker)
