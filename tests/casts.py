"""What the laws of systems share: all setups, every system with and without a model, and conversations in memory."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import adjudge
import guessing
from adjudge.core.ask import Reply
from adjudge.core.errors import BadInput
from adjudge.core.play import Case, End, Limits, PlayedTurn, Prompt
from adjudge.core.suite import Options
from adjudge.core.system import Setup, System
from adjudge.play.arms import Arm, Player
from adjudge.play.conversation import OngoingConversation, Stage
from adjudge.play.estimate import made_up_answer
from adjudge.play.models import Models
from adjudge.play.replies import AnsweredRequest
from adjudge.score.pending import PendingLoop
from adjudge.tools.rubrics import Rubrics
from adjudge.tools.settings import ToolSettings

FOLDER = Path(adjudge.__file__).parent / "systems"
OWN = sorted(folder.name for folder in FOLDER.iterdir() if (folder / "__init__.py").exists())
SETUPS: list[Setup] = [guessing.setup, *(importlib.import_module(f"adjudge.systems.{name}").setup for name in OWN)]
MODEL = "a model"
CASES = 3


class Casting(NamedTuple):
    """A system of a setup, and the parts of it that ask a model."""

    setup: Setup
    system: System
    asking: frozenset[str]

    @property
    def name(self) -> str:
        by_rule = bool(set(self.system.card.by_rule) - self.asking)
        return f"{self.setup.suite}/{self.system.card.name}{' by rule' if by_rule else ''}"

    def player(self, role: str, without: str = "") -> Player:
        parts = frozenset(self.system.card.parts) - {without}
        return Player(self.system.card.name, self.system.cast().steps[role], parts, dict.fromkeys(self.asking, MODEL))


def castings(setup: Setup, system: System) -> list[Casting]:
    """The system with a model for every part that asks, and by rule where it can go by rule."""
    asks, by_rule = frozenset(system.card.asks), frozenset(system.card.by_rule)
    return [Casting(setup, system, asks)] + ([Casting(setup, system, asks - by_rule)] if by_rule else [])


CASTINGS = [casting for setup in SETUPS for system in setup.systems() for casting in castings(setup, system)]
each_casting = pytest.mark.parametrize("casting", CASTINGS, ids=lambda casting: casting.name)
each_setup = pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.suite)


class Memory:
    """A journal that keeps everything in memory."""

    def __init__(self) -> None:
        self.turns: list[PlayedTurn] = []
        self.answered: list[AnsweredRequest] = []

    def commit(
        self, conversation: OngoingConversation, turns: Sequence[PlayedTurn], answered: Sequence[AnsweredRequest]
    ) -> None:
        self.turns += turns
        self.answered += answered

    def end(self, conversation: OngoingConversation, end: End, answered: Sequence[AnsweredRequest]) -> None:
        self.answered += answered


class AnyModel:
    """A model that answers every prompt with something of the right type, in any order, and remembers the prompts.

    `failure` is its answer to the last prompt that it answers, and to all after it; None to answer everything.
    """

    def __init__(self, failure: Exception | None = None, after: int = 0, order: Random | None = None) -> None:
        self.prompts: list[Prompt[Any]] = []
        self.failure = failure
        self.after = after
        self.order = order
        self._open: list[tuple[Prompt[Any], Reply]] = []

    def ask(self, requests: Iterable[Prompt[Any]], asker: str = "") -> None:
        for prompt in requests:
            fails = self.failure is not None and len(self.prompts) >= self.after
            self.prompts.append(prompt)
            self._open.append((prompt, Reply(self.failure if fails else made_up_answer(prompt.answer))))

    def wait(self) -> list[tuple[Prompt[Any], Reply]]:
        if self.order is not None:
            self.order.shuffle(self._open)
        count = len(self._open) if self.order is None else self.order.randint(1, len(self._open))
        ready, self._open = self._open[:count], self._open[count:]
        return ready


@cache
def tools_of(setup: Setup) -> dict[str, object]:
    prompts = {"prompts": Rubrics(setup.prompts)} if setup.prompts else {}
    return {**setup.tools(default_options(setup)), **prompts}


def default_options(setup: Setup) -> Options:
    return {option.name: option.default for option in setup.options if option.default is not None}


@cache
def cases_of(setup: Setup) -> list[Case]:
    """The first cases of the sample, as they are played."""
    options = default_options(setup)
    cases = (variant for row in setup.open([setup.sample], options) for variant in setup.variants(row.case, options))
    return list(islice(cases, CASES))


def arm_of(casting: Casting, without: str = "") -> Arm:
    """The system with the defaults of the other roles, which go by rule where they can."""
    setup = casting.setup
    systems = {each.card.name: each for each in setup.systems()}
    names = {role.name: role.default or setup.arms[0].partition("-")[0] for role in setup.roles}
    defaults = {role: castings(setup, systems[name])[-1] for role, name in names.items()}
    cast = {**defaults, **dict.fromkeys(casting.system.card.plays, casting)}
    players = {role: each.player(role, without if each is casting else "") for role, each in cast.items()}
    protocol = next((own for each in cast.values() if (own := each.system.cast().protocol)), setup.protocol)
    return Arm("arm", players, protocol)


class Game(NamedTuple):
    """A played case with the prompts that were sent."""

    conversation: OngoingConversation
    prompts: list[Prompt[Any]]


def play(
    setup: Setup, case: Case, arm: Arm, seed: int = 7, limits: Limits | None = None, model: AnyModel | None = None
) -> Game:
    model = model or AnyModel()
    return Game(play_all(setup, [case], arm, model, seed=seed, limits=limits)[0], model.prompts)


def play_all(
    setup: Setup,
    cases: Sequence[Case],
    arm: Arm,
    model: AnyModel,
    in_flight: int = 256,
    seed: int = 7,
    limits: Limits | None = None,
) -> list[OngoingConversation]:
    """All cases at once, in the order of the cases."""
    stage = Stage(setup, tools_of(setup), seed, limits or setup.limits, Memory(), Models(ToolSettings(), {}))
    conversations = [OngoingConversation(stage, case, arm, 0) for case in cases]
    loop: PendingLoop[OngoingConversation] = PendingLoop({MODEL: model}, in_flight)
    try:
        list(loop.run(conversations))
    except BadInput as error:
        pytest.skip(f"cannot play the sample: {error}")
    return conversations
