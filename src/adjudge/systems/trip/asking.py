"""What models are asked: the material of each part, and the types of their answers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from adjudge.core.play import Ask, Utterance
from adjudge.systems.prompts import Prompts, dialogue_of, prompt_for
from adjudge.systems.trip.data import SpokenWish, TurnPart
from adjudge.systems.trip.synthesis import SlotSummary, slot_words

# Turns of the dialogue that a model is shown before the one it is to word.
SHOWN = 12


class Wording(Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of a turn in a model's words, in the order in which they were given."""

    reasoning: str
    parts: list[str]


class Combined(Struct, frozen=True, forbid_unknown_fields=True):
    """The wishes for a slot as a model puts them together."""

    reasoning: str
    has_conflict: bool
    conflict: str
    text: str


def reword(lines: tuple[TurnPart, ...], turns: Sequence[Utterance], ask: Ask, prompts: Prompts) -> tuple[TurnPart, ...]:
    """The parts of a turn in a model's words; as they are where it gives more or fewer parts than it was given."""
    material = {
        "dialogue": dialogue_of(turns[-SHOWN:]),
        "parts": [{"intent": line.intent, "text": line.text} for line in lines],
    }
    answer: Wording = ask([prompt_for("dialogue", prompts.text("dialogue"), material, Wording)])[0]
    if len(answer.parts) != len(lines):
        return lines
    return tuple(structs.replace(line, text=text or line.text) for line, text in zip(lines, answer.parts, strict=True))


def summarise_by_model(ask: Ask, prompts: Prompts, slot: str, claims: Sequence[SpokenWish]) -> SlotSummary:
    """The wishes for a slot as a model puts them together."""
    wishes = [{"member": claim.member, "wish": claim.text, "strength": claim.strength or ""} for claim in claims]
    material = {"slot": slot_words(slot), "wishes": wishes}
    answer: Combined = ask([prompt_for("synthesis", prompts.text("synthesis"), material, Combined)])[0]
    listed = "; ".join(f"{claim.member}: {claim.text.rstrip('.')}" for claim in claims)
    return SlotSummary(answer.text, answer.has_conflict, answer.conflict, listed)
