"""Lies that are planted, so that checks for contradictions can be tested on visits whose faults are known."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from adjudge.core.errors import BadInput
from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.lexicon.fields import Profile
from adjudge.suites.patient.rules.children import children_of
from adjudge.suites.patient.rules.personas import shift
from adjudge.systems.patient.data import Lie

# How many items a liar lies about unless `--lies` says otherwise.
DEFAULT = 3
# The end of the pain scale.
MOST_PAIN = 10
# The lies about items whose values are words.
WORDS = {
    "marital_status": ("Single", "Married", "Divorced"),
    "tobacco": ("Never", "Twenty cigarettes a day"),
    "alcohol": ("Never", "A bottle of wine every evening"),
    "illicit_drug": ("Never", "Cannabis every weekend"),
    "allergies": ("None", "Penicillin"),
    "medication": ("None", "Insulin every morning"),
    "medical_history": ("None", "A stroke some years ago"),
}


def choose_lies(profile: Profile, persona: Persona, count: int, rng: Random) -> tuple[Lie, ...]:
    """So many lies about items of a profile, fewer where it has fewer items to lie about."""
    false = {item: _false_value(item, profile[item], persona, rng) for item in profile}
    items = [item for item, value in false.items() if value]
    chosen = rng.sample(items, min(count, len(items)))
    return tuple(Lie(item, profile[item], false[item]) for item in items if item in chosen)


def parse_count(text: str) -> int:
    """The number of lies that `--lies` asks for."""
    if not text.isdecimal():
        raise BadInput(f"--lies: found {text!r}; expected a whole number, such as {DEFAULT}")
    return int(text)


def _false_value(item: str, value: str, persona: Persona, rng: Random) -> str:
    """A value that an item does not have; empty where the item is none to lie about."""
    if item in _NUMBERS:
        return _NUMBERS[item](value, persona, rng)
    first = value.split()[0].strip(".,").lower() if value else ""
    others = [word for word in WORDS.get(item, ()) if word.split()[0].lower() != first]
    return rng.choice(others) if others and first else ""


def _false_age(value: str, persona: Persona, rng: Random) -> str:
    return str(int(value) + rng.randint(8, 15)) if value.isdecimal() else ""


def _false_pain(value: str, persona: Persona, rng: Random) -> str:
    """Another pain, on the side to which the persona does not shift it: shifted pain is no contradiction.

    The persona moves by two what it then says, so a lie is further off than that.
    """
    if not value.isdecimal():
        return ""
    true, side = int(value), shift(persona, "pain")
    higher = [pain for pain in range(true + 3, MOST_PAIN + 1) if side != "up"]
    lower = [pain for pain in range(true - 2) if side != "down"]
    return str(rng.choice([*higher, *lower])) if higher or lower else ""


def _false_children(value: str, persona: Persona, rng: Random) -> str:
    spans = children_of(value)
    return f"{int(spans[0].high) + rng.randint(1, 3)} children" if spans else ""


_NUMBERS: dict[str, Callable[[str, Persona, Random], str]] = {
    "age": _false_age,
    "pain": _false_pain,
    "children": _false_children,
}
