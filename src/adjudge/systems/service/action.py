"""The rule-based action part: code chooses a search, a question or a booking, and the row that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import structs

from adjudge.suites.service.rules.database import UNKNOWN, Row
from adjudge.suites.service.rules.policy import Policy
from adjudge.systems.service.bookings import BookingDesk, booking_of
from adjudge.systems.service.catalogue import VenueIndex, constraints
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.moves import Act, Move
from adjudge.systems.service.policy import clear
from adjudge.systems.service.triage import TriagedTurn

# Slots that narrow a search, in the order in which they are asked for.
_NARROWING = {
    "restaurant": ("food", "area", "pricerange"),
    "hotel": ("area", "pricerange", "type"),
    "attraction": ("type", "area"),
    "train": (),
}
# A search is narrowed down while more rows than this fit, by so many questions at most.
_MANY, _QUESTIONS = 4, 2
# The slots that a search for a train requires, and those that a taxi requires.
_TRAIN = ("departure", "destination", "day")
_RIDE = ("departure", "destination")
# The columns in which the database has what users ask for.
_COLUMNS = {"fee": "entrancefee", "cost": "price", "leaveat": "leave", "arriveby": "arrive"}


class World(NamedTuple):
    """What the action part works with: the database, the booking desk, the booking rules and the id of the case.

    `checks_policy` is false where the policy part is left out.
    """

    catalogue: VenueIndex
    desk: BookingDesk
    policy: Policy
    checks_policy: bool
    case: str


class Objection(NamedTuple):
    """Why the supervisor sent a move back: a row that will not do, or slots that a booking lacks."""

    id: str = ""
    lacks: tuple[str, ...] = ()


NO_OBJECTION = Objection()


def decide(heard: TriagedTurn, memory: DialogueMemory, world: World, objection: Objection = NO_OBJECTION) -> Move:
    """The next move, after an objection of the supervisor where there was one."""
    domain = heard.focus
    if heard.ends and not heard.requested:
        return Move("close", domain, state=heard.state)
    if not domain:
        return Move("greet", state=heard.state)
    if domain == "taxi":
        return _send_taxi(heard, memory, world)
    if domain in ("police", "hospital"):
        return _help_point(heard, world)
    return _venue_or_train(heard, memory, world, objection)


def requested_facts(domain: str, row: Row, requested: tuple[str, ...]) -> dict[str, str]:
    """What a row says of the slots that were asked for; empty values where it does not know."""
    facts: dict[str, str] = {}
    for slot in requested:
        column = _COLUMNS.get(slot, slot)
        if column in row:
            facts[slot] = "" if row[column] == UNKNOWN else row[column]
    return facts


def _venue_or_train(heard: TriagedTurn, memory: DialogueMemory, world: World, objection: Objection) -> Move:
    domain = heard.focus
    if missing := _missing_for_search(domain, heard.state):
        return Move("ask", domain, slots=missing, state=heard.state)
    state = _without_name(domain, heard.state) if heard.another else heard.state
    fitting = world.catalogue.fitting_ids(domain, state)
    if not fitting:
        return Move("none", domain, slots=tuple(constraints(domain, state)), state=state)
    current = _current(heard, state, world)
    barred = {objection.id, *((current, *memory.refused) if heard.another else ())}
    chosen = current if current and current not in barred else _pick(domain, fitting, state, barred)
    if not chosen:
        return Move("none", domain, slots=tuple(constraints(domain, state)), state=state)
    facts = requested_facts(domain, world.catalogue.row(domain, chosen, state), heard.requested)
    move = Move("offer", domain, chosen, facts=facts, state=state, choices=len(fitting))
    if _wants_booking(heard, memory, world):
        return _book(structs.replace(move, choices=0), world, objection.lacks, is_new=chosen != current)
    return _tell(move, heard, memory, world, is_new=chosen != current)


def _tell(move: Move, heard: TriagedTurn, memory: DialogueMemory, world: World, *, is_new: bool) -> Move:
    """The move with a row in hand that is not to be booked: narrow the search down, tell facts, or offer it."""
    domain, facts = move.domain, move.facts
    question = _narrowing_question(move, memory) if is_new and not facts else ""
    if question:
        return Move("ask", domain, slots=(question,), state=move.state, choices=move.choices)
    was_offered = world.catalogue.id_of(domain, heard.offered.get(domain, "")) == move.id
    is_narrowed = not constraints(domain, dict.fromkeys(heard.changed, "new")).keys() <= {"name"}
    return structs.replace(move, act="inform" if was_offered and not is_narrowed else "offer")


def _wants_booking(heard: TriagedTurn, memory: DialogueMemory, world: World) -> bool:
    domain = heard.focus
    if domain not in world.policy.book:
        return False
    if domain in memory.booked:
        return heard.books and any(slot.startswith(f"{domain}-") for slot in heard.changed)
    return heard.books or domain in memory.booking


def _book(move: Move, world: World, objected: tuple[str, ...], *, is_new: bool) -> Move:
    """Book the row in hand, or ask for what the booking lacks; a row that was not named yet is offered first."""
    domain = move.domain
    row = world.catalogue.row(domain, move.id, move.state)
    if "name" in row:
        move = structs.replace(move, state={**move.state, f"{domain}-name": row["name"]})
    lacks = clear(domain, move.state, world.policy).lacks if world.checks_policy else objected
    if is_new or lacks:
        asked = tuple(slot.partition(" or ")[0] for slot in lacks)
        return structs.replace(move, act="offer" if is_new else "ask", slots=asked)
    booking = booking_of(domain, move.id, move.state)
    if not world.desk.is_free(world.case, booking):
        return structs.replace(move, act="refuse")
    return structs.replace(move, act="book", reference=world.desk.reference(world.case, domain, booking))


def _send_taxi(heard: TriagedTurn, memory: DialogueMemory, world: World) -> Move:
    """Send a taxi, or say again which one comes."""
    state = heard.state
    missing = [slot for slot in _RIDE if f"taxi-{slot}" not in state]
    if "taxi-leaveat" not in state and "taxi-arriveby" not in state:
        missing.append("leaveat")
    if missing:
        return Move("ask", "taxi", slots=tuple(missing), state=state)
    booking = constraints("taxi", state)
    taxis = next(iter(world.catalogue.db.rows.get("taxi", ())), {})
    facts = dict(world.desk.car(world.case, booking, taxis))
    reference = world.desk.reference(world.case, "taxi", booking)
    act: Act = "inform" if memory.booked.get("taxi") == reference else "book"
    return Move(act, "taxi", facts=facts, state=state, reference=reference)


def _help_point(heard: TriagedTurn, world: World) -> Move:
    """The police station, or the hospital's department that was asked for."""
    domain = heard.focus
    rows = world.catalogue.db.rows.get(domain, ())
    wanted = heard.state.get("hospital-department", "")
    fitting = [row for row in rows if not wanted or row.get("department") == wanted]
    if domain == "hospital" and not wanted:
        return Move("ask", domain, slots=("department",), state=heard.state)
    if not fitting:
        return Move("none", domain, state=heard.state)
    facts = {slot: fitting[0][slot] for slot in ("name", "department", "address", "phone") if slot in fitting[0]}
    return Move("inform", domain, facts=facts, state=heard.state)


