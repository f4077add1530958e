"""The channels through which a plan can satisfy a wish (room type, category, words, meaning), and what rules it out.

The metric reference calls them methods (M10). House rules are a channel of our own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from adjudge.core.mark import Mark
from adjudge.english.tokens import has_phrase, stems
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import SlotPreference
from adjudge.suites.trip.rules.house_rules import topics_in
from adjudge.suites.trip.rules.offers import (
    Offer,
    affirmed_record,
    named_kinds,
    offered_kinds,
    price_of,
    room_types,
    room_types_of,
    rules_of,
    topics_allowed_by,
    topics_banned_by,
    union,
)
from adjudge.suites.trip.rules.vocabulary import (
    CategoryPhrases,
    Sense,
    as_said,
    informative,
    is_mention,
    phrases,
    sought_senses,
    top,
)
from adjudge.suites.trip.rules.wishes import ParsedWish, affirmed_text


class Finding(Struct, frozen=True, gc=False):
    """The result of one channel for a wish, with the reason."""

    passed: bool
    why: str


class WishPair(Struct, frozen=True):
    """A member's wish for a slot, and the places that the plan has for that slot."""

    preference: SlotPreference
    wish: ParsedWish
    offers: tuple[Offer, ...]
    known: CategoryPhrases
    raw: str = ""

    @property
    def member(self) -> str:
        """The member whose wish it is."""
        return self.preference.member

    @property
    def slot(self) -> str:
        """The slot of the wish."""
        return self.preference.slot

    def mark(self, finding: Finding, basis: str = "") -> Mark:
        """The mark of a finding on this pair."""
        return self.preference.mark(float(finding.passed), finding.why, basis)


def room_type(pair: WishPair) -> Finding | None:
    """Whether a lodging has the wanted room type; None if the wish or the catalogue names no room type."""
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


def category(pair: WishPair) -> Finding | None:
    """Whether a place has a wanted category; None for lodgings, and if the wish or the places name no category.

    A place of a wider category alone does not satisfy a wish for a narrower one.
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


def describes(pair: WishPair) -> bool:
    """Whether a place's description names the wanted category in the words of the wish."""
    descriptions = [stems(affirmed_text(offer.entry.about)) for offer in pair.offers if offer.entry]
    wanted = sought_senses(pair.wish.wanted, pair.known)
    return any(all(has_phrase(text, sense.phrase) for sense in part) for text in descriptions for part in wanted)


def house_rules(pair: WishPair) -> Finding | None:
    """Whether a lodging allows what is wanted, or forbids what is unwanted; None if the wish asks for anything else.

    Everything that no rule forbids is allowed. If something is unwanted and no rule mentions it, the result is None.
    """
    topics = topics_in(pair.wish.wanted)
    if pair.slot != "lodging" or not any(offer.entry for offer in pair.offers):
        return None
    if not pair.wish.wanted:
        banned = _unwanted_topics(pair) & union(map(topics_banned_by, pair.offers))
        return Finding(True, f"the rules forbid {_comma_list(banned)}") if banned else None
    if not topics or set(informative(pair.wish.wanted, pair.slot)) - _permission():
        return None
    forbidden = topics & union(map(rules_of, pair.offers))
    return Finding(not forbidden, f"the rules {'forbid' if forbidden else 'allow'} {_comma_list(forbidden or topics)}")


def is_untold(pair: WishPair) -> bool:
    """Whether a wish only refuses things that house rules are about, and no lodging says anything about them."""
    wish = pair.wish
    if pair.slot != "lodging" or not wish.unwanted or not wish.met_by_absence or wish.most is not None:
        return False
    if not all(map(_unwanted_topics_of, wish.unwanted)) or bar_reason(pair):
        return False
    return not _unwanted_topics(pair) & union(map(topics_banned_by, pair.offers))


def _unwanted_topics(pair: WishPair) -> frozenset[str]:
    """The topics of house rules that the wish refuses."""
    return union(map(_unwanted_topics_of, pair.wish.unwanted))


def _unwanted_topics_of(thing: str) -> frozenset[str]:
    """The topics of house rules in an unwanted thing; none if the rule itself is unwanted ("no pet bans")."""
    return frozenset() if _is_forbidding(thing) or room_types(thing) else topics_in(thing)


@cache
def _permission() -> frozenset[str]:
    """The words of a wish that only asks whether something is allowed ("pets allowed")."""
    topics = {word for topic in table_of("lodging")["rules"] for phrase in phrases("rules", topic) for word in phrase}
    return frozenset(topics | {word for phrase in phrases("permission", "words") for word in phrase})


