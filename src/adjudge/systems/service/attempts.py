"""A turn of the system from its attempts: the reply, its annotation, what the parts decided, and memory after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudge.core.play import Decision, Said
from adjudge.core.record import Call
from adjudge.suites.service.data import Annotation
from adjudge.systems.service.catalogue import constraints
from adjudge.systems.service.memory import DialogueMemory, commit
from adjudge.systems.service.moves import Move
from adjudge.systems.service.supervisor import Review
from adjudge.systems.service.triage import TriagedTurn

APOLOGY = "I am sorry, I could not do that. Could you say it in other words?"
_ACTS = {"offer": "Recommend", "inform": "Inform", "none": "NoOffer", "ask": "Request"}
_BOOKING_ACTS = {"book": "Booking-Book", "refuse": "Booking-NoBook"}
_CLOSING = {"greet": "general-greet", "close": "general-bye"}


class ReplyAttempt(NamedTuple):
    """A move, the reply that words it, and what the supervisor says of it; None where there is no supervisor."""

    move: Move
    reply: str
    verdict: Review | None = None


def turn_of(heard: TriagedTurn, attempts: Sequence[ReplyAttempt], memory: DialogueMemory) -> Said[DialogueMemory]:
    """The turn that the last attempt makes. Memory commits only what was approved."""
    move, reply, verdict = attempts[-1]
    is_approved = verdict is None or verdict.is_approved
    after = commit(memory, heard, move) if is_approved else memory
    if not is_approved:
        move, reply = Move("ask", move.domain, state=memory.state), APOLOGY
    return Said(
        reply,
        facts=annotate(heard, move, after.state),
        notes=after,
        decisions=tuple(_decisions(heard, attempts)),
    )


def annotate(heard: TriagedTurn, move: Move, state: dict[str, str]) -> Annotation:
    """What the system says of its turn: the domains, the intent, the state, and what it did."""
    bookable = move.domain in ("restaurant", "hotel", "train")
    intent = f"{'book' if heard.books and bookable else 'find'}_{move.domain}"
    return Annotation(
        domains=heard.domains[-1:],
        intents=() if heard.ends or not move.domain else (intent,),
        state=dict(state),
        requested=tuple(f"{heard.focus}-{slot}" for slot in heard.requested),
        acts=_acts(move),
    )


def _acts(move: Move) -> dict[str, tuple[tuple[str, str], ...]]:
    """The acts of a move; a question that narrows a search down also says how much fits."""
    acts = {_act(move): tuple(_pairs(move))}
    if move.act == "ask" and move.choices:
        acts[f"{move.domain.capitalize()}-Inform"] = (("choice", str(move.choices)),)
    return acts


def _act(move: Move) -> str:
    """The move as MultiWOZ names it: Hotel-Recommend, Booking-Book."""
    if move.domain == "taxi" and move.act == "book":
        return "Taxi-Inform"
    if move.domain == "train" and move.act == "book":
        return "Train-OfferBooked"
    if move.act in _CLOSING:
        return _CLOSING[move.act]
    return _BOOKING_ACTS.get(move.act) or f"{move.domain.capitalize()}-{_ACTS[move.act]}"


def _pairs(move: Move) -> Iterator[tuple[str, str]]:
    if move.act == "ask":
        yield from ((slot, "?") for slot in move.slots)
    yield from move.facts.items()
    if move.reference:
        yield "ref", move.reference


def _decisions(heard: TriagedTurn, attempts: Sequence[ReplyAttempt]) -> Iterator[Decision]:
    changed = {slot: heard.state[slot] for slot in heard.changed if slot in heard.state}
    yield Decision("triage", _heard_text(heard), {"changed": changed} if changed else {})
    for number, (move, _, verdict) in enumerate(attempts, 1):
        yield Decision("action", _move_text(move), attempt=number, call=_call(move))
        if verdict is not None:
            yield Decision("supervisor", verdict.reason or "approved", attempt=number)


def _heard_text(heard: TriagedTurn) -> str:
    wants = [f"wants to know {', '.join(heard.requested)}"] if heard.requested else []
    books = ["wants a booking"] if heard.books else []
    return "; ".join([heard.focus or "no domain", *wants, *books])


def _move_text(move: Move) -> str:
    about = " ".join(filter(None, (move.domain, move.id)))
    slots = f": {', '.join(move.slots)}" if move.slots else ""
    return f"{move.act} {about}{slots}".strip()


def _call(move: Move) -> Call | None:
    """The search or booking behind a move."""
    if move.act in ("book", "refuse"):
        return Call(f"book_{move.domain}", dict(move.state), "ok" if move.act == "book" else "error")
    if move.act in ("offer", "none"):
        return Call(f"find_{move.domain}", constraints(move.domain, move.state), "ok")
    return None
