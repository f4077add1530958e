"""The offers and facts in the replies of a dialogue, compared with the user's goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from adjudge.core.errors import Unanswered
from adjudge.core.memo import once
from adjudge.suites.service.data import (
    NO_PREDICTION,
    REQUESTED,
    DomainSource,
    Exchange,
    Goal,
    ServiceDialogue,
    Value,
)
from adjudge.suites.service.rules import placeholders
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.linking import Linker, linker_of
from adjudge.suites.service.rules.spelling import database_value, slot_name

Way = Literal["placeholders", "linked"]
# The state of one turn: domain -> slot -> value.
DomainState = dict[str, dict[str, str]]
STATELESS = "what placeholders offer follows from states, and none are predicted; take gold ones with --state gold"
_OFFERS = {"restaurant": "NAME", "hotel": "NAME", "attraction": "NAME", "train": "TRAINID"}
_GIVEN = frozenset(REQUESTED.values())
_REFERENCE_TOKEN = frozenset({"REFERENCE"})
_PHONE_TOKEN = frozenset({"PHONE"})
_NEEDS_NO_OFFER = frozenset({"taxi", "police", "hospital"})


@dataclass(frozen=True, slots=True)
class DialogueOutcome:
    """The result of a dialogue: how it was read, the domains with an unfit offer, the slots not given."""

    way: Way
    unfit: tuple[str, ...]
    missing: tuple[str, ...]

    def of(self, domain: str, faults: tuple[str, ...]) -> tuple[str, ...]:
        """The faults of one domain."""
        return tuple(fault for fault in faults if fault.startswith(f"{domain}:"))


@dataclass(slots=True)
class OfferEvidence:
    """What the replies of a dialogue offered last and provided so far, by domain."""

    offered: dict[str, frozenset[str]] = field(default_factory=dict)
    provided: dict[str, set[str]] = field(default_factory=dict)

    def provide(self, domain: str, tokens: frozenset[str]) -> None:
        """Add kinds of fact that a reply gives for a domain."""
        self.provided.setdefault(domain, set()).update(tokens)


@once
def outcome_of(dialogue: ServiceDialogue, db: Venues) -> DialogueOutcome:
    """The outcome of a dialogue."""
    goals = dialogue.goal or {}
    if holds_placeholders(dialogue):
        if _is_stateless(dialogue):
            raise Unanswered("no_prediction", STATELESS)
        way: Way = "placeholders"
        evidence = _from_placeholders(dialogue, db)
    else:
        way = "linked"
        evidence = _from_links(dialogue, linker_of(db))
    if _is_missing(dialogue):
        nothing = tuple(f"{domain}: no prediction" for domain in goals)
        return DialogueOutcome(way, nothing, nothing)
    unfit = [_unfit(domain, goal, evidence.offered.get(domain), db) for domain, goal in goals.items()]
    missing = [
        f"{domain}: {token} not given"
        for domain, goal in goals.items()
        for token in goal.requestable
        if token not in evidence.provided.get(domain, ())
    ]
    return DialogueOutcome(way, tuple(filter(None, unfit)), tuple(missing))


def _is_missing(dialogue: ServiceDialogue) -> bool:
    """Whether all predictions and replies are empty, as for a missing dialogue under --missing wrong."""
    predictions = [exchange.predicted for exchange in dialogue.exchanges if exchange.predicted is not None]
    is_empty = bool(predictions) and all(prediction == NO_PREDICTION for prediction in predictions)
    return is_empty and not any(exchange.reply for exchange in dialogue.exchanges)


def _is_stateless(dialogue: ServiceDialogue) -> bool:
    """Whether there are replies, but no state in any turn."""
    states = [exchange.predicted.state for exchange in dialogue.exchanges if exchange.predicted is not None]
    return all(state is None for state in states) and any(exchange.reply for exchange in dialogue.exchanges)


def holds_placeholders(dialogue: ServiceDialogue) -> bool:
    """Whether the replies hold placeholders, as the record says or else as the replies show."""
    if dialogue.placeholders is not None:
        return dialogue.placeholders != "none"
    return any(placeholders.is_delexicalised(exchange.reply) for exchange in dialogue.exchanges)


def _unfit(domain: str, goal: Goal, offered: frozenset[str] | None, db: Venues) -> str:
    """What is wrong with the offer of a domain; empty where it fits the goal."""
    if "name" in goal.informable or domain in _NEEDS_NO_OFFER:
        return ""
    if not offered:
        is_trip_without_id = domain == "train" and "TRAINID" not in goal.requestable
        return "" if is_trip_without_id else f"{domain}: no offer"
    wrong = len(offered - db.query(domain, goal.informable))
    what = "trains" if domain == "train" else "venues"
    return f"{domain}: {wrong} of {len(offered)} {what} on offer do not fit the goal" if wrong else ""


def _from_placeholders(dialogue: ServiceDialogue, db: Venues) -> OfferEvidence:
    evidence = OfferEvidence()
    exchanges, goals = dialogue.exchanges, dialogue.goal or {}
    states = _states(exchanges)
    bookings_known = _bookings_known(exchanges)
    for exchange, state, active in zip(exchanges, states, reply_domains(dialogue, states), strict=True):
        tokens = placeholders.tokens(exchange.reply)
        for domain in active if tokens else ():
            if domain not in goals:
                continue
            if _OFFERS.get(domain) in tokens:
                _offer(evidence, domain, db.query(domain, state[domain]) if domain in state else frozenset())
            evidence.provide(domain, tokens & _GIVEN)
            if "REFERENCE" in tokens and _is_booked(domain, exchange, bookings_known):
                evidence.provide(domain, _REFERENCE_TOKEN)
    return evidence


def _offer(evidence: OfferEvidence, domain: str, venues: frozenset[str]) -> None:
    """Replace the offer unless all venues on offer are among the new ones."""
    offered = evidence.offered.get(domain)
    if not offered or not offered <= venues:
        evidence.offered[domain] = venues


def _from_links(dialogue: ServiceDialogue, linker: Linker) -> OfferEvidence:
    evidence = OfferEvidence()
    exchanges = dialogue.exchanges
    bookings_known = _bookings_known(exchanges)
    last = ""
    for exchange, active in zip(exchanges, reply_domains(dialogue, _states(exchanges)), strict=True):
        links = linker.link(exchange.reply)
        last = links.last or last
        evidence.offered.update(links.venues)
        for domain, tokens in links.tokens.items():
            evidence.provide(domain, tokens)
        for domain in active or (last,):
            if "REFERENCE" in links.loose and _is_booked(domain, exchange, bookings_known):
                evidence.provide(domain, _REFERENCE_TOKEN)
            if "PHONE" in links.loose and domain == "taxi":
                evidence.provide(domain, _PHONE_TOKEN)
    return evidence


def reply_domains(dialogue: ServiceDialogue, states: Sequence[DomainState]) -> list[tuple[str, ...]]:
    """The domains each reply is about.

    They are predicted, or those that placeholders name, or estimated from the changes of the state.
    """
    exchanges = dialogue.exchanges
    source = domain_source_of(dialogue)
    if source == "predicted":
        return [(exchange.predicted and exchange.predicted.domains) or () for exchange in exchanges]
    if source == "placeholders":
        return [placeholders.domains_in(exchange.reply) for exchange in exchanges]
    return _estimated_domains([_database_values(state) for state in states])


def domain_source_of(dialogue: ServiceDialogue) -> DomainSource:
    """Where the domains of a dialogue's replies come from: as the record says, else as its predictions suggest."""
    if dialogue.domain_source is not None:
        return dialogue.domain_source
    domains = [exchange.predicted.domains for exchange in dialogue.exchanges if exchange.predicted is not None]
    if domains and None not in domains:
        return "predicted"
    return "placeholders" if dialogue.placeholders == "prefixed" else "state"


