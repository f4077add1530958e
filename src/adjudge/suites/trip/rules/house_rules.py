"""House rules of lodgings: which topics they forbid and which they allow."""

from __future__ import annotations

import re
from functools import lru_cache

from adjudge.english.negation import NEGATION
from adjudge.english.tokens import has_phrase, stems
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.vocabulary import phrases

# Where a new rule begins: "No smoking; pets allowed", "no pets but children welcome".
RULE = re.compile(r"[;.\n]|\bbut\b", re.IGNORECASE)
# The word or sign that joins two topics in one rule: "cats and dogs", "smoking/vaping".
JOINED = re.compile(r"[&/+]|\b(?:and|or|nor)\b", re.IGNORECASE)
# A "no" that bans nothing: "no more than 4 guests", "no extra fee for pets".
NO_BAN = re.compile(r"\bno (?:more than|limit|problem|(?:extra |additional )?(?:fee|charge|cost))s?\b", re.IGNORECASE)
# "no" in "no pets" bans the words after it; "pets not allowed", "adults only" and "smoke-free" ban their own topic.
BANS = {
    "no": re.compile(r"\b(?:no|non|without)\b", re.IGNORECASE),
    "not": re.compile(
        rf"{NEGATION}|forbid|prohibit|\bbanned\b|\badults?[- ]only\b|\bonly (?:for )?adults\b"
        r"|\b(?:pet|dog|cat|child|kid|smoke|party|visitor)[- ]free\b",
        re.IGNORECASE,
    ),
}
# Words that allow a topic: "pets welcome", "child friendly".
LEAVE = re.compile(
    r"\b(?:allow|permit|accept)(?:s|ed)?\b|\b(?:welcome|friendly|fine|ok|okay|possible)\b", re.IGNORECASE
)
# Further words for topics in house rules; the words that wishes share with them are in lexicon/lodging.toml, [rules].
ALSO = {
    "children": r"\badults?[- ]only\b|\bonly (?:for )?adults\b",
    "visitors": r"\b(?:no|overnight|outside|unregistered) guests?\b|\bguests? (?:not|over)",
}


def topics() -> tuple[str, ...]:
    """The topics of house rules: pets, children, smoking, parties, visitors."""
    return tuple(table_of("lodging")["rules"])


@lru_cache(maxsize=4096)
def topics_in(text: str) -> frozenset[str]:
    """The topics of house rules that a text mentions."""
    stemmed = stems(text)
    if any(has_phrase(stemmed, stems(phrase)) for phrase in table_of("lodging")["no_rules"]):
        return frozenset()
    return frozenset(
        topic
        for topic in topics()
        if any(has_phrase(stemmed, phrase) for phrase in (*phrases("rules", topic), stems(topic)))
    )


def forbids(rules: str, topic: str) -> bool:
    """Whether house rules forbid a topic.

    >>> forbids("No smoking, pets allowed", "pets"), forbids("Dogs and cats are not allowed", "pets")
    (False, True)
    """
    return not BANS.keys().isdisjoint(_stances(rules, topic))


def allows(rules: str, topic: str) -> bool:
    """Whether house rules allow a topic explicitly, and forbid no part of it.

    >>> allows("No smoking, pets allowed", "pets"), allows("Dogs welcome, no cats", "pets"), allows("Quiet", "pets")
    (True, False, False)
    """
    return "yes" in _stances(rules, topic) and not forbids(rules, topic)


@lru_cache(maxsize=4096)
def _stances(rules: str, topic: str) -> frozenset[str]:
    """The ban words of the parts of rules that are about a topic: "no", "not", "yes" or an empty text."""
    stances: set[str] = set()
    for rule in RULE.split(NO_BAN.sub("", rules)):
        lists = [JOINED.split(part) for part in rule.split(",")]
        words = _share_words([word for parts in lists for word in _share_words([_ban_word(part) for part in parts])])
        about = [_is_about(part, topic) for parts in lists for part in parts]
        stances |= {word for word, concerned in zip(words, about, strict=True) if concerned}
    return frozenset(stances)


def _share_words(words: list[str]) -> list[str]:
    """The ban word of each part; a part without one takes over a "no" before it, or else a "not" or "yes" after it.

    "No pets, parties" forbids both; "pets and children welcome" allows both.
    """
    shared: list[str] = []
    for at, word in enumerate(words):
        after = next(filter(None, words[at:]), "")
        before = shared[-1] if shared else ""
        shared.append(word or (before if before == "no" else "" if after == "no" else after))
    return shared


def _ban_word(part: str) -> str:
    """The ban word of a part of a rule: "no" bans what follows, "not" bans the part's own topic, "yes" allows it."""
    ban = next((word for word, pattern in BANS.items() if pattern.search(part)), "")
    return ban or ("yes" if LEAVE.search(part) else "")


def _is_about(part: str, topic: str) -> bool:
    return topic in topics_in(part) or bool(topic in ALSO and re.search(ALSO[topic], part, re.IGNORECASE))
