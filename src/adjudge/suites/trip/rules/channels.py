"""The channels through which a plan can satisfy a wish: room type, category, words, meaning; and what rules it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.english.tokens import has_phrase, stems
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import Preference
from adjudge.suites.trip.rules.house_rules import topics_in
from adjudge.suites.trip.rules.offers import (
    Offer,
    affirmed_record,
    allowed_by,
    banned_by,
    named_kinds,
    offered_kinds,
    price_of,
    record_text,
    room_types,
    room_types_of,
    rules_of,
    union,
)
from adjudge.suites.trip.rules.vocabulary import (
    Lexicon,
    Sense,
    as_said,
    enough,
    informative,
    phrases,
    sought_senses,
    top,
)
from adjudge.suites.trip.rules.wishes import ParsedWish, affirmed_text


class Finding(Struct, frozen=True, gc=False):
    """What one channel says of a wish, and why."""

    passed: bool
    why: str


class Pair(Struct, frozen=True):
    """What a member wants in a slot, and what the plan has there."""

    preference: Preference
    wish: ParsedWish
    offers: tuple[Offer, ...]
    known: Lexicon
    raw: str = ""

    @property
    def member(self) -> str:
        """Who wants it."""
        return self.preference.member

    @property
    def slot(self) -> str:
        """Where."""
        return self.preference.slot

    def mark(self, finding: Finding, basis: str = "") -> Mark:
        """The mark of a finding on this pair."""
        return self.preference.mark(float(finding.passed), finding.why, basis)


def room_type(pair: Pair) -> Finding | None:
    """Whether a lodging has the type of room that is wanted; None where the wish or the catalogue names none."""
    wanted = room_types(pair.wish.wanted)
    unwanted = set[str]().union(*map(room_types, pair.wish.unwanted)) - wanted
    offered = {offer.name: room_types_of(offer) for offer in pair.offers}
    if pair.slot != "lodging" or not (wanted or unwanted) or not any(offered.values()):
        return None
    if not wanted:
        return _absence({name: types & unwanted for name, types in offered.items()})
    for name, types in offered.items():
        if wanted & types:
            return Finding(True, f"{name} is {_comma_list(wanted & types)}")
    return Finding(False, f"asks for {_comma_list(wanted)}, has {_comma_list(set().union(*offered.values()))}")


def category(pair: Pair) -> Finding | None:
    """Whether a place is of a category that is wanted; None for lodgings and where wish or places name no category.

    A wish for a narrower category is not met by the wider one alone.
    """
    wanted, unwanted = _senses(pair.wish.wanted, pair.known), _unwanted_kinds(pair)
    offered = {offer.name: offered_kinds(offer, pair.known) for offer in pair.offers}
    if pair.slot == "lodging" or not (wanted or unwanted) or not any(kinds.all for kinds in offered.values()):
        return None
    if not wanted:
        return _absence({name: unwanted & kinds.all for name, kinds in offered.items()})
    for name, kinds in offered.items():
        if met := kinds.meeting(wanted):
            return Finding(True, f"{name}: {_comma_list(met)}")
    return Finding(False, f"no place of category {_comma_list(named_kinds(wanted))}")


def describes(pair: Pair) -> bool:
    """Whether a description says in the wish's own words that the place is of the wanted category."""
    descriptions = [stems(affirmed_text(offer.entry.about)) for offer in pair.offers if offer.entry]
    wanted = sought_senses(pair.wish.wanted, pair.known)
    return any(all(has_phrase(text, sense.phrase) for sense in part) for text in descriptions for part in wanted)


def house_rules(pair: Pair) -> Finding | None:
    """Whether a lodging allows what the wish asks for, or forbids what is not wanted; None where it asks for more.

    What no rule forbids is allowed. Where something is unwanted and no rule mentions it, nothing is known: None.
    """
    topics = topics_in(pair.wish.wanted)
    if pair.slot != "lodging" or not any(offer.entry for offer in pair.offers):
        return None
    if not pair.wish.wanted:
        banned = _unwanted_topics(pair) & union(map(banned_by, pair.offers))
        return Finding(True, f"the rules forbid {_comma_list(banned)}") if banned else None
    if not topics or set(informative(pair.wish.wanted, pair.slot)) - _permission():
        return None
    forbidden = topics & union(map(rules_of, pair.offers))
    return Finding(not forbidden, f"the rules {'forbid' if forbidden else 'allow'} {_comma_list(forbidden or topics)}")


def is_untold(pair: Pair) -> bool:
    """Whether a wish only refuses what a house rule may forbid, and no lodging says anything about it."""
    wish = pair.wish
    if pair.slot != "lodging" or not wish.unwanted or not wish.met_by_absence or wish.most is not None:
        return False
    if not all(map(_unwanted_topics_of, wish.unwanted)) or bar_reason(pair):
        return False
    return not _unwanted_topics(pair) & union(map(banned_by, pair.offers))


