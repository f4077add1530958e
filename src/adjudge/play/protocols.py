"""Protocols: who takes the next step, as a function of the turns so far."""

from __future__ import annotations

from collections.abc import Callable

from adjudge.core.play import Floor, PlayedTurn, TurnTaking


def alternate(*roles: str) -> TurnTaking:
    """The roles in turn, each played by one participant, without end."""

    def next_speaker(floor: Floor) -> tuple[str, ...]:
        role = roles[len(floor.turns) % len(roles)]
        return (next(participant.id for participant in floor.participants if participant.role == role),)

    return next_speaker


def round_robin(rounds: int) -> TurnTaking:
    """Every participant once a round, in the order of the participants."""

    def next_speaker(floor: Floor) -> tuple[str, ...]:
        spoken = len(floor.turns)
        if spoken >= rounds * len(floor.participants):
            return ()
        return (floor.participants[spoken % len(floor.participants)].id,)

    return next_speaker


def at_once(rounds: int, *roles: str) -> TurnTaking:
    """All participants of the roles at once, each without hearing the others of the same round."""

    def next_speakers(floor: Floor) -> tuple[str, ...]:
        ids = tuple(participant.id for participant in floor.participants if participant.role in roles)
        return ids if ids and len(floor.turns) < rounds * len(ids) else ()

    return next_speakers


def poll(floor: Floor) -> tuple[str, ...]:
    """Whoever was addressed speaks next, then the others in order after the last speaker; all pass: nobody.

    Everybody is asked once after each spoken turn, and may pass.
    """
    ids = [participant.id for participant in floor.participants]
    last = next((turn for turn in reversed(floor.turns) if not turn.content.passes), None)
    if last is None:
        waiting = [name for name in ids if name not in {turn.speaker for turn in floor.turns}]
        return tuple(waiting[:1])
    asked = {turn.speaker for turn in floor.turns[last.number :]}
    place = ids.index(last.speaker)
    order = [*last.content.to, *ids[place + 1 :], *ids[:place]]
    return tuple([name for name in order if name in ids and name not in asked][:1])


def phases(*steps: tuple[TurnTaking, Callable[[tuple[PlayedTurn, ...]], bool]]) -> TurnTaking:
    """One protocol after the other; each lasts until its condition holds for its own turns, or nobody is next.

    The protocol of a phase sees the turns of that phase only, numbered as in the whole conversation.
    """

    def next_speakers(floor: Floor) -> tuple[str, ...]:
        start = 0
        for protocol, is_over in steps:
            stop = _phase_stop(floor, start, protocol, is_over)
            if stop is None:
                return protocol(Floor(floor.participants, floor.turns[start:]))
            start = stop
        return ()

    return next_speakers


def _phase_stop(
    floor: Floor, start: int, protocol: TurnTaking, is_over: Callable[[tuple[PlayedTurn, ...]], bool]
) -> int | None:
    """Where a phase that began at a turn is over; None while it lasts."""
    for stop in range(start, len(floor.turns) + 1):
        turns = floor.turns[start:stop]
        if (turns and is_over(turns)) or not protocol(Floor(floor.participants, turns)):
            return stop
    return None
