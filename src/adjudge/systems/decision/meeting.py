"""Who takes the next step: the experts of a round at once, then the coordinator, who may open another round."""

from __future__ import annotations

from adjudge.core.play import Floor
from adjudge.systems.decision.data import COORDINATOR, RoundVerdict


def meet(floor: Floor) -> tuple[str, ...]:
    """All experts at once, without hearing the others of the same round; then the coordinator."""
    return _next_speakers(floor, tuple(each.id for each in floor.participants if each.role != COORDINATOR))


def one_expert(floor: Floor) -> tuple[str, ...]:
    """The first expert; then the coordinator."""
    return _next_speakers(floor, tuple(each.id for each in floor.participants if each.role != COORDINATOR)[:1])


def _next_speakers(floor: Floor, experts: tuple[str, ...]) -> tuple[str, ...]:
    last = floor.turns[-1] if floor.turns else None
    if last is not None and last.speaker != COORDINATOR:
        return (COORDINATOR,)
    facts = last.content.facts if last else None
    return experts if last is None or (isinstance(facts, RoundVerdict) and facts.again) else ()