def _estimated_domains(states: Sequence[DomainState]) -> list[tuple[str, ...]]:
    """The domain of each turn: one whose state gained a value, else the domain of the turn before.

    If several domains changed in a turn and none in the next, the first of the others becomes the current one. This
    is the estimate behind the published Inform and Success values.
    """
    active: list[tuple[str, ...]] = []
    current = ""
    before: DomainState = {}
    changed: list[str] = []
    for state in states:
        waiting = [domain for domain in changed if domain in state and domain != current]
        was_shared = len(changed) > 1
        changed = _domains_that_gained(state, before)
        if not changed and was_shared and waiting:
            current = waiting[0]
        elif changed and current not in changed:
            current = max(changed, key=lambda domain: len(state[domain]))
        active.append((current,) if current else ())
        before = state
    return active


def _domains_that_gained(state: DomainState, before: DomainState) -> list[str]:
    return [domain for domain, pairs in state.items() if not pairs.items() <= before.get(domain, {}).items()]


def _states(exchanges: Sequence[Exchange]) -> list[DomainState]:
    """The predicted state of each turn; a turn that says nothing of the state keeps the one before."""
    states: list[DomainState] = []
    state: DomainState = {}
    for exchange in exchanges:
        if exchange.predicted is not None and exchange.predicted.state is not None:
            state = _by_domain(exchange.predicted.state)
        states.append(state)
    return states


def _by_domain(flat: Mapping[str, Value]) -> DomainState:
    """The state by domain; `hotel-` without a slot is a domain that is there and empty."""
    state: DomainState = {}
    for key, value in flat.items():
        first = value if isinstance(value, str) else next(iter(value), None)
        domain, slot = _domain_and_slot(key)
        slots = state.setdefault(domain, {})
        if slot and first is not None:
            slots[slot] = first
    return state


def _database_values(state: DomainState) -> DomainState:
    return {
        domain: {slot: database_value(slot, value) for slot, value in slots.items()} for domain, slots in state.items()
    }


@lru_cache(maxsize=4096)
def _domain_and_slot(key: str) -> tuple[str, str]:
    domain, _, slot = key.partition("-")
    return domain.lower(), slot_name(slot)


def _bookings_known(exchanges: Sequence[Exchange]) -> bool:
    return any(exchange.gold is not None and exchange.gold.booked is not None for exchange in exchanges)


def _is_booked(domain: str, exchange: Exchange, bookings_known: bool) -> bool:
    if exchange.booked is not None:
        return domain in exchange.booked
    if not bookings_known:
        return True
    return exchange.gold is not None and domain in (exchange.gold.booked or ())
