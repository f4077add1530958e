"""What models are asked: the material of each part, and the types of their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Struct

from adjudge.core.play import Message, Prompt, Utterance
from adjudge.systems.service.memory import Memory
from adjudge.systems.service.routing import SLOTS
from adjudge.systems.service.triage import Heard

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


class Prompts(Protocol):
    """The prompt files by name."""

    def text(self, name: str) -> str:
        """The text of a prompt file."""


def prompt_for(part: str, instructions: str, material: Mapping[str, Any], answer: type[Any]) -> Prompt[Any]:
    """A prompt: instructions, and the material as JSON data."""
    data = msgspec.json.encode(material).decode()
    messages = (Message("system", instructions), Message("user", "The material of this turn:", data))
    return Prompt(messages, answer, part=part)


def dialogue_of(turns: Sequence[Utterance]) -> list[dict[str, str]]:
    """The turns as data."""
    return [{"speaker": turn.speaker, "text": turn.text} for turn in turns]


def slots_by_domain() -> dict[str, list[str]]:
    """The slots that a model may fill, by domain."""
    return {domain: [f"{domain}-{slot}" for slot in slots] for domain, slots in SLOTS.items() if slots}


def heard_from(answer: Understanding, memory: Memory, offered: Mapping[str, str]) -> Heard:
    """What a model understood, as the other parts take it; slots that do not exist are left out."""
    known = {f"{domain}-{slot}" for domain, slots in SLOTS.items() for slot in slots}
    changes = {pair.slot: pair.value.lower() for pair in answer.changes if pair.slot in known and pair.value}
    focus = memory.focus if answer.domain == "none" else answer.domain
    return Heard(
        domains=(focus,) if focus else (),
        state={**memory.state, **changes},
        offered=dict(offered),
        changed=tuple(slot for slot, value in changes.items() if memory.state.get(slot) != value),
        requested=tuple(answer.requested),
        books=answer.books,
        another=answer.another,
        ends=answer.ends,
    )
