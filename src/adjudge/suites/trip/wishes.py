"""Wishes: what a member's words want, and what they do not want."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.suites.trip.dialogue import Preference
from adjudge.suites.trip.prices import limited, only_price
from adjudge.suites.trip.words import data, evenly_spaced, informative, words

UNWANTED_STRENGTHS = ("avoid", "reject")

# Clauses end at marks, and where a conjunction turns to something else.
_CLAUSE = re.compile(
    r"[.;!?:\n()]+|\s+-+\s+|(?<!\d)\s*[–—]+\s*|,(?!\d)|(?<!thing)(?<!\ball)\s+but\b"
    r"|\s+(?:though|although|however|instead(?!\s+of)|yet)\b"
    r"|\s+(?=because\b|since\b)|\s+so\b"
    r"|\s+and\s+(?=(?:i|i'd|we|we'd|want|would|prefer|love|need|give|let)\b)",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"^(?P<thing>.+\S)\s+(?:no|no way|not)$", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\s+(?:or|nor|and|as well as)\s+|\s*[/&]\s*", re.IGNORECASE)
_GOES_ON = re.compile(r"^(?:or|nor)\b|\b(?:or|nor)\b", re.IGNORECASE)
_NEW_START = frozenset({"something", "somewhere", "some", "maybe", "just", "rather", "only", "please", "more"})
_ENDING = frozenset({"please", "thanks", "and", "or", "but"})
_ACCEPTED = re.compile(r"\b(?:is|are) (?:fine|ok|okay|all right|alright)\b", re.IGNORECASE)
_LISTED_WORDS = 4
_NON = re.compile(r"\bnon(?:-(?=\w)| ?(?=smok))", re.IGNORECASE)
_FREE = re.compile(r"\b(?!(?:duty|tax|toll|rent)-)([\w']+)-free\b", re.IGNORECASE)
# What is refused stands before: "I can't justify them", "enough of it at work"; but "it spicy" is something else.
_POINTS_BACK = re.compile(
    r"(?P<before>(?:[\w']+ ){0,5}?)(?:(?<!for )|(?<=care for )|(?<=cared for ))(?:it|them|those|that)"
    r"(?=$| (?:at|on|in|from|for|with|during|every|all|any|anymore|again|when|while|this|last|right|either|as)\b)",
    re.IGNORECASE,
)


class Parsed(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """A wish: the words for what is wanted, each thing that is not, and whether there is a wish at all.

    `most` is the highest price that is accepted; None: none is named.
    """

    wanted: str = ""
    unwanted: tuple[str, ...] = ()
    indifferent: bool = False
    most: float | None = None

    @property
    def met_by_absence(self) -> bool:
        """Whether the wish is met where nothing unwanted is there and nothing costs too much."""
        return not self.wanted and not self.indifferent


@lru_cache(maxsize=16384)
def parse(text: str) -> Parsed:
    """What a member's words want and do not want.

    >>> parse("Italian, but no pizza.")
    Parsed(wanted='Italian', unwanted=('pizza',))
    >>> parse("Not only museums").unwanted, parse("Anything is fine").indifferent, parse("below $80").most
    ((), True, 80.0)
    """
    rest, most = limited(text)
    if most is None:
        return _parsed(text)
    found = _parsed(rest)
    wanted = "" if only_price(found.wanted) else _joined(_clauses(found.wanted))
    return Parsed(wanted, found.unwanted, most=most)


def _parsed(text: str) -> Parsed:
    """What words want and do not want, prices aside."""
    clauses = [clause for clause in _clauses(text) if not _pattern("negation", "tolerance").search(clause)]
    if not any(informative(clause) for clause in _stated(clauses)):
        return Parsed(indifferent=True)
    sides = list(_sides(clauses))
    unwanted = tuple(thing for wanted, refused in sides for thing in _things(refused))
    if not unwanted:
        return Parsed(text.strip())
    return Parsed(_joined(wanted for wanted, _ in sides), unwanted)


def read(preference: Preference) -> Parsed:
    """The wish of a preference.

    What a member avoids or rejects is not wanted, whether the words negate it or not. "A room, but not shared" wants
    nothing that every lodging is not.
    """
    found = parse(preference.text)
    if found.indifferent:
        return found
    if preference.strength in UNWANTED_STRENGTHS:
        return Parsed("", found.unwanted or tuple(_things(found.wanted)), most=found.most)
    return found if _is_telling(found, preference.slot) else Parsed("", found.unwanted, most=found.most)


def _is_telling(found: Parsed, slot: str) -> bool:
    """Whether the wanted words say more than that it is a place of the slot, or than a limit says."""
    if found.most is not None and only_price(found.wanted, slot):
        return False
    return bool(informative(found.wanted, slot)) or not found.unwanted


@lru_cache(maxsize=16384)
def affirmed(text: str) -> str:
    """What a description says there is, without what it denies.

    >>> affirmed("Large pool, no parking. Meals without meat.")
    'Large pool, Meals'
    """
    sides = (_refused(clause) or (clause, "") for clause in _clauses(text))
    return ", ".join(stated.strip() for stated, _ in sides if stated.strip())


def _clauses(text: str) -> list[str]:
    plain = _without(_pattern("negation", "none"), _spelled_out(evenly_spaced(text)))
    clauses = (clause.strip(" ,\"'") for clause in _CLAUSE.split(plain))
    return [clause for clause in clauses if clause]


def _spelled_out(text: str) -> str:
    """A text in which what is negated within a word is negated by a word: "smoke-free room" is "no smoke, room"."""
    return _listed_free().sub(r", no \1,", _FREE.sub(r", no \1,", _NON.sub("no ", text)))


@cache
def _listed_free() -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(data()['negation']['free'])}) free\b", re.IGNORECASE)


def _stated(clauses: Iterable[str]) -> Iterator[str]:
    """The clauses without what only says that there is no wish."""
    return (_without(_pattern("indifference", "phrases"), clause) for clause in clauses)


def _sides(clauses: list[str]) -> Iterator[tuple[str, str]]:
    """For each clause what it wants and what it refuses, either empty."""
    listing = False
    negated = any(_refused(clause) for clause in clauses)
    for place, clause in enumerate(clauses):
        if side := _refused(clause):
            listing = True
            yield ("", "") if _points_back(side) else side
        elif (listing and _continues(clauses[place:])) or _is_dismissed(clauses[place:]):
            yield "", clause
        else:
            listing = False
            idle = negated and (_is_reason(clause) or _ACCEPTED.search(clause))
            yield ("", "") if idle else (clause, "")


def _is_dismissed(clauses: list[str]) -> bool:
    """Whether the next clause refuses what a clause names: "museums - not for me"."""
    side = _refused(clauses[1]) if len(clauses) > 1 else None
    if not side or _wants(words(clauses[0])):
        return False
    return _points_back(side) or not any(map(informative, side))


def _points_back(side: tuple[str, str]) -> bool:
    """Whether a refusal is of something that was named before."""
    back = _POINTS_BACK.match(" ".join(side[1].split()))
    return back is not None and len(informative(back["before"])) <= 1


def _refused(clause: str) -> tuple[str, str] | None:
    """What a clause wants before its negation and what it refuses after; None for one that negates nothing."""
    if trailing := _TRAILING.match(clause):
        return "", trailing["thing"]
    if after := _pattern("negation", "after").search(clause):
        return "", clause[: after.start()]
    cue = _pattern("negation", "cues").search(clause)
    return (clause[: cue.start()], clause[cue.end() :]) if cue else None


def _continues(clauses: list[str]) -> bool:
    """Whether a clause goes on with a list of refused things: "no seafood, pizza or burgers"."""
    for clause in clauses:
        said = words(clause)
        if len(said) > _LISTED_WORDS or _NEW_START & set(said) or _wants(said) or _refused(clause):
            return False
        if _GOES_ON.search(clause):
            return True
    return False


def _is_reason(clause: str) -> bool:
    """Whether a clause speaks of somebody without saying what they want: "my knee hurts"."""
    said = words(clause)
    return said[0] in data()["negation"]["persons"] and not _wants(said) if said else True


def _wants(said: list[str]) -> bool:
    return not set(said).isdisjoint(data()["negation"]["desire"])


def _things(refused: str) -> Iterator[str]:
    """The single things of a refusal; words that name nothing are none."""
    for thing in _ALTERNATIVES.split(_without(_pattern("negation", "cues"), refused)):
        if informative(thing):
            yield _trimmed(thing)


def _trimmed(thing: str) -> str:
    """A thing without the words before it that name nothing, nor those that only end a sentence or go on."""
    said = thing.strip(" ,\"'").split()
    first = next(place for place, word in enumerate(said) if informative(word))
    while said[-1].lower() in _ENDING:
        said.pop()
    return " ".join(said[first:])


def _joined(wanted: Iterable[str]) -> str:
    return ", ".join(part.strip(" ,\"'") for part in wanted if informative(_without_indifference(part)))


def _without_indifference(text: str) -> str:
    return _without(_pattern("indifference", "phrases"), text)


def _without(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(" ", text)


@cache
def _pattern(table: str, key: str) -> re.Pattern[str]:
    """Any phrase of a list of the data, the longest first."""
    listed = sorted(data()[table][key], key=len, reverse=True)
    return re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, listed))})(?![\w'])", re.IGNORECASE)
