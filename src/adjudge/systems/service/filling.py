"""The slots that the mentions of an utterance fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adjudge.suites.service.rules.values import DONTCARE
from adjudge.systems.service.lexicon import NUMBER, PLACE, TIME, Lexicon
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.mentions import Mention, UserUtterance
from adjudge.systems.service.routing import Routing, local_slot

Pairs = Iterator[tuple[str, str]]
# A turn of so many words at most is a short answer.
_SHORT = 8
# Slots in which a user may have no preference.
_OPTIONAL = ("area", "pricerange", "food", "type", "stars", "internet", "parking")
# Fewer than in English: "Nothing in the north?" and "There are none" ask and refuse nothing.
_NEGATIONS = frozenset(("not", "no", "without"))


class TurnContext(NamedTuple):
    """What is known before a turn: memory, the venues named so far, and the slots that the system just asked for."""

    memory: DialogueMemory
    offered: Mapping[str, str]
    asked: frozenset[str]
    lexicon: Lexicon

    def venue(self, domain: str) -> str:
        """The venue of a domain: the one the user chose, else the one last named."""
        chosen = self.memory.state.get(f"{domain}-name", "")
        return chosen if chosen and chosen != DONTCARE else self.offered.get(domain, "")


def pairs_of(mention: Mention, utterance: UserUtterance, routing: Routing, known: TurnContext) -> Pairs:
    """The slots that a mention fills, with their values."""
    kind, slot, _ = mention.meaning
    if kind == "values" and _is_question(mention, utterance, known):
        return
    if kind == "values":
        yield from _fill(routing, mention, slot, _value(mention, utterance))
    elif kind == "slots" and slot in ("departure", "destination"):
        yield from _end_of_trip(slot, mention, utterance, routing, known)
    elif kind == "slots":
        yield from _fill(routing, mention, slot, mention.value)
    elif kind == "single":
        yield from _fill(routing, mention, slot, "1")
    elif kind == "same":
        yield from _repeat(slot, mention, utterance, routing, known)
    elif kind == "bare":
        yield from _bare(slot, mention, utterance, routing, known)


def no_preferences(utterance: UserUtterance, routing: Routing, known: TurnContext, filled: Mapping[str, str]) -> Pairs:
    """The slots in which the user has no preference."""
    for mention in utterance.of("any"):
        beside = [word for word in utterance.of("words") if word.sentence == mention.sentence]
        slots = [word.meaning.slot for word in beside if word.meaning.slot in _OPTIONAL]
        is_answer = mention.meaning.slot == "firmly" or len(utterance.tokens) <= _SHORT
        if mention.meaning.slot == "firmly" and slots:
            named = slots
        elif is_answer and not filled:
            named = [slot for slot in _OPTIONAL if slot in known.asked]
        else:
            continue
        for slot in named:
            local = local_slot(routing.focus, slot)
            if local and f"{routing.focus}-{local}" not in filled:
                yield f"{routing.focus}-{local}", DONTCARE


def _is_question(mention: Mention, utterance: UserUtterance, known: TurnContext) -> bool:
    """Whether a turn asks if the hotel on offer has wifi or parking, rather than wanting one that has."""
    if mention.meaning.slot not in ("internet", "parking") or not known.venue("hotel"):
        return False
    return any(word.meaning.slot == "has" and word.sentence == mention.sentence for word in utterance.of("yes"))


def _fill(routing: Routing, mention: Mention, slot: str, value: str) -> Pairs:
    domain = routing.domain_for(slot, mention)
    local = local_slot(domain, slot)
    if local and value:
        yield f"{domain}-{local}", value


def _value(mention: Mention, utterance: UserUtterance) -> str:
    if mention.meaning.slot in ("internet", "parking") and is_negated(mention, utterance):
        return "no"
    return "" if is_negated(mention, utterance) else mention.value


def is_negated(mention: Mention, utterance: UserUtterance) -> bool:
    """Whether one of the three words before a mention negates it."""
    before = utterance.tokens[max(0, mention.start - 3) : mention.start]
    return any(token.word in _NEGATIONS for token in before)


def _end_of_trip(slot: str, mention: Mention, utterance: UserUtterance, routing: Routing, known: TurnContext) -> Pairs:
    """A departure or destination: a station for trains, any place for taxis; else a venue's name."""
    if utterance.tokens[mention.start].word == "and" and not any(token.word == "between" for token in utterance.tokens):
        yield from _name(mention, routing)
        return
    station = next((place.value for place in mention.places if place.slot == "station"), "")
    domain = routing.domain_for(slot, mention)
    if domain == "train" and station:
        yield f"train-{slot}", station.removesuffix(" station").removesuffix(" train")
    elif domain == "taxi":
        place = _place_for_taxi(mention, known)
        if place:
            yield f"taxi-{slot}", place
    elif not station:
        yield from _name(mention, routing)


