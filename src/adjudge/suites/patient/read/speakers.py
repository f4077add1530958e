"""Who speaks: the words for doctor and patient, who plays the patient, and the order of turns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from adjudge.core.errors import Warnings, bad_record
from adjudge.suites.patient.data import DOCTOR, PATIENT, PatientTurn
from adjudge.suites.patient.read.drafts import Said

DOCTORS = ("doctor", "physician", "clinician", "dr", "gp", "provider", "doctor agent", "clinician agent")
PATIENTS = ("patient", "pt", "patient agent", "simulated patient", "virtual patient", "standardized patient")
# Who is who in a chat depends on who was simulated.
CHAT = ("user", "assistant", "human", "ai", "bot", "model")
# What is no speech in the room: prompts and what tools return.
UNSPOKEN = ("system", "developer", "tool", "function")
ROLES = {**dict.fromkeys(DOCTORS, DOCTOR), **dict.fromkeys(PATIENTS, PATIENT)}
TITLED = re.compile(r"dr\.? \S.*")


def role_of(speaker: str) -> str | None:
    """Doctor or patient, by the usual words for them; None for everybody else.

    >>> role_of("PATIENT"), role_of("Dr. Smith"), role_of("Nurse")
    ('patient', 'doctor', None)
    """
    word = plain(speaker)
    return ROLES.get(word) or (DOCTOR if TITLED.fullmatch(word) else None)


def plain(speaker: str) -> str:
    """A speaker's name in small letters, without what surrounds it.

    >>> plain("**Patient_Agent**:")
    'patient agent'
    """
    return " ".join(speaker.lower().replace("_", " ").split()).strip(" :.*[]")


def turns_of(where: str, said: Sequence[Said], patient: str, warnings: Warnings) -> tuple[PatientTurn, ...]:
    """The turns with speakers and ids of ours; `patient` is the role that the patient speaks under, if one is named."""
    spoken = list(_spoken(said, warnings))
    _check_times(spoken)
    cast = _cast(where, list(dict.fromkeys(one.speaker for one in spoken)), plain(patient))
    ids = _ids(spoken)
    return tuple(PatientTurn(id, cast[one.speaker], one.text) for id, one in zip(ids, spoken, strict=True))


def _spoken(said: Sequence[Said], warnings: Warnings) -> Iterator[Said]:
    for one in said:
        if plain(one.speaker) not in UNSPOKEN:
            yield one
            continue
        warnings.add("unspoken", _at(one, f"a message of {one.speaker!r} is no speech and was left out"))


def _cast(where: str, speakers: list[str], patient: str) -> dict[str, str]:
    """Every speaker's role; third persons keep their names. Raises BadRecord where nobody knows who the patient is."""
    roles = {one: PATIENT if patient and plain(one) == patient else role_of(one) for one in speakers}
    known = {role for role in roles.values() if role}
    chat = [one for one, role in roles.items() if role is None and plain(one) in CHAT]
    if len(chat) == 1 and len(known) == 1:
        roles[chat[0]] = PATIENT if known == {DOCTOR} else DOCTOR
    elif speakers and (not known or (chat and len(known) < 2)):
        raise bad_record(where, _unclear(speakers, patient), "speaker")
    return {one: role or plain(one).replace(" ", "_") for one, role in roles.items()}


def _unclear(speakers: list[str], patient: str) -> str:
    found = ", ".join(map(repr, speakers[:5])) + (", ..." if len(speakers) > 5 else "")
    given = f" (--patient {patient!r} is none of them)" if patient else ""
    example = next((one for one in speakers if plain(one) == "assistant"), speakers[0])
    return (
        f"the speakers are {found}{given}; expected 'doctor' and 'patient'; say who is the patient, "
        f"such as --patient {plain(example)}"
    )


def _ids(said: Sequence[Said]) -> list[str]:
    """The ids of the turns: their own, else their numbers, else their places from 1."""
    if any(one.id for one in said):
        return _own_ids(said)
    if said and all(one.number is not None for one in said):
        return _numbered(said)
    return [str(place) for place in range(1, len(said) + 1)]


def _own_ids(said: Sequence[Said]) -> list[str]:
    ids = [one.id or str(place) for place, one in enumerate(said, 1)]
    seen: set[str] = set()
    for id, one in zip(ids, said, strict=True):
        if id in seen:
            raise bad_record(one.where, f"found {id!r} a second time; expected ids that differ", _inside(one, "id"))
        seen.add(id)
    if all(id.isdecimal() for id in ids):
        _check_rising(said, [int(id) for id in ids])
    return ids


def _numbered(said: Sequence[Said]) -> list[str]:
    """The numbers of the turns; turns that share one are told apart as 3.1 and 3.2."""
    numbers = [one.number or 0 for one in said]
    _check_rising(said, numbers)
    shared, seen = Counter(numbers), Counter[int]()
    ids: list[str] = []
    for number in numbers:
        seen[number] += 1
        ids.append(f"{number}.{seen[number]}" if shared[number] > 1 else str(number))
    return ids


def _check_rising(said: Sequence[Said], numbers: list[int]) -> None:
    for (before, number), one in zip(pairwise(numbers), said[1:], strict=True):
        if number < before:
            raise bad_record(
                one.where,
                f"turn {number} comes after turn {before}; expected turns in order; sort them",
                _inside(one, "id"),
            )


def _check_times(said: Sequence[Said]) -> None:
    for before, one in pairwise(said):
        if before.start is not None and one.start is not None and one.start < before.start:
            raise bad_record(
                one.where,
                f"starts at {one.start:g}, before the turn above it ({before.start:g}); expected turns in order",
                _inside(one, "start"),
            )


def _inside(one: Said, name: str) -> str:
    return f"{one.field}.{name}" if one.field else ""


def _at(one: Said, text: str) -> str:
    return ": ".join(filter(None, (one.where, one.field, text)))
