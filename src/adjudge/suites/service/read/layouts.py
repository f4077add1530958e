"""The layouts of service dialogue files, as typed structs; unknown keys are ignored."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from adjudge.suites.service.data import NO_INTENT


class FrameState(Struct, frozen=True, gc=False):
    """The state of one frame."""

    active_intent: str = NO_INTENT
    requested_slots: tuple[str, ...] = ()
    slot_values: dict[str, tuple[str, ...] | str] = {}


class Action(Struct, frozen=True, gc=False):
    """A dialogue act as schema-guided files write it."""

    act: str
    slot: str = ""
    values: tuple[str, ...] = ()


class Frame(Struct, frozen=True, gc=False):
    """What a turn says about one service."""

    service: str
    state: FrameState | None = None
    actions: tuple[Action, ...] = ()


class OfficialTurn(Struct, frozen=True, gc=False):
    """A turn of MultiWOZ 2.2 or SGD; only reshaped files have `dialog_act` in it."""

    speaker: str
    utterance: str
    turn_id: str | int | None = None
    frames: tuple[Frame, ...] | None = None
    dialog_act: dict[str, tuple[tuple[str, str], ...]] | None = None


class OfficialDialogue(Struct, frozen=True, gc=False):
    """A dialogue of MultiWOZ 2.2 or SGD; only reshaped files have `goal` in it."""

    dialogue_id: str
    turns: tuple[OfficialTurn, ...]
    services: tuple[str, ...] = ()
    goal: dict[str, Any] | None = None


class GoalParts(Struct, frozen=True, gc=False):
    """The goal of one domain as MultiWOZ writes it."""

    info: dict[str, str | bool | float] | None = None
    reqt: tuple[str, ...] | None = None
    book: dict[str, str | bool | float] | None = None


class HubValues(Struct, frozen=True, gc=False):
    """Slot values as two parallel lists."""

    slots_values_name: tuple[str, ...] = ()
    slots_values_list: tuple[tuple[str, ...], ...] = ()


class HubState(Struct, frozen=True, gc=False):
    """The state of one frame in the Hugging Face layout."""

    active_intent: str = NO_INTENT
    requested_slots: tuple[str, ...] = ()
    slots_values: HubValues = HubValues()


class HubFrames(Struct, frozen=True, gc=False):
    """The frames of a turn as parallel lists."""

    service: tuple[str, ...] = ()
    state: tuple[HubState, ...] = ()


class HubActSlots(Struct, frozen=True, gc=False):
    """The slots of one act as parallel lists."""

    slot_name: tuple[str, ...] = ()
    slot_value: tuple[str, ...] = ()


class HubActTypes(Struct, frozen=True, gc=False):
    """The acts of a turn as parallel lists."""

    act_type: tuple[str, ...] = ()
    act_slots: tuple[HubActSlots, ...] = ()


class HubActs(Struct, frozen=True, gc=False):
    """The acts of a turn, wrapped as the Hugging Face layout does."""

    dialog_act: HubActTypes = HubActTypes()


class HubTurns(Struct, frozen=True, gc=False):
    """All turns of a dialogue as parallel lists."""

    turn_id: tuple[str, ...]
    speaker: tuple[int, ...]
    utterance: tuple[str, ...]
    frames: tuple[HubFrames, ...]
    dialogue_acts: tuple[HubActs, ...] = ()


class HubDialogue(Struct, frozen=True, gc=False):
    """A dialogue in the Hugging Face layout of MultiWOZ 2.2."""

    dialogue_id: str
    turns: HubTurns
    services: tuple[str, ...] = ()


class Chat(Struct, frozen=True, gc=False):
    """A conversation as a list of chat messages."""

    messages: tuple[Any, ...]
    id: str | None = None


class Shape(Struct):
    """The keys that identify a format."""

    id: Raw = Raw()
    dialogue_id: Raw = Raw()
    turns: Raw = Raw()
    messages: Raw = Raw()
    dialog_id: Raw = Raw()
    run_result: Raw = Raw()
