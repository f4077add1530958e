"""What doctor and patient may know of a case, and the record of a played visit."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.core.play import PlayedConversation, PlayedTurn
from adjudge.core.record import Participant
from adjudge.core.system import Seen, hear
from adjudge.suites.patient.data import DOCTOR, PATIENT, Consultation, PatientTurn
from adjudge.systems.patient.data import DoctorFacts, PatientBrief, PatientCase

PARTICIPANTS = (Participant(DOCTOR, DOCTOR, "agent"), Participant(PATIENT, PATIENT, "simulated"))


def participants(case: PatientCase) -> tuple[Participant, ...]:
    """A doctor and a patient."""
    return PARTICIPANTS


def view(case: PatientCase, participant: Participant, turns: tuple[PlayedTurn, ...]) -> Seen:
    """The doctor knows what it sees at once. The patient knows its profile and persona; nobody knows the diagnosis."""
    if participant.role == DOCTOR:
        return Seen(case.arrival, hear(turns))
    return Seen(PatientBrief({**case.arrival, **case.profile}, case.persona), hear(turns))


def record(played: PlayedConversation) -> Consultation:
    """The visit of a conversation, with the diagnoses that the doctor named at its end."""
    case: PatientCase = played.case
    return Consultation(
        id=played.id,
        profile={**case.arrival, **case.profile, **case.hidden},
        persona=case.persona,
        turns=tuple(
            PatientTurn(str(turn.number), turn.speaker, turn.content.text)
            for turn in played.turns
            if not turn.content.passes
        ),
        diagnoses=_diagnoses(played.turns),
    )


def _diagnoses(turns: Sequence[PlayedTurn]) -> tuple[str, ...] | None:
    """The diagnoses that were named last; None where the doctor is none that names any."""
    facts = [turn.content.facts for turn in turns if isinstance(turn.content.facts, DoctorFacts)]
    return facts[-1].diagnoses if facts else None
