"""What a visit is about: how doctors ask for it, and which parts of a profile answer."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec import Struct

from adjudge.english.sentences import sentences
from adjudge.suites.patient.lexicon.fields import SEPARATOR, Profile, default_fields
from adjudge.suites.patient.metrics.overlap import content_words
from adjudge.systems.patient.tables import read_table

POSITIVE, NEGATIVE, COMPLAINT = "present_illness_positive", "present_illness_negative", "chief_complaint"
OTHERS = "others"
# Stems that name no symptom by themselves: a question about weight loss is none about weight on a foot.
VAGUE = frozenset(
    ("pain", "weight", "blood", "troubl", "trouble", "see", "loss", "los", "lost", "short", "night", "feel")
)


class Topic(Struct, frozen=True, forbid_unknown_fields=True):
    """A topic of `topics.toml`."""

    asks: tuple[str, ...] = ()
    means: str = ""
    items: tuple[str, ...] = ()
    parts: str = ""


class ProfileFact(NamedTuple):
    """A part of a profile item that can be told by itself."""

    item: str
    text: str


@cache
def topics() -> dict[str, Topic]:
    """All topics by name, in the order in which the rule-based doctor asks for them."""
    return read_table("topics", dict[str, Topic])


def facts_of(profile: Profile) -> tuple[ProfileFact, ...]:
    """The parts of a profile, in its order."""
    return tuple(ProfileFact(item, text) for item, value in profile.items() for text in _parts(value))


@lru_cache(maxsize=10_000)
def find_topic(question: str) -> str:
    """The topic of a question in plain words; empty where it asks for none.

    >>> find_topic("and do you smoke, or did you ever?"), find_topic("how is your cat?")
    ('tobacco', '')
    """
    means = ((name, topic.means) for name, topic in topics().items() if topic.means)
    return next((name for name, pattern in means if _compile(pattern).search(question)), "")


def find_facts(name: str, facts: tuple[ProfileFact, ...]) -> list[int]:
    """The places of the facts that answer a topic."""
    topic = topics()[name]
    if name == OTHERS:
        return [place for place, fact in enumerate(facts) if fact.item in (COMPLAINT, POSITIVE)]
    return [
        place
        for place, fact in enumerate(facts)
        if fact.item in topic.items or (topic.parts and _is_free(fact.item) and is_about(topic, fact.text))
    ]


def find_mentions(question: str, facts: tuple[ProfileFact, ...]) -> list[int]:
    """The places of the facts about the present illness that a question names: "any cough or weight loss?"."""
    asked = content_words(question)
    return [
        place
        for place, fact in enumerate(facts)
        if fact.item in (POSITIVE, NEGATIVE) and _names(asked & content_words(fact.text))
    ]


def is_about(topic: Topic, text: str) -> bool:
    """Whether a text is about a topic, by its words."""
    return _compile(topic.parts).search(text) is not None


def _names(shared: frozenset[str]) -> bool:
    """Whether words that a question shares with a fact name a symptom."""
    return len(shared) > 1 or bool(shared - VAGUE)


def _is_free(item: str) -> bool:
    """Whether an item is running text: the present illness, or an item of the user's own."""
    return item == POSITIVE or item not in default_fields()


@lru_cache(maxsize=20_000)
def _parts(value: str) -> tuple[str, ...]:
    return tuple(part for text in value.split(SEPARATOR) for part in sentences(text.strip()) if part)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
