"""The doctor and the patient that a model plays."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from adjudge.core.play import Ask, Decision, Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.rules.personas import expectations, limits
from adjudge.systems.patient.data import DoctorFacts, PatientBrief
from adjudge.systems.patient.questions import MOST_DIAGNOSES
from adjudge.systems.prompts import Prompts, dialogue_of, prompt_for

# The rounds of a visit: with the last one the doctor must name its diagnoses.
ROUNDS = 30


class PatientTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says as the patient."""

    reasoning: str
    text: str


class DoctorTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says as the doctor; `diagnoses` count in the turn in which it has no more to ask."""

    reasoning: str
    text: str
    asks_more: bool
    diagnoses: Annotated[list[str], Meta(max_length=MOST_DIAGNOSES)]


@system(
    "patient",
    plays=("patient",),
    source="Kyung et al. 2025, PatientSim: a language model with a profile and a persona as the patient",
    parts=("actor",),
    asks=("actor",),
    fixed=("actor",),
    prompts=("actor",),
)
def actor() -> Cast:
    """A patient that a model plays, with profile and persona in its prompt."""
    return Cast({"patient": act})


@system(
    "patient",
    plays=("doctor",),
    source="Schmidgall et al. 2024, AgentClinic: a language model as the doctor",
    parts=("physician",),
    asks=("physician",),
    fixed=("physician",),
    prompts=("physician",),
)
def physician() -> Cast:
    """A doctor that a model plays; `--doctor PROVIDER:MODEL` is short for it.

    It knows age, gender and how the patient came, and ends the visit with up to five diagnoses in a field of their
    own, after 30 rounds at the latest.
    """
    return Cast({"doctor": examine})


def act(view: View[None], ask: Ask, prompts: Prompts) -> Said[None]:
    """One turn of the patient."""
    brief: PatientBrief = view.facts
    material = {"profile": brief.profile, "persona": describe(brief.persona), "dialogue": dialogue_of(view.turns)}
    turn: PatientTurn = ask([prompt_for("actor", prompts.text("actor"), material, PatientTurn)])[0]
    return Said(turn.text, decisions=(Decision("actor", turn.reasoning),))


def examine(view: View[None], ask: Ask, prompts: Prompts) -> Said[None]:
    """One turn of the doctor."""
    left = ROUNDS - view.turn // 2 - 1
    material = {"arrival": view.facts, "questions_left": max(left, 0), "dialogue": dialogue_of(view.turns)}
    turn: DoctorTurn = ask([prompt_for("physician", prompts.text("physician"), material, DoctorTurn)])[0]
    decision = Decision("physician", turn.reasoning)
    if turn.asks_more and left > 0:
        return Said(turn.text, facts=DoctorFacts(), decisions=(decision,))
    diagnoses = tuple(name.strip() for name in turn.diagnoses if name.strip())
    return Said(turn.text, ends="named its diagnoses", facts=DoctorFacts(diagnoses), decisions=(decision,))


def describe(persona: Persona) -> dict[str, Any]:
    """A persona for an actor: its traits, what they mean, and how long it talks."""
    most = limits(persona)
    return {
        "traits": msgspec.to_builtins(persona),
        "behaviour": [expectation.allows for expectation in expectations(persona)],
        **({"most_sentences": most.sentences, "most_words_in_a_sentence": most.words} if most else {}),
    }
