"""The claims of a dialogue's replies, and those that neither the database nor a result of the dialogue confirms."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from adjudge.core.memo import once
from adjudge.suites.service.data import Annotation, Exchange, ServiceDialogue
from adjudge.suites.service.rules.actions import Actions
from adjudge.suites.service.rules.claims import ReplyClaim, claims_of
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
    return list(_check_all(sides, _Past(db, actions, tuple(dialogue.goal or ()))))


@once
def checked_references(dialogue: ServiceDialogue, db: Venues, actions: Actions) -> list[CheckedReply]:
    """The gold replies that make claims; none where the arm's replies are not checked either."""
    if holds_placeholders(dialogue):
        return []
    sides = [(exchange, exchange.reference, exchange.gold) for exchange in dialogue.exchanges]
    return list(_check_all(sides, _Past(db, actions, tuple(dialogue.goal or ()))))


class _Past:
    """What a dialogue has brought up so far, against which the claims of the next reply are checked.

    Most claims are confirmed by a row of the database alone, so texts are read only when a claim asks for them.
    `goals` are the domains of the user's goal. `is_booked` says whether something was booked: None where nobody
    annotates bookings or actions.
    """

    def __init__(self, db: Venues, actions: Actions, goals: tuple[str, ...]) -> None:
        self.db = db
        self.goals = goals
        self.is_booked: bool | None = None
        self._actions = actions
        self._linker = linker_of(db)
        self._turns: list[tuple[Exchange, str]] = []
        self._words: list[set[str]] = []
        self._named: dict[str, set[str]] = {}
        self._linked = 0

    def add(self, exchange: Exchange, reply: str, side: Annotation | None) -> None:
        """Take in an exchange with its reply and what the replying side annotates."""
        self._turns.append((exchange, reply))
        booked = exchange.gold.booked if exchange.gold is not None else None
        if booked is not None:
            self.is_booked = bool(self.is_booked or booked)
        if side is not None and (side.action is not None or side.acts is not None):
            self.is_booked = bool(self.is_booked or "book" in self._actions.of(side))

    def mentions(self, words: set[str]) -> bool:
        """Whether one of the words was spoken, tracked as a name or part of a result."""
        _, reply = self._turns[-1]
        return not words.isdisjoint(words_of(reply)) or any(
            not words.isdisjoint(turn) for turn in self._words_by_turn()
        )

    def named_venues(self, domain: str) -> set[str]:
        """The ids of the venues of a domain that were named or tracked."""
        for exchange, reply in self._turns[self._linked :]:
            for text in (exchange.user, reply, " ".join(_tracked_names(exchange))):
                for place, ids in self._linker.link(text).venues.items():
                    self._named.setdefault(place, set()).update(ids)
        self._linked = len(self._turns)
        return self._named.get(domain, set())

    def confirms(self, claim: ReplyClaim) -> bool:
        """Whether the user or a result said what is claimed."""
        wanted = f" {_plain(claim.text)} "
        texts = (text for exchange, _ in self._turns for text in (exchange.user, " ".join(_results(exchange))))
        return any(wanted in f" {_plain(text)} " for text in texts if text)

    def has_taxi(self) -> bool:
        """Whether a taxi came up."""
        if any(TAXI in exchange.active for exchange, _ in self._turns):
            return True
        return any(map(self._linker.speaks_of_taxi, self._words_by_turn()))

    def _words_by_turn(self) -> list[set[str]]:
        for exchange, reply in self._turns[len(self._words) :]:
            texts = (exchange.user, reply, *_tracked_names(exchange), *_results(exchange))
            self._words.append(set(words_of(" ".join(texts))))
        return self._words


def _check_all(sides: list[tuple[Exchange, str, Annotation | None]], past: _Past) -> Iterator[CheckedReply]:
    facts = facts_of(past.db)
    for exchange, reply, side in sides:
        past.add(exchange, reply, side)
        claims = [claim for claim in claims_of(reply) if _is_checkable(claim, exchange, past)]
        if claims:
            faults = [_fault(claim, past, facts) for claim in claims]
            yield CheckedReply(exchange, len(claims), tuple(fault for fault in faults if fault))


def _is_checkable(claim: ReplyClaim, exchange: Exchange, past: _Past) -> bool:
    """Whether there is something to check a claim against: bookings, or a database of the turn's domains.

    Where gold does not say what a turn is about, the domains of the goal count. Where neither does, the database may be
    about something else.
    """
    if claim.kind == "reference":
        return past.is_booked is not None
    domains = exchange.active or past.goals
    return bool(domains) and all(domain in past.db.rows for domain in domains if domain != TAXI)


def _fault(claim: ReplyClaim, past: _Past, facts: Facts) -> str:
    """What is wrong with a claim; empty where something confirms it."""
    fault = _CHECKS.get(claim.kind, _fault_of_fact)(claim, past, facts)
    return "" if fault and past.confirms(claim) else fault


def _fault_of_reference(claim: ReplyClaim, past: _Past, facts: Facts) -> str:
    return "" if past.is_booked else f"reference {claim.text} without a booking"


def _fault_of_venue(claim: ReplyClaim, past: _Past, facts: Facts) -> str:
    return "" if facts.knows_venue(claim.text) else f"no venue {claim.text} in the database"


def _fault_of_fact(claim: ReplyClaim, past: _Past, facts: Facts) -> str:
    owners = facts.owners(claim)
    if any(_is_spoken_of(owner, past, facts) for owner in owners):
        return ""
    if claim.kind == "phone" and past.has_taxi():
        return ""  # The number of a taxi is in no database.
    if not owners:
        return f"no {claim.kind} {claim.text} in the database"
    return f"{claim.kind} {claim.text} is that of {min(owner.name for owner in owners)}, which nobody named"


def _is_spoken_of(owner: Owner, past: _Past, facts: Facts) -> bool:
    """Whether the dialogue may mean this row: a word of it was said, it was named, or no venue of its domain was."""
    words = facts.distinctive_words(owner.name)
    if not words or past.mentions(words):
        return True
    named = past.named_venues(owner.domain)
    return not named or owner.id in named


_CHECKS: dict[str, Callable[[ReplyClaim, _Past, Facts], str]] = {
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
