"""The claims of a dialogue's replies, and those that neither the database nor a result of the dialogue confirms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from msgspec import Struct

from adjudge.core.memo import once
from adjudge.suites.service.data import Annotation, Exchange, ServiceDialogue
from adjudge.suites.service.rules.actions import Actions
from adjudge.suites.service.rules.claims import Claim, claims_of
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.facts import Facts, Owner, facts_of
from adjudge.suites.service.rules.linking import linker_of
from adjudge.suites.service.rules.offers import holds_placeholders
from adjudge.suites.service.rules.phrases import words_of

TAXI = "taxi"


class CheckedReply(Struct, frozen=True, gc=False):
    """A reply with at least one claim: how many it makes, and a phrase for each that nothing confirms."""

    exchange: Exchange
    claims: int
    invented: tuple[str, ...]


@once
def checked_replies(dialogue: ServiceDialogue, db: Venues, actions: Actions) -> list[CheckedReply]:
    """The arm's replies that make claims; none where replies hold placeholders, which claim nothing."""
    if holds_placeholders(dialogue):
        return []
    sides = [(exchange, exchange.reply, exchange.predicted) for exchange in dialogue.exchanges]
    return list(_check_all(sides, db, actions))


@once
def checked_references(dialogue: ServiceDialogue, db: Venues, actions: Actions) -> list[CheckedReply]:
    """The gold replies that make claims."""
    sides = [(exchange, exchange.reference, exchange.gold) for exchange in dialogue.exchanges]
    return list(_check_all(sides, db, actions))


@dataclass(slots=True)
class _Knowledge:
    """What a dialogue has brought up so far, against which the claims of the next reply are checked.

    `heard` is the text of the user and of results, `words` all words spoken or tracked as names, `named` the ids of the
    venues that were named by domain, `has_taxi` whether a taxi came up, `is_booked` whether something was booked (None
    where nobody annotates bookings or actions).
    """

    db: Venues
    actions: Actions
    heard: str = ""
    words: set[str] = field(default_factory=set)
    named: dict[str, set[str]] = field(default_factory=dict)
    has_taxi: bool = False
    is_booked: bool | None = None

    def add(self, exchange: Exchange, reply: str, side: Annotation | None) -> None:
        """Take in an exchange with its reply and what the replying side annotates."""
        links = linker_of(self.db)
        results = " ".join(_results(exchange))
        self.heard += f" {_plain(exchange.user)} {_plain(results)} "
        names = " ".join(_tracked_names(exchange))
        self.words.update(words_of(f"{exchange.user} {reply} {results} {names}"))
        for text in (exchange.user, reply, names):
            for domain, ids in links.link(text).venues.items():
                self.named.setdefault(domain, set()).update(ids)
        self.has_taxi = self.has_taxi or TAXI in exchange.active or links.speaks_of_taxi(self.words)
        self._add_booking(exchange, side)

    def _add_booking(self, exchange: Exchange, side: Annotation | None) -> None:
        booked = exchange.gold.booked if exchange.gold is not None else None
        if booked is not None:
            self.is_booked = bool(self.is_booked or booked)
        if side is not None and (side.action is not None or side.acts is not None):
            self.is_booked = bool(self.is_booked or "book" in self.actions.of(side))


def _check_all(
    sides: list[tuple[Exchange, str, Annotation | None]], db: Venues, actions: Actions
) -> Iterator[CheckedReply]:
    known = _Knowledge(db, actions)
    facts = facts_of(db)
    for exchange, reply, side in sides:
        known.add(exchange, reply, side)
        claims = [claim for claim in claims_of(reply) if _is_checkable(claim, exchange, known)]
        if claims:
            faults = (_fault(claim, known, facts) for claim in claims)
            yield CheckedReply(exchange, len(claims), tuple(fault for fault in faults if fault))


def _is_checkable(claim: Claim, exchange: Exchange, known: _Knowledge) -> bool:
    """Whether there is something to check a claim against: bookings, or a database of the turn's domains."""
    if claim.kind == "reference":
        return known.is_booked is not None
    if claim.kind == "train":
        return "train" in known.db.rows
    return all(domain in known.db.rows for domain in exchange.active if domain != TAXI)


def _fault(claim: Claim, known: _Knowledge, facts: Facts) -> str:
    """What is wrong with a claim; empty where something confirms it."""
    if f" {_plain(claim.text)} " in known.heard:
        return ""
    return _CHECKS.get(claim.kind, _fault_of_fact)(claim, known, facts)


def _fault_of_reference(claim: Claim, known: _Knowledge, facts: Facts) -> str:
    return "" if known.is_booked else f"reference {claim.text} without a booking"


def _fault_of_venue(claim: Claim, known: _Knowledge, facts: Facts) -> str:
    return "" if facts.knows_venue(claim.text) else f"no venue {claim.text} in the database"


def _fault_of_fact(claim: Claim, known: _Knowledge, facts: Facts) -> str:
    if claim.kind == "phone" and known.has_taxi:
        return ""  # The number of a taxi is in no database.
    owners = facts.owners(claim)
    if not owners:
        return f"no {claim.kind} {claim.text} in the database"
    if any(_is_spoken_of(owner, known, facts) for owner in owners):
        return ""
    return f"{claim.kind} {claim.text} is that of {min(owner.name for owner in owners)}, which nobody named"


def _is_spoken_of(owner: Owner, known: _Knowledge, facts: Facts) -> bool:
    """Whether the dialogue may mean this row: it was named, a word of it was said, or no venue of its domain was."""
    named = known.named.get(owner.domain)
    if not named or owner.id in named:
        return True
    words = facts.distinctive_words(owner.name)
    return not words or not words.isdisjoint(known.words)


_CHECKS: dict[str, Callable[[Claim, _Knowledge, Facts], str]] = {
    "reference": _fault_of_reference,
    "venue": _fault_of_venue,
}


def _results(exchange: Exchange) -> Iterator[str]:
    """What the turn brought to light: values in the gold acts of the reply, and what tools returned."""
    if exchange.gold is not None:
        for pairs in (exchange.gold.acts or {}).values():
            yield from (value for _, value in pairs)
    yield from exchange.results


def _tracked_names(exchange: Exchange) -> Iterator[str]:
    for side in (exchange.gold, exchange.predicted):
        for slot, value in ((side.state if side is not None else None) or {}).items():
            if slot.endswith("-name"):
                yield from (value,) if isinstance(value, str) else value


def _plain(text: str) -> str:
    return " ".join(words_of(text))
