"""A conversation in play, with plain functions and answers that are there at once."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.core.play import End, PlayedTurn
from adjudge.play.arms import Arm, Player
from adjudge.play.conversation import Answered, Conversation, Stage
from adjudge.play.models import Models
from adjudge.tools.settings import ToolSettings
from guessing import Secret, setup


class Memory:
    """A journal that keeps everything in memory."""

    def __init__(self) -> None:
        self.turns: list[PlayedTurn] = []
        self.ends: list[End] = []

    def commit(self, conversation: Conversation, turns: Sequence[PlayedTurn], answered: Sequence[Answered]) -> None:
        self.turns += turns

    def end(self, conversation: Conversation, end: End, answered: Sequence[Answered]) -> None:
        self.ends.append(end)


def play_bisection(case: Secret, parts: frozenset[str]) -> Conversation:
    systems = {system.card.name: system for system in setup.systems()}
    players = {
        "user": Player("honest", systems["honest"].cast().steps["user"]),
        "system": Player("bisection", systems["bisection"].cast().steps["system"], parts),
    }
    stage = Stage(setup, {}, 7, setup.limits, Memory(), Models(ToolSettings(), {}))
    conversation = Conversation(stage, case, Arm("bisection", players, setup.protocol), 0)
    conversation.advance()
    return conversation


def test_a_conversation_ends_when_the_user_ends_it() -> None:
    played = play_bisection(Secret(id="n6", number=6), frozenset({"memory", "middle"}))
    texts = [turn.content.text for turn in played.turns[1:]]
    assert texts == ["4?", "It is higher.", "6?", "Right."]
    assert played.end == End("participant", "user", why="the number was guessed")


def test_a_part_can_be_left_out() -> None:
    played = play_bisection(Secret(id="n1", number=3), frozenset({"middle"}))
    assert played.end == End("turns", why="the limit of 20 turns")
