"""Whether the customer got what they came for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import Annotation, Exchange, ServiceDialogue, domain_of
from adjudge.suites.service.metrics.policy import violations
from adjudge.suites.service.placeholders import tokens
from adjudge.suites.service.rules import Actions, Policy, booked_domains

SOURCE = "MAS4CS evaluation choices, 10"

_TOKEN_SLOTS = {
    "PHONE": "phone",
    "ADDRESS": "address",
    "POST": "postcode",
    "TRAINID": "trainid",
    "REFERENCE": "ref",
}
_SLOT_TOKENS = {slot: token for token, slot in _TOKEN_SLOTS.items()}
_ACT_SLOTS = {
    "addr": "address",
    "post": "postcode",
    "id": "trainid",
    "reference": "ref",
    "fee": "entrancefee",
}
_TEXT = {
    "phone": re.compile(r"\b0\d{3,4} ?\d{6}\b"),
    "postcode": re.compile(r"\b[a-z]{1,2}\d{1,2}[a-z]? ?\d[a-z]{2}\b", re.IGNORECASE),
    "trainid": re.compile(r"\btr\d{4}\b", re.IGNORECASE),
}

Said = Callable[[Exchange], tuple[Annotation | None, str]]


def _by_arm(exchange: Exchange) -> tuple[Annotation | None, str]:
    return exchange.predicted, exchange.reply


def _by_gold(exchange: Exchange) -> tuple[Annotation | None, str]:
    return exchange.gold, exchange.reference


@metric(
    "TaskCompletion",
    formula="dialogue: every booking wanted was made with all required slots, all information asked for was given, no policy violation; data set: mean over dialogues",
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("end-to-end",),
    predicts=("action", "state"),
    source=SOURCE,
)
def task_completion(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> Iterator[Mark]:
    """Did the customer reach their goal by the end of the dialogue?

    What is to be booked and told comes from the dialogue's goal, else from its gold intents and requested
    slots; bookings are checked for each service that is to be booked. Information counts as given when an act
    or the reply holds it. A dialogue without either is undefined. Read it against task_completion_ceiling.
    """
    if any(exchange.predicted is not None for exchange in dialogue.exchanges):
        broken = [fault for exchange in dialogue.exchanges for fault in violations(exchange, policy, actions)]
        yield from _completion(dialogue, _by_arm, policy, actions, broken)


@metric(
    "TaskCompletion-ceiling",
    formula="task_completion of the gold replies themselves",
    unit="conversation",
    better="neither",
    pool="conversations",
    probes=("end-to-end",),
    source=SOURCE,
)
def task_completion_ceiling(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> Iterator[Mark]:
    """What would the gold replies score under the same rule?

    Not every user of a data set books what they set out to book: a system cannot be expected to exceed this.
    """
    if any(exchange.gold is not None and exchange.gold.acts is not None for exchange in dialogue.exchanges):
        yield from _completion(dialogue, _by_gold, policy, actions, [])


def _completion(
    dialogue: ServiceDialogue, said: Said, policy: Policy, actions: Actions, broken: list[str]
) -> Iterator[Mark]:
    bookings, questions = bookings_wanted(dialogue, policy), information_wanted(dialogue)
    if not bookings and not questions:
        return
    state = _final_state(dialogue, said)
    booked = _booked(dialogue, said, actions)
    faults = broken + [
        f"{domain} not booked" if domain not in booked else f"{domain} lacks {', '.join(lacking)} at the end"
        for domain in bookings
        for lacking in (policy.lacks(domain, state),)
        if domain not in booked or lacking
    ]
    faults += [f"{domain}: {slot} not given" for domain, slot in questions if not _given(dialogue, said, domain, slot)]
    group = "+".join(sorted({*bookings, *(domain for domain, _ in questions)}))
    yield Mark(float(not faults), "", "", "; ".join(faults), group)


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


def information_wanted(dialogue: ServiceDialogue) -> list[tuple[str, str]]:
    """The (domain, slot) pairs the user wants to be told; a booking's reference belongs to the booking."""
    if dialogue.goal:
        return [
            (domain, _TOKEN_SLOTS[token])
            for domain, goal in dialogue.goal.items()
            for token in goal.requestable
            if token in _TOKEN_SLOTS and token != "REFERENCE"
        ]
    asked = [
        (domain_of(name), _slot(name.partition("-")[2]))
        for exchange in dialogue.exchanges
        if exchange.gold is not None
        for name in exchange.gold.requested or ()
    ]
    return [pair for pair in dict.fromkeys(asked) if pair[1] != "ref"]


def _final_state(dialogue: ServiceDialogue, said: Said) -> dict[str, str | tuple[str, ...]]:
    state: dict[str, str | tuple[str, ...]] = {}
    for exchange in dialogue.exchanges:
        annotation, _ = said(exchange)
        if annotation is not None and annotation.state is not None:
            state = annotation.state
    return state


def _booked(dialogue: ServiceDialogue, said: Said, actions: Actions) -> set[str]:
    return {
        domain
        for exchange in dialogue.exchanges
        for annotation in said(exchange)[:1]
        if isinstance(annotation, Annotation)
        for domain in booked_domains(exchange, annotation, actions)
    }


def _given(dialogue: ServiceDialogue, said: Said, domain: str, slot: str) -> bool:
    return any(
        _in_acts(annotation, domain, slot) or _in_reply(reply, slot)
        for exchange in dialogue.exchanges
        for annotation, reply in (said(exchange),)
        if annotation is not None
    )


def _in_acts(annotation: Annotation, domain: str, slot: str) -> bool:
    return any(
        _slot(name) == slot and value != "?"
        for act, pairs in (annotation.acts or {}).items()
        if domain_of(act) in (domain, "booking")
        for name, value in pairs
    )


def _in_reply(reply: str, slot: str) -> bool:
    if _SLOT_TOKENS.get(slot) in tokens(reply):
        return True
    return slot in _TEXT and _TEXT[slot].search(reply) is not None


def _slot(name: str) -> str:
    name = name.lower().replace(" ", "")
    return _ACT_SLOTS.get(name, name)
