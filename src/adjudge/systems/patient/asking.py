"""The doctor and the patient that a model plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Protocol

import msgspec
from msgspec import Meta, Struct

from adjudge.core.play import Ask, Decision, Message, Prompt, Said, Utterance, View
from adjudge.core.system import Cast, system
from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.rules.personas import expectations, limits
from adjudge.systems.patient.data import DoctorFacts, PatientBrief
from adjudge.systems.patient.questions import MOST_DIAGNOSES

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


class Prompts(Protocol):
    """The prompt files by name."""

    def text(self, name: str) -> str:
        """The text of a prompt file."""


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
    material = {"profile": brief.profile, "persona": describe(brief.persona), "dialogue": _dialogue(view.turns)}
    turn: PatientTurn = ask([_prompt("actor", prompts, material, PatientTurn)])[0]
    return Said(turn.text, decisions=(Decision("actor", turn.reasoning),))


def examine(view: View[None], ask: Ask, prompts: Prompts) -> Said[None]:
    """One turn of the doctor."""
    left = ROUNDS - view.turn // 2 - 1
    material = {"arrival": view.facts, "questions_left": max(left, 0), "dialogue": _dialogue(view.turns)}
    turn: DoctorTurn = ask([_prompt("physician", prompts, material, DoctorTurn)])[0]
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


def _prompt(part: str, prompts: Prompts, material: Mapping[str, Any], answer: type[Any]) -> Prompt[Any]:
    data = msgspec.json.encode(material).decode()
    messages = (Message("system", prompts.text(part)), Message("user", "The material of this turn:", data))
    return Prompt(messages, answer, part=part)


def _dialogue(turns: tuple[Utterance, ...]) -> list[dict[str, str]]:
    return [{"speaker": turn.speaker, "text": turn.text} for turn in turns]
