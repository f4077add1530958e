"""The team: triage, action and supervisor ask a model; policy and memory are code."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import to_builtins

from adjudge.core.play import Ask, Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.linking import linker_of
from adjudge.suites.service.rules.policy import Policy
from adjudge.systems.prompts import Prompts, dialogue_of, prompt_for
from adjudge.systems.service.action import World, decide
from adjudge.systems.service.asking import Approval, Understanding, Wording, slots_by_domain, turn_by_model
from adjudge.systems.service.attempts import ReplyAttempt, turn_of
from adjudge.systems.service.bookings import BookingDesk
from adjudge.systems.service.catalogue import catalogue_of
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.moves import Move
from adjudge.systems.service.policy import clear
from adjudge.systems.service.rules import PARTS, SOURCE
from adjudge.systems.service.supervisor import ATTEMPTS, Review
from adjudge.systems.service.triage import TriagedTurn, names_of


@system(
    "service",
    plays=("system",),
    source=SOURCE,
    parts=PARTS,
    asks=("triage", "action", "supervisor"),
    fixed=("triage", "action"),
    prompts=("triage", "action", "supervisor"),
    version=2,
)
def team() -> Cast:
    """Triage, action and supervisor ask a model; policy and memory are code.

    Triage says what the user wants, code looks it up or books it under the policy, action words the reply from the row,
    and the supervisor approves it or sends it back with a reason, once. Memory commits the state after approval.
    """
    return Cast({"system": answer})


def answer(
    view: View[DialogueMemory],
    ask: Ask,
    prompts: Prompts,
    db: Venues,
    policy: Policy,
    desk: BookingDesk,
    parts: frozenset[str],
) -> Said[DialogueMemory]:
    """One turn of the system."""
    memory = (view.notes if "memory" in parts else None) or DialogueMemory()
    world = World(catalogue_of(db), desk, policy, "policy" in parts, view.case)
    heard = _understand(view, memory, ask, prompts, db)
    move = decide(heard, memory, world)
    wording = _Wording(dialogue_of(view.turns), heard, move, world)
    if "supervisor" not in parts:
        return turn_of(heard, [ReplyAttempt(move, wording.reply(ask, prompts))], memory)
    return turn_of(heard, _supervised_attempts(wording, ask, prompts), memory)


def _understand(
    view: View[DialogueMemory], memory: DialogueMemory, ask: Ask, prompts: Prompts, db: Venues
) -> TriagedTurn:
    material = {"dialogue": dialogue_of(view.turns), "state": memory.state, "slots": slots_by_domain()}
    understanding: Understanding = ask([prompt_for("triage", prompts.text("triage"), material, Understanding)])[0]
    reply = view.turns[-2].text if len(view.turns) > 1 else ""
    return turn_by_model(understanding, memory, {**memory.offered, **names_of(linker_of(db).link(reply), db)})


class _Wording(NamedTuple):
    """A move that is to be put into words, and what the parts know about it."""

    dialogue: list[dict[str, str]]
    heard: TriagedTurn
    move: Move
    world: World

    @property
    def facts(self) -> dict[str, Any]:
        """The move and its row, as data."""
        move = self.move
        row = self.world.catalogue.row(move.domain, move.id, move.state) if move.id else None
        return {"move": to_builtins(move), "row": row}

    def reply(self, ask: Ask, prompts: Prompts, objection: str = "") -> str:
        """The reply that a model words, after an objection of the supervisor where there was one."""
        material = {"dialogue": self.dialogue, **self.facts, **({"objection": objection} if objection else {})}
        wording: Wording = ask([prompt_for("action", prompts.text("action"), material, Wording)])[0]
        return wording.reply

    def review(self, reply: str, ask: Ask, prompts: Prompts) -> Review:
        """What the supervisor says of a reply."""
        heard, move = self.heard, self.move
        lacks = clear(move.domain, move.state, self.world.policy).lacks
        triage = {"domain": heard.focus, "state": heard.state, "requested": heard.requested}
        material = {"user": self.dialogue[-1]["text"], "triage": triage, "lacks": lacks, **self.facts, "reply": reply}
        verdict: Approval = ask([prompt_for("supervisor", prompts.text("supervisor"), material, Approval)])[0]
        return Review("" if verdict.approved else verdict.reason or "not approved")


def _supervised_attempts(wording: _Wording, ask: Ask, prompts: Prompts) -> list[ReplyAttempt]:
    """The attempts at a reply: one, and a second where the supervisor sends the first one back."""
    attempts: list[ReplyAttempt] = []
    objection = ""
    for _ in range(ATTEMPTS):
        reply = wording.reply(ask, prompts, objection)
        verdict = wording.review(reply, ask, prompts)
        attempts.append(ReplyAttempt(wording.move, reply, verdict))
        if verdict.is_approved:
            break
        objection = verdict.reason
    return attempts
