"""Whether the conversation goes on after its end."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.suites.team.rules.endings import announced_end, late_places
from adjudge.suites.team.rules.parties import steps


@metric(
    "Late",
    formula="turns and calls after the end / turns and calls, in conversations that announce their end",
    unit="turn",
    better="lower",
    probes=("ending",),
    source="our own; unaware of termination conditions in MAST (arXiv 2503.13657) is the judged counterpart",
    primary=True,
)
def late_turns(conversation: Conversation) -> Iterator[Mark]:
    """Does the conversation go on after its end was announced?

    The end is the first turn, after the opening one, that ends in a marker for programs (TERMINATE, ###STOP###), or
    that says in one of a few English phrases that the work is done, or says goodbye. Within the two turns after it,
    thanks, farewells and another announcement are not late. A marker alone is never late. Undefined if no end is
    announced, so goals that are reached without a word about it are missed. The group of a mark is the speaker.
    """
    end = announced_end(conversation)
    if end is None:
        return
    late = late_places(conversation)
    for place, turn in steps(conversation):
        why = f"after the end in turn {end[1].id}" if place in late else ""
        yield Mark(float(place in late), turn.speaker, turn.id, why, turn.speaker)
