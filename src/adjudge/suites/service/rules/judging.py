"""The material that a judge sees for a reply, and the verdict it gives."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from adjudge.suites.service.data import Exchange, State
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.policy import Policy

# The judge sees at most this many matching rows per domain, beside the number of all matches.
SHOWN_VENUES = 5
Points = Annotated[int, Meta(ge=1, le=5)]


class Quality(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on one reply: the reasoning first, then each criterion, then the whole."""

    reasoning: str
    correctness: Points
    completeness: Points
    clarity: Points
    policy_adherence: Points
    overall: Points


def material(so_far: tuple[Exchange, ...], policy: Policy, db: Venues | None) -> str:
    """The material for a judge of the last reply of a dialogue, as JSON."""
    *before, last = so_far
    shown = {
        "dialogue": [{"user": exchange.user, "system": exchange.reply} for exchange in before],
        "user": last.user,
        "reply": last.reply,
        "database": None if db is None else _database_view(last, db),
        "policy": policy.book,
    }
    return msgspec.json.encode(shown).decode()


def _database_view(exchange: Exchange, db: Venues) -> dict[str, object]:
    """The database rows that fit the gold state, for each domain that the turn is about."""
    state: State = (exchange.gold and exchange.gold.state) or {}
    view: dict[str, object] = {}
    for domain in exchange.active:
        wanted = {
            slot.partition("-")[2]: value if isinstance(value, str) else value[0]
            for slot, value in state.items()
            if slot.startswith(f"{domain}-")
        }
        ids = db.query(domain, wanted)
        key = "trainid" if domain == "train" else "id"
        rows = [row for row in db.rows.get(domain, ()) if row.get(key) in ids]
        view[domain] = {"matches": len(ids), "first": rows[:SHOWN_VENUES]}
    return view