def _unwanted_topics(pair: Pair) -> frozenset[str]:
    """What a rule may forbid and the wish does not want."""
    return union(map(_unwanted_topics_of, pair.wish.unwanted))


def _unwanted_topics_of(thing: str) -> frozenset[str]:
    """What a rule may forbid of an unwanted thing; nothing where the rule itself is unwanted ("no pet bans")."""
    return frozenset() if _is_forbidding(thing) or room_types(thing) else topics_in(thing)


@cache
def _permission() -> frozenset[str]:
    """The words of wishes that ask only whether something is allowed."""
    topics = {word for topic in table_of("lodging")["rules"] for phrase in phrases("rules", topic) for word in phrase}
    return frozenset(topics | {word for phrase in phrases("permission", "words") for word in phrase})


def lexical(pair: Pair, echo: str = "") -> Finding | None:
    """Whether enough of the wish's words are in the places and their entries, or in the text `echo` beside them.

    None where nothing is wanted, or nothing that words would tell.
    """
    asked = top(pair.wish.wanted, pair.slot)
    if not asked:
        return None
    there = set(stems(echo)).union(*(stems(affirmed_record(offer)) for offer in pair.offers))
    hits = [word for word in asked if word in there]
    shown = as_said(pair.wish.wanted, hits)
    return Finding(enough(len(hits), len(asked)), f"{len(hits)} of {len(asked)} words found ({shown})")


def semantic(pair: Pair, likeness: Callable[[str, str], float], least: float) -> Finding | None:
    """Whether a record is close enough in meaning to what is wanted; None where nothing is wanted."""
    if not pair.wish.wanted or not pair.offers:
        return None
    close, name = max((likeness(pair.wish.wanted, record_text(offer)), offer.name) for offer in pair.offers)
    return Finding(close >= least, f"cosine {close:.3f} with {name}, {least:g} asked")


def bar_reason(pair: Pair) -> str:
    """Why the plan cannot satisfy the wish: an unwanted thing, a rule against what is wanted, or its price."""
    for offer in pair.offers:
        for reason in _bars(pair, offer):
            return f"{offer.name}: {reason}"
    return ""


def _bars(pair: Pair, offer: Offer) -> Iterator[str]:
    rules = rules_of(offer)
    if pair.wish.most is not None and (price := price_of(offer)) is not None and price > pair.wish.most:
        yield f"costs {price:g}, at most {pair.wish.most:g} asked"
    yield from (f"the rules forbid {topic}" for topic in topics_in(pair.wish.wanted) & rules if pair.slot == "lodging")
    for thing in pair.wish.unwanted:
        if pair.slot == "lodging" and _is_forbidding(thing):
            yield from (f"the rules forbid {topic}" for topic in topics_in(thing) & rules)
        elif pair.slot == "lodging" and (allowed := topics_in(thing) & allowed_by(offer)):
            yield f"the rules allow {_comma_list(allowed)} although {thing!r} is not wanted"
        elif present := _unwanted_in(pair, offer, thing):
            yield f"{present} although {thing!r} is not wanted"


def _unwanted_in(pair: Pair, offer: Offer, thing: str) -> str:
    """What of an unwanted thing a place has, empty for nothing."""
    if pair.slot == "lodging" and (rooms := room_types(thing)):
        return _comma_list((rooms - room_types(pair.wish.wanted)) & room_types_of(offer))
    if pair.slot != "lodging" and (kinds := named_kinds(_senses(thing, pair.known)) & _unwanted_kinds(pair)):
        return _comma_list(kinds & offered_kinds(offer, pair.known).all) or _mention(thing, offer, pair.slot)
    return _mention(thing, offer, pair.slot)


def _mention(thing: str, offer: Offer, slot: str) -> str:
    asked = informative(thing, slot)
    there = set(stems(affirmed_record(offer)))
    hits = [word for word in asked if word in there]
    return as_said(thing, hits) if enough(len(hits), len(asked)) else ""


def _unwanted_kinds(pair: Pair) -> frozenset[str]:
    """The categories that are refused by name; to refuse a dish does not refuse the rest of its cuisine."""
    refused = frozenset[str]().union(*(named_kinds(_senses(thing, pair.known)) for thing in pair.wish.unwanted))
    return refused - named_kinds(_senses(pair.wish.wanted, pair.known))


def _senses(text: str, known: Lexicon) -> list[Sense]:
    return [sense for part in sought_senses(text, known) for sense in part]


def _is_forbidding(thing: str) -> bool:
    return any(has_phrase(stems(thing), phrase) for phrase in phrases("permission", "forbidding"))


def _absence(unwanted: dict[str, frozenset[str]]) -> Finding:
    """The finding on a wish that something be absent."""
    for name, kinds in unwanted.items():
        if kinds:
            return Finding(False, f"{name}: {_comma_list(kinds)} is not wanted")
    return Finding(True, "nothing unwanted")


def _comma_list(names: Sequence[str] | set[str] | frozenset[str]) -> str:
    return ", ".join(sorted(names))
