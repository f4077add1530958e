"""The memory of the rule-based patient: what it has told, what it has forgotten, and what it lies about."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.rules.personas import expectations
from adjudge.systems.patient.data import Lie
from adjudge.systems.patient.topics import ProfileFact

# The share of what a patient with low recall cannot tell of its medicines, history, devices and family.
FORGOTTEN = 0.7
# A dazed patient finds its bearings by one step in so many replies.
FADES_IN = (4, 5)


class PatientMemory(Struct, frozen=True, omit_defaults=True):
    """The notes of the patient.

    `disclosed` and `forgotten` are places among the facts of its profile. A dazed patient finds its bearings by one
    step every `fades_in` replies.
    """

    disclosed: tuple[int, ...] = ()
    forgotten: tuple[int, ...] = ()
    lies: tuple[Lie, ...] = ()
    replies: int = 0
    fades_in: int = FADES_IN[0]

    def confusion(self, persona: Persona) -> str:
        """How confused the patient is by now: high, moderate or normal."""
        levels = ("high", "moderate", "normal")
        begins = levels.index(persona.confusion or "normal")
        return levels[min(begins + self.replies // self.fades_in, 2)]


def begin_memory(facts: Sequence[ProfileFact], persona: Persona, lies: tuple[Lie, ...], rng: Random) -> PatientMemory:
    """The memory with which a visit begins: what the persona has forgotten is drawn once, and stays forgotten."""
    blurred = {item for each in expectations(persona) if each.axis == "recall" for item in each.items}
    lost = [place for place, fact in enumerate(facts) if fact.item in blurred and rng.random() < FORGOTTEN]
    return PatientMemory(forgotten=tuple(lost), lies=lies, fades_in=rng.choice(FADES_IN))
