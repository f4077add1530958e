"""The file formats of service dialogues, each turned into our records without predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from adjudge.convert.chat import read_messages
from adjudge.core.errors import Warnings, bad_record
from adjudge.core.record import Participant
from adjudge.read.decode import decode
from adjudge.suites.service.data import NO_INTENT, USER, Annotation, ServiceDialogue, ServiceTurn, Value
from adjudge.suites.service.read.attachments import Acts, DialogueFiles
from adjudge.suites.service.read.autotod import read_autotod
from adjudge.suites.service.read.decoding import decode_with_texts
from adjudge.suites.service.read.goals import read_goal
from adjudge.suites.service.read.layouts import (
    Chat,
    Frame,
    FrameState,
    HubActs,
    HubDialogue,
    HubFrames,
    OfficialDialogue,
    OfficialTurn,
    Shape,
)
from adjudge.suites.service.read.names import slot_key
from adjudge.suites.service.read.order import turn_order

SYSTEM = "system"
PARTICIPANTS = (Participant("user", "customer", "human"), Participant("system", "assistant", "agent"))

OFFICIAL = msgspec.json.Decoder(OfficialDialogue)
HUB = msgspec.json.Decoder(HubDialogue)
OWN = msgspec.json.Decoder(ServiceDialogue)
CHAT = msgspec.json.Decoder(Chat)
SHAPE = msgspec.json.Decoder(Shape)
ANY = msgspec.json.Decoder()

Reader = Callable[[str, bytes, Warnings, DialogueFiles], ServiceDialogue]


def reader_of(where: str, raw: bytes) -> Reader:
    """The function that reads rows of this row's format."""
    shape = decode(where, raw, SHAPE)
    turns = bytes(shape.turns).lstrip()
    if bytes(shape.dialogue_id) and turns:
        return read_hub if turns.startswith(b"{") else read_official
    if bytes(shape.dialog_id) and bytes(shape.run_result):
        return read_autotod
    if bytes(shape.messages):
        return read_chat
    if bytes(shape.id) or turns:
        return read_own
    raise bad_record(where, _unknown_shape(where, raw))


def read_own(where: str, raw: bytes, warnings: Warnings, attachments: DialogueFiles) -> ServiceDialogue:
    """A record in our own format."""
    dialogue = decode_with_texts(where, raw, OWN, warnings)
    order = turn_order(where, [turn.id for turn in dialogue.turns], warnings)
    if order is None:
        return dialogue
    return msgspec.structs.replace(dialogue, turns=tuple([dialogue.turns[place] for place in order]))


def read_official(where: str, raw: bytes, warnings: Warnings, attachments: DialogueFiles) -> ServiceDialogue:
    """A dialogue of MultiWOZ 2.2 or SGD; the goal is that of the file of goals, else its own."""
    dialogue = decode_with_texts(where, raw, OFFICIAL, warnings)
    # SGD has no turn ids; MultiWOZ has one on every turn.
    is_guided = bool(dialogue.turns) and dialogue.turns[0].turn_id is None
    order = turn_order(where, [str(turn.turn_id) for turn in dialogue.turns], warnings)
    if order is not None:
        dialogue = msgspec.structs.replace(dialogue, turns=tuple([dialogue.turns[place] for place in order]))
    goal = attachments.goal_of(dialogue.dialogue_id)
    if goal is None and dialogue.goal:
        goal = read_goal(where, dialogue.goal, "goal")
    read_turns = _guided_turns if is_guided else _multiwoz_turns
    return ServiceDialogue(
        id=dialogue.dialogue_id,
        participants=PARTICIPANTS,
        turns=tuple(read_turns(where, dialogue, attachments.acts_of(dialogue.dialogue_id))),
        services=dialogue.services,
        goal=goal,
    )


def read_hub(where: str, raw: bytes, warnings: Warnings, attachments: DialogueFiles) -> ServiceDialogue:
    """A dialogue in the Hugging Face layout.

    Its default configuration drops frames without an intent, so a domain that is not there keeps its state.
    """
    dialogue = decode_with_texts(where, raw, HUB, warnings)
    columns = dialogue.turns
    lengths = {len(columns.turn_id), len(columns.speaker), len(columns.utterance), len(columns.frames)}
    if len(lengths) > 1:
        raise bad_record(
            where, f"parallel lists of different lengths ({', '.join(map(str, sorted(lengths)))})", "turns"
        )
    state: dict[str, Value] = {}
    turns: list[ServiceTurn] = []
    order = turn_order(where, columns.turn_id, warnings)
    for place in order if order is not None else range(len(columns.turn_id)):
        name, text = columns.turn_id[place], columns.utterance[place]
        if columns.speaker[place] == 0:
            gold = _user_annotation(_hub_frames(columns.frames[place]), state)
            state = gold.state or {}
            turns.append(ServiceTurn(name, USER, text, gold))
        else:
            acts = _hub_acts(columns.dialogue_acts[place]) if place < len(columns.dialogue_acts) else None
            turns.append(_reply(name, text, acts))
    return ServiceDialogue(
        id=dialogue.dialogue_id, participants=PARTICIPANTS, turns=tuple(turns), services=dialogue.services
    )


def read_chat(where: str, raw: bytes, warnings: Warnings, attachments: DialogueFiles) -> ServiceDialogue:
    """A conversation as chat messages. It has no annotations, so only judged metrics apply."""
    messages = decode(where, raw, CHAT)
    chat = read_messages(where, messages.messages, warnings)
    users = {participant.id for participant in chat.participants if participant.role == USER}
    turns = tuple(
        ServiceTurn(turn.id, USER if turn.speaker in users else turn.speaker, turn.text, kind=turn.kind, call=turn.call)
        for turn in chat.turns
    )
    others = tuple(participant for participant in chat.participants if participant.id not in users)
    return ServiceDialogue(id=messages.id or where, participants=(PARTICIPANTS[0], *others), turns=turns)


