"""The recorded user: the user turns of the dialogue that the case comes from, whatever the system replies."""

from __future__ import annotations

from adjudge.core.errors import BadInput
from adjudge.core.play import Said, View
from adjudge.core.system import Cast, system
from adjudge.systems.service.data import ServiceCase, UserFacts


@system("service", plays=("user",), source="Budzianowski et al. 2018, MultiWOZ")
def recorded() -> Cast:
    """The user turns of the recorded dialogue; the system hears the recorded replies in place of its own.

    This measures how the system tracks a dialogue that people held, not whether it succeeds: replies that leave the
    recording get no answer.
    """
    return Cast({"user": read_out})


def read_out(view: View[None]) -> Said[None]:
    """The next turn of the recording."""
    case: ServiceCase = view.facts
    if not case.recorded:
        raise BadInput(f"case {case.id!r} has no recorded turns; expected a dialogue, or play it with --user agenda")
    place = view.turn // 2
    if place >= len(case.recorded):
        return Said(passes=True, ends="the recording is over")
    turn = case.recorded[place]
    before = case.recorded[place - 1].reply if place else ""
    return Said(turn.text, facts=UserFacts(turn.gold, before, turn.reply, turn.reply_gold))
