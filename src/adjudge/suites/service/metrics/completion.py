"""Whether the customer got what they came for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.suites.service.data import REQUESTED, Annotation, ServiceDialogue, domain_of
from adjudge.suites.service.rules.actions import Actions
from adjudge.suites.service.rules.booking import booked_domains, bookings
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.linking import linker_of
from adjudge.suites.service.rules.placeholders import tokens
from adjudge.suites.service.rules.policy import Policy
from adjudge.suites.service.rules.replies import CheckedReply, checked_references, checked_replies

SOURCE = "Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 10 Task Completion Rate"

_SLOTS = {token: slot for slot, token in REQUESTED.items()}
# Slots as dialogue acts abbreviate them.
_ACT_SLOTS = {
    "addr": "address",
    "post": "postcode",
    "id": "trainid",
    "reference": "ref",
    "fee": "entrancefee",
}
# How natural replies write these slots: 01223 351880, cb2 1uj, TR1234.
_TEXT = {
    "phone": re.compile(r"\b0\d{3,4} ?\d{6}\b"),
    "postcode": re.compile(r"\b[a-z]{1,2}\d{1,2}[a-z]? ?\d[a-z]{2}\b", re.IGNORECASE),
    "trainid": re.compile(r"\btr\d{4}\b", re.IGNORECASE),
}


class SideTurn(NamedTuple):
    """What one side, the arm or gold, did in one exchange, and the domains that the exchange is about."""

    annotation: Annotation
    reply: str
    active: tuple[str, ...]


class SideTotals(NamedTuple):
    """What one side did in a dialogue: its turns, the domains it booked, and what it did wrong on the way.

    `faults` are the booking rules it broke and the claims of its replies that nothing confirms.
    """

    turns: list[SideTurn]
    booked: set[str]
    faults: list[str]


@metric(
    "TaskCompletion",
    formula=(
        "dialogue: every wanted booking made with all required slots, all requested information given, no policy "
        "violation, no invented fact in a reply; dataset: mean over dialogues"
    ),
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("end-to-end",),
    predicts=("action", "state"),
    source=SOURCE,
    departs="Bookings are checked for each service that is to be booked, not for every service of the dialogue.",
    primary=True,
    version=2,
)
def task_completion(
    dialogue: ServiceDialogue, policy: Policy, actions: Actions, db: Venues | None = None
) -> Iterator[Mark]:
    """Did the customer reach their goal by the end of the dialogue?

    The bookings and the information come from the dialogue's goal, or else from its gold intents and requested slots.
    Information counts as given if an act or the reply contains it; addresses in a reply are recognised with the
    database. With a database, a reply that states a venue or a fact that does not exist makes the dialogue incomplete
    (see reply_hallucination). A dialogue without a goal is undefined. Read the value against task_completion_ceiling.
    """
    turns = [SideTurn(it.predicted, it.reply, it.active) for it in dialogue.exchanges if it.predicted is not None]
    if turns:
        made = bookings(dialogue, policy, actions)
        booked = {domain for booking in made for domain in booking.domains}
        faults = [fault for booking in made for fault in booking.broken]
        faults += _unconfirmed_claims(checked_replies(dialogue, db, actions)) if db is not None else []
        yield from _completion(dialogue, SideTotals(turns, booked, faults), policy, db)


@metric(
    "TaskCompletion-ceiling",
    formula="task_completion of the gold replies themselves",
    unit="conversation",
    better="neither",
    pool="conversations",
    probes=("end-to-end",),
    source=SOURCE,
    version=2,
)
def task_completion_ceiling(
    dialogue: ServiceDialogue, policy: Policy, actions: Actions, db: Venues | None = None
) -> Iterator[Mark]:
    """What would the gold replies score under the same rule?

    Not every user of a dataset books everything in their goal, so no system can be expected to exceed this value.
    """
    turns = [(it, it.gold) for it in dialogue.exchanges if it.gold is not None]
    if any(gold.acts is not None for _, gold in turns):
        booked = {domain for exchange, gold in turns for domain in booked_domains(exchange, gold, actions)}
        faults = _unconfirmed_claims(checked_references(dialogue, db, actions)) if db is not None else []
        side = SideTotals([SideTurn(gold, it.reference, it.active) for it, gold in turns], booked, faults)
        yield from _completion(dialogue, side, policy, db)


def _completion(dialogue: ServiceDialogue, side: SideTotals, policy: Policy, db: Venues | None) -> Iterator[Mark]:
    wanted, questions = bookings_wanted(dialogue, policy), information_wanted(dialogue)
    if not wanted and not questions:
        return
    faults = side.faults + [f"{domain} not booked" for domain in wanted if domain not in side.booked]
    faults += _lacking_slots([domain for domain in wanted if domain in side.booked], side, policy)
    faults += [f"{domain}: {slot} not given" for domain, slot in questions if not _is_given(side, domain, slot, db)]
    group = "+".join(sorted({*wanted, *(domain for domain, _ in questions)}))
    yield Mark(float(not faults), "", "", "; ".join(faults), group)


def _unconfirmed_claims(replies: list[CheckedReply]) -> list[str]:
    """What replies claim and nothing confirms."""
    return [fault for reply in replies for fault in reply.invented]


@once
def bookings_wanted(dialogue: ServiceDialogue, policy: Policy) -> list[str]:
    """The domains the user wants booked and the policy has a rule for."""
    if dialogue.goal:
        wanted = [domain for domain, goal in dialogue.goal.items() if goal.booking.keys() - {"invalid"}]
    else:
        wanted = [
            domain_of(intent)
            for exchange in dialogue.exchanges
            if exchange.gold is not None
            for intent in exchange.gold.intents or ()
            if intent.startswith("book_")
        ]
    return [domain for domain in dict.fromkeys(wanted) if domain in policy.book]


@once
def information_wanted(dialogue: ServiceDialogue) -> list[tuple[str, str]]:
    """The (domain, slot) pairs the user wants to be told; a booking's reference belongs to the booking."""
    if dialogue.goal:
        return [
            (domain, _SLOTS[token])
            for domain, goal in dialogue.goal.items()
            for token in goal.requestable
            if token in _SLOTS
        ]
    asked = [
        (domain_of(name), _slot(name.partition("-")[2]))
        for exchange in dialogue.exchanges
        if exchange.gold is not None
        for name in exchange.gold.requested or ()
    ]
    return [pair for pair in dict.fromkeys(asked) if pair[1] != "ref"]


