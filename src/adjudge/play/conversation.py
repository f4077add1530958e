"""A conversation in play: it takes steps as far as answers allow, and commits each turn before the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Protocol

from msgspec import structs

from adjudge.core.ask import Reply
from adjudge.core.errors import BadInput, Pending, Unanswered
from adjudge.core.play import Case, End, Floor, Limits, PlayedTurn, Prompt, Said, Spent, View
from adjudge.core.record import Key, Participant
from adjudge.core.system import Setup
from adjudge.play.arms import Arm, Player
from adjudge.play.draws import Draw, generator
from adjudge.play.own import OwnTurn
from adjudge.play.replies import AnsweredRequest, pay_once, spent_on
from adjudge.score.pending import Resumable


class Journal(Protocol):
    """Where a conversation in play is written down."""

    def commit(
        self, conversation: OngoingConversation, turns: Sequence[PlayedTurn], answered: Sequence[AnsweredRequest]
    ) -> None:
        """Keep turns that were made at once, with the answers that they took."""

    def end(self, conversation: OngoingConversation, end: End, answered: Sequence[AnsweredRequest]) -> None:
        """Keep how a conversation ended, with the answers of the step that failed, if one did."""


class ModelTable(Protocol):
    """What a conversation knows about the models that its participants ask."""

    @property
    def withheld(self) -> Mapping[str, str]:
        """The models that may not see credentialed cases, with the reason."""

    def temperature(self, model: str) -> float:
        """The temperature at which a model is asked."""

    def with_cost(self, model: str, reply: Reply) -> Reply:
        """The reply with its cost, where the price of the model is known."""


@dataclass(frozen=True)
class Stage:
    """What all conversations of a play share."""

    setup: Setup
    tools: Mapping[str, object]
    seed: int
    limits: Limits
    journal: Journal
    models: ModelTable


class OngoingConversation(Resumable):
    """A case that is played by an arm: its turns so far, the notes of its participants, and its end."""

    def __init__(self, stage: Stage, case: Case, arm: Arm, trial: int) -> None:
        super().__init__(stage.models.withheld if case.credentialed else {})
        self.stage = stage
        self.case = case
        self.arm = arm
        self.trial = trial
        self.participants = stage.setup.participants(case)
        self.turns: tuple[PlayedTurn, ...] = ()
        self.notes: dict[str, Any] = {}
        self.end: End | None = None
        self.spent = Spent()
        self._steps: dict[str, Said[Any]] = {}
        self._answered: dict[str, list[AnsweredRequest]] = {}
        self._asking = ""
        self._started: float | None = None

    @property
    def key(self) -> Key:
        """What identifies the conversation."""
        return Key(self.case.id, self.arm.label, self.trial)

    @property
    def id(self) -> str:
        """The name of the conversation: case, arm and trial."""
        return f"{self.case.id}/{self.arm.label}/{self.trial}"

    def restore(self, turns: Sequence[PlayedTurn], spent: Spent) -> None:
        """Go on from turns that were committed before, and what they took."""
        self.turns = tuple(turns)
        self.notes = {turn.speaker: turn.content.notes for turn in turns}
        self.spent = spent

    def advance(self) -> None:
        """Take step after step until answers are missing or the conversation ends."""
        if self._started is None:
            self._started = monotonic()
        while self.end is None:
            speakers = self.arm.protocol(Floor(self.participants, self.turns))
            if reached := self._limit_reached(speakers, monotonic() - self._started):
                self._finish(reached)
            elif not self._step(speakers):
                return

    def _limit_reached(self, speakers: Sequence[str], seconds: float) -> End | None:
        limits = self.stage.limits
        if ending := next((turn for turn in reversed(self.turns) if turn.content.ends), None):
            return End("participant", ending.speaker, why=ending.content.ends)
        if not speakers:
            return End("protocol")
        if len(self.turns) >= limits.turns:
            return End("turns", why=f"the limit of {limits.turns} turns")
        if limits.seconds is not None and seconds >= limits.seconds:
            return End("time", why=f"the limit of {limits.seconds:g} seconds")
        return None

    def _step(self, speakers: Sequence[str]) -> bool:
        """Let the speakers step; True once their turns are committed or one of them has ended the conversation."""
        for speaker in speakers:
            if speaker not in self._steps:
                try:
                    self._steps[speaker] = self._take_step(self._participant(speaker))
                except Pending as pending:
                    self.note(pending, self._asker(speaker))
                except Unanswered as failure:
                    self._finish(_failure_end(f"{speaker}/{self._asking}".rstrip("/"), failure))
                    return True
        if self.missing:
            return False
        self._commit(speakers)
        return True

    def _take_step(self, participant: Participant) -> Said[Any]:
        player = self.arm.players[participant.role]
        self._answered[participant.id], self._asking = [], ""
        arguments = {name: self._argument(name, player, participant) for name in player.takes}
        try:
            result = player.step(self._view(participant), **arguments)
        except (Pending, Unanswered, BadInput):
            raise
        except Exception as error:
            raise Unanswered("error", f"{player.system} failed: {type(error).__name__}: {error}") from error
        if not isinstance(result, Said):
            where = f"case {self.case.id!r}, turn {len(self.turns)}"
            raise BadInput(f"{player.system} returned {result!r} in {where}; expected a Said")
        return result

    def _argument(self, name: str, player: Player, participant: Participant) -> object:
        """The argument of a step for a parameter name."""
        if name == "ask":
            return partial(self._ask, player, participant.id)
        if name == "own":
            return partial(self._ask_own, player, participant.id)
        if name == "rng":
            arm = "" if self.stage.setup.role(participant.role).shared_draws else self.arm.label
            return generator(Draw(self.stage.seed, self.case.id, self.trial, arm, participant.id, len(self.turns)))
        if name == "asking":
            return player.asking
        return player.parts if name == "parts" else self.stage.tools[name]

    def _view(self, participant: Participant) -> View[Any]:
        seen = self.stage.setup.view(self.case, participant, self.turns)
        return View(
            participant.id,
            seen.facts,
            seen.turns,
            self.notes.get(participant.id),
            self.case.id,
            self.id,
            self.trial,
            len(self.turns),
        )

    def _ask(self, player: Player, participant: str, prompts: Sequence[Prompt[Any]]) -> list[Any]:
        """The answers to prompts; looks at all of them before it raises `Pending` or the first failure."""
        answers: list[Any] = []
        pending: Pending | None = None
        failures: list[tuple[str, Unanswered]] = []
        for prompt in prompts:
            try:
                answers.append(self._answer_prompt(player, participant, prompt))
            except Pending as more:
                self.note(more, self._asker(prompt.part or participant))
                pending = more
            except Unanswered as error:
                failures.append((prompt.part, error))
        if pending is not None:
            raise pending
        if failures:
            self._asking, failure = failures[0]
            raise failure
        return answers

    def _answer_prompt(self, player: Player, participant: str, prompt: Prompt[Any]) -> Any:
        model = player.model_of(prompt.part)
        if not model:
            raise Unanswered("no_tool", f"{player.system} asks a model and none is named; name one with --model")
        return self._answer(participant, prompt.part, model, self._own_draw(prompt, model))

    def _ask_own(self, player: Player, participant: str, turn: OwnTurn) -> Said[Any]:
        """What the user's own system says."""
        answer: Said[Any] = self._answer(participant, "", player.model_of(""), turn)
        return answer

    def _answer(self, participant: str, part: str, model: str, request: Prompt[Any] | OwnTurn) -> Any:
        inquiry = (model, request, ())
        if reply := self.replies.get(inquiry):
            reply = self.stage.models.with_cost(model, reply)
            self._answered[participant].append(AnsweredRequest(participant, part, model, request, reply))
        elif inquiry not in self.missing:
            self._refuse_over_limit()
        return self.ask(model, [request])[0]

    def _own_draw(self, prompt: Prompt[Any], model: str) -> Prompt[Any]:
        """The prompt with the trial in it where the model samples, so that every trial has its own answer."""
        asked = prompt.temperature
        temperature = self.stage.models.temperature(model) if asked is None else asked
        return structs.replace(prompt, trial=self.trial) if temperature > 0 and self.trial else prompt

    def _refuse_over_limit(self) -> None:
        """Cached answers count as when they were first asked, so that a replay ends where the play did.

        What others ask in the same step counts as well, answered or not.
        """
        limits = self.stage.limits
        if limits.calls is None and limits.cost is None:
            return
        price = self.stage.models.with_cost
        taken = (spent_on(price(model, reply)) for (model, _, _), reply in self.replies.items())
        spent = sum(taken, self.spent)
        if limits.calls is not None and spent.answers + len(self.missing) >= limits.calls:
            raise Unanswered("over_budget", f"the limit of {limits.calls} calls in a conversation")
        if limits.cost is not None and (spent.cost or 0.0) >= limits.cost:
            raise Unanswered("over_budget", f"the limit of {limits.cost:g} USD in a conversation")

    def _commit(self, speakers: Sequence[str]) -> None:
        """Commit the turns of all who stepped, together."""
        first = len(self.turns)
        turns = tuple(PlayedTurn(first + place, name, self._steps[name]) for place, name in enumerate(speakers))
        answered = pay_once(each for name in speakers for each in self._answered[name])
        self.stage.journal.commit(self, turns, answered)
        self.turns += turns
        self.notes |= {turn.speaker: turn.content.notes for turn in turns}
        self._count(answered)

    def _finish(self, end: End) -> None:
        self.end = end
        self.missing.clear()
        answered = pay_once(each for answers in self._answered.values() for each in answers)
        self.stage.journal.end(self, end, answered)
        self._count(answered)

    def _count(self, answered: Sequence[AnsweredRequest]) -> None:
        """Count what the answers took, and forget them."""
        self.spent = sum((each.took for each in answered), self.spent)
        self._steps, self._answered = {}, {}
        self.replies.clear()

    def _participant(self, name: str) -> Participant:
        return next(participant for participant in self.participants if participant.id == name)

    def _asker(self, agent: str) -> str:
        return f"{self.arm.label}/{agent}"


def _failure_end(by: str, failure: Unanswered) -> End:
    """The end of a conversation in which a participant could not go on."""
    if failure.status == "over_budget":
        return End("budget", by, failure.status, failure.why)
    return End("error", by, failure.status, failure.why)
