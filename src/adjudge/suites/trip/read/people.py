"""The members of a group in files, with wishes that they did not speak."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from adjudge.core.errors import Warnings, bad_record, did_you_mean
from adjudge.suites.trip.data import SLOTS, Member, Strength, Trip, Wish
from adjudge.suites.trip.read.facts import first, objects_of, slot_name, text_of
from adjudge.suites.trip.rules.dialogue import SYSTEM

ASSISTANTS = frozenset(
    {
        *("system", "assistant", "agent", "bot", "ai", "model", "chatbot", "planner"),
        *("ai assistant", "travel agent", "travel assistant", "travel planner", "trip planner"),
    }
)
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
HIDDEN = ("hidden", "hidden_preferences", "true_preferences", "preferences", "wishes")
WISH_KEYS = ("text", "preference", "value", "wish", "description", "")
TRAVELER = "traveler"
SHOWN = 10
PERSONA = {
    "traveler type": "traveler_type",
    "traveller type": "traveler_type",
    "purpose of travel": "travel_purpose",
    "spending preference": "spending_preference",
}
# "Traveler Type: Laidback; Purpose of Travel: Relaxation".
PERSONA_PART = re.compile(r"(?:^|;)([^:;]+):([^;]*)")


def speaker_of(name: str, ids: Mapping[str, str]) -> str:
    """The id of a speaker; the assistant is `system`.

    >>> speaker_of("Assistant", {}), speaker_of("Ann", {"Ann": "m1"}), speaker_of("agent", {"agent": "agent"})
    ('system', 'm1', 'agent')
    """
    if name in ids:
        return ids[name]
    return SYSTEM if name.lower().replace("_", " ") in ASSISTANTS else name


def members_in(value: Any, hidden: Any, where: str, warnings: Warnings) -> tuple[Member, ...]:
    """The members of a list or of an object by id; `hidden` are wishes by member from another column."""
    apart = hidden if isinstance(hidden, dict) else {}
    members = [_member(item, apart, where, warnings) for item in objects_of(value, "id")]
    listed = {member.id for member in members}
    alone = [{"id": id, "hidden": wishes} for id, wishes in apart.items() if id not in listed]
    return tuple(member for member in (*members, *(_member(item, {}, where, warnings) for item in alone)) if member.id)


def ids_by_name(value: Any) -> dict[str, str]:
    """The ids of members by every name they have."""
    items = [(_id(item), text_of(item.get("name"))) for item in objects_of(value, "id")]
    return {name: id for id, own in items for name in (own, id) if name}


def strength_in(value: Any, where: str, warnings: Warnings) -> Strength | None:
    """The strength of a wish, if the value is one of the four words for it."""
    word = text_of(value).lower()
    for strength in STRENGTHS:
        if word == strength:
            return strength
    if word:
        warnings.add("strength", f"{where}: strength: found {word!r}; expected one of {', '.join(STRENGTHS)}; left out")
    return None


def persona_members(persona: str) -> tuple[Member, ...]:
    """The traveler of a persona, with its wishes for known slots.

    >>> [wish.slot for wish in persona_members("Traveler Type: Laidback; Location Preference: Beach")[0].hidden]
    ['traveler_type']
    """
    parts = [(name.strip().lower(), text.strip()) for name, text in PERSONA_PART.findall(persona)]
    wishes = tuple(Wish(PERSONA[name], text) for name, text in parts if name in PERSONA and text)
    return (Member(TRAVELER, hidden=wishes),) if wishes else ()


def check_members(where: str, trip: Trip) -> None:
    """Raise BadRecord if two members have one id."""
    seen: dict[str, int] = {}
    for place, member in enumerate(trip.members):
        field = f"members[{place}].id"
        if not member.id.strip():
            raise bad_record(where, "empty; expected a name of the member", field)
        if seen.setdefault(member.id, place) < place:
            raise bad_record(
                where, f"{member.id!r} is also the id of member {seen[member.id] + 1}; expected each once", field
            )


def remark_members(where: str, trip: Trip, warnings: Warnings) -> None:
    """Warn of speakers who are no members, and of hidden wishes that no metric looks at.

    Under C1 one speaker stands for the group, so any name is fine.
    """
    known = [member.id for member in trip.members]
    strangers = dict.fromkeys(turn.speaker for turn in trip.turns if turn.speaker not in (SYSTEM, *known))
    for name in strangers if known and trip.condition != "C1" else ():
        who = f"{name!r} speaks but is not among the members {', '.join(known[:SHOWN])}"
        warnings.add("speaker", f"{where}: {who}{did_you_mean(name, known)}")
    for member in trip.members:
        for wish in member.hidden:
            if wish.slot not in SLOTS:
                what = f"hidden wish of {member.id!r} in slot {wish.slot!r}, which is not known"
                warnings.add("hidden slot", f"{where}: {what}; slots are {', '.join(SLOTS)}")


def _id(item: Mapping[str, Any]) -> str:
    return text_of(first(item, "id", "member_id", "member", "name"))


def _member(item: Mapping[str, Any], apart: Mapping[str, Any], where: str, warnings: Warnings) -> Member:
    id, name = _id(item), text_of(item.get("name"))
    hidden = first(item, *HIDDEN) or apart.get(id) or apart.get(name)
    role = text_of(first(item, "role", "relation", "type", ""))
    return Member(id, role, tuple(_hidden_wishes(hidden, where, warnings)))


def _hidden_wishes(value: Any, where: str, warnings: Warnings) -> Iterator[Wish]:
    for item in objects_of(value, "slot"):
        slot, text = slot_name(text_of(item.get("slot"))), text_of(first(item, *WISH_KEYS))
        if slot and text:
            yield Wish(slot, text, strength_in(item.get("strength"), where, warnings))
