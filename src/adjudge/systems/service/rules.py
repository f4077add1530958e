"""The rule-based system: triage, policy, action, supervisor and memory without a model."""

from __future__ import annotations

from random import Random

from adjudge.core.play import Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.policy import Policy
from adjudge.systems.service.action import NO_OBJECTION, Objection, World, decide
from adjudge.systems.service.attempts import ReplyAttempt, turn_of
from adjudge.systems.service.bookings import BookingDesk
from adjudge.systems.service.catalogue import catalogue_of
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.replies import word_reply
from adjudge.systems.service.supervisor import ATTEMPTS, review
from adjudge.systems.service.triage import TriagedTurn, triage

SOURCE = "MAS4CS, a multi-agent system for customer service (repository GiX007/mas4cs)"
PARTS = ("triage", "policy", "action", "supervisor", "memory")


@system("service", plays=("system",), source=SOURCE, parts=PARTS, fixed=("triage", "action"), version=2)
def rules() -> Cast:
    """A rule-based system, all parts without a model: the baseline that every table should show.

    Triage reads the user with a lexicon that is built from the database; replies are templates. Without policy the
    system books whatever it knows, without supervisor the first reply goes out, without memory every turn is the first.
    """
    return Cast({"system": answer})


def answer(
    view: View[DialogueMemory], db: Venues, policy: Policy, desk: BookingDesk, parts: frozenset[str], rng: Random
) -> Said[DialogueMemory]:
    """One turn of the system."""
    memory = (view.notes if "memory" in parts else None) or DialogueMemory()
    reply = view.turns[-2].text if len(view.turns) > 1 else ""
    heard = triage(memory, reply, view.turns[-1].text, db)
    world = World(catalogue_of(db), desk, policy, "policy" in parts, view.case)
    if "supervisor" not in parts:
        return turn_of(heard, [_attempt(heard, memory, world, rng)], memory)
    return turn_of(heard, _supervised_attempts(heard, memory, world, rng), memory)


def _attempt(
    heard: TriagedTurn, memory: DialogueMemory, world: World, rng: Random, objection: Objection = NO_OBJECTION
) -> ReplyAttempt:
    move = decide(heard, memory, world, objection)
    return ReplyAttempt(move, word_reply(move, world.catalogue, rng))


def _supervised_attempts(heard: TriagedTurn, memory: DialogueMemory, world: World, rng: Random) -> list[ReplyAttempt]:
    """The attempts at a reply: one, and a second where the supervisor sends the first one back."""
    attempts: list[ReplyAttempt] = []
    objection = NO_OBJECTION
    for _ in range(ATTEMPTS):
        move, reply, _ = _attempt(heard, memory, world, rng, objection)
        verdict = review(heard, move, reply, world)
        attempts.append(ReplyAttempt(move, reply, verdict))
        if verdict.is_approved:
            break
        objection = Objection("" if verdict.lacks else move.id, verdict.lacks)
    return attempts
