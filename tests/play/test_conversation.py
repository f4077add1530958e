"""A conversation in play, with plain functions and answers that are there at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.core.ask import Reply
from adjudge.core.errors import BadInput
from adjudge.core.play import Ask, End, Limits, Message, PlayedTurn, Prompt, Said, View
from adjudge.core.record import Participant
from adjudge.core.usage import Usage
from adjudge.play.arms import Arm, Player
from adjudge.play.conversation import OngoingConversation, Stage
from adjudge.play.folder import PlayFolder
from adjudge.play.models import Models
from adjudge.play.protocols import at_once
from adjudge.play.replies import AnsweredRequest
from adjudge.run.played import PlayManifest
from adjudge.tools.settings import ToolSettings
from guessing import Secret, setup


class Memory:
    """A journal that keeps everything in memory."""

    def __init__(self) -> None:
        self.turns: list[PlayedTurn] = []
        self.ends: list[End] = []
        self.answered: list[AnsweredRequest] = []

    def commit(
        self, conversation: OngoingConversation, turns: Sequence[PlayedTurn], answered: Sequence[AnsweredRequest]
    ) -> None:
        self.turns += turns
        self.answered += answered

    def end(self, conversation: OngoingConversation, end: End, answered: Sequence[AnsweredRequest]) -> None:
        self.ends.append(end)


def play_bisection(case: Secret, parts: frozenset[str]) -> OngoingConversation:
    systems = {system.card.name: system for system in setup.systems()}
    players = {
        "user": Player("honest", systems["honest"].cast().steps["user"]),
        "system": Player("bisection", systems["bisection"].cast().steps["system"], parts),
    }
    stage = Stage(setup, {}, 7, setup.limits, Memory(), Models(ToolSettings(), {}))
    conversation = OngoingConversation(stage, case, Arm("bisection", players, setup.protocol), 0)
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


def together(
    limits: Limits = Limits(),  # noqa: B008 - frozen
    step: Callable[..., Said[None]] | None = None,
) -> tuple[OngoingConversation, Memory]:
    """Two users and nobody else, who step at once, once."""
    journal = Memory()
    stage = Stage(TWINS, {}, 7, limits, journal, Models(ToolSettings(), {}))
    players = {"user": Player("twin", step or speak, models={"": "small"})}
    return OngoingConversation(stage, Secret(id="n1", number=1), Arm("twins", players, at_once(1, "user")), 0), journal


def speak(view: View[None]) -> Said[None]:
    return Said(f"{view.participant} has heard {len(view.turns)} turns")


def ask_twice(view: View[None], ask: Ask) -> Said[None]:
    """Two prompts, of which the second is the same for both twins."""
    own, shared = (Prompt((Message("user", text),), str) for text in (view.participant, "shared"))
    return Said(" ".join(ask([own, shared])))


def answer_missing(conversation: OngoingConversation) -> int:
    """Answer what the conversation waits for, at one call each; how many answers that took."""
    asked = list(conversation.missing)
    conversation.replies |= {inquiry: Reply("yes", Usage(1, 10, 5), 0.1) for inquiry in asked}
    conversation.missing.clear()
    return len(asked)


TWINS = replace(
    setup, participants=lambda case: (Participant("one", "user"), Participant("two", "user")), limits=Limits()
)


def test_those_who_step_at_once_do_not_hear_each_other() -> None:
    conversation, _ = together()
    conversation.advance()
    assert [turn.content.text for turn in conversation.turns] == ["one has heard 0 turns", "two has heard 0 turns"]
    assert conversation.end == End("protocol")


@pytest.mark.parametrize("most", [1, 2, 3])
def test_those_who_step_at_once_do_not_pass_the_limit_of_calls_together(most: int) -> None:
    conversation, _ = together(Limits(calls=most), ask_twice)
    answers = 0
    while conversation.end is None:
        conversation.advance()
        answers += answer_missing(conversation)
    assert answers <= most
    if most < 3:
        assert conversation.end.why == f"the limit of {most} calls in a conversation"


def test_a_prompt_that_two_ask_in_one_step_is_paid_once() -> None:
    conversation, journal = together(step=ask_twice)
    conversation.advance()
    answers = answer_missing(conversation)
    conversation.advance()
    assert [turn.content.text for turn in journal.turns] == ["yes yes", "yes yes"]
    assert [each.reply.cached for each in journal.answered] == [False, False, False, True]
    assert sum(each.reply.usage.calls for each in journal.answered) == answers == 3


def test_a_conversation_ends_at_its_limit_of_time() -> None:
    conversation, _ = together(Limits(seconds=0.0))
    conversation.advance()
    assert conversation.end == End("time", why="the limit of 0 seconds")


def test_turns_that_were_only_half_committed_together_are_made_again(tmp_path: Path) -> None:
    conversation, _ = together()
    conversation.advance()
    manifest = PlayManifest(suite="guessing", adjudge="1", arms={}, cards={})
    with PlayFolder(tmp_path / "run", manifest) as folder:
        folder.commit(conversation, conversation.turns, ())
    turns = tmp_path / "run" / "turns.jsonl"
    first, second = turns.read_bytes().splitlines(keepends=True)
    turns.write_bytes(first + second[:10])

    with PlayFolder(tmp_path / "run", manifest) as folder:
        assert folder.turns == {conversation.key: []}
    assert turns.read_bytes() == b""


def test_two_processes_do_not_write_one_folder(tmp_path: Path) -> None:
    manifest = PlayManifest(suite="guessing", adjudge="1", arms={}, cards={})
    with (
        PlayFolder(tmp_path / "run", manifest),
        pytest.raises(BadInput, match="another process is writing this run"),
    ):
        PlayFolder(tmp_path / "run", manifest)
