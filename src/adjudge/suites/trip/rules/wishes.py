"""Parse wishes: the wanted and the unwanted things in a member's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.english.clauses import Clause, split_clauses
from adjudge.english.normalise import single_spaces
from adjudge.english.patterns import whole_words
from adjudge.english.tokens import words
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import SlotPreference
from adjudge.suites.trip.rules.prices import only_price, split_price_limit
from adjudge.suites.trip.rules.refusals import (
    first_match,
    idioms,
    phrase_pattern,
    points_back,
    split_refusal,
    unwanted_things,
)
from adjudge.suites.trip.rules.vocabulary import informative

UNWANTED_STRENGTHS = ("avoid", "reject")

# The conjunction before the last item of a list: "no seafood, pizza or burgers".
_GOES_ON = re.compile(r"\b(?:or|nor|and)\b", re.IGNORECASE)
# Words that begin a new statement and not the next item of a refused list.
_NEW_START = frozenset(
    {"something", "somewhere", "some", "maybe", "just", "rather", "only", "please", "more", "a", "an", "is", "are"}
    | {"sounds", "sound", "works", "work", "better", "instead", "yes", "fine", "great", "good", "ok", "okay"}
)
# After these words a comma continues the list of disliked things: "allergic to nuts, shellfish".
_DISLIKED = re.compile(
    r"\b(?:allerg\w+|hates?|dislikes?|detest|loathe|despise|avoid|avoiding|skip|skipping"
    r"|(?:can't|cannot) (?:stand|bear|eat))\b",
    re.IGNORECASE,
)
# Spaces that remain after words were removed.
_SPACES = re.compile(" +")
# "Camping's not for me", "that's a no": short for "is".
_SHORT_IS = re.compile(r"(?<=\w)'s (?=(?:not|off|out|a no|a deal)\b)", re.IGNORECASE)
# "A guest house is fine": accepted beside a refusal, but not asked for.
_ACCEPTED = re.compile(r"\b(?:is|are) (?:fine|ok|okay|all right|alright)\b", re.IGNORECASE)
# Items of a list have few words; a longer clause says something else.
_LISTED_WORDS = 4
# "non-smoking room", "non smoking".
_NON = re.compile(r"\bnon(?:-(?=\w)| ?(?=smok))", re.IGNORECASE)
# "smoke-free", "dairy-free"; not "tax-free".
_FREE = re.compile(r"(?<![\w'])'*+(?!(?:duty|tax|toll|rent)-)(\w[\w']*+)-free\b", re.IGNORECASE)


class ParsedWish(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """A parsed wish: the wanted words, the unwanted things, and whether the member is indifferent.

    `most` is the highest accepted price; None if the wish names no price.
    """

    wanted: str = ""
    unwanted: tuple[str, ...] = ()
    indifferent: bool = False
    most: float | None = None

    @property
    def met_by_absence(self) -> bool:
        """Whether the absence of unwanted things and of prices above the limit satisfies the wish."""
        return not self.wanted and not self.indifferent


@lru_cache(maxsize=16384)
def parse_wish(text: str) -> ParsedWish:
    """What a member's words want and do not want.

    >>> parse_wish("Italian, but no pizza.")
    ParsedWish(wanted='Italian', unwanted=('pizza',))
    >>> parse_wish("Not only museums").unwanted, parse_wish("up to $80").most, parse_wish("All is fine").indifferent
    ((), 80.0, True)
    """
    rest, most = split_price_limit(text)
    if most is None:
        return _parse_words(text)
    parsed = _parse_words(rest)
    wanted = "" if only_price(parsed.wanted) else _join(clause.text for clause in _clauses(parsed.wanted))
    return ParsedWish(wanted, parsed.unwanted, most=most)


def _parse_words(text: str) -> ParsedWish:
    """What words want and do not want, prices aside."""
    every = _clauses(text)
    clauses = [clause for clause in every if not _is_tolerant(clause.text)]
    if not any(informative(_without_indifference(clause.text)) for clause in clauses):
        return ParsedWish(indifferent=True)
    sides = list(_sides(clauses))
    unwanted = tuple(thing for wanted, refused in sides for thing in unwanted_things(refused))
    if not unwanted and clauses == every:
        return ParsedWish(_resolve_double_negation(text))
    return ParsedWish(_join(wanted for wanted, _ in sides), unwanted)


def _is_tolerant(clause: str) -> bool:
    """Whether a clause only says what the member does not mind or does not need."""
    return bool(phrase_pattern("negation", "tolerance").search(clause) or first_match("tolerant", clause))


def read_wish(preference: SlotPreference) -> ParsedWish:
    """The wish of a preference.

    What a member avoids or rejects is not wanted, whether the words negate it or not. "A room, but not shared" wants
    nothing in particular, since every lodging is a room.
    """
    if preference.parts:
        return _join_wishes([read_wish(part) for part in preference.parts])
    parsed = parse_wish(preference.text)
    if parsed.indifferent:
        return parsed
    if preference.strength in UNWANTED_STRENGTHS:
        return ParsedWish("", parsed.unwanted or tuple(unwanted_things(parsed.wanted)), most=parsed.most)
    return parsed if _is_telling(parsed, preference.slot) else ParsedWish("", parsed.unwanted, most=parsed.most)


def _join_wishes(parsed: list[ParsedWish]) -> ParsedWish:
    """All of the wishes at once; the lowest of their price limits counts."""
    return ParsedWish(
        wanted=", ".join(wish.wanted for wish in parsed if wish.wanted),
        unwanted=tuple(thing for wish in parsed for thing in wish.unwanted),
        indifferent=all(wish.indifferent for wish in parsed),
        most=min((wish.most for wish in parsed if wish.most is not None), default=None),
    )


def _is_telling(parsed: ParsedWish, slot: str) -> bool:
    """Whether the wanted words say more than the name of the slot and the price limit do."""
    if parsed.most is not None and only_price(parsed.wanted, slot):
        return False
    return bool(informative(parsed.wanted, slot)) or not parsed.unwanted


@lru_cache(maxsize=16384)
def affirmed_text(text: str) -> str:
    """What a description says there is, without what it denies.

    >>> affirmed_text("Large pool, no parking. Meals without meat.")
    'Large pool, Meals'
    """
    sides = (split_refusal(clause.text) or (clause.text, "") for clause in _clauses(text))
    return ", ".join(stated.strip() for stated, _ in sides if stated.strip())


def _clauses(text: str) -> list[Clause]:
    plain = _spell_out(single_spaces(_resolve_double_negation(text)))
    return split_clauses(phrase_pattern("negation", "none").sub(" ", plain))


def _resolve_double_negation(text: str) -> str:
    """A text without denied preferences, in which double negations are affirmations."""
    even = single_spaces(text)
    plain = _replace_idioms("doubled", _replace_idioms("unmoved", _replace_idioms("never", even, "not"), "; "), " ")
    return text.strip() if plain == even else _SPACES.sub(" ", plain).strip(" ;,")


def _replace_idioms(key: str, text: str, instead: str) -> str:
    """A text with each idiom of a list replaced by `instead`, or by the thing that the idiom is about."""
    for idiom in idioms(key):
        text = idiom.sub(lambda match: match.groupdict().get("thing") or instead, text)
    return text


def _spell_out(text: str) -> str:
    """A text in which each thing is negated by a word of its own: "smoke-free room" is "no smoke, room"."""
    text = _SHORT_IS.sub(" is ", text)
    for heading in idioms("headings"):
        text = heading.sub(lambda match: ", ".join(map(_deny, match["listed"].split(","))), text)
    return _free_of_pattern().sub(r", no \1,", _FREE.sub(r", no \1,", _NON.sub("no ", text)))


def _deny(item: str) -> str:
    """An item of a list of refused things, written as a refusal; the member may also continue with a wanted thing."""
    return item if _wants(words(item)) else f"no {item.strip()}"


@cache
def _free_of_pattern() -> re.Pattern[str]:
    return whole_words(f"({'|'.join(table_of('wishes')['negation']['free'])}) free")


def _sides(clauses: list[Clause]) -> Iterator[tuple[str, str]]:
    """The wanted and the refused part of each clause; either may be empty."""
    listing = disliking = False
    negated = any(split_refusal(clause.text) for clause in clauses)
    for place, clause in enumerate(clauses):
        listing, disliking = listing and clause.goes_on, disliking and clause.goes_on
        if side := split_refusal(clause.text):
            listing, disliking = bool(informative(side[1])), bool(_DISLIKED.search(clause.text))
            yield ("", "") if points_back(side) else side
        elif (listing and _continues(clauses[place:], disliking)) or _is_dismissed(clauses[place:]):
            yield "", clause.text
        else:
            listing = disliking = False
            idle = negated and (_is_reason(clause.text) or _ACCEPTED.search(clause.text))
            yield ("", "") if idle else (clause.text, "")


def _is_dismissed(clauses: list[Clause]) -> bool:
    """Whether the next clause refuses what a clause names: "museums - not for me"."""
    side = split_refusal(clauses[1].text) if len(clauses) > 1 else None
    if not side or _wants(words(clauses[0].text)):
        return False
    return points_back(side) or not any(map(informative, side))


def _continues(clauses: list[Clause], disliking: bool) -> bool:
    """Whether a clause goes on with a list of refused things: "no seafood, pizza or burgers"."""
    for place, clause in enumerate(clauses):
        spoken = words(clause.text)
        if len(spoken) > _LISTED_WORDS or _NEW_START & set(spoken) or _wants(spoken) or split_refusal(clause.text):
            return False
        if place and not clause.goes_on:
            return disliking
        if _GOES_ON.search(clause.text):
            return True
    return disliking


def _is_reason(clause: str) -> bool:
    """Whether a clause speaks of somebody without saying what they want: "my knee hurts"."""
    spoken = words(clause)
    return spoken[0] in table_of("wishes")["negation"]["persons"] and not _wants(spoken) if spoken else True


def _wants(spoken: list[str]) -> bool:
    return not set(spoken).isdisjoint(table_of("wishes")["negation"]["desire"])


def _join(wanted: Iterable[str]) -> str:
    return ", ".join(part.strip(" ,\"'") for part in wanted if informative(_without_indifference(part)))


def _without_indifference(text: str) -> str:
    return phrase_pattern("indifference", "phrases").sub(" ", text)
