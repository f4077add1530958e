"""What models are asked: the material of each part, and the types of their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.routing import SLOTS
from adjudge.systems.service.triage import TriagedTurn

Domain = Literal["restaurant", "hotel", "attraction", "train", "taxi", "hospital", "police", "none"]
Requestable = Literal[
    "phone", "address", "postcode", "fee", "area", "pricerange", "stars", "type", "food", "internet", "parking",
    "leaveat", "arriveby", "duration", "cost", "trainid", "car", "ref",
]  # fmt: skip


class SlotValue(Struct, frozen=True, forbid_unknown_fields=True):
    """A slot with its value."""

    slot: str
    value: str


class Understanding(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model makes of a user turn."""

    reasoning: str
    domain: Domain
    changes: list[SlotValue]
    requested: list[Requestable]
    books: bool
    another: bool
    ends: bool


class Wording(Struct, frozen=True, forbid_unknown_fields=True):
    """The reply that a model words for a move."""

    reasoning: str
    reply: str


class Approval(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says of a reply before it is sent."""

    reasoning: str
    approved: bool
    reason: str


class OwnReply(Struct, frozen=True, forbid_unknown_fields=True):
    """The reply of a model that decides by itself what to do."""

    reasoning: str
    action: Literal["search", "request", "book", "inform"]
    reply: str


def slots_by_domain() -> dict[str, list[str]]:
    """The slots that a model may fill, by domain."""
    return {domain: [f"{domain}-{slot}" for slot in slots] for domain, slots in SLOTS.items() if slots}


def turn_by_model(answer: Understanding, memory: DialogueMemory, offered: Mapping[str, str]) -> TriagedTurn:
    """What a model understood, as the other parts take it; slots that do not exist are left out."""
    known = {f"{domain}-{slot}" for domain, slots in SLOTS.items() for slot in slots}
    changes = {pair.slot: pair.value.lower() for pair in answer.changes if pair.slot in known and pair.value}
    focus = memory.focus if answer.domain == "none" else answer.domain
    return TriagedTurn(
        domains=(focus,) if focus else (),
        state={**memory.state, **changes},
        offered=dict(offered),
        changed=tuple(slot for slot, value in changes.items() if memory.state.get(slot) != value),
        requested=tuple(answer.requested),
        books=answer.books,
        another=answer.another,
        ends=answer.ends,
    )
