"""Dialogues of AutoTOD: an agent with tools and a simulated user, with the user's goal on MultiWOZ."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import Warnings
from adjudge.core.record import Participant
from adjudge.read.decode import decode
from adjudge.suites.service.data import USER, ServiceDialogue, ServiceTurn
from adjudge.suites.service.read.attachments import DialogueFiles
from adjudge.suites.service.read.goals import read_goal
from adjudge.suites.service.read.order import turn_order

AGENT = "system"
PLAYERS = (Participant(USER, "customer", "simulated"), Participant(AGENT, "assistant", "agent"))


class AutotodTurn(Struct, frozen=True, gc=False):
    """What the user said and what the agent answered."""

    user: str
    agent: str
    turn_idx: int = 0


class AutotodRun(Struct, frozen=True, gc=False):
    """The dialogue that was played, and on MultiWOZ the goal by domain."""

    dialog_pred: tuple[AutotodTurn, ...] = ()
    goals: dict[str, Any] = {}


class AutotodDialogue(Struct, frozen=True, gc=False):
    """A line of a file of results; on SGD the result is the list of turns alone, and it is empty after a failure."""

    dialog_id: str
    run_result: AutotodRun | tuple[AutotodTurn, ...] | None = None


AUTOTOD = msgspec.json.Decoder(AutotodDialogue)


def read_autotod(where: str, raw: bytes, warnings: Warnings, attachments: DialogueFiles) -> ServiceDialogue:
    """A dialogue of AutoTOD. It has no annotations: replies are linked against the database and judged."""
    dialogue = decode(where, raw, AUTOTOD)
    run = dialogue.run_result
    if not isinstance(run, AutotodRun):
        run = AutotodRun(run or ())
    order = turn_order(where, [str(turn.turn_idx) for turn in run.dialog_pred], warnings)
    played = run.dialog_pred if order is None else [run.dialog_pred[place] for place in order]
    turns = [turn for place, pair in enumerate(played) for turn in _turns_of(2 * place, pair)]
    goal = attachments.goal_of(dialogue.dialog_id) or read_goal(where, run.goals, "goals") or None
    return ServiceDialogue(id=dialogue.dialog_id, participants=PLAYERS, turns=tuple(turns), goal=goal)


def _turns_of(number: int, turn: AutotodTurn) -> tuple[ServiceTurn, ServiceTurn]:
    return ServiceTurn(str(number), USER, turn.user), ServiceTurn(str(number + 1), AGENT, turn.agent)
