"""Whether a ranking of suspects meets what annotators named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.suites.team.rules.suspects import Suspect, ranked_agents

# Annotators disagree about the exact turn, so that a turn this near counts in the metrics that say so.
NEAR = 2


def agent_hit(conversation: Conversation, ranking: Sequence[Suspect], first: int) -> Iterator[Mark]:
    """1 if one of the first agents of a ranking is one that annotators name; no mark where they name none."""
    right = [fault.agent for fault in conversation.faults]
    if right:
        named = ranked_agents(ranking)[:first]
        yield _mark(bool(set(named) & set(right)), named, right)


def turn_hit(conversation: Conversation, ranking: Sequence[Suspect], first: int, near: int = 0) -> Iterator[Mark]:
    """1 if one of the first turns of a ranking is, or is so near to, one that annotators name."""
    places = {turn.id: place for place, turn in enumerate(conversation.turns)}
    right = [fault.turn for fault in conversation.faults if fault.turn in places]
    if right:
        named = ranking[:first]
        hit = any(abs(suspect.place - places[turn]) <= near for suspect in named for turn in right)
        yield _mark(hit, [suspect.turn for suspect in named], right)


def _mark(hit: bool, named: Sequence[str], right: Sequence[str]) -> Mark:
    names = ", ".join(named) or "nothing"
    return Mark(float(hit), why=f"names {names}; annotators name {', '.join(right)}")
