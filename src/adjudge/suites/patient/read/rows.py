"""The types of JSON rows that hold consultations: our own records, chats, and published data sets."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.record import Participant, Record

Content = str | list[Any] | None
Id = str | int | None
Object = dict[str, Any] | str | None


class ExternalTurn(Struct, frozen=True):
    """A turn or a message; files use several keys for its speaker and its text."""

    id: Id = None
    turn_id: Id = None
    turn: Id = None
    speaker: str | None = None
    role: str | None = None
    text: Content = None
    content: Content = None
    utterance: Content = None
    start: float | None = None


Talk = tuple[ExternalTurn, ...] | str


class OwnRowTurn(ExternalTurn, frozen=True, forbid_unknown_fields=True):
    """A turn of a record of our own, under our keys or the other usual ones."""


class OwnRow(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record of our own before its values are checked."""

    profile: Object = None
    persona: Object = None
    turns: tuple[OwnRowTurn, ...] = ()
    note: str = ""
    diagnoses: tuple[str, ...] | None = None


class ExternalRow(Struct, frozen=True):
    """A chat with data about its patient; other keys are not read. A conversation may be one text with speakers."""

    id: Id = None
    conversation_id: Id = None
    dialogue_id: Id = None
    patient_id: Id = None
    hadm_id: Id = None
    subject_id: Id = None
    stay_id: Id = None
    case: str = ""
    arm: str = ""
    trial: int = 0
    participants: tuple[Participant, ...] = ()
    facets: dict[str, str] = {}
    credentialed: bool = False
    note: str = ""
    diagnosis: Any = None
    disposition: Any = None
    profile: Object = None
    patient_profile: Object = None
    patient_info: Object = None
    persona: Object = None
    persona_config: Object = None
    persona_configuration: Object = None
    patient_persona: Object = None
    personality_type: Any = None
    cefr_type: Any = None
    recall_level_type: Any = None
    dazed_level_type: Any = None
    messages: Talk = ()
    conversation: Talk = ()
    dialogue: Talk = ()
    dialog_history: Talk = ()
    dialogue_history: Talk = ()
    turns: Talk = ()


class PublishedRow(Struct, frozen=True):
    """A consultation between people: PriMock57 has `turns`, ACI-Bench `src`, MTS-Dialog `dialogue` and a section."""

    file: Id = None
    presenting_complaint: str = ""
    turns: tuple[ExternalTurn, ...] = ()
    src: str = ""
    dialogue: str = ""
    note: str = ""
    tgt: str = ""
    section_text: str = ""
    section_header: str = ""


OWN = msgspec.json.Decoder(OwnRow)
WILD = msgspec.json.Decoder(ExternalRow)
PUBLISHED = msgspec.json.Decoder(PublishedRow)
