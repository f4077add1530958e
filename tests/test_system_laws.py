"""Laws that hold for all systems of all suites, taken from their cards and setups."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import adjudge
import guessing
from adjudge.core.ask import Reply
from adjudge.core.errors import BadInput
from adjudge.core.play import Case, End, PlayedConversation, PlayedTurn, Prompt, Said, View
from adjudge.core.system import Setup, System
from adjudge.play.arms import OF_THE_ENGINE, Arm, Player
from adjudge.play.conversation import Answered, Conversation, Stage
from adjudge.play.estimate import made_up_answer
from adjudge.play.models import Models
from adjudge.score.pending import PendingLoop
from adjudge.tools.rubrics import Rubrics
from adjudge.tools.settings import ToolSettings

FOLDER = Path(adjudge.__file__).parent / "systems"
OWN = sorted(folder.name for folder in FOLDER.iterdir() if (folder / "__init__.py").exists())
SETUPS: list[Setup] = [guessing.setup, *(importlib.import_module(f"adjudge.systems.{name}").setup for name in OWN)]
SYSTEMS = [(setup, system) for setup in SETUPS for system in setup.systems()]
CAST = [pytest.param(setup, system, id=f"{setup.suite}/{system.card.name}") for setup, system in SYSTEMS]
ROLES = [
    pytest.param(setup, system, role, id=f"{setup.suite}/{system.card.name}")
    for setup, system in SYSTEMS
    for role in setup.roles
    if role.name in system.card.plays and role.hidden
]
MODEL = "a model"
CASES = 3
SECRET, SECRET_NUMBER = "planted-secret", 7_351_946


class Memory:
    """A journal that keeps everything in memory."""

    def __init__(self) -> None:
        self.turns: list[PlayedTurn] = []
        self.answered: list[Answered] = []

    def commit(self, conversation: Conversation, turns: Sequence[PlayedTurn], answered: Sequence[Answered]) -> None:
        self.turns += turns
        self.answered += answered

    def end(self, conversation: Conversation, end: End, answered: Sequence[Answered]) -> None:
        self.answered += answered


class AnyModel:
    """A model that answers every prompt with something of the right type, and remembers the prompts."""

    def __init__(self) -> None:
        self.prompts: list[Prompt[Any]] = []
        self._open: list[tuple[Prompt[Any], Reply]] = []

    def ask(self, requests: Iterable[Prompt[Any]], asker: str = "") -> None:
        for prompt in requests:
            self.prompts.append(prompt)
            self._open.append((prompt, Reply(made_up_answer(prompt.answer))))

    def wait(self) -> list[tuple[Prompt[Any], Reply]]:
        ready, self._open = self._open, []
        return ready


class Game(NamedTuple):
    """A played case with the prompts that were sent."""

    conversation: Conversation
    prompts: list[Prompt[Any]]


@cache
def tools_of(setup: Setup) -> dict[str, object]:
    prompts = {"prompts": Rubrics(setup.prompts)} if setup.prompts else {}
    return {**setup.tools({}), **prompts}


@cache
def cases_of(setup: Setup) -> list[Case]:
    return [read.case for read, _ in zip(setup.open([setup.sample], {}), range(CASES), strict=False)]


def player_of(system: System, role: str, without: str = "") -> Player:
    parts = frozenset(system.card.parts) - {without}
    return Player(system.card.name, system.cast().steps[role], parts, {"": MODEL})


def arm_of(setup: Setup, system: System, without: str = "") -> Arm:
    """The system with the defaults of the other roles."""
    systems = {each.card.name: each for each in setup.systems()}
    defaults = {role.name: systems[role.default if not role.tested else setup.arms[0]] for role in setup.roles}
    cast = {**defaults, **dict.fromkeys(system.card.plays, system)}
    players = {role: player_of(each, role, without if each is system else "") for role, each in cast.items()}
    protocol = next((own for each in cast.values() if (own := each.cast().protocol)), setup.protocol)
    return Arm("arm", players, protocol)


def play(setup: Setup, case: Case, arm: Arm, seed: int = 7) -> Game:
    model = AnyModel()
    stage = Stage(setup, tools_of(setup), seed, setup.limits, Memory(), Models(ToolSettings(), {}))
    loop: PendingLoop[Conversation] = PendingLoop({MODEL: model})
    try:
        [conversation] = loop.run([Conversation(stage, case, arm, 0)])
    except BadInput as error:
        pytest.skip(f"cannot play the sample: {error}")
    return Game(conversation, model.prompts)


@pytest.mark.parametrize(("setup", "system"), CAST)
def test_a_card_agrees_with_its_cast(setup: Setup, system: System) -> None:
    card = system.card
    assert card.suite == setup.suite
    assert set(system.cast().steps) == set(card.plays)
    assert set(card.plays) <= {role.name for role in setup.roles}
    assert card.title.endswith(".")
    for role in card.plays:
        unknown = set(player_of(system, role).takes) - set(OF_THE_ENGINE) - tools_of(setup).keys()
        assert not unknown, f"{card.name} takes {unknown}, which nobody gives"
    for name in card.prompts:
        assert setup.prompts is not None
        assert (setup.prompts / f"{name}.md").is_file()


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.suite)
def test_defaults_are_systems_that_play_the_role(setup: Setup) -> None:
    systems = {system.card.name: system.card for system in setup.systems()}
    for role in setup.roles:
        if not role.tested:
            assert role.name in systems[role.default].plays
    assert {arm.partition("-")[0] for arm in setup.arms} <= systems.keys()


@pytest.mark.parametrize(("setup", "system"), CAST)
def test_a_conversation_ends_and_is_the_same_when_played_again(setup: Setup, system: System) -> None:
    for case in cases_of(setup):
        first, second = (play(setup, case, arm_of(setup, system)).conversation for _ in range(2))
        assert first.end is not None
        assert first.end.status in (None, "over_budget"), first.end
        assert first.turns == second.turns


@pytest.mark.parametrize(("setup", "system"), CAST)
def test_a_system_plays_without_any_of_its_parts(setup: Setup, system: System) -> None:
    for part in set(system.card.parts) - set(system.card.fixed):
        end = play(setup, cases_of(setup)[0], arm_of(setup, system, without=part)).conversation.end
        assert end is not None
        assert end.status is None, f"without {part}: {end}"


@pytest.mark.parametrize(("setup", "system"), CAST)
def test_facts_and_notes_survive_a_file(setup: Setup, system: System) -> None:
    played = play(setup, cases_of(setup)[0], arm_of(setup, system)).conversation
    roles = {participant.id: participant.role for participant in played.participants}
    for turn in played.turns:
        player = played.arm.players[roles[turn.speaker]]
        kinds = {"facts": setup.role(roles[turn.speaker]).facts, "notes": player.notes_type}
        for name, kind in kinds.items():
            value = getattr(turn.content, name)
            read = None if value is None else msgspec.json.decode(msgspec.json.encode(value), type=kind)
            assert read == value, f"{name} of turn {turn.number}"


@pytest.mark.parametrize(("setup", "system"), CAST)
def test_a_conversation_makes_a_record_that_can_be_read(setup: Setup, system: System) -> None:
    played = play(setup, cases_of(setup)[0], arm_of(setup, system)).conversation
    assert played.end is not None
    conversation = PlayedConversation(played.id, played.case, "arm", 0, played.participants, played.turns, played.end)
    record = setup.record(conversation)
    assert msgspec.json.decode(msgspec.json.encode(record), type=type(record)) == record


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.suite)
def test_a_system_that_gives_no_facts_makes_a_record_too(setup: Setup) -> None:
    case = cases_of(setup)[0]
    players = {role.name: Player("mute", greet) for role in setup.roles}
    played = play(setup, case, Arm("arm", players, setup.protocol)).conversation
    assert played.end is not None
    conversation = PlayedConversation(played.id, case, "arm", 0, played.participants, played.turns, played.end)
    assert setup.record(conversation).case == case.id


@pytest.mark.parametrize(("setup", "system"), CAST)
def test_only_parts_that_ask_are_heard_by_a_model(setup: Setup, system: System) -> None:
    parts = {prompt.part for case in cases_of(setup) for prompt in play(setup, case, alone(setup, system)).prompts}
    assert parts <= set(system.card.asks)


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.suite)
def test_simulated_users_draw_the_same_numbers_in_every_arm(setup: Setup) -> None:
    case = cases_of(setup)[0]
    players = {role.name: Player("draws", draw) for role in setup.roles}
    first, second = (play(setup, case, Arm(label, players, setup.protocol)).conversation for label in ("a", "b"))
    roles = {participant.id: setup.role(participant.role) for participant in first.participants}
    for mine, other in zip(first.turns, second.turns, strict=True):
        assert (mine == other) == roles[mine.speaker].shared_draws


def draw(view: View[Any], rng: Any) -> Said[None]:
    return Said(str(rng.random()), ends="enough" if view.turn >= 5 else "")


def test_plays_with_another_seed_differ() -> None:
    case = cases_of(guessing.setup)[0]
    system = next(each for each in guessing.setup.systems() if each.card.name == "bisection")
    arm = arm_of(guessing.setup, system, without="middle")
    games = [play(guessing.setup, case, arm, seed).conversation.turns for seed in range(9)]
    assert any(turns != games[0] for turns in games)


@pytest.mark.parametrize(("setup", "system", "role"), ROLES)
def test_what_a_role_must_not_know_is_in_no_view_and_no_prompt(setup: Setup, system: System, role: Any) -> None:
    for case in cases_of(setup):
        planted = plant(case, role.hidden)
        assert has_secret(planted), f"nothing could be planted in {role.hidden}"
        game = play(setup, planted, alone(setup, system))
        shown = [*VIEWS, *(message.text + message.material for prompt in game.prompts for message in prompt.messages)]
        VIEWS.clear()
        assert not [text for text in shown if SECRET in text or str(SECRET_NUMBER) in text]


VIEWS: list[str] = []


def alone(setup: Setup, system: System) -> Arm:
    """The system among participants who say nothing of the case; what it sees is noted."""
    mute = {role.name: Player("mute", greet) for role in setup.roles}
    players = mute | {role: watched(player_of(system, role)) for role in system.card.plays}
    return Arm("arm", players, system.cast().protocol or setup.protocol)


def greet(view: View[Any]) -> Said[None]:
    return Said("Hello.", ends="enough" if view.turn >= 6 else "")


def watched(player: Player) -> Player:
    def step(view: View[Any], **given: Any) -> Said[Any]:
        VIEWS.append(msgspec.json.encode([view.facts, view.turns, view.notes]).decode())
        return player.step(view, **given)

    step.__signature__ = inspect.signature(player.step)  # type: ignore[attr-defined]
    return Player(player.system, step, player.parts, player.models)


def plant(case: Case, fields: Iterable[str]) -> Case:
    """The case with a secret in every text and number of some of its fields that can hold one."""
    whole = msgspec.json.decode(msgspec.json.encode(case))
    for path in [path for path in leaves(whole) if path[0] in fields]:
        changed = with_leaf(whole, path)
        try:
            msgspec.convert(changed, type(case))
        except msgspec.ValidationError:
            continue  # A word from a fixed list.
        whole = changed
    return msgspec.convert(whole, type(case))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield path


def with_leaf(value: Any, path: tuple[Any, ...]) -> Any:
    if not path:
        return SECRET if isinstance(value, str) else SECRET_NUMBER
    key, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = with_leaf(value[key], tuple(rest))
    return copy


def has_secret(case: Case) -> bool:
    text = msgspec.json.encode(case).decode()
    return SECRET in text or str(SECRET_NUMBER) in text
