"""The cases of the patient system, what its participants know of them, and what they say beside their text."""

from __future__ import annotations

from msgspec import Struct, field

from adjudge.core.play import Case
from adjudge.suites.patient.data import NO_PERSONA, Persona
from adjudge.suites.patient.lexicon.fields import Profile


class PatientCase(Case, frozen=True, kw_only=True, omit_defaults=True):
    """A person who comes to a doctor.

    `arrival` holds what the doctor sees at once: age, gender and how the patient came. `profile` is all else that the
    patient knows, `persona` how it behaves. `hidden` is what nobody in the visit knows: diagnosis and disposition.
    """

    arrival: Profile = field(default_factory=dict)
    profile: Profile = field(default_factory=dict)
    persona: Persona = NO_PERSONA
    hidden: Profile = field(default_factory=dict)


class PatientBrief(Struct, frozen=True):
    """What the patient knows: the profile without diagnosis and disposition, and the persona that it plays."""

    profile: Profile
    persona: Persona


class DoctorFacts(Struct, frozen=True, omit_defaults=True):
    """The diagnoses that the doctor names at the end, the likeliest first; empty as long as it names none."""

    diagnoses: tuple[str, ...] = ()


class Lie(Struct, frozen=True, gc=False):
    """A profile item that the patient states wrongly on purpose."""

    item: str
    true: str
    stated: str


class PatientFacts(Struct, frozen=True, omit_defaults=True):
    """The profile items that a reply tells, those that it holds back, and those that it lies about."""

    items: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    lies: tuple[Lie, ...] = ()
