"""What a simulated user said, compared with its goal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.suites.service.data import USER, Goal, ServiceDialogue, State
from adjudge.suites.service.rules.spelling import slot_name
from adjudge.suites.service.rules.values import DONTCARE, canonical

# Slots that a user fills with what it was offered before: a venue's name, the ends of a taxi ride.
_FROM_OFFERS = ("name", "departure", "destination")
# The id of a train: TR1234.
_TRAIN = re.compile(r"\b[A-Z]{2}\d{4}\b")


def contradictions(dialogue: ServiceDialogue) -> Iterator[str]:
    """What the user said although its goal says otherwise, each once."""
    goals = dialogue.goal or {}
    claims = {pair for state in _states(dialogue) for pair in state.items()}
    for key, value in sorted(claims, key=str):
        domain, _, slot = key.partition("-")
        text = value if isinstance(value, str) else value[0]
        if domain not in goals:
            yield f"{domain}: not in the goal"
        elif not _is_allowed(goals[domain], slot, text):
            yield f"{key}: {text!r} is not in the goal"


def omissions(dialogue: ServiceDialogue) -> Iterator[str]:
    """What the user left out although it could have said it; nothing where it was not the user who ended."""
    states = _states(dialogue)
    if not states or dialogue.facets.get("end", "participant") != "participant":
        return
    final = states[-1]
    requested = {slot for turn in dialogue.turns if turn.gold for slot in turn.gold.requested or ()}
    for domain, goal in (dialogue.goal or {}).items():
        slots = {key.partition("-")[2] for key in final if key.startswith(f"{domain}-")}
        if not slots and domain not in ("police", "hospital"):
            yield f"{domain}: never spoken of"
            continue
        wanted = {slot for slot, value in goal.informable.items() if canonical(slot, value) != DONTCARE}
        unsaid = wanted - set(map(slot_name, slots))
        yield from (f"{domain}-{slot}: not said" for slot in sorted(unsaid))
        if goal.booking and _is_offered(domain, slots, dialogue) and f"{domain}-bookpeople" not in final:
            yield f"{domain}: no booking asked for"
        if "PHONE" in goal.requestable and "name" in slots and f"{domain}-phone" not in requested:
            yield f"{domain}: phone not asked for"


def _states(dialogue: ServiceDialogue) -> list[State]:
    return [turn.gold.state for turn in dialogue.turns if turn.speaker == USER and turn.gold and turn.gold.state]


def _is_allowed(goal: Goal, slot: str, value: str) -> bool:
    """Whether a goal holds a value, or is silent where the user has no preference or goes by what it was offered."""
    if slot.startswith("book"):
        name = slot.removeprefix("book")
        return _is_among(slot, value, (goal.booking.get(name), goal.preferred_booking.get(name)))
    name = slot_name(slot)
    if name not in goal.informable:
        return value == DONTCARE or slot in _FROM_OFFERS
    return _is_among(slot, value, (goal.informable[name], goal.preferred.get(name)))


def _is_among(slot: str, value: str, wanted: tuple[str | bool | None, ...]) -> bool:
    return canonical(slot, value) in {canonical(slot, text) for text in wanted if isinstance(text, str)}


def _is_offered(domain: str, slots: set[str], dialogue: ServiceDialogue) -> bool:
    """Whether the user was offered something in a domain that it could book."""
    if domain != "train":
        return "name" in slots
    return any(_TRAIN.search(turn.text) for turn in dialogue.turns if turn.speaker != USER)
