"""One model without parts: it extracts what the user wants, then replies with the rows."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from adjudge.core.play import Ask, Decision, Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.service.data import Annotation
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.linking import linker_of
from adjudge.suites.service.rules.policy import Policy
from adjudge.systems.prompts import Prompts, dialogue_of, prompt_for
from adjudge.systems.service.asking import OwnReply, Understanding, slots_by_domain, turn_by_model
from adjudge.systems.service.bookings import BookingDesk, booking_of
from adjudge.systems.service.catalogue import VenueIndex, catalogue_of
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.rules import SOURCE
from adjudge.systems.service.triage import TriagedTurn, names_of

_ROWS = 5


@system(
    "service",
    plays=("system",),
    source=SOURCE,
    parts=("extract", "reply"),
    asks=("extract", "reply"),
    fixed=("extract", "reply"),
    prompts=("extract", "reply"),
    version=2,
)
def single() -> Cast:
    """One model, two calls a turn: extract what the user wants, then reply with the rows.

    There is no policy, supervisor or memory: the booking rules stand in the prompt, the model decides whether to book,
    and the state is read anew from the whole dialogue.
    """
    return Cast({"system": answer})


def answer(view: View[None], ask: Ask, prompts: Prompts, db: Venues, policy: Policy, desk: BookingDesk) -> Said[None]:
    """One turn of the system."""
    dialogue = dialogue_of(view.turns)
    material = {"dialogue": dialogue, "slots": slots_by_domain()}
    understanding: Understanding = ask([prompt_for("extract", prompts.text("extract"), material, Understanding)])[0]
    heard = turn_by_model(understanding, DialogueMemory(), _offers(view, db))
    shown = {"dialogue": dialogue, "state": heard.state, "domain": heard.focus, "policy": to_builtins(policy.book)}
    shown |= _rows(heard, catalogue_of(db), desk, view.case)
    own: OwnReply = ask([prompt_for("reply", prompts.text("reply"), shown, OwnReply)])[0]
    return Said(
        own.reply,
        facts=_annotation(heard, own),
        decisions=(Decision("extract", understanding.reasoning), Decision("reply", f"{own.action}: {own.reasoning}")),
    )


def _offers(view: View[None], db: Venues) -> dict[str, str]:
    """The venue last named in each domain."""
    offers: dict[str, str] = {}
    for turn in view.turns:
        if turn.speaker == view.participant:
            offers |= names_of(linker_of(db).link(turn.text), db)
    return offers


def _rows(heard: TriagedTurn, catalogue: VenueIndex, desk: BookingDesk, case: str) -> dict[str, Any]:
    """The rows that fit, the one spoken of first, and what the booking desk has for it."""
    domain = heard.focus
    if domain not in ("restaurant", "hotel", "attraction", "train"):
        rows = list(catalogue.db.rows.get(domain, ()))[:_ROWS]
        return {"rows": rows, "count": len(rows), "desk": _desk(heard, domain, desk, case)}
    fitting = catalogue.fitting_ids(domain, heard.state)
    name = heard.state.get(f"{domain}-name") or heard.offered.get(domain, "")
    current = catalogue.id_of(domain, name) if name and not heard.another else ""
    ordered = sorted(fitting, key=lambda key: key != current)[:_ROWS]
    return {
        "rows": [catalogue.row(domain, key, heard.state) for key in ordered],
        "count": len(fitting),
        "desk": _desk(heard, ordered[0], desk, case) if ordered else None,
    }


def _desk(heard: TriagedTurn, venue: str, desk: BookingDesk, case: str) -> dict[str, Any] | None:
    """What the booking desk has, where the user wants a booking or a taxi."""
    if not heard.books and heard.focus != "taxi":
        return None
    booking = booking_of(heard.focus, venue, heard.state)
    is_free = desk.is_free(case, booking)
    offer = {"free": is_free, "reference": desk.reference(case, heard.focus, booking) if is_free else None}
    return {**offer, **desk.car(case, booking, {})} if heard.focus == "taxi" else offer


def _annotation(heard: TriagedTurn, own: OwnReply) -> Annotation:
    domain = heard.focus
    intent = f"{'book' if heard.books else 'find'}_{domain}"
    return Annotation(
        domains=(domain,) if domain else (),
        intents=(intent,) if domain and not heard.ends else (),
        state=dict(heard.state),
        requested=tuple(f"{domain}-{slot}" for slot in heard.requested),
        action=own.action,
    )
