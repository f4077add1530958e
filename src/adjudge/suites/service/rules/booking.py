"""The bookings of replies, and the required slots that they lack."""

from __future__ import annotations

from msgspec import Struct

from adjudge.core.memo import once
from adjudge.suites.service.data import NO_PREDICTION, Annotation, Exchange, ServiceDialogue, domain_of
from adjudge.suites.service.rules.actions import Actions
from adjudge.suites.service.rules.policy import Policy


class Booking(Struct, frozen=True, gc=False):
    """The domains that a reply booked, and a phrase for each booking that lacked required slots."""

    exchange: Exchange
    domains: tuple[str, ...]
    broken: tuple[str, ...]


@once
def bookings(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> list[Booking]:
    """Each turn that has a prediction, with what was booked in it."""
    return [
        _booking(exchange, exchange.predicted, policy, actions)
        for exchange in dialogue.exchanges
        if exchange.predicted is not None
    ]


def booked_domains(exchange: Exchange, annotation: Annotation, actions: Actions) -> tuple[str, ...]:
    """The domains that a reply books: none if it does not book.

    The act names the domain, else a book_x intent, else it is the domain that the turn is about.
    """
    if "book" not in actions.of(annotation):
        return ()
    acted = tuple(
        domain_of(act)
        for act in annotation.acts or ()
        if "book" in actions.of_acts((act,)) and domain_of(act) not in ("booking", "general", "")
    )
    if acted:
        return acted
    intended = tuple(domain_of(intent) for intent in annotation.intents or () if intent.startswith("book_"))
    return intended or (annotation.domains or exchange.active)[:1]


def _booking(exchange: Exchange, predicted: Annotation, policy: Policy, actions: Actions) -> Booking:
    if predicted.unparsed is not None or predicted == NO_PREDICTION:
        return Booking(exchange, (), ("no output that could be read",))
    domains = booked_domains(exchange, predicted, actions)
    if not domains:
        return Booking(exchange, (), ())
    missing = [(domain, policy.lacks(domain, predicted.state or {})) for domain in domains]
    broken = tuple(f"booked {domain} without {', '.join(slots)}" for domain, slots in missing if slots)
    return Booking(exchange, domains, broken)
