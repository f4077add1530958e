"""The simulated customer that works through its goal by rule: the default user."""

from __future__ import annotations

from random import Random

from adjudge.core.errors import BadInput
from adjudge.core.play import Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.service.data import Annotation
from adjudge.suites.service.rules.database import Venues
from adjudge.systems.service.customer.acts import Agenda, CustomerMove
from adjudge.systems.service.customer.agenda import take_turn
from adjudge.systems.service.customer.reading import read_reply
from adjudge.systems.service.customer.wording import Wordings, speak
from adjudge.systems.service.data import UserFacts


@system(
    "service",
    plays=("user",),
    source="Schatzmann et al. 2007, Agenda-Based User Simulation for Bootstrapping a POMDP Dialogue System",
)
def agenda() -> Cast:
    """A customer that works through its goal by rule, and knows what it has said.

    It says one to three constraints at a time, answers questions, has no preference where its goal is silent, asks for
    what it wants to know after an offer, books, takes its goal's alternative where nothing is found or free, and says
    goodbye. What it has said is the gold state of the dialogue.
    """
    return Cast({"user": take_step})


def take_step(view: View[Agenda], db: Venues, wordings: Wordings, rng: Random) -> Said[Agenda]:
    """One turn of the customer."""
    if not view.facts.wishes:
        raise BadInput(f"case {view.case!r} has no goal; expected one in its file or in that of --goals")
    before = view.notes or Agenda()
    if before.is_over:
        return Said(passes=True, ends="said goodbye", notes=before)
    reading = read_reply(view.turns[-1].text, before.domain, db) if view.turns else None
    plan = take_turn(before, view.facts.wishes, reading, rng)
    return Said(
        speak(plan.acts, wordings, rng),
        facts=UserFacts(gold=_gold(plan)),
        notes=plan.agenda,
    )


def _gold(plan: CustomerMove) -> Annotation:
    """What the turn says, as the customer meant it."""
    domain = plan.agenda.domain
    requested = [f"{domain}-{slot}" for act in plan.acts if act.kind == "request" for slot in act.pairs]
    books = plan.agenda.tries > 0 and not plan.agenda.booked
    return Annotation(
        domains=(domain,) if domain else (),
        intents=(f"{'book' if books else 'find'}_{domain}",) if domain else (),
        state=dict(plan.agenda.state),
        requested=tuple(requested),
    )
