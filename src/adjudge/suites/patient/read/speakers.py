"""The speakers of turns: words for doctor and patient, the role of the patient, and the order of turns."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from adjudge.core.errors import Warnings, bad_record
from adjudge.suites.patient.data import DOCTOR, PATIENT, PatientTurn
from adjudge.suites.patient.read.drafts import DraftTurn

DOCTORS = ("doctor", "physician", "clinician", "dr", "d", "gp", "provider", "doctor agent", "clinician agent")
PATIENTS = (
    *("patient", "pt", "p", "client", "patient agent", "simulated patient", "virtual patient"),
    *("standardized patient", "standardised patient"),
)
# Who takes the doctor's part in a conversation without a doctor.
CLINICIANS = (
    *("therapist", "counselor", "counsellor", "psychologist", "psychiatrist", "surgeon", "resident", "medical student"),
    *("nurse", "triage nurse", "paramedic", "midwife", "pharmacist", "interviewer"),
)
# Roles of a chat. Each may be the doctor or the patient, depending on who was simulated.
CHAT = ("user", "assistant", "human", "ai", "bot", "model")
# Roles whose messages nobody says: prompts and results of tools.
UNSPOKEN = ("system", "developer", "tool", "function")
ROLES = {**dict.fromkeys(DOCTORS, DOCTOR), **dict.fromkeys(PATIENTS, PATIENT)}
# "dr. smith".
TITLED = re.compile(r"dr\.? \S.*")
# The number in "doctor 2".
NUMBERED = re.compile(r" \d{1,2}\Z")


def role_of(speaker: str) -> str | None:
    """Doctor or patient, by the usual words for them; None for everybody else.

    >>> role_of("PATIENT"), role_of("Dr. Smith"), role_of("Doctor_2"), role_of("Nurse")
    ('patient', 'doctor', 'doctor', None)
    """
    word = NUMBERED.sub("", plain(speaker))
    return ROLES.get(word) or (DOCTOR if TITLED.fullmatch(word) else None)


def plain(speaker: str) -> str:
    """A speaker's name in lower case, without the punctuation around it.

    >>> plain("**Patient_Agent**:")
    'patient agent'
    """
    return " ".join(speaker.lower().replace("_", " ").split()).strip(" :.*[]")


def turns_of(where: str, utterances: Sequence[DraftTurn], patient: str, warnings: Warnings) -> tuple[PatientTurn, ...]:
    """The turns with the speakers and ids of the suite; `patient` is the patient's role if the user names it."""
    spoken = list(_with_words(utterances, warnings))
    _check_times(spoken)
    cast = _cast(where, list(dict.fromkeys(utterance.speaker for utterance in spoken)), plain(patient))
    ids = _ids(spoken)
    return tuple(
        PatientTurn(id, cast[utterance.speaker], utterance.text) for id, utterance in zip(ids, spoken, strict=True)
    )


def _with_words(utterances: Sequence[DraftTurn], warnings: Warnings) -> Iterator[DraftTurn]:
    for utterance in utterances:
        if plain(utterance.speaker) not in UNSPOKEN:
            yield utterance
            continue
        warnings.add("unspoken", _at(utterance, f"a message of {utterance.speaker!r} is not speech and was left out"))


def _cast(where: str, speakers: list[str], patient: str) -> dict[str, str]:
    """The role of each speaker; third persons keep their names. Raises BadRecord if the patient is unclear."""
    roles = {speaker: PATIENT if patient and plain(speaker) == patient else role_of(speaker) for speaker in speakers}
    clinicians = [speaker for speaker, role in roles.items() if role is None and plain(speaker) in CLINICIANS]
    if len(clinicians) == 1 and DOCTOR not in roles.values():
        roles[clinicians[0]] = DOCTOR
    known = {role for role in roles.values() if role}
    chat = [speaker for speaker, role in roles.items() if role is None and plain(speaker) in CHAT]
    if len(chat) == 1 and len(known) == 1:
        roles[chat[0]] = PATIENT if known == {DOCTOR} else DOCTOR
    elif speakers and (not known or (chat and len(known) < 2)):
        raise bad_record(where, _unclear(speakers, patient), "speaker")
    return {speaker: role or plain(speaker).replace(" ", "_") for speaker, role in roles.items()}


def _unclear(speakers: list[str], patient: str) -> str:
    """A message that names the speakers and which of them may be the patient."""
    names = ", ".join(map(repr, speakers[:5])) + (", ..." if len(speakers) > 5 else "")
    given = f" (--patient {patient!r} is none of them)" if patient else ""
    maybe = [plain(speaker) for speaker in speakers if plain(speaker) not in CLINICIANS and role_of(speaker) != DOCTOR]
    # In a chat with a simulated patient the model answers as the patient.
    likely = ["assistant"] if "assistant" in maybe else maybe[:2]
    examples = " or ".join(f"--patient {shlex.quote(name)}" for name in likely or map(plain, speakers[:2]))
    return (
        f"the speakers are {names}{given}; expected 'doctor' and 'patient'; say who is the patient, such as {examples}"
    )


def _ids(utterances: Sequence[DraftTurn]) -> list[str]:
    """The ids of the turns: their own ids, else their numbers, else their positions from 1."""
    if any(utterance.id for utterance in utterances):
        return _own_ids(utterances)
    if utterances and all(utterance.number is not None for utterance in utterances):
        return _ids_by_number(utterances)
    return [str(place) for place in range(1, len(utterances) + 1)]


def _own_ids(utterances: Sequence[DraftTurn]) -> list[str]:
    ids = [utterance.id or str(place) for place, utterance in enumerate(utterances, 1)]
    seen: set[str] = set()
    for id, utterance in zip(ids, utterances, strict=True):
        if id in seen:
            raise bad_record(
                utterance.where, f"found {id!r} a second time; expected ids that differ", _inside(utterance, "id")
            )
        seen.add(id)
    if all(id.isdecimal() for id in ids):
        _check_rising(utterances, [int(id) for id in ids])
    return ids


def _ids_by_number(utterances: Sequence[DraftTurn]) -> list[str]:
    """The ids of turns by number; turns that share the number 3 become 3.1 and 3.2."""
    numbers = [utterance.number or 0 for utterance in utterances]
    _check_rising(utterances, numbers)
    shared, seen = Counter(numbers), Counter[int]()
    ids: list[str] = []
    for number in numbers:
        seen[number] += 1
        ids.append(f"{number}.{seen[number]}" if shared[number] > 1 else str(number))
    return ids


def _check_rising(utterances: Sequence[DraftTurn], numbers: list[int]) -> None:
    for (before, number), utterance in zip(pairwise(numbers), utterances[1:], strict=True):
        if number < before:
            raise bad_record(
                utterance.where,
                f"turn {number} comes after turn {before}; expected turns in order; sort them",
                _inside(utterance, "id"),
            )


def _check_times(utterances: Sequence[DraftTurn]) -> None:
    for before, utterance in pairwise(utterances):
        if before.start is not None and utterance.start is not None and utterance.start < before.start:
            raise bad_record(
                utterance.where,
                f"starts at {utterance.start:g}, before the turn above it ({before.start:g}); expected turns in order",
                _inside(utterance, "start"),
            )


def _inside(utterance: DraftTurn, name: str) -> str:
    return f"{utterance.field}.{name}" if utterance.field else ""


def _at(utterance: DraftTurn, text: str) -> str:
    return ": ".join(filter(None, (utterance.where, utterance.field, text)))
