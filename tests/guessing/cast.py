"""The systems of the guessing game: a user, one system by rule, and one that asks a model."""

from __future__ import annotations

import random

from msgspec import Struct

from adjudge.core.play import Ask, Decision, Message, Prompt, Said, View
from adjudge.core.system import Cast, system
from guessing import Answer, Guess


class Bounds(Struct, frozen=True):
    """What the system remembers: the lowest and the highest number that it may still be."""

    low: int
    high: int


class ModelGuess(Struct, frozen=True, forbid_unknown_fields=True):
    """The model's answer."""

    reasoning: str
    number: int


@system("guessing", plays=("user",), source="this test")
def honest() -> Cast:
    """A user who answers truthfully and ends the conversation when the number is guessed."""
    return Cast({"user": answer})


@system("guessing", plays=("system",), source="this test", parts=("memory", "middle"))
def bisection() -> Cast:
    """A system that guesses the middle of what is left; without the middle it guesses at random."""
    return Cast({"system": guess})


@system("guessing", plays=("system",), source="this test", parts=("thinker",), asks=("thinker",), fixed=("thinker",))
def thinking() -> Cast:
    """A system that asks a model for every guess."""
    return Cast({"system": guess_with_model})


@system("guessing", plays=("system",), source="this test", parts=("thinker",), asks=("thinker",), by_rule=("thinker",))
def either() -> Cast:
    """A system that asks a model for every guess where it has one, and guesses the middle otherwise."""
    return Cast({"system": guess_either_way})


def answer(view: View[None], rng: random.Random) -> Said[None]:
    if not view.turns:
        return Said(rng.choice(["Guess my number.", "Which number is it?"]), facts=Answer())
    number, guessed = view.facts.number, int(view.turns[-1].text.rstrip("?"))
    if guessed == number:
        return Said("Right.", ends="the number was guessed", facts=Answer("right"))
    relation = "lower" if number < guessed else "higher"
    return Said(f"It is {relation}.", facts=Answer(relation))


def guess(view: View[Bounds], parts: frozenset[str], rng: random.Random) -> Said[Bounds]:
    bounds = (view.notes if "memory" in parts else None) or Bounds(1, view.facts["most"])
    if "lower" in view.turns[-1].text:
        bounds = Bounds(bounds.low, max(bounds.low, last_guess(view) - 1))
    elif "higher" in view.turns[-1].text:
        bounds = Bounds(min(bounds.high, last_guess(view) + 1), bounds.high)
    number = (bounds.low + bounds.high) // 2 if "middle" in parts else rng.randint(bounds.low, bounds.high)
    decision = Decision("middle", f"{bounds.low} to {bounds.high}: {number}")
    return Said(f"{number}?", facts=Guess(number), notes=bounds, decisions=(decision,))


def last_guess(view: View[Bounds]) -> int:
    return int(view.turns[-2].text.rstrip("?"))


def guess_either_way(view: View[Bounds], ask: Ask, asking: frozenset[str], rng: random.Random) -> Said[Bounds]:
    if "thinker" not in asking:
        return guess(view, frozenset({"memory", "middle"}), rng)
    return Said(guess_with_model(View(view.participant, view.facts, view.turns), ask).text)


def guess_with_model(view: View[None], ask: Ask) -> Said[None]:
    transcript = "\n".join(f"{turn.speaker}: {turn.text}" for turn in view.turns)
    messages = (
        Message("system", f"Guess a number from 1 to {view.facts['most']}."),
        Message("user", "The conversation so far:", transcript),
    )
    number = ask([Prompt(messages, ModelGuess, part="thinker")])[0].number
    return Said(f"{number}?", facts=Guess(number))
