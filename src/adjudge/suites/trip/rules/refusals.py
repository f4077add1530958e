"""Refusals: what a clause of a wish does not want."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from adjudge.english.patterns import any_phrase, fill_parts, whole_words
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.vocabulary import informative

# "museums no", "a dorm, no way": the refusal stands at the end.
_TRAILING = re.compile(
    r"^(?P<thing>.+\S)\s+(?:no|no way|not|nope|nah|never|no thanks|no thank you|no chance)$", re.IGNORECASE
)
# "pizza or burgers", "fish & chips": each is refused by itself.
_ALTERNATIVES = re.compile(r"\s+(?:or|nor|and|as well as)\s+|\s*[/&]\s*", re.IGNORECASE)
# What ends a thing without belonging to it: "seafood please".
_ENDING = frozenset({"please", "thanks", "and", "or", "but"})
# What is refused stands before: "I can't justify them", "enough of it at work"; but "it spicy" is something else.
_POINTS_BACK = re.compile(
    r"(?P<before>(?:[\w']+ ){0,5}?)(?:(?<!for )|(?<=care for )|(?<=cared for ))(?:it|them|those|that)"
    r"(?=$| (?:at|on|in|from|for|with|during|every|all|any|anymore|again|when|while|this|last|right|either|as)\b)",
    re.IGNORECASE,
)


def split_refusal(clause: str) -> tuple[str, str] | None:
    """What a clause wants before its negation and what it refuses after; None for one that negates nothing."""
    if trailing := _TRAILING.match(clause):
        return "", trailing["thing"]
    after = phrase_pattern("negation", "after").search(clause)
    if after and (informative(clause[: after.start()]) or not informative(clause[after.end() :])):
        return "", clause[: after.start()]
    if within := first_match("around", clause):
        return "", within["thing"]
    behind = first_match("behind", clause)
    if behind and informative(clause[: behind.start()]):
        return "", clause[: behind.start()]
    return _split_at_cue(clause)


def _split_at_cue(clause: str) -> tuple[str, str] | None:
    """A clause before and after its first cue; None where it has none."""
    cues = (phrase_pattern("negation", "cues"), *idioms("before"))
    cue = min(filter(None, (pattern.search(clause) for pattern in cues)), key=lambda match: match.start(), default=None)
    if cue is None:
        return None
    return ("", clause) if cue[0].lower() == "nor" else (clause[: cue.start()], clause[cue.end() :])


def points_back(side: tuple[str, str]) -> bool:
    """Whether a refusal is of something that was named before."""
    back = _POINTS_BACK.match(" ".join(side[1].split()))
    return back is not None and len(informative(back["before"])) <= 1


def unwanted_things(refused: str) -> Iterator[str]:
    """The single things of a refusal; words that name nothing are none."""
    for part in _ALTERNATIVES.split(refused):
        thing = phrase_pattern("negation", "cues").sub(" ", part)
        if informative(thing):
            yield _trim(thing)


def _trim(thing: str) -> str:
    """A thing without uninformative words before it and without a closing "please", "and" or the like."""
    parts = thing.strip(" ,\"'").split()
    first = next(place for place, word in enumerate(parts) if informative(word))
    while parts[-1].lower() in _ENDING:
        parts.pop()
    return " ".join(parts[first:])


@cache
def phrase_pattern(table: str, key: str) -> re.Pattern[str]:
    """Any phrase of a list of the data, the longest first."""
    return any_phrase(table_of("wishes")[table][key])


@cache
def idioms(key: str) -> tuple[re.Pattern[str], ...]:
    """The idioms of a list of the data, each with its parts put in."""
    table = table_of("idioms")
    parts = {name: part if isinstance(part, str) else f"(?:{'|'.join(part)})" for name, part in table["parts"].items()}
    return tuple(whole_words(fill_parts(idiom["pattern"], parts)) for idiom in table[key])


def first_match(key: str, text: str) -> re.Match[str] | None:
    """The first idiom of a list that is found in a text; None where none is."""
    return next(filter(None, (idiom.search(text) for idiom in idioms(key))), None)
