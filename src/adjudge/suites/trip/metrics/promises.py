"""Whether the plan holds what the assistant promised."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.tokens import stem, stems
from adjudge.suites.trip.data import KIND_OF_SLOT, Promise, Trip
from adjudge.suites.trip.rules.dialogue import member_names
from adjudge.suites.trip.rules.places import VISIT, PlannedPlace, places_of
from adjudge.suites.trip.rules.strategies import COVERAGE, INCLUDE_BOTH, Poll, option_key, polls
from adjudge.suites.trip.rules.vocabulary import as_said, informative
from adjudge.suites.trip.rules.wishes import parse_wish

# A promise of up to three words must be found whole, of a longer one two words.
FEW_WORDS, OF_MANY = 3, 2

# When something is promised for is not what is promised.
_OCCASIONS = frozenset(
    stem(word)
    for word in "day morning noon afternoon evening night breakfast lunch brunch dinner first second third last next "
    "final today tonight tomorrow monday tuesday wednesday thursday friday saturday sunday weekend once twice include "
    "included including plan visit stop promise".split()
)


class Undertaking(Struct, frozen=True):
    """A promise with the turn in which it was made."""

    promise: Promise
    turn: str


@metric(
    "Promise",
    formula="promises whose informative words are those of a place in the plan / promises",
    unit="promise",
    better="higher",
    pool="conversations",
    probes=("promises",),
    predicts=("a dialogue", "a plan"),
    source="our own",
    english=True,
)
def promise_kept(trip: Trip) -> Iterator[Mark]:
    """Does the plan keep what the assistant promised?

    Promises are those that the record states and those that a strategy implies. A vote by approval_vote_plus_coverage
    promises the top choice of each member in the minority; include_both promises the top choice of every ballot.

    A promise is kept if a place of its slot (any place, if it names no slot) has its informative words in the name or
    in the cuisines, categories or room type of its catalogue entry. Up to three words must all be there; of four or
    more, two are enough. A promise to leave something out is kept if no place has it. Undefined without a plan, for
    slots that have no places in a plan, and for promises without informative words.
    """
    if not trip.days:
        return
    for made in undertakings(trip):
        promise = made.promise
        if promise.slot and promise.slot not in KIND_OF_SLOT:
            continue
        wanted, unwanted = _words_to_find(trip, promise)
        if wanted or unwanted:
            fault = _why_broken(list(_places_for(trip, promise.slot)), promise, wanted, unwanted)
            at = f"{promise.member}: {promise.text}" if promise.member else promise.text
            yield Mark(float(not fault), at=at, turn=made.turn, why=fault, group=promise.slot)


def undertakings(trip: Trip) -> list[Undertaking]:
    """What the assistant promised, each promise once: stated in a turn, or part of the strategy of a vote."""
    stated = _stated_promises(trip)
    implied = [Undertaking(promise, poll.turn) for poll in polls(trip) for promise in _implied_promises(trip, poll)]
    unique: dict[tuple[str, str, str], Undertaking] = {}
    for undertaking in [*stated, *implied]:
        key = (undertaking.promise.slot, option_key(undertaking.promise.member), option_key(undertaking.promise.text))
        unique.setdefault(key, undertaking)
    return list(unique.values())


def _stated_promises(trip: Trip) -> list[Undertaking]:
    """The promises in turns; one in the words of an earlier promise is the same promise, whatever its turn is about."""
    first: dict[tuple[str, str], int] = {}
    return [
        Undertaking(promise, turn.id)
        for at, turn in enumerate(trip.turns)
        for promise in turn.promises
        if first.setdefault((option_key(promise.member), option_key(promise.text)), at) == at
    ]


def _implied_promises(trip: Trip, poll: Poll) -> Iterator[Promise]:
    """What the strategy of a vote promises."""
    promised = {
        COVERAGE: {*poll.minority, *map(option_key, poll.vote.minority_members)} if poll.has_ballots else set(),
        INCLUDE_BOTH: {ballot.member for ballot in poll.election.ballots},
    }.get(poll.strategy, set())
    names = {option_key(name): name for name in member_names(trip)}
    for ballot in poll.election.ballots:
        if ballot.member in promised and ballot.top_choice:
            yield Promise(ballot.top_choice, poll.slot, names.get(ballot.member, ballot.member))


def _words_to_find(trip: Trip, promise: Promise) -> tuple[set[str], set[str]]:
    """The wanted and the unwanted words of a promise, without the names of members and occasions."""
    parsed = parse_wish(promise.text)
    passed = _OCCASIONS | {word for name in member_names(trip) for word in stems(name)}
    wanted = _distinguishing_words(parsed.wanted, promise.slot) - passed
    return wanted, {word for thing in parsed.unwanted for word in _distinguishing_words(thing, promise.slot)} - passed


def _distinguishing_words(text: str, slot: str) -> set[str]:
    """The words that distinguish places of a slot; without a slot, those that distinguish places of any slot."""
    slots = [slot] if slot else KIND_OF_SLOT
    return {
        word
        for word in informative(text)
        if not word.isdigit() and all(word in informative(text, each) for each in slots)
    }


def _places_for(trip: Trip, slot: str) -> Iterator[PlannedPlace]:
    """The places of the plan for a slot; without a slot, all places."""
    kind = KIND_OF_SLOT.get(slot)
    for placed in places_of(trip):
        sort = placed.entry.kind if placed.entry and placed.kind == VISIT else placed.kind
        if kind is None or sort in (kind, VISIT):
            yield placed


def _why_broken(places: list[PlannedPlace], promise: Promise, wanted: set[str], unwanted: set[str]) -> str:
    """Why places break a promise; empty if they keep it."""
    needed = len(wanted) if len(wanted) <= FEW_WORDS else OF_MANY
    if wanted and not any(len(wanted & _place_stems(placed)) >= needed for placed in places):
        return f"in none of {len(places)} places: {as_said(promise.text, wanted)}"
    return next((f"{placed.place.name} is in the plan" for placed in places if unwanted & _place_stems(placed)), "")


def _place_stems(placed: PlannedPlace) -> frozenset[str]:
    """The stems of all words for a place, in the plan and in the catalogue."""
    entry = placed.entry
    described = [*entry.cuisines, *entry.categories, entry.room_type, entry.name] if entry else []
    return frozenset(word for text in (placed.place.name, *described) for word in stems(text))