def _place_for_taxi(mention: Mention, known: TurnContext) -> str:
    for place in mention.places:
        if place.kind == "pointer":
            return known.venue(place.slot)
    return mention.value


def _name(mention: Mention, routing: Routing) -> Pairs:
    venues = [place for place in mention.places if place.kind == "name"]
    if not venues:
        return
    fitting = [place for place in venues if place.slot == routing.focus] or venues
    yield f"{fitting[0].slot}-name", fitting[0].value


def _repeat(slot: str, mention: Mention, utterance: UserUtterance, routing: Routing, known: TurnContext) -> Pairs:
    """A value that another domain has already: "the same area as the hotel"."""
    if slot == "departure":
        yield from _ride_ends(mention, utterance, known)
        return
    if slot == "arriveby":
        if routing.focus == "taxi" and "restaurant-booktime" in known.memory.state:
            yield "taxi-arriveby", known.memory.state["restaurant-booktime"]
        return
    domain = routing.opened_domain(slot, mention)
    pointed = [cue.domain for cue in routing.cues if cue.sentence == mention.sentence and not cue.firm]
    recent = [other for other in reversed(known.memory.order) if other != domain]
    for other in (*pointed, *recent):
        value = _value_of(other, slot, known)
        if other != domain and value and local_slot(domain, slot):
            yield f"{domain}-{local_slot(domain, slot)}", value
            return


def _value_of(domain: str, slot: str, known: TurnContext) -> str:
    value = known.memory.state.get(f"{domain}-{local_slot(domain, slot)}", "")
    if slot == "area" and value in ("", DONTCARE):
        return known.lexicon.areas.get(known.venue(domain), "")
    return value


def _ride_ends(mention: Mention, utterance: UserUtterance, known: TurnContext) -> Pairs:
    """Both ends of a taxi ride between the venues mentioned before: from the one to be left, else from the first."""
    venues = [domain for domain in known.memory.order if known.venue(domain)][-2:]
    if len(venues) < 2:
        return
    left = [place.slot for other in utterance.mentions if other.meaning.slot == "departure" for place in other.places]
    if left[:1] == venues[1:]:
        venues.reverse()
    yield "taxi-departure", known.venue(venues[0])
    yield "taxi-destination", known.venue(venues[1])


def _bare(sense: str, mention: Mention, utterance: UserUtterance, routing: Routing, known: TurnContext) -> Pairs:
    """A time, a place or a number without a phrase that says what it is for."""
    if sense == TIME:
        yield from _time(mention, utterance, routing, known)
    elif sense == PLACE:
        yield from _bare_place(mention, utterance, routing, known)
    elif sense == NUMBER and len(utterance.tokens) <= _SHORT:
        for slot in ("bookpeople", "bookstay", "stars"):
            if slot in known.asked:
                yield from _fill(routing, mention, slot, mention.value)
                return


def _time(mention: Mention, utterance: UserUtterance, routing: Routing, known: TurnContext) -> Pairs:
    domain = routing.domain_for("time", mention)
    ride = routing.domain_for("leaveat", mention)
    if domain == "restaurant" and ride not in (routing.focus, "train", "taxi"):
        yield "restaurant-booktime", mention.value
    elif ride:
        yield f"{ride}-{_direction(mention, utterance, known)}", mention.value


def _direction(mention: Mention, utterance: UserUtterance, known: TurnContext) -> str:
    """Whether a time is one to leave at or to arrive by: the nearest verb before it says so, else its preposition."""
    before = [word for word in utterance.mentions if word.end <= mention.start and word.sentence == mention.sentence]
    verbs = [verb for word in before if (verb := _verb(word, utterance))]
    prepositions = [word.meaning.slot for word in before if word.meaning.kind == "around"]
    if verbs or prepositions:
        return (verbs or prepositions)[-1]
    return "arriveby" if "arriveby" in known.asked and "leaveat" not in known.asked else "leaveat"


def _verb(word: Mention, utterance: UserUtterance) -> str:
    """Whether a mention speaks of leaving or of arriving, alone or with a place: "leave the hotel"; else empty."""
    if word.meaning.kind == "times":
        return word.meaning.slot
    if word.meaning.kind != "slots" or utterance.tokens[word.start].word in ("from", "to"):
        return ""
    return {"departure": "leaveat", "destination": "arriveby"}.get(word.meaning.slot, "")


def _bare_place(mention: Mention, utterance: UserUtterance, routing: Routing, known: TurnContext) -> Pairs:
    domain = routing.focus
    if domain in ("train", "taxi"):
        asked = [slot for slot in ("departure", "destination") if slot in known.asked]
        if len(asked) == 1:
            yield from _end_of_trip(asked[0], mention, utterance, routing, known)
            return
    if any(place.kind == "name" for place in mention.places):
        yield from _name(mention, routing)
