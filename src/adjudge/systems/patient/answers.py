"""The answers of the rule-based patient: the facts that a question asks for, told or withheld as its persona would."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from adjudge.english.clauses import last_question
from adjudge.english.negation import NEGATIONS
from adjudge.english.normalise import plain_speech
from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.rules.personas import expectations, shift
from adjudge.systems.patient.memory import PatientMemory
from adjudge.systems.patient.topics import (
    COMPLAINT,
    OTHERS,
    POSITIVE,
    ProfileFact,
    find_facts,
    find_mentions,
    find_topic,
)

# The facts that answer one question, and one open question.
AT_ONCE, AT_ONCE_OPEN = 3, 2
# How far a persona that plays pain down or up moves it, on a scale that ends at 10.
PAIN_SHIFT, MOST_PAIN = 2, 10
DENIALS = NEGATIONS | {"denies", "nil", "no known allergies"}
# "how long does it last?", "and where is it?" ask for more than yes or no.
_OPEN = re.compile(r"\b(?:what|where|when|how|who|which|describe)\b")
# "in 2015", "6 years ago", "since 2019", "(rash)".
_DETAILS = re.compile(r",? ?(?:\b(?:in|since) (?:19|20)\d\d\b|\b\d+ years? ago\b|\([^()]*\))")


class AnswerFacts(Struct, frozen=True):
    """What a reply tells.

    `places` are those of the facts among the profile's. `held_back` names wordings in place of the `withheld` items.
    `silence` names what is said where there is nothing to tell.
    """

    facts: tuple[ProfileFact, ...] = ()
    places: tuple[int, ...] = ()
    held_back: str = ""
    withheld: tuple[str, ...] = ()
    silence: Literal["no", "unsure", "all_told"] = "unsure"


def find_answer(question: str, facts: tuple[ProfileFact, ...], persona: Persona, memory: PatientMemory) -> AnswerFacts:
    """What a persona answers to a question."""
    question = last_question(plain_speech(question))
    topic = find_topic(question)
    places = _asked_places(question, topic, facts, memory)
    if not places:
        return AnswerFacts(silence="all_told" if topic == OTHERS else "unsure" if _OPEN.search(question) else "no")
    reasons = {place: _reason_to_hold_back(place, facts[place], persona, memory) for place in places}
    open_places = [place for place in places if not reasons[place]][: _most_facts(topic, facts[places[0]], persona)]
    kept = [place for place in places if reasons[place]]
    return AnswerFacts(
        facts=tuple(_shift_fact(facts[place], persona) for place in open_places),
        places=tuple(open_places),
        held_back=reasons[kept[0]] if kept and not open_places else "",
        withheld=tuple(dict.fromkeys(facts[place].item for place in kept)),
    )


def is_denial(fact: ProfileFact) -> bool:
    """Whether the value of an item is only that there is nothing."""
    return fact.text.strip(" .").lower() in DENIALS


def _asked_places(question: str, topic: str, facts: tuple[ProfileFact, ...], memory: PatientMemory) -> list[int]:
    """The facts that a question asks for: new ones, or else those that were told already."""
    places = find_facts(topic, facts) if topic else find_mentions(question, facts)
    fresh = [place for place in places if place not in memory.disclosed]
    return fresh if fresh or topic == OTHERS else places


def _reason_to_hold_back(place: int, fact: ProfileFact, persona: Persona, memory: PatientMemory) -> str:
    """The wordings in place of a fact that a persona does not tell; empty where it tells it."""
    if is_denial(fact):
        return ""
    for expectation in expectations(persona):
        if fact.item not in expectation.items:
            continue
        if expectation.axis == "recall" and fact.item == "medication":
            return "medication"
        if expectation.value == "distrustful" or "amounts" in expectation.details:
            return expectation.value
    return "recall" if place in memory.forgotten else ""


def _most_facts(topic: str, first: ProfileFact, persona: Persona) -> int:
    hurries = any(first.item in each.items for each in expectations(persona) if each.value == "impatient")
    if hurries or (topic == "complaint" and persona.personality != "verbose"):
        return 1
    return AT_ONCE_OPEN if topic == OTHERS else AT_ONCE


def _shift_fact(fact: ProfileFact, persona: Persona) -> ProfileFact:
    """The fact as the persona tells it: pain moved, details blurred by low recall."""
    if fact.item == "pain" and fact.text.isdigit():
        moved = {"down": -PAIN_SHIFT, "up": PAIN_SHIFT}.get(shift(persona, "pain"), 0)
        return ProfileFact(fact.item, str(min(max(int(fact.text) + moved, 0), MOST_PAIN)))
    if persona.recall == "low" and fact.item not in (COMPLAINT, POSITIVE):
        return ProfileFact(fact.item, _DETAILS.sub("", fact.text))
    return fact
