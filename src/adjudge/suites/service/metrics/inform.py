"""Inform and Success: whether the offered venues fit the goal, and whether the user got all requested information."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.errors import Unanswered
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.offers import DialogueOutcome, outcome_of

NO_DESK = "the goal has a booking, and the system has no access to the booking desk of the play"

goal_metric = partial(
    metric,
    better="higher",
    probes=("end-to-end",),
    predicts=("reply",),
    source="Nekvinda and Dušek (2021), Shades of BLEU, Flavours of Success: The Case of MultiWOZ, arXiv 2106.05555",
)


@goal_metric(
    "Inform",
    formula="dialogues whose last offer fits the goal in every goal domain / dialogues",
    unit="conversation",
    pool="conversations",
    primary=True,
)
def inform(dialogue: ServiceDialogue, db: Venues) -> Iterator[Mark]:
    """Do the venues offered at the end fit the user's goal in every domain?

    A reply with placeholders offers all venues that fit the predicted state (`at` says "placeholders"). A natural reply
    offers the venues that it names ("linked"), which is the stricter test. No offer is needed in a domain whose goal
    gives the venue's name, nor for taxi, police and hospital.
    """
    if dialogue.goal:
        outcome = outcome_of(dialogue, db)
        yield _outcome_mark(dialogue, outcome, outcome.unfit)


@goal_metric(
    "Success",
    formula="dialogues that inform and give every requested slot of every goal domain / dialogues",
    version=2,
    unit="conversation",
    pool="conversations",
    primary=True,
)
def success(dialogue: ServiceDialogue, db: Venues) -> Iterator[Mark]:
    """Do the offers fit the goal, and does the user get all requested information?

    A booking reference counts only for domains that the annotation, or the booking desk of a play, has as booked. If
    bookings are not known, a reference counts wherever it is given. Played dialogues whose goal includes a booking are
    skipped for systems without access to the desk.
    """
    if dialogue.goal:
        _refuse_without_desk(dialogue)
        outcome = outcome_of(dialogue, db)
        yield _outcome_mark(dialogue, outcome, outcome.unfit + outcome.missing)


@goal_metric(
    "Inform-domain",
    formula="goal domains whose last offer fits the goal / goal domains",
    unit="goal domain",
)
def inform_domain(dialogue: ServiceDialogue, db: Venues) -> Iterator[Mark]:
    """Do the venues offered at the end fit the user's goal, domain by domain?

    This is inform for each domain separately. The table by group shows each domain.
    """
    if dialogue.goal:
        outcome = outcome_of(dialogue, db)
        for domain in dialogue.goal:
            faults = outcome.of(domain, outcome.unfit)
            yield Mark(float(not faults), at=_way(dialogue, outcome), why="; ".join(faults), group=domain)


@goal_metric(
    "Success-domain",
    formula="goal domains with all requested information given, in dialogues that inform / goal domains",
    version=2,
    unit="goal domain",
)
def success_domain(dialogue: ServiceDialogue, db: Venues) -> Iterator[Mark]:
    """Does the user get all requested information, domain by domain?

    As in success, a domain succeeds only if the whole dialogue informs. The table by group shows each domain.
    """
    if dialogue.goal:
        _refuse_without_desk(dialogue)
        outcome = outcome_of(dialogue, db)
        for domain in dialogue.goal:
            faults = outcome.unfit or outcome.of(domain, outcome.missing)
            yield Mark(float(not faults), at=_way(dialogue, outcome), why="; ".join(faults), group=domain)


def _refuse_without_desk(dialogue: ServiceDialogue) -> None:
    """Raise `Unanswered` where the goal has a booking that the system has no means to make."""
    if not dialogue.can_book and any("REFERENCE" in goal.requestable for goal in (dialogue.goal or {}).values()):
        raise Unanswered("no_tool", NO_DESK)


def _outcome_mark(dialogue: ServiceDialogue, outcome: DialogueOutcome, faults: tuple[str, ...]) -> Mark:
    group = "+".join(sorted(dialogue.goal or ()))
    return Mark(float(not faults), at=_way(dialogue, outcome), why="; ".join(faults), group=group)


def _way(dialogue: ServiceDialogue, outcome: DialogueOutcome) -> str:
    return f"{outcome.way}, gold states" if dialogue.gold_state else outcome.way