def lexical(pair: WishPair, echo: str = "") -> Finding | None:
    """Whether enough words of the wish occur in the places, in their catalogue entries, or in the text `echo`.

    None if nothing is wanted, or if the wish has no informative word.
    """
    asked = top(pair.wish.wanted, pair.slot)
    if not asked:
        return None
    there = set(stems(echo)).union(*(stems(affirmed_record(offer)) for offer in pair.offers))
    hits = [word for word in asked if word in there]
    shown = as_said(pair.wish.wanted, hits)
    return Finding(is_mention(len(hits), len(asked)), f"{len(hits)} of {len(asked)} words found ({shown})")


def semantic(pair: WishPair, likeness: Callable[[str, str], float], least: float) -> Finding | None:
    """Whether the record of a place is close enough in meaning to what is wanted.

    `least` is the smallest cosine that passes. None if nothing is wanted, or if the plan has no place for the slot.
    """
    if not pair.wish.wanted or not pair.offers:
        return None
    close, name = max((likeness(pair.wish.wanted, offer.text), offer.name) for offer in pair.offers)
    return Finding(close >= least, f"cosine {close:.3f} with {name}, {least:g} asked")


def bar_reason(pair: WishPair) -> str:
    """Why the plan cannot satisfy the wish; empty if nothing rules it out.

    The reason is an unwanted thing, a house rule against what is wanted, or a price above the limit.
    """
    for offer in pair.offers:
        for reason in _bars(pair, offer):
            return f"{offer.name}: {reason}"
    return ""


def _bars(pair: WishPair, offer: Offer) -> Iterator[str]:
    rules = rules_of(offer)
    if pair.wish.most is not None and (price := price_of(offer)) is not None and price > pair.wish.most:
        yield f"costs {price:g}, at most {pair.wish.most:g} asked"
    yield from (f"the rules forbid {topic}" for topic in topics_in(pair.wish.wanted) & rules if pair.slot == "lodging")
    for thing in pair.wish.unwanted:
        if pair.slot == "lodging" and _is_forbidding(thing):
            yield from (f"the rules forbid {topic}" for topic in topics_in(thing) & rules)
        elif pair.slot == "lodging" and (allowed := topics_in(thing) & topics_allowed_by(offer)):
            yield f"the rules allow {_comma_list(allowed)} although {thing!r} is not wanted"
        elif present := _unwanted_part(pair, offer, thing):
            yield f"{present} although {thing!r} is not wanted"


def _unwanted_part(pair: WishPair, offer: Offer, thing: str) -> str:
    """The part of an unwanted thing that a place has; empty if it has none of it."""
    if pair.slot == "lodging" and (rooms := room_types(thing)):
        return _comma_list((rooms - room_types(pair.wish.wanted)) & room_types_of(offer))
    if pair.slot != "lodging" and (kinds := named_kinds(_senses(thing, pair.known)) & _unwanted_kinds(pair)):
        return _comma_list(kinds & offered_kinds(offer, pair.known).all) or _mention(thing, offer, pair.slot)
    return _mention(thing, offer, pair.slot)


def _mention(thing: str, offer: Offer, slot: str) -> str:
    asked = informative(thing, slot)
    there = set(stems(affirmed_record(offer)))
    hits = [word for word in asked if word in there]
    return as_said(thing, hits) if is_mention(len(hits), len(asked)) else ""


def _unwanted_kinds(pair: WishPair) -> frozenset[str]:
    """The categories that are refused by name; refusing a dish does not refuse the rest of its cuisine."""
    refused = frozenset[str]().union(*(named_kinds(_senses(thing, pair.known)) for thing in pair.wish.unwanted))
    return refused - named_kinds(_senses(pair.wish.wanted, pair.known))


def _senses(text: str, known: CategoryPhrases) -> list[Sense]:
    return [sense for part in sought_senses(text, known) for sense in part]


def _is_forbidding(thing: str) -> bool:
    return any(has_phrase(stems(thing), phrase) for phrase in phrases("permission", "forbidding"))


def _absence(unwanted: dict[str, frozenset[str]]) -> Finding:
    """The finding for a wish that only refuses something."""
    for name, kinds in unwanted.items():
        if kinds:
            return Finding(False, f"{name}: {_comma_list(kinds)} is not wanted")
    return Finding(True, "nothing unwanted")


def _comma_list(names: Sequence[str] | set[str] | frozenset[str]) -> str:
    return ", ".join(sorted(names))
