"""Intents of turns that have none, by rule: who wants what, what the assistant asks, and who accepts the plan.

The rules know the words of slots and a few turns of phrase (lexicon/intents.toml). benchmarks/trip_intents.py measures
how often they are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import structs

from adjudge.english.clauses import split_clauses, split_sentences
from adjudge.english.normalise import single_spaces
from adjudge.english.patterns import any_phrase, whole_words
from adjudge.suites.trip.data import ACTIONABLE, SLOTS, TripTurn
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import PART, SYSTEM
from adjudge.suites.trip.rules.offers import room_types
from adjudge.suites.trip.rules.vocabulary import informative, lexicon, senses


def assign_intents(turns: Iterable[TripTurn]) -> Iterator[TripTurn]:
    """The turns with intents by rule. A message about several slots becomes a turn for each."""
    asked: tuple[str, ...] = ()
    presented = False
    for turn in turns:
        if turn.kind != "speech":
            yield turn
            continue
        if turn.speaker == SYSTEM:
            intents = _of_assistant(turn.text)
            asked = tuple(intent.removeprefix("sys_request_") for intent in intents if "_request_" in intent)
            presented = presented or "sys_present_plan" in intents
        else:
            intents = _of_member(turn.text, asked, presented)
        yield from _parts(turn, intents)


def slots_in(text: str) -> list[str]:
    """The slots that a text is about, in the order of the list of slots.

    >>> slots_in("Thai food in a cheap place"), slots_in("A hotel with free parking"), slots_in("Thanks!")
    (['spending_preference', 'cuisine'], ['lodging'], [])
    """
    bare = _no_slot().sub(" ", text)
    return [slot for slot in SLOTS if _slot_words(slot).search(bare) or _names_kind(slot, bare)]


def _names_kind(slot: str, text: str) -> bool:
    """Whether a text names a category of a slot, or a type of room."""
    if slot == "lodging":
        return bool(room_types(text))
    return slot in ACTIONABLE and bool(senses(text, lexicon(slot)))


def _of_assistant(text: str) -> Mapping[str, str]:
    """The intents of what the assistant says, each with its part of the text."""
    if _says("plan", text):
        return {"sys_present_plan": text}
    intents: dict[str, str] = {}
    for sentence in split_sentences(text):
        kind = "sys_request_" if sentence.endswith("?") else "sys_synthesize_" if _says("combine", text) else ""
        for slot in slots_in(sentence) if kind else ():
            intents[kind + slot] = f"{intents.get(kind + slot, '')} {sentence}".strip()
    return intents


def _of_member(text: str, asked: tuple[str, ...], presented: bool) -> Mapping[str, str]:
    """The intents of what a member says, each with its part of the text."""
    if presented and (answer := _answer(text)):
        return {answer: text}
    parts: dict[str, str] = {}
    for sentence in split_sentences(single_spaces(text)):
        if not _says("fact", sentence):
            for slot, part in _wishes_in(sentence, asked):
                parts[slot] = f"{parts.get(slot, '')}, {part}".strip(" ,")
    return {f"user_provide_{slot}": part for slot, part in parts.items()}


def _answer(text: str) -> str:
    """Whether a member accepts or rejects the plan that was presented; empty if neither."""
    if _says("reject", text):
        return "user_reject_plan"
    return "user_accept_plan" if _says("accept", text) else ""


def _wishes_in(sentence: str, asked: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The slots that a sentence is about, each with its clauses; without any, what was asked before.

    A clause that names no slot goes on with what the clause before was about: "Italian, but nothing greasy".
    """
    slots = list(asked[:1])
    for clause in split_clauses(sentence) if informative(sentence) else ():
        slots = slots_in(clause.text) or slots
        yield from ((slot, clause.text) for slot in slots)


def _parts(turn: TripTurn, intents: Mapping[str, str]) -> Iterator[TripTurn]:
    if len(intents) < 2:
        yield structs.replace(turn, intent=next(iter(intents), ""))
        return
    for number, (intent, text) in enumerate(intents.items(), 1):
        part = f"{turn.id}{PART}{number}" if number > 1 else turn.id
        yield structs.replace(turn, id=part, text=text, intent=intent)


def _says(key: str, text: str) -> bool:
    return any(pattern.search(text) for pattern in phrases_for(key))


@cache
def phrases_for(key: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a list of phrases in the lexicon."""
    return tuple(whole_words(each["pattern"]) for each in table_of("intents")[key])


@cache
def _slot_words(slot: str) -> re.Pattern[str]:
    return any_phrase(table_of("intents")["slots"][slot])


@cache
def _no_slot() -> re.Pattern[str]:
    return any_phrase(table_of("intents")["no_slot"])