def is_lone_message(row: Mapping[str, Any]) -> bool:
    """Whether a row is a message that stands alone, and not a conversation."""
    return "role" in row and row.keys().isdisjoint(("id", "dialogue_id", "turns", "messages"))


def _multiwoz_turns(where: str, dialogue: OfficialDialogue, acts: Mapping[str, Acts]) -> Iterator[ServiceTurn]:
    """The turns of a MultiWOZ dialogue: every user turn states all domains, acts may stand in a file of their own."""
    for place, turn in enumerate(dialogue.turns):
        name = str(place) if turn.turn_id is None else str(turn.turn_id)
        if _is_by_user(turn):
            yield ServiceTurn(name, USER, turn.utterance, _user_annotation(_frames_of(where, place, turn), {}))
        else:
            yield _reply(name, turn.utterance, acts.get(name) if turn.dialog_act is None else turn.dialog_act)


def _guided_turns(where: str, dialogue: OfficialDialogue, acts: Mapping[str, Acts]) -> Iterator[ServiceTurn]:
    """The turns of an SGD dialogue.

    SGD names slots without their service and lists only the services a turn is about: the service is put before the
    slot, and the other services keep the state they had.
    """
    state: dict[str, Value] = {}
    for place, turn in enumerate(dialogue.turns):
        name = str(place) if turn.turn_id is None else str(turn.turn_id)
        if _is_by_user(turn):
            frames = _frames_of(where, place, turn)
            gold = msgspec.structs.replace(_user_annotation(frames, state), domains=_active_services(frames))
            state = gold.state or {}
            yield ServiceTurn(name, USER, turn.utterance, gold)
        else:
            known = acts.get(name) if turn.dialog_act is None else turn.dialog_act
            yield _reply(name, turn.utterance, _guided_acts(turn.frames or ()) if known is None else known)


def _is_by_user(turn: OfficialTurn) -> bool:
    return turn.speaker.upper() == "USER"


def _frames_of(where: str, place: int, turn: OfficialTurn) -> tuple[Frame, ...]:
    if turn.frames is None:
        expected = "missing; expected a list of frames, one for each service"
        raise bad_record(where, expected, f"turns[{place}].frames")
    return turn.frames


def _reply(name: str, text: str, acts: Acts | None) -> ServiceTurn:
    return ServiceTurn(name, SYSTEM, text, None if acts is None else Annotation(acts=acts))


def _user_annotation(frames: tuple[Frame, ...], before: Mapping[str, Value]) -> Annotation:
    """The annotation of a user turn from its frames; a service without a frame keeps its previous state."""
    states = [(frame.service, frame.state) for frame in frames if frame.state is not None]
    present = {service.lower() for service, _ in states}
    state = {slot: value for slot, value in before.items() if slot.partition("-")[0] not in present}
    intents: list[str] = []
    requested: list[str] = []
    for service, frame in states:
        if frame.active_intent != NO_INTENT:
            intents.append(frame.active_intent)
        requested += [_full_slot(slot, service) for slot in frame.requested_slots]
        for slot, values in frame.slot_values.items():
            if values:
                state[_full_slot(slot, service)] = values if isinstance(values, str) or len(values) > 1 else values[0]
    return Annotation(
        intents=tuple(dict.fromkeys(intents)),
        state=state,
        requested=tuple(requested) or None,
    )


def _active_services(frames: tuple[Frame, ...]) -> tuple[str, ...]:
    """The services with an intent: in SGD they are the domains, which its intents do not name."""
    return tuple(
        frame.service for frame in frames if frame.state is not None and frame.state.active_intent != NO_INTENT
    )


def _full_slot(slot: str, service: str) -> str:
    return slot if "-" in slot else slot_key(service.lower(), slot)


def _guided_acts(frames: tuple[Frame, ...]) -> Acts:
    acts: dict[str, list[tuple[str, str]]] = {}
    for frame in frames:
        for action in frame.actions:
            pairs = acts.setdefault(f"{frame.service}-{action.act}", [])
            pairs += [(action.slot, value) for value in action.values] or [(action.slot, "?")]
    return {act: tuple(pairs) for act, pairs in acts.items()}


def _hub_frames(frames: HubFrames) -> tuple[Frame, ...]:
    return tuple(
        Frame(
            service,
            FrameState(
                state.active_intent,
                state.requested_slots,
                dict(
                    zip(
                        state.slots_values.slots_values_name,
                        state.slots_values.slots_values_list,
                        strict=False,
                    )
                ),
            ),
        )
        for service, state in zip(frames.service, frames.state, strict=False)
    )


def _hub_acts(acts: HubActs) -> Acts:
    return {
        name: tuple(zip(slots.slot_name, slots.slot_value, strict=False))
        for name, slots in zip(acts.dialog_act.act_type, acts.dialog_act.act_slots, strict=False)
    }


def _unknown_shape(where: str, raw: bytes) -> str:
    value = decode(where, raw, ANY)
    content = f"a {type(value).__name__}"
    if isinstance(value, dict):
        content = f"an object with {', '.join(map(repr, list(value)[:5])) or 'no keys'}"
    hint = ""
    if isinstance(value, dict) and value and all(isinstance(item, list) for item in value.values()):
        hint = "; this looks like a prediction file: give it with --predictions"
    return (
        f"not a dialogue: found {content}; expected `dialogue_id` and `turns` (MultiWOZ, SGD, Hugging Face), "
        f"`messages` (chat) or our own format (adjudge schema service){hint}"
    )
