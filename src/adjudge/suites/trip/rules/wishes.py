"""Wishes: what a member's words want, and what they do not want."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.english.clauses import Clause, split_clauses
from adjudge.english.normalise import single_spaces
from adjudge.english.patterns import any_phrase, fill_parts, whole_words
from adjudge.english.tokens import words
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import Preference
from adjudge.suites.trip.rules.prices import only_price, split_price_limit
from adjudge.suites.trip.rules.vocabulary import data, informative

UNWANTED_STRENGTHS = ("avoid", "reject")

# "museums no", "a dorm, no way": the refusal stands at the end.
_TRAILING = re.compile(
    r"^(?P<thing>.+\S)\s+(?:no|no way|not|nope|nah|never|no thanks|no thank you|no chance)$", re.IGNORECASE
)
# "pizza or burgers", "fish & chips": each is refused by itself.
_ALTERNATIVES = re.compile(r"\s+(?:or|nor|and|as well as)\s+|\s*[/&]\s*", re.IGNORECASE)
# A list goes on to its end: "no seafood, pizza or burgers".
_GOES_ON = re.compile(r"\b(?:or|nor|and)\b", re.IGNORECASE)
# Words that begin something else than the next item of a refused list.
_NEW_START = frozenset(
    {"something", "somewhere", "some", "maybe", "just", "rather", "only", "please", "more", "a", "an", "is", "are"}
    | {"sounds", "sound", "works", "work", "better", "instead", "yes", "fine", "great", "good", "ok", "okay"}
)
# Who names what they do not like goes on naming it after a comma.
_DISLIKED = re.compile(
    r"\b(?:allerg\w+|hates?|dislikes?|detest|loathe|despise|avoid|avoiding|skip|skipping"
    r"|(?:can't|cannot) (?:stand|bear|eat))\b",
    re.IGNORECASE,
)
_SPACES = re.compile(" +")
# "Camping's not for me", "that's a no": short for "is".
_SHORT_IS = re.compile(r"(?<=\w)'s (?=(?:not|off|out|a no|a deal)\b)", re.IGNORECASE)
# What ends a thing without belonging to it: "seafood please".
_ENDING = frozenset({"please", "thanks", "and", "or", "but"})
# "A guest house is fine": accepted beside a refusal, but not asked for.
_ACCEPTED = re.compile(r"\b(?:is|are) (?:fine|ok|okay|all right|alright)\b", re.IGNORECASE)
# Items of a list have few words; a longer clause says something else.
_LISTED_WORDS = 4
# "non-smoking room", "non smoking".
_NON = re.compile(r"\bnon(?:-(?=\w)| ?(?=smok))", re.IGNORECASE)
# "smoke-free", "dairy-free"; not "tax-free".
_FREE = re.compile(r"\b(?!(?:duty|tax|toll|rent)-)([\w']+)-free\b", re.IGNORECASE)
# What is refused stands before: "I can't justify them", "enough of it at work"; but "it spicy" is something else.
_POINTS_BACK = re.compile(
    r"(?P<before>(?:[\w']+ ){0,5}?)(?:(?<!for )|(?<=care for )|(?<=cared for ))(?:it|them|those|that)"
    r"(?=$| (?:at|on|in|from|for|with|during|every|all|any|anymore|again|when|while|this|last|right|either|as)\b)",
    re.IGNORECASE,
)


class ParsedWish(Struct, frozen=True, gc=False, repr_omit_defaults=True):
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
    unwanted = tuple(thing for wanted, refused in sides for thing in _things(refused))
    if not unwanted and clauses == every:
        return ParsedWish(_resolve_double_negation(text))
    return ParsedWish(_join(wanted for wanted, _ in sides), unwanted)


def _is_tolerant(clause: str) -> bool:
    """Whether a clause only says what is not minded or not needed."""
    return bool(_pattern("negation", "tolerance").search(clause) or _first_match(_idioms("tolerant"), clause))


def read_wish(preference: Preference) -> ParsedWish:
    """The wish of a preference.

    What a member avoids or rejects is not wanted, whether the words negate it or not. "A room, but not shared" wants
    nothing that every lodging is not.
    """
    parsed = parse_wish(preference.text)
    if parsed.indifferent:
        return parsed
    if preference.strength in UNWANTED_STRENGTHS:
        return ParsedWish("", parsed.unwanted or tuple(_things(parsed.wanted)), most=parsed.most)
    return parsed if _is_telling(parsed, preference.slot) else ParsedWish("", parsed.unwanted, most=parsed.most)


def _is_telling(parsed: ParsedWish, slot: str) -> bool:
    """Whether the wanted words say more than that it is a place of the slot, or than a limit says."""
    if parsed.most is not None and only_price(parsed.wanted, slot):
        return False
    return bool(informative(parsed.wanted, slot)) or not parsed.unwanted


@lru_cache(maxsize=16384)
def affirmed_text(text: str) -> str:
    """What a description says there is, without what it denies.

    >>> affirmed_text("Large pool, no parking. Meals without meat.")
    'Large pool, Meals'
    """
    sides = (_split_refusal(clause.text) or (clause.text, "") for clause in _clauses(text))
    return ", ".join(stated.strip() for stated, _ in sides if stated.strip())


def _clauses(text: str) -> list[Clause]:
    plain = _without(_pattern("negation", "none"), _spell_out(single_spaces(_resolve_double_negation(text))))
    return split_clauses(plain)


def _resolve_double_negation(text: str) -> str:
    """A text without denied preferences, and with what is twice negated as if it were not negated at all."""
    even = single_spaces(text)
    plain = _replace_idioms("doubled", _replace_idioms("unmoved", _replace_idioms("never", even, "not"), "; "), " ")
    return text.strip() if plain == even else _SPACES.sub(" ", plain).strip(" ;,")


def _replace_idioms(key: str, text: str, instead: str) -> str:
    """A text with something instead of each idiom of a list, or with the thing that the idiom is about."""
    for idiom in _idioms(key):
        text = idiom.sub(lambda match: match.groupdict().get("thing") or instead, text)
    return text


def _spell_out(text: str) -> str:
    """A text in which each thing is negated by a word of its own: "smoke-free room" is "no smoke, room"."""
    text = _SHORT_IS.sub(" is ", text)
    for heading in _idioms("headings"):
        text = heading.sub(lambda match: ", ".join(map(_deny, match["listed"].split(","))), text)
    return _listed_free().sub(r", no \1,", _FREE.sub(r", no \1,", _NON.sub("no ", text)))


def _deny(item: str) -> str:
    """An item of a list of what is refused, as a refusal; somebody may go on with what they want."""
    return item if _wants(words(item)) else f"no {item.strip()}"


@cache
def _listed_free() -> re.Pattern[str]:
    return whole_words(f"({'|'.join(data()['negation']['free'])}) free")


def _sides(clauses: list[Clause]) -> Iterator[tuple[str, str]]:
    """For each clause what it wants and what it refuses, either empty."""
    listing = disliking = False
    negated = any(_split_refusal(clause.text) for clause in clauses)
    for place, clause in enumerate(clauses):
        listing, disliking = listing and clause.goes_on, disliking and clause.goes_on
        if side := _split_refusal(clause.text):
            listing, disliking = bool(informative(side[1])), bool(_DISLIKED.search(clause.text))
            yield ("", "") if _points_back(side) else side
        elif (listing and _continues(clauses[place:], disliking)) or _is_dismissed(clauses[place:]):
            yield "", clause.text
        else:
            listing = disliking = False
            idle = negated and (_is_reason(clause.text) or _ACCEPTED.search(clause.text))
            yield ("", "") if idle else (clause.text, "")


def _is_dismissed(clauses: list[Clause]) -> bool:
    """Whether the next clause refuses what a clause names: "museums - not for me"."""
    side = _split_refusal(clauses[1].text) if len(clauses) > 1 else None
    if not side or _wants(words(clauses[0].text)):
        return False
    return _points_back(side) or not any(map(informative, side))


def _points_back(side: tuple[str, str]) -> bool:
    """Whether a refusal is of something that was named before."""
    back = _POINTS_BACK.match(" ".join(side[1].split()))
    return back is not None and len(informative(back["before"])) <= 1


def _split_refusal(clause: str) -> tuple[str, str] | None:
    """What a clause wants before its negation and what it refuses after; None for one that negates nothing."""
    if trailing := _TRAILING.match(clause):
        return "", trailing["thing"]
    after = _pattern("negation", "after").search(clause)
    if after and (informative(clause[: after.start()]) or not informative(clause[after.end() :])):
        return "", clause[: after.start()]
    if within := _first_match(_idioms("around"), clause):
        return "", within["thing"]
    behind = _first_match(_idioms("behind"), clause)
    if behind and informative(clause[: behind.start()]):
        return "", clause[: behind.start()]
    return _split_at_cue(clause)


def _split_at_cue(clause: str) -> tuple[str, str] | None:
    """A clause before and after its first cue; None where it has none.

    Where nothing is named after it, what stands before is refused: "opera, for us, never ever".
    """
    cues = (_pattern("negation", "cues"), *_idioms("before"))
    cue = min(filter(None, (pattern.search(clause) for pattern in cues)), key=lambda match: match.start(), default=None)
    if cue is None:
        return None
    if cue[0].lower() == "nor":
        return "", clause
    side = clause[: cue.start()], clause[cue.end() :]
    return ("", side[0]) if _names_before(side) else side


def _names_before(side: tuple[str, str]) -> bool:
    """Whether a refusal names what it refuses before its cue alone, and does not point further back."""
    wanted, refused = side
    if not informative(wanted) or informative(refused) or _points_back(side):
        return False
    return not _wants(words(wanted)) and not _is_reason(wanted)


def _continues(clauses: list[Clause], disliking: bool) -> bool:
    """Whether a clause goes on with a list of refused things: "no seafood, pizza or burgers"."""
    for place, clause in enumerate(clauses):
        spoken = words(clause.text)
        if len(spoken) > _LISTED_WORDS or _NEW_START & set(spoken) or _wants(spoken) or _split_refusal(clause.text):
            return False
        if place and not clause.goes_on:
            return disliking
        if _GOES_ON.search(clause.text):
            return True
    return disliking


def _is_reason(clause: str) -> bool:
    """Whether a clause speaks of somebody without saying what they want: "my knee hurts"."""
    spoken = words(clause)
    return spoken[0] in data()["negation"]["persons"] and not _wants(spoken) if spoken else True


def _wants(spoken: list[str]) -> bool:
    return not set(spoken).isdisjoint(data()["negation"]["desire"])


def _things(refused: str) -> Iterator[str]:
    """The single things of a refusal; words that name nothing are none."""
    for part in _ALTERNATIVES.split(refused):
        thing = _without(_pattern("negation", "cues"), part)
        if informative(thing):
            yield _trim(thing)


def _trim(thing: str) -> str:
    """A thing without the words before it that name nothing, nor those that only end a sentence or go on."""
    parts = thing.strip(" ,\"'").split()
    first = next(place for place, word in enumerate(parts) if informative(word))
    while parts[-1].lower() in _ENDING:
        parts.pop()
    return " ".join(parts[first:])


def _join(wanted: Iterable[str]) -> str:
    return ", ".join(part.strip(" ,\"'") for part in wanted if informative(_without_indifference(part)))


def _without_indifference(text: str) -> str:
    return _without(_pattern("indifference", "phrases"), text)


def _without(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(" ", text)


@cache
def _pattern(table: str, key: str) -> re.Pattern[str]:
    """Any phrase of a list of the data, the longest first."""
    return any_phrase(data()[table][key])


@cache
def _idioms(key: str) -> tuple[re.Pattern[str], ...]:
    """The idioms of a list of the data, each with its parts put in."""
    table = table_of("idioms")
    parts = {name: part if isinstance(part, str) else f"(?:{'|'.join(part)})" for name, part in table["parts"].items()}
    return tuple(whole_words(fill_parts(idiom["pattern"], parts)) for idiom in table[key])


def _first_match(idioms: Iterable[re.Pattern[str]], text: str) -> re.Match[str] | None:
    """The first idiom of a list that is found in a text."""
    return next(filter(None, (idiom.search(text) for idiom in idioms)), None)
