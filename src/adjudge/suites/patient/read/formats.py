"""Consultations in JSON: our own records, chats with a profile and a persona, and published data sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from msgspec import structs

from adjudge.core.credentials import is_identifier, protection_of
from adjudge.core.errors import Warnings, bad_record
from adjudge.core.record import Participant
from adjudge.read.decode import check_depth, decode
from adjudge.suites.patient.data import DOCTOR, PATIENT
from adjudge.suites.patient.lexicon.fields import HIDDEN, key_of
from adjudge.suites.patient.read.cases import is_case, profile_in_prose, read_case
from adjudge.suites.patient.read.drafts import ConsultationDraft, DraftTurn, Trait, as_text, file_of, line_of, stem
from adjudge.suites.patient.read.profiles import PERSONAS, PROFILES, ROWS
from adjudge.suites.patient.read.rows import (
    OWN,
    PUBLISHED,
    WILD,
    Content,
    ExternalRow,
    ExternalTurn,
    Object,
    OwnRow,
    Talk,
)
from adjudge.suites.patient.read.speakers import plain
from adjudge.suites.patient.read.transcript import items_in, utterances_in

HUMAN = "human"
CONVERSATIONS = ("messages", "conversation", "dialogue", "dialog_history", "dialogue_history", "turns")
IDS = ("id", "conversation_id", "dialogue_id", "patient_id", "hadm_id")
ID_KEYS = frozenset(map(key_of, IDS))
# Keys that only one patient simulator writes. It runs on MIMIC data, so records with these keys are credentialed.
MIMIC = {"cefr_type", "personality_type", "recall_level_type", "dazed_level_type"}

# Keys of our own records, keys of other chats, and keys that identify a row as a consultation.
OURS = {*OwnRow.__struct_fields__}
KNOWN = {*ExternalRow.__struct_fields__}
TELLING = {*IDS, *CONVERSATIONS, *PROFILES}


def read_json(where: str, row: bytes, warnings: Warnings, patient: str = "") -> ConsultationDraft:
    """A draft from a row of JSON, whose format is recognised by its keys.

    A MIMIC identifier at any depth makes the record credentialed. `patient` is another name of the patient, for
    conversations that are one text.
    """
    check_depth(where, row)
    raw = decode(where, row, ROWS)
    draft = read_case(where, row, raw) if is_case(raw) else _draft(where, row, raw.keys(), warnings, patient)
    traits = {trait.name: trait.value for trait in draft.persona}
    named = draft if draft.id.strip() else structs.replace(draft, id=_id(where, raw, warnings))
    protected = draft.credentialed or bool(protection_of([raw, draft.profile, traits]))
    return structs.replace(named, credentialed=protected)


def _draft(where: str, row: bytes, keys: Set[str], warnings: Warnings, patient: str) -> ConsultationDraft:
    if not keys & (TELLING | {"src"}):
        raise bad_record(
            where,
            f"found {', '.join(map(repr, list(keys)[:5])) or 'nothing'}; expected a consultation with an id, a profile "
            "and turns (adjudge schema patient)",
        )
    if {"presenting_complaint", "turns"} <= keys:
        return read_published(where, row, "turns", warnings)
    if "src" in keys:
        return read_published(where, row, "src", warnings)
    if {"section_text", "dialogue"} <= keys:
        return read_published(where, row, "dialogue", warnings)
    if keys & (KNOWN - OURS) or any(map(is_identifier, keys)):
        _remark_unread(where, keys - KNOWN, warnings)
        return read_external(where, row, warnings, patient)
    return read_own(where, row, warnings)


def read_own(where: str, row: bytes, warnings: Warnings) -> ConsultationDraft:
    """A record of our own."""
    own = decode(where, row, OWN)
    return ConsultationDraft(
        id=own.id,
        case=own.case,
        arm=own.arm,
        trial=own.trial,
        participants=own.participants,
        facets=own.facets,
        credentialed=own.credentialed,
        profile=_items(where, own.profile, "profile", warnings),
        persona=_traits(where, own.persona, "persona", warnings),
        utterances=_utterances(where, own.turns, "turns"),
        note=own.note,
        diagnoses=own.diagnoses,
    )


def read_external(where: str, row: bytes, warnings: Warnings, patient: str) -> ConsultationDraft:
    """A chat with a profile and a persona, under any of their usual keys."""
    external = decode(where, row, WILD)
    about, played = _only(where, external, PROFILES), _only(where, external, PERSONAS)
    profile = _items(where, getattr(external, about), about, warnings)
    talk = _only(where, external, CONVERSATIONS)
    types = {name: value for name in sorted(MIMIC) if (value := getattr(external, name)) is not None}
    return ConsultationDraft(
        case=external.case,
        arm=external.arm,
        trial=external.trial,
        participants=external.participants,
        facets=external.facets,
        credentialed=bool(external.credentialed or types),
        profile={**{name: getattr(external, name) for name in HIDDEN}, **profile},
        persona=(
            *(Trait(name, value, where, name) for name, value in types.items()),
            *_traits(where, getattr(external, played), played, warnings),
        ),
        utterances=_talk(where, getattr(external, talk), talk, warnings, patient),
        note=external.note,
    )


def read_published(where: str, row: bytes, talk: str, warnings: Warnings) -> ConsultationDraft:
    """A consultation between people of a published data set, whose turns are in the field `talk`."""
    published = decode(where, row, PUBLISHED)
    utterances = _talk(where, getattr(published, talk), talk, warnings)
    return ConsultationDraft(
        id="" if published.file is None else str(published.file),
        arm=HUMAN,
        participants=_people(utterances),
        facets={"section": published.section_header} if published.section_header else {},
        profile={"chief_complaint": published.presenting_complaint},
        utterances=utterances,
        note=published.note or published.tgt or published.section_text,
    )


def _id(where: str, raw: Mapping[str, Any], warnings: Warnings) -> str:
    """The id of a row under any of its usual keys; without one, it is made from the file and line."""
    given = {key_of(name): as_text(value) for name, value in raw.items() if isinstance(value, str | int | float)}
    for name in IDS:
        if id := given.get(key_of(name)):
            return id
    made = f"{stem(file_of(where))}-{line_of(where)}"
    warnings.add("no id", f"{where}: no id, so it is called {made!r}; arms are compared by case or id")
    return made


def _only(where: str, external: ExternalRow, names: Iterable[str]) -> str:
    """The only one of several keys that has a value; the first key if none has. Raises BadRecord for two."""
    present = [name for name in names if getattr(external, name)]
    if len(present) > 1:
        raise bad_record(where, f"both {present[0]!r} and {present[1]!r} are there; expected one of them", present[1])
    return present[0] if present else next(iter(names))


def _items(where: str, raw: Object, field: str, warnings: Warnings) -> Mapping[str, Any]:
    """The items of a profile or persona; a string is read as lines of `key: value`."""
    if not isinstance(raw, str):
        return raw or {}
    if field == "patient_info" and not items_in(where, raw, field, Warnings()):
        return profile_in_prose(raw)
    present = items_in(where, raw, field, warnings)
    if raw.strip() and not present:
        raise bad_record(where, f"found {raw[:40]!r}; expected an object with items such as 'age'", field)
    return present


def _traits(where: str, raw: Object, field: str, warnings: Warnings) -> tuple[Trait, ...]:
    """The traits of a persona; a single word is its personality."""
    if isinstance(raw, str) and ":" not in raw:
        return (Trait("personality", raw, where, field),)
    items = _items(where, raw, field, warnings).items()
    each = [(name, turn) for name, values in items for turn in values] if isinstance(raw, str) else items
    return tuple(Trait(name, value, where, f"{field}.{name}") for name, value in each)


def _talk(where: str, talk: Talk, field: str, warnings: Warnings, patient: str = "") -> tuple[DraftTurn, ...]:
    """The turns of a conversation, which may be one text in which lines name the speakers."""
    if not isinstance(talk, str):
        return _utterances(where, talk, field)
    utterances = utterances_in(where, talk, field, warnings, patient)
    if talk.strip() and not utterances:
        expected = "expected lines such as 'Doctor: ...' or '[doctor] ...'"
        raise bad_record(where, f"starts {talk.strip()[:40]!r}, and no line says who speaks; {expected}", field)
    return utterances


def _utterances(where: str, turns: Iterable[ExternalTurn], field: str) -> tuple[DraftTurn, ...]:
    return tuple(_turn(where, turn, f"{field}[{place}]") for place, turn in enumerate(turns))


def _turn(where: str, turn: ExternalTurn, field: str) -> DraftTurn:
    speaker = turn.speaker or turn.role
    if not speaker or not speaker.strip():
        raise bad_record(
            where, "required but missing; expected 'doctor', 'patient' or another name", f"{field}.speaker"
        )
    id = turn.turn_id if turn.id is None else turn.id
    number = str(turn.turn if turn.turn is not None else "").strip()
    content = next((text for text in (turn.text, turn.content, turn.utterance) if text is not None), "")
    return DraftTurn(
        speaker=speaker,
        text=_text(content).strip(),
        where=where,
        field=field,
        id="" if id is None else str(id),
        number=int(number) if number.isdecimal() else None,
        start=turn.start,
    )


def _text(content: Content) -> str:
    """The text of a message; if it has several parts, only the text parts are joined."""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "\n".join(part for part in parts if isinstance(part, str))
    return content or ""


def _people(utterances: Iterable[DraftTurn]) -> tuple[Participant, ...]:
    """Everybody who speaks in a consultation between people."""
    names = dict.fromkeys([DOCTOR, PATIENT, *(plain(turn.speaker).replace(" ", "_") for turn in utterances)])
    return tuple(Participant(name, name, "human") for name in names)


def _remark_unread(where: str, names: Iterable[str], warnings: Warnings) -> None:
    if unread := sorted(name for name in names if key_of(name) not in ID_KEYS and not is_identifier(name)):
        warnings.add("unread", f"{where}: not read: {', '.join(map(repr, unread[:8]))}")
