"""The file formats of service dialogues, each turned into our records without predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from adjudge.core.errors import BadRecord, Warnings, bad_record
from adjudge.core.record import Participant
from adjudge.read.decode import decode
from adjudge.suites.service.data import NO_INTENT, USER, Annotation, Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.read.layouts import (
    Chat,
    Frame,
    GoalParts,
    HubActs,
    HubDialogue,
    HubFrames,
    OfficialDialogue,
    Shape,
    State,
)

SYSTEM = "system"
PARTICIPANTS = (Participant("user", "customer", "human"), Participant("system", "assistant", "agent"))

T = TypeVar("T")

Acts = dict[str, tuple[tuple[str, str], ...]]
ActsOfDialogue = Mapping[str, Acts]


OFFICIAL = msgspec.json.Decoder(OfficialDialogue)
HUB = msgspec.json.Decoder(HubDialogue)
OWN = msgspec.json.Decoder(ServiceDialogue)
CHAT = msgspec.json.Decoder(Chat)
SHAPE = msgspec.json.Decoder(Shape)
ANY = msgspec.json.Decoder()

Reader = Callable[[str, bytes, Warnings, Mapping[str, ActsOfDialogue]], ServiceDialogue]


def reader_of(where: str, raw: bytes) -> Reader:
    """The function that reads rows of this row's format."""
    shape = decode(where, raw, SHAPE)
    turns = bytes(shape.turns).lstrip()
    if bytes(shape.dialogue_id) and turns:
        return read_hub if turns.startswith(b"{") else read_official
    if bytes(shape.messages):
        return read_chat
    if bytes(shape.id) or turns:
        return read_own
    raise bad_record(where, _unknown_shape(where, raw))


def read_own(where: str, raw: bytes, warnings: Warnings, acts: Mapping[str, ActsOfDialogue]) -> ServiceDialogue:
    """A record in our own format."""
    try:
        return OWN.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return mended(where, raw, OWN, warnings)


def read_official(where: str, raw: bytes, warnings: Warnings, acts: Mapping[str, ActsOfDialogue]) -> ServiceDialogue:
    """A dialogue of MultiWOZ 2.2 or SGD.

    SGD names slots without their service and lists only the services a turn is about: there the service is
    put before the slot, and the others keep the state they had.
    """
    try:
        dialogue = OFFICIAL.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        dialogue = mended(where, raw, OFFICIAL, warnings)
    known = acts.get(dialogue.dialogue_id, {})
    guided = dialogue.turns[0].turn_id is None if dialogue.turns else False
    turns: list[ServiceTurn] = []
    state: dict[str, str | tuple[str, ...]] = {}
    for place, turn in enumerate(dialogue.turns):
        name = str(place) if turn.turn_id is None else str(turn.turn_id)
        if turn.speaker.upper() == "USER":
            if turn.frames is None:
                raise bad_record(
                    where,
                    "missing; expected a list of frames, one for each service",
                    f"turns[{place}].frames",
                )
            gold = _user_annotation(turn.frames, guided, state if guided else {})
            state = gold.state or {}
            turns.append(ServiceTurn(name, USER, turn.utterance, gold))
        else:
            said = turn.dialog_act if turn.dialog_act is not None else known.get(name)
            if said is None and guided:
                said = _guided_acts(turn.frames or ())
            turns.append(ServiceTurn(name, SYSTEM, turn.utterance, None if said is None else Annotation(acts=said)))
    return ServiceDialogue(
        id=dialogue.dialogue_id,
        participants=PARTICIPANTS,
        turns=tuple(turns),
        services=dialogue.services,
        goal=_goal(where, dialogue.goal) if dialogue.goal else None,
    )


def read_hub(where: str, raw: bytes, warnings: Warnings, acts: Mapping[str, ActsOfDialogue]) -> ServiceDialogue:
    """A dialogue in the Hugging Face layout.

    Its default configuration drops frames without an intent, so a domain that is not there keeps its state.
    """
    try:
        dialogue = HUB.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        dialogue = mended(where, raw, HUB, warnings)
    columns = dialogue.turns
    lengths = {len(columns.turn_id), len(columns.speaker), len(columns.utterance), len(columns.frames)}
    if len(lengths) > 1:
        raise bad_record(
            where, f"parallel lists of different lengths ({', '.join(map(str, sorted(lengths)))})", "turns"
        )
    state: dict[str, str | tuple[str, ...]] = {}
    turns: list[ServiceTurn] = []
    for place, (name, speaker, text, frames) in enumerate(
        zip(columns.turn_id, columns.speaker, columns.utterance, columns.frames, strict=True)
    ):
        if speaker == 0:
            gold = _user_annotation(_hub_frames(frames), False, state)
            state = gold.state or {}
            turns.append(ServiceTurn(name, USER, text, gold))
        else:
            said = _hub_acts(columns.dialogue_acts[place]) if place < len(columns.dialogue_acts) else None
            turns.append(ServiceTurn(name, SYSTEM, text, None if said is None else Annotation(acts=said)))
    return ServiceDialogue(
        id=dialogue.dialogue_id, participants=PARTICIPANTS, turns=tuple(turns), services=dialogue.services
    )


def read_chat(where: str, raw: bytes, warnings: Warnings, acts: Mapping[str, ActsOfDialogue]) -> ServiceDialogue:
    """A conversation as chat messages: nothing is annotated, so only judged metrics have something to say."""
    chat = decode(where, raw, CHAT)
    turns = tuple(
        ServiceTurn(str(place), USER if message.role == "user" else message.role, message.content or "")
        for place, message in enumerate(chat.messages)
        if message.role != "system" and (message.content is None or isinstance(message.content, str))
    )
    return ServiceDialogue(id=chat.id or where, turns=turns)