def _missing_for_search(domain: str, state: Mapping[str, str]) -> tuple[str, ...]:
    if domain != "train":
        return ()
    missing = [slot for slot in _TRAIN if f"train-{slot}" not in state]
    if "train-leaveat" not in state and "train-arriveby" not in state:
        missing.append("leaveat")
    return tuple(missing)


def _without_name(domain: str, state: Mapping[str, str]) -> dict[str, str]:
    return {slot: value for slot, value in state.items() if slot != f"{domain}-name"}


def _current(heard: TriagedTurn, state: Mapping[str, str], world: World) -> str:
    """The row that is spoken of: the one the user named, else the one offered last."""
    domain = heard.focus
    name = state.get(f"{domain}-name", "") or heard.offered.get(domain, "")
    return world.catalogue.id_of(domain, name) if name else ""


def _pick(domain: str, fitting: list[str], state: Mapping[str, str], barred: set[str]) -> str:
    """The row to offer: the first that fits; of trains, the last one that arrives in time."""
    left = [key for key in fitting if key not in barred]
    if domain == "train" and "train-leaveat" not in state:
        left.reverse()
    return left[0] if left else ""


def _narrowing_question(move: Move, memory: DialogueMemory) -> str:
    """The slot that would narrow a search down; empty where there is no need or enough was asked."""
    slots = _NARROWING.get(move.domain, ())
    asked = [slot for slot in slots if f"{move.domain}-{slot}" in memory.asked]
    if move.choices <= _MANY or len(asked) >= _QUESTIONS or f"{move.domain}-name" in move.state:
        return ""
    open_slots = [slot for slot in slots if slot not in asked and f"{move.domain}-{slot}" not in move.state]
    return open_slots[0] if open_slots else ""
