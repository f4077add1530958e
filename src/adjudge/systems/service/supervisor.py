"""The rule-based supervisor, which checks a reply against triage, policy and row, and gives a reason if it fails."""

from __future__ import annotations

from msgspec import Struct

from adjudge.suites.service.rules.linking import linker_of
from adjudge.systems.service.action import World
from adjudge.systems.service.moves import Move
from adjudge.systems.service.policy import clear
from adjudge.systems.service.triage import TriagedTurn

ATTEMPTS = 2


class Review(Struct, frozen=True):
    """The supervisor's verdict; `reason` is empty where the reply is approved.

    `lacks` are the slots that a booking lacks, where that is the reason.
    """

    reason: str = ""
    lacks: tuple[str, ...] = ()

    @property
    def is_approved(self) -> bool:
        """Whether the reply may be sent."""
        return not self.reason


def review(heard: TriagedTurn, move: Move, reply: str, world: World) -> Review:
    """The verdict on a reply: it fits what the user wants, keeps the booking rules, and says what the row says."""
    lacks = clear(move.domain, move.state, world.policy).lacks if move.act == "book" else ()
    if lacks:
        return Review(f"a booking without {', '.join(lacks)}", lacks)
    faults = (_unfit_row(move, world), _other_row_named(move, reply, world), _missing_facts(heard, move, reply))
    return Review(next(filter(None, faults), ""))


def _unfit_row(move: Move, world: World) -> str:
    if not move.id or move.id in world.catalogue.fitting_ids(move.domain, move.state):
        return ""
    return f"{move.domain} {move.id} does not fit what the user wants"


def _other_row_named(move: Move, reply: str, world: World) -> str:
    """The reply must not name another row than the one it is about."""
    named = linker_of(world.catalogue.db).link(reply).venues.get(move.domain, frozenset())
    return "" if not named or not move.id or move.id in named else f"names another {move.domain} than {move.id}"


def _missing_facts(heard: TriagedTurn, move: Move, reply: str) -> str:
    """Every fact that the move tells must stand in the reply."""
    missing = [slot for slot, value in move.facts.items() if value and value not in reply and slot in heard.requested]
    if move.reference and move.domain != "taxi" and move.reference not in reply:
        missing.append("reference number")
    return f"does not give {', '.join(missing)}" if missing else ""