def goal_of(goal: Mapping[str, Any]) -> dict[str, Goal]:
    """The goal of a MultiWOZ dialogue (`info`, `reqt`, `book` by domain) as ours; raises ValidationError.

    Beside the domains stand `message` and `topic`, which say nothing of this.
    """
    return {
        domain: _domain_goal(msgspec.convert(parts, GoalParts))
        for domain, parts in goal.items()
        if isinstance(parts, dict) and parts.keys() & set(GoalParts.__struct_fields__)
    }


def _goal(where: str, goal: Mapping[str, Any]) -> dict[str, Goal]:
    try:
        return goal_of(goal)
    except msgspec.ValidationError as error:
        raise bad_record(where, f"{error}; expected `info`, `reqt` and `book` of each domain", "goal") from None


_GOAL_SLOTS = {"arriveby": "arrive", "leaveat": "leave"}
_REQUESTED = {
    "phone": "PHONE",
    "address": "ADDRESS",
    "postcode": "POST",
    "trainid": "TRAINID",
}


def _domain_goal(parts: GoalParts) -> Goal:
    informable = {_goal_slot(slot): text_of(value) for slot, value in (parts.info or {}).items()}
    requestable = [_REQUESTED[_goal_slot(slot)] for slot in parts.reqt or () if _goal_slot(slot) in _REQUESTED]
    booking = {slot: value if isinstance(value, bool) else text_of(value) for slot, value in (parts.book or {}).items()}
    if booking:
        requestable.append("REFERENCE")
    return Goal(informable, tuple(requestable), booking)


def _goal_slot(name: str) -> str:
    name = name.lower().replace(" ", "")
    return _GOAL_SLOTS.get(name, name)


def _user_annotation(
    frames: tuple[Frame, ...], guided: bool, before: Mapping[str, str | tuple[str, ...]]
) -> Annotation:
    present = {frame.service.lower() for frame in frames if frame.state is not None}
    state = {slot: value for slot, value in before.items() if slot.partition("-")[0] not in present}
    intents: list[str] = []
    domains: list[str] = []
    requested: list[str] = []
    for frame in frames:
        if frame.state is None:
            continue
        if frame.state.active_intent != NO_INTENT:
            intents.append(frame.state.active_intent)
            domains.append(frame.service)
        requested += [_full(slot, frame.service) for slot in frame.state.requested_slots]
        for slot, values in frame.state.slot_values.items():
            if values:
                state[_full(slot, frame.service)] = values if isinstance(values, str) or len(values) > 1 else values[0]
    return Annotation(
        domains=tuple(domains) if guided else None,
        intents=tuple(dict.fromkeys(intents)),
        state=state,
        requested=tuple(requested) or None,
    )


def _full(slot: str, service: str) -> str:
    return slot if "-" in slot else slot_key(service.lower(), slot)


@lru_cache(maxsize=1 << 14)
def slot_key(domain: str, slot: str) -> str:
    """The full name of a slot: domain and slot without case, blanks and underscores.

    >>> slot_key("taxi", "leave at"), slot_key("events_1", "event_name")
    ('taxi-leaveat', 'events_1-eventname')
    """
    slot = slot.lower().replace(" ", "").replace("_", "")
    return slot if slot.startswith(f"{domain}-") else f"{domain}-{slot}"


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
            State(
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


STATE_KEYS = frozenset({"slot_values", "state", "slots_values_list"})


def mended(where: str, raw: bytes, decoder: msgspec.json.Decoder[T], warnings: Warnings) -> T:
    """The row with numbers in states taken as text, if that is all that is wrong with it; raises BadRecord."""
    try:
        return decode(where, raw, decoder)
    except BadRecord:
        try:
            loose = textual(msgspec.json.decode(raw), where, warnings)
            record: T = msgspec.convert(loose, decoder.type)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
        else:
            return record
        raise


def textual(value: Any, where: str, warnings: Warnings, inside: bool = False, slot: str = "") -> Any:
    """A copy in which numbers within states are text, with a warning once for each slot."""
    if isinstance(value, dict):
        return {
            key: textual(item, where, warnings, inside or key in STATE_KEYS, key if inside else slot)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [textual(item, where, warnings, inside, slot) for item in value]
    if inside and isinstance(value, int | float) and not isinstance(value, bool):
        text = text_of(value)
        warnings.add(f"number:{slot}", f"{where}: {slot}: found the number {value!r}, taken as the text {text!r}")
        return text
    return value


def text_of(value: str | float) -> str:
    """A value as text; a whole number has no decimals.

    >>> text_of(2.0), text_of(2), text_of("two")
    ('2', '2', 'two')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _unknown_shape(where: str, raw: bytes) -> str:
    value = decode(where, raw, ANY)
    found = (
        f"an object with {', '.join(map(repr, list(value)[:5])) or 'no keys'}"
        if isinstance(value, dict)
        else f"a {type(value).__name__}"
    )
    hint = ""
    if isinstance(value, dict) and value and all(isinstance(item, list) for item in value.values()):
        hint = "; this looks like a prediction file: give it with --predictions"
    return (
        f"not a dialogue: found {found}; expected `dialogue_id` and `turns` (MultiWOZ, SGD, Hugging Face), "
        f"`messages` (chat) or our own format (adjudge schema service){hint}"
    )
