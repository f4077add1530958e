"""Refusals: the unwanted things in a clause of a wish."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from adjudge.english.negation import NEGATION
from adjudge.english.patterns import any_phrase, fill_parts, whole_words
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.vocabulary import informative

# "pizza or burgers", "fish & chips": each is refused by itself.
_ALTERNATIVES = re.compile(r"\s{1,9}(?:or|nor|and|as well as)\s{1,9}|\s{0,9}[/&]\s{0,9}", re.IGNORECASE)
# Last words that are not part of the thing: "please" in "seafood please".
_ENDING = frozenset({"please", "thanks", "and", "or", "but"})
# A pronoun for a refused thing that was named before: "I can't justify them", "enough of it at work"; not "it spicy".
_POINTS_BACK = re.compile(
    r"(?P<before>(?:[\w']+ ){0,5}?)(?:(?<!for )|(?<=care for )|(?<=cared for ))(?:it|them|those|that)"
    r"(?=$| (?:at|on|in|from|for|with|during|every|all|any|anymore|again|when|while|this|last|right|either|as)\b)",
    re.IGNORECASE,
)


def split_refusal(clause: str) -> tuple[str, str] | None:
    """The wanted part and the refused part of a clause; None if it has no negation.

    "Thai, not curry" refuses what follows the negation. "Museums are not for me" refuses what precedes it.
    """
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
    """The parts of a clause before and after its first negation cue; None if it has none."""
    cues = (phrase_pattern("negation", "cues"), *idioms("before"))
    cue = min(filter(None, (pattern.search(clause) for pattern in cues)), key=lambda match: match.start(), default=None)
    if cue is None:
        return None
    return ("", clause) if cue[0].lower() == "nor" else (clause[: cue.start()], clause[cue.end() :])


def points_back(side: tuple[str, str]) -> bool:
    """Whether a refusal is about something that was named before, by a pronoun such as "them"."""
    back = _POINTS_BACK.match(" ".join(side[1].split()))
    return back is not None and len(informative(back["before"])) <= 1


def unwanted_things(refused: str) -> Iterator[str]:
    """The single things in a refusal; uninformative words are left out."""
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
    """The pattern for any phrase of a list in the lexicon; it prefers the longest phrase."""
    return any_phrase(table_of("wishes")[table][key])


@cache
def idioms(key: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a list of idioms in the lexicon, with their <parts> filled in."""
    table = table_of("idioms")
    parts = {name: part if isinstance(part, str) else f"(?:{'|'.join(part)})" for name, part in table["parts"].items()}
    parts["not"] = NEGATION
    return tuple(whole_words(fill_parts(idiom["pattern"], parts)) for idiom in table[key])


def first_match(key: str, text: str) -> re.Match[str] | None:
    """The match of the first idiom of a list that occurs in a text; None if none does."""
    return next(filter(None, (idiom.search(text) for idiom in idioms(key))), None)
