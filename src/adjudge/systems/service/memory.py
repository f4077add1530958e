"""Memory: what the system has approved so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from adjudge.systems.service.moves import Move
    from adjudge.systems.service.triage import TriagedTurn


class DialogueMemory(Struct, frozen=True, omit_defaults=True):
    """The state of the dialogue, the domain in focus, the venue last named in each domain, and what is booked.

    `order` lists the domains spoken of, the last one last; `booked` has the reference number of each booking, `asked`
    the slots that were asked for, and `booking` the domains in which a booking is wanted and not made yet. `refused`
    are the ids of venues and trains that were not free.
    """

    state: dict[str, str] = {}
    focus: str = ""
    offered: dict[str, str] = {}
    order: tuple[str, ...] = ()
    booked: dict[str, str] = {}
    asked: tuple[str, ...] = ()
    booking: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def commit(memory: DialogueMemory, heard: TriagedTurn, move: Move) -> DialogueMemory:
    """Memory after a turn whose reply was approved."""
    order = (*(domain for domain in memory.order if domain not in heard.domains), *heard.domains)
    booking = set(memory.booking) | ({move.domain} if heard.books else set())
    booked = dict(memory.booked)
    if move.act == "book":
        booked[move.domain] = move.reference
        booking.discard(move.domain)
    asked = tuple(f"{move.domain}-{slot}" for slot in move.slots) if move.act == "ask" else ()
    return DialogueMemory(
        state=move.state or heard.state,
        focus=heard.focus or memory.focus,
        offered=heard.offered,
        order=order,
        booked=booked,
        asked=tuple(dict.fromkeys([*memory.asked, *asked])),
        booking=tuple(sorted(booking)),
        refused=(*memory.refused, move.id) if move.act == "refuse" else memory.refused,
    )
