"""Which domain each part of an utterance is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudge.systems.service.mentions import Mention, UserUtterance

# The slots of each domain that a user can fill.
SLOTS = {
    "restaurant": ("food", "area", "pricerange", "name", "bookday", "bookpeople", "booktime"),
    "hotel": (
        *("type", "area", "pricerange", "stars", "internet", "parking", "name"),
        *("bookday", "bookpeople", "bookstay"),
    ),
    "attraction": ("type", "area", "name"),
    "train": ("departure", "destination", "day", "leaveat", "arriveby", "bookpeople"),
    "taxi": ("departure", "destination", "leaveat", "arriveby"),
    "hospital": ("department",),
    "police": (),
}
# Slots under the name that a domain has for them, where it differs from the one users speak of.
_LOCAL = {
    ("hotel", "day"): "bookday",
    ("restaurant", "day"): "bookday",
    ("restaurant", "time"): "booktime",
    ("hotel", "hotel-type"): "type",
    ("attraction", "attraction-type"): "type",
}
# Slots that belong to one domain, so that a value for them says which domain is meant.
_OWNERS = {
    "food": "restaurant",
    "stars": "hotel",
    "internet": "hotel",
    "parking": "hotel",
    "bookstay": "hotel",
    "hotel-type": "hotel",
    "attraction-type": "attraction",
    "department": "hospital",
}

_ENDS = frozenset(("departure", "destination"))


class Cue(NamedTuple):
    """A word that says which domain is meant; `firm` where it opens a domain rather than points back to one."""

    domain: str
    place: int
    sentence: int
    firm: bool


class Routing(NamedTuple):
    """The cues of an utterance, the domain in focus before it, and the one in focus after it."""

    cues: tuple[Cue, ...]
    before: str
    focus: str

    def domain_for(self, slot: str, mention: Mention) -> str:
        """The domain whose slot a mention fills; empty where no domain in question has such a slot."""
        if slot in _OWNERS:
            return _OWNERS[slot]
        able = [domain for domain in SLOTS if local_slot(domain, slot)]
        beside = [cue for cue in self.cues if cue.sentence == mention.sentence and cue.domain in able]
        firm = [cue for cue in beside if cue.firm] or beside
        if firm:
            return min(firm, key=lambda cue: _distance(cue, mention)).domain
        earlier = [cue.domain for cue in self.cues if cue.firm and cue.place < mention.start and cue.domain in able]
        for domain in (*earlier[-1:], self.before, self.focus):
            if domain in able:
                return domain
        return ""

    def opened_domain(self, slot: str, mention: Mention) -> str:
        """As `domain_for`, without the domains that are only pointed back to: "in the same area as the hotel"."""
        return self._replace(cues=tuple(cue for cue in self.cues if cue.firm)).domain_for(slot, mention)

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that the utterance is about, the one in focus last."""
        firm = [cue.domain for cue in self.cues if cue.firm and cue.domain != self.focus]
        return tuple(dict.fromkeys([*firm, self.focus])) if self.focus else ()


def local_slot(domain: str, slot: str) -> str:
    """The name that a domain has for a slot; empty where it has no such slot."""
    name = _LOCAL.get((domain, slot), slot)
    return name if name in SLOTS.get(domain, ()) else ""


def route(utterance: UserUtterance, focus: str, asked: frozenset[str]) -> Routing:
    """The routing of an utterance that follows a reply about `focus` which asked for some slots."""
    cues = tuple(sorted(_cues(utterance, focus, asked), key=lambda cue: cue.place))
    firm = [cue for cue in cues if cue.firm]
    last = firm[-1].domain if firm else focus
    if any(cue.domain == "taxi" for cue in firm):
        last = "taxi"
    if not firm and not focus and cues:
        last = cues[-1].domain
    return Routing(cues, focus, last)


def _cues(utterance: UserUtterance, focus: str, asked: frozenset[str]) -> Iterable[Cue]:
    opens_ride = any(mention.meaning.slot == "taxi" for mention in utterance.of("domains"))
    for mention in utterance.mentions:
        kind, slot, _ = mention.meaning
        is_end = slot in _ENDS or not _ENDS.isdisjoint(asked)
        is_ride = opens_ride or (focus == "taxi" and is_end)
        if kind == "domains":
            yield Cue(slot, mention.start, mention.sentence, firm=True)
        elif slot in _OWNERS and kind in ("values", "slots"):
            yield Cue(_OWNERS[slot], mention.start, mention.sentence, firm=True)
        for place in mention.places:
            if place.kind in ("name", "pointer"):
                yield Cue(place.slot, mention.start, mention.sentence, firm=place.kind == "name" and not is_ride)


def _distance(cue: Cue, mention: Mention) -> float:
    """How far a cue stands from a mention; of two as near, the one that follows counts."""
    return abs(cue.place - mention.start) - (0.5 if cue.place >= mention.start else 0)
