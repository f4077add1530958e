"""Who speaks next: whoever the mediator calls upon, and then the mediator again."""

from __future__ import annotations

from adjudge.core.play import Floor, PlayedTurn

MEDIATOR, MEMBER, PLANNER = "mediator", "member", "planner"
# How the mediator is called in the conversation, as the records of the suite have it.
SYSTEM = "system"


def call_upon(floor: Floor) -> tuple[str, ...]:
    """All whom the mediator's last turn addresses, at once (nobody named: all members); after them the mediator."""
    last = next((turn for turn in reversed(floor.turns) if turn.speaker == SYSTEM), None)
    if last is None:
        return (SYSTEM,)
    present = [participant.id for participant in floor.participants]
    members = [participant.id for participant in floor.participants if participant.role == MEMBER]
    spoken = {turn.speaker for turn in floor.turns[last.number + 1 :]}
    addressed = [name for name in last.content.to if name in present] or members
    return tuple(name for name in addressed if name not in spoken and name != SYSTEM) or (SYSTEM,)


def last_turn_of(turns: tuple[PlayedTurn, ...], speaker: str) -> PlayedTurn | None:
    """The last turn of a participant; None where there is none."""
    return next((turn for turn in reversed(turns) if turn.speaker == speaker), None)