def _lacking_slots(booked: list[str], side: SideTotals, policy: Policy) -> list[str]:
    """The slots that a booking needs and the state at the end lacks, a phrase per domain."""
    states = (turn.annotation.state for turn in reversed(side.turns))
    state = next((state for state in states if state is not None), {})
    lacking = [(domain, policy.lacks(domain, state)) for domain in booked]
    return [f"{domain} lacks {', '.join(slots)} at the end" for domain, slots in lacking if slots]


def _is_given(side: SideTotals, domain: str, slot: str, db: Venues | None) -> bool:
    for turn in side.turns:
        if _in_acts(turn.annotation, domain, slot) or (domain in turn.active and _in_reply(turn.reply, slot)):
            return True
        if slot == "address" and turn.annotation.acts is None and db and _gives_address(turn.reply, domain, db):
            return True
    return False


def _gives_address(reply: str, domain: str, db: Venues) -> bool:
    return "ADDRESS" in linker_of(db).link(reply).tokens.get(domain, ())


def _in_acts(annotation: Annotation, domain: str, slot: str) -> bool:
    for act, pairs in annotation.acts.items() if annotation.acts else ():
        if domain_of(act) in (domain, "booking"):
            for name, value in pairs:
                if _slot(name) == slot and value != "?":
                    return True
    return False


def _in_reply(reply: str, slot: str) -> bool:
    if "[" in reply and REQUESTED.get(slot) in tokens(reply):
        return True
    return slot in _TEXT and _TEXT[slot].search(reply) is not None


@lru_cache(maxsize=4096)
def _slot(name: str) -> str:
    name = name.lower().replace(" ", "")
    return _ACT_SLOTS.get(name, name)
