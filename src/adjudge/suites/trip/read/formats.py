"""Rows of JSON: our own records, and plans in the formats of TravelPlanner and TripCraft."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import Warnings, bad_record, did_you_mean
from adjudge.read.decode import check_depth, decode
from adjudge.suites.trip.data import SLOTS, Trip, TripRequest
from adjudge.suites.trip.read.catalogues import reference_catalogue
from adjudge.suites.trip.read.chats import MESSAGES, read_chat
from adjudge.suites.trip.read.conditions import (
    FLAGS,
    checked_condition,
    named_condition,
    remark_group_type,
    without_condition,
)
from adjudge.suites.trip.read.facts import NOTHING, first
from adjudge.suites.trip.read.itinerary import read_plan
from adjudge.suites.trip.read.people import check_members, persona_members, remark_members, speaker_of
from adjudge.suites.trip.read.query import request_of
from adjudge.suites.trip.rules.dialogue import BY_RULE, SINGLE_USER, WITHOUT_SYNTHESIS, slot_of, turns_with
from adjudge.suites.trip.rules.intents import assign_intents

PLAN_ARM = "plan"
DIALOGUE_ARM = "dialogue"
# How many names a remark shows.
SHOWN = 10
OWN_KEYS = {"turns", "members", "condition", "catalogue", "request"}
WILD_KEYS = {"idx", "query", "persona", "ref", "reference_information"}
WHOLE_INTENTS = (
    "sys_acknowledge_trip",
    "sys_summary_state",
    "sys_present_plan",
    "user_accept_plan",
    "user_reject_plan",
    "user_approve_approach",
    "user_reject_approach",
)
SLOT_INTENTS = (
    "sys_request_vote_",
    "sys_request_",
    "user_provide_",
    "sys_offer_alternative_",
    "sys_resolve_conflict_",
    "user_resolve_conflict_",
    "sys_synthesize_",
    "user_respond_",
    "user_vote_",
    "sys_feedback_",
    "user_feedback_",
)


class ExternalPlan(Struct, frozen=True):
    """A row of a file of plans; `JSON` holds the query's own fields in TripCraft's files."""

    idx: int | float | str | None = None
    id: int | float | str | None = None
    query: str | dict[str, Any] | None = None
    plan: Any = None
    ref: Any = None
    reference_information: Any = None
    persona: str | None = None
    JSON: Any = None


OWN = msgspec.json.Decoder(Trip)
WILD = msgspec.json.Decoder(ExternalPlan)
KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
OBJECT = msgspec.json.Decoder(dict[str, Any])
ANY = msgspec.json.Decoder(Any)

Read = Callable[[str, bytes, Warnings], Trip]


def reader_of(where: str, row: bytes) -> Read:
    """The reader for rows with these keys."""
    check_depth(where, row)
    keys = decode(where, row, KEYS)
    if keys.keys() & set(MESSAGES) and "turns" not in keys:
        return read_chat_row
    if "plan" in keys and keys.keys() & WILD_KEYS and not keys.keys() & OWN_KEYS:
        return read_travelplanner
    if "id" in keys:
        _check_condition(where, keys)
        return read_own
    raise bad_record(
        where,
        f"found {', '.join(map(repr, list(keys)[:5])) or 'nothing'}; expected a trip, with an id "
        "(adjudge schema trip), a chat (messages), or a plan of TravelPlanner or TripCraft (idx, query, plan)",
    )


def read_chat_row(where: str, row: bytes, warnings: Warnings) -> Trip:
    """A chat of messages."""
    chat: dict[str, Any] = decode(where, row, OBJECT)
    return read_chat(where, chat, warnings)


def read_own(where: str, row: bytes, warnings: Warnings) -> Trip:
    """A record of our own; its plan may have any shape that planners write."""
    keys = decode(where, row, KEYS)
    plan = decode(where, bytes(keys["plan"]), ANY) if "plan" in keys else None
    if plan in NOTHING or _is_own_plan(plan):
        trip = decode(where, row, OWN)
    else:
        bare = msgspec.json.encode({key: value for key, value in keys.items() if key != "plan"})
        reading = read_plan(where, plan, warnings)
        trip = structs.replace(decode(where, bare, OWN), plan=reading.plan, plan_fault=reading.fault)
    if not trip.id.strip():
        raise bad_record(where, "empty; expected a name of the dialogue", "id")
    ids = {member.id: member.id for member in trip.members}
    turns = tuple(structs.replace(turn, speaker=speaker_of(turn.speaker, ids)) for turn in trip.turns)
    case = trip.case or (without_condition(trip.id) if trip.condition == named_condition(trip.id) else trip.id)
    return structs.replace(trip, turns=turns, case=case or trip.id)


def read_travelplanner(where: str, row: bytes, warnings: Warnings) -> Trip:
    """A plan of TravelPlanner or TripCraft with its query and, if the row has it, its reference information."""
    external = decode(where, row, WILD)
    query = external.JSON if isinstance(external.JSON, dict) else {}
    number = external.idx if external.idx is not None else external.id
    reference = external.ref if external.ref is not None else external.reference_information
    reading = read_plan(where, external.plan, warnings)
    catalogue = reference_catalogue(where, "ref", reference, warnings)
    text = _query(where, external.query, warnings) or str(query.get("query") or "")
    return Trip(
        id=f"travelplanner-{where.rpartition(':')[2] if number is None else _id_text(number)}",
        request=request_of(text) if text else TripRequest(),
        plan=reading.plan,
        plan_fault=reading.fault,
        catalogue=catalogue.entries,
        legs=catalogue.legs,
        members=persona_members(external.persona or str(query.get("persona") or "")),
    )


def _is_own_plan(plan: Any) -> bool:
    """Whether a plan is in the shape of our own records: days with a number each."""
    days = plan.get("days", []) if isinstance(plan, dict) and plan.keys() <= {"days", "raw"} else None
    return isinstance(days, list) and all(isinstance(day, dict) and "number" in day for day in days)


def complete_trip(where: str, trip: Trip, arm: str, warnings: Warnings) -> Trip:
    """The trip with its case, its arm and its facets; raises BadRecord if two turns or members have one id."""
    _check_turns(where, trip)
    check_members(where, trip)
    trip = _with_intents(where, trip, warnings)
    remark_group_type(where, trip.group_type, warnings)
    remark_members(where, trip, warnings)
    _remark_condition(where, trip, warnings)
    _remark_intents(where, trip, warnings)
    arm = arm or trip.arm or trip.condition or (DIALOGUE_ARM if trip.turns else PLAN_ARM)
    _remark_arm(where, arm, warnings)
    known = {"condition": trip.condition or "", "group_type": trip.group_type}
    return structs.replace(
        trip,
        case=trip.case or trip.id,
        arm=arm,
        facets={**{name: value for name, value in known.items() if value}, **trip.facets},
    )


def _with_intents(where: str, trip: Trip, warnings: Warnings) -> Trip:
    """The trip with intents by rule if no turn has one."""
    if not trip.turns or any(turn.intent for turn in trip.turns):
        return trip
    warnings.add("intents", f"{where}: no turn has an intent: they are given by rule, and may be wrong")
    facets = {**trip.facets, "intents": BY_RULE}
    return structs.replace(trip, turns=tuple(assign_intents(trip.turns)), facets=facets)


def _query(where: str, query: str | dict[str, Any] | None, warnings: Warnings) -> str:
    """The text of a query, which may be inside an object."""
    if not isinstance(query, dict):
        return query or ""
    text = first(query, "query", "text", "request")
    if isinstance(text, str):
        return text
    keys = ", ".join(map(repr, list(query)[:5])) or "nothing"
    expected = "expected a text, or an object with query or text"
    warnings.add("query", f"{where}: query: found only {keys}; {expected}; left out")
    return ""


def _id_text(number: int | float | str) -> str:
    """The number of a row as text; a whole number is written without a fraction."""
    return str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)


def _check_condition(where: str, keys: dict[str, msgspec.Raw]) -> None:
    """Check the condition before decoding, so that the message can suggest the one that was probably meant."""
    given = msgspec.json.decode(keys.get("condition", b"null"))
    if isinstance(given, str):
        checked_condition(where, given)


def _check_turns(where: str, trip: Trip) -> None:
    seen: dict[str, int] = {}
    for place, turn in enumerate(trip.turns):
        if seen.setdefault(turn.id, place) < place:
            raise bad_record(
                where,
                f"{turn.id!r} is also the id of turn {seen[turn.id] + 1}; expected each once; renumber them",
                f"turns[{place}].id",
            )


def _remark_arm(where: str, arm: str, warnings: Warnings) -> None:
    if arm == DIALOGUE_ARM:
        warnings.add(
            "no condition",
            f"{where}: no sign of the condition: taken as arm {DIALOGUE_ARM!r}; name it with --arm, give the flags "
            f"({', '.join(FLAGS)}) or the field `condition`, or name the file such as family_01_C3.csv",
        )


def _remark_condition(where: str, trip: Trip, warnings: Warnings) -> None:
    """Warn of turns that the condition rules out: several speakers under C1, or a synthesis where there is none."""
    speakers = list(dict.fromkeys(turn.speaker for turn in turns_with(trip, "user_provide_")))
    if trip.condition == SINGLE_USER and len(speakers) > 1:
        several = f"in C1 one speaks for all, but {', '.join(speakers[:SHOWN])} state preferences"
        warnings.add("C1", f"{where}: {several}: voice_coverage counts the first alone; is it C2?")
    synthesis = next(turns_with(trip, "sys_synthesize_"), None)
    if trip.condition in WITHOUT_SYNTHESIS and synthesis:
        contrary = f"{trip.condition} has no synthesis, but turn {synthesis.id} is {synthesis.intent}"
        warnings.add("synthesis", f"{where}: {contrary}: metrics on syntheses leave it out; is it C3?")


def _remark_intents(where: str, trip: Trip, warnings: Warnings) -> None:
    """Warn of unknown intents: metrics find turns by intent, so they do not see such a turn."""
    for turn in trip.turns:
        if turn.intent and (remark := _unknown(turn.intent)):
            warnings.add(f"intent {turn.intent}", f"{where}: turn {turn.id}: intent {turn.intent!r} {remark}")


def _unknown(intent: str) -> str:
    if intent in WHOLE_INTENTS or (intent.startswith(SLOT_INTENTS) and slot_of(intent)):
        return ""
    if intent.startswith(SLOT_INTENTS):
        return f"names no slot; slots are {', '.join(SLOTS)}"
    known = [*WHOLE_INTENTS, *(f"{stem}{slot}" for stem in SLOT_INTENTS for slot in SLOTS)]
    return f"is not known, and no metric looks at it{did_you_mean(intent, known)}"
