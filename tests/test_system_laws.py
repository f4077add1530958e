"""Laws that hold for all systems of all suites, with a model and by rule, taken from their cards and setups."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

import guessing
from adjudge.core.errors import Unanswered
from adjudge.core.play import Case, Limits, PlayedConversation, Said, Spent, View
from adjudge.core.record import Record
from adjudge.core.system import Role, Setup
from adjudge.play.arms import OF_THE_ENGINE, Arm, Player
from adjudge.play.conversation import OngoingConversation
from adjudge.play.records import suite_record
from casts import (
    CASTINGS,
    SETUPS,
    AnyModel,
    Casting,
    arm_of,
    cases_of,
    castings,
    default_options,
    each_casting,
    each_setup,
    play,
    play_all,
    tools_of,
)

ROLES = [
    pytest.param(casting, role, id=f"{casting.name} as {role.name}")
    for casting in CASTINGS
    for role in casting.setup.roles
    if role.name in casting.system.card.plays and role.hidden
]
GENERATED = [setup for setup in SETUPS if setup.generator is not None]
SECRET, SECRET_NUMBER = "planted-secret", 7_351_946


@each_casting
def test_a_card_agrees_with_its_cast(casting: Casting) -> None:
    setup, card = casting.setup, casting.system.card
    assert card.suite == setup.suite
    assert set(casting.system.cast().steps) == set(card.plays)
    assert set(card.plays) <= {role.name for role in setup.roles}
    assert card.title.endswith(".")
    for role in card.plays:
        unknown = set(casting.player(role).takes) - set(OF_THE_ENGINE) - tools_of(setup).keys()
        assert not unknown, f"{card.name} takes {unknown}, which nobody gives"
    for name in card.prompts:
        assert setup.prompts is not None
        assert (setup.prompts / f"{name}.md").is_file()


@each_setup
def test_defaults_are_systems_that_play_the_role(setup: Setup) -> None:
    systems = {system.card.name: system.card for system in setup.systems()}
    for role in setup.roles:
        if not role.tested:
            assert role.name in systems[role.default].plays
    assert {arm.partition("-")[0] for arm in setup.arms} <= systems.keys()


@each_casting
def test_a_conversation_ends_and_is_the_same_at_any_concurrency(casting: Casting) -> None:
    setup, cases, arm = casting.setup, cases_of(casting.setup), arm_of(casting)
    first = play_all(setup, cases, arm, AnyModel(), in_flight=1)
    for played in first:
        assert played.end is not None
        assert played.end.status in (None, "over_budget"), played.end
    for in_flight in (8, 256):
        again = play_all(setup, cases, arm, AnyModel(order=Random(in_flight)), in_flight)
        assert [played.turns for played in again] == [played.turns for played in first]
        assert [played.end for played in again] == [played.end for played in first]


@each_casting
def test_a_system_plays_without_any_of_its_parts(casting: Casting) -> None:
    card = casting.system.card
    for part in set(card.parts) - set(card.fixed):
        end = play(casting.setup, cases_of(casting.setup)[0], arm_of(casting, without=part)).conversation.end
        assert end is not None
        assert end.status is None, f"without {part}: {end}"


@each_casting
def test_facts_and_notes_survive_a_file(casting: Casting) -> None:
    setup = casting.setup
    played = play(setup, cases_of(setup)[0], arm_of(casting)).conversation
    roles = {participant.id: participant.role for participant in played.participants}
    for turn in played.turns:
        player = played.arm.players[roles[turn.speaker]]
        kinds = {"facts": setup.role(roles[turn.speaker]).facts, "notes": player.notes_type}
        for name, kind in kinds.items():
            value = getattr(turn.content, name)
            read = None if value is None else msgspec.json.decode(msgspec.json.encode(value), type=kind)
            assert read == value, f"{name} of turn {turn.number}"


def record_of(played: OngoingConversation) -> Record:
    """The record of a conversation, after it was written and read again."""
    assert played.end is not None
    spent = Spent(3, 30, 15, 1.5, None)
    conversation = PlayedConversation(
        played.id, played.case, "arm", 0, played.participants, played.turns, played.end, spent
    )
    record = suite_record(played.stage.setup, conversation)
    read = msgspec.json.decode(msgspec.json.encode(record), type=type(record))
    assert read == record
    return read


@each_casting
def test_a_conversation_makes_a_record_that_can_be_read(casting: Casting) -> None:
    case = cases_of(casting.setup)[0]
    assert record_of(play(casting.setup, case, arm_of(casting)).conversation).case == case.id


@each_setup
def test_a_system_that_gives_no_facts_makes_a_record_too(setup: Setup) -> None:
    case = cases_of(setup)[0]
    players = {role.name: Player("mute", greet) for role in setup.roles}
    assert record_of(play(setup, case, Arm("arm", players, setup.protocol)).conversation).case == case.id


@each_casting
def test_a_conversation_that_reaches_a_limit_ends_there_and_makes_a_record(casting: Casting) -> None:
    setup, case = casting.setup, cases_of(casting.setup)[0]
    out_of_time = play(setup, case, arm_of(casting), limits=Limits(seconds=0.0)).conversation
    assert out_of_time.end is not None
    assert (out_of_time.end.reason, out_of_time.turns) == ("time", ())
    cut_short = play(setup, case, arm_of(casting), limits=Limits(turns=1)).conversation
    assert cut_short.end is not None
    assert cut_short.end.reason in ("turns", "participant", "protocol")
    for played in (out_of_time, cut_short):
        record_of(played)


@pytest.mark.parametrize("casting", [each for each in CASTINGS if each.asking], ids=lambda casting: casting.name)
@pytest.mark.parametrize("status", ["over_budget", "refusal"])
def test_a_model_that_fails_ends_the_conversation_with_a_reason(casting: Casting, status: Any) -> None:
    setup, case = casting.setup, cases_of(casting.setup)[0]
    for after in (0, 3):
        model = AnyModel(Unanswered(status, "no more"), after)
        played = play(setup, case, arm_of(casting), model=model).conversation
        assert played.end is not None
        if played.end.status is not None:  # Otherwise the system knows how to go on without an answer.
            assert played.end.reason == ("budget" if status == "over_budget" else "error")
            assert played.end.status == status
            assert played.end.by.partition("/")[0] in {participant.id for participant in played.participants}
        record_of(played)


@each_casting
def test_only_parts_with_a_model_ask_it(casting: Casting) -> None:
    games = [play(casting.setup, case, alone(casting)) for case in cases_of(casting.setup)]
    assert {prompt.part for game in games for prompt in game.prompts} <= casting.asking


@each_setup
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
    casting = next(each for each in CASTINGS if each.name == "guessing/bisection")
    arm = arm_of(casting, without="middle")
    games = [play(guessing.setup, case, arm, seed).conversation.turns for seed in range(9)]
    assert any(turns != games[0] for turns in games)


@each_setup
def test_variants_keep_ids_unique(setup: Setup) -> None:
    options = default_options(setup)
    cases = [case for row in setup.open([setup.sample], options) for case in setup.variants(row.case, options)]
    assert len({case.id for case in cases}) == len(cases) > 0
    assert all(isinstance(case, setup.case) for case in cases)


def parameters_of(setup: Setup) -> Iterator[Any]:
    """The parameters of a generator: its defaults, and every choice of one that has a few."""
    assert setup.generator is not None
    kind = setup.generator.parameters
    yield kind(n=5)
    for field in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]
        if isinstance(field.type, msgspec.inspect.LiteralType):
            for value in field.type.values:
                yield kind(**{"n": 5, field.name: value})


@pytest.mark.parametrize("setup", GENERATED, ids=lambda setup: setup.suite)
def test_a_generator_makes_n_cases_and_always_the_same(setup: Setup) -> None:
    assert setup.generator is not None
    for parameters in parameters_of(setup):
        first, second = (list(setup.generator.make(parameters)) for _ in range(2))
        assert first == second, parameters
        assert len({case.id for case in first}) == len(first) == 5, parameters
        for case in first:
            assert msgspec.json.decode(msgspec.json.encode(case), type=setup.case) == case


@pytest.mark.parametrize("setup", GENERATED, ids=lambda setup: setup.suite)
def test_generated_cases_can_be_played_by_the_default_arms(setup: Setup) -> None:
    assert setup.generator is not None
    systems = {system.card.name: system for system in setup.systems()}
    for parameters in parameters_of(setup):
        case = next(iter(setup.generator.make(parameters)))
        for name in setup.arms:
            system, *without = name.split("-")
            arm = arm_of(castings(setup, systems[system])[-1], without=next(iter(without), ""))
            end = play(setup, case, arm).conversation.end
            assert end is not None
            assert end.status is None, f"{name}, {parameters}: {end}"


@pytest.mark.parametrize(("casting", "role"), ROLES)
def test_what_a_role_must_not_know_is_in_no_view_and_no_prompt(casting: Casting, role: Role) -> None:
    for case in [*cases_of(casting.setup), *generated_case(casting.setup)]:
        planted = plant(case, role.hidden)
        if not (has_secret(planted) or holds_nothing(case, role.hidden)):
            pytest.fail(f"{case.id}: nothing could be planted in {role.hidden}")
        game = play(casting.setup, planted, alone(casting))
        own = {each.id for each in game.conversation.participants if each.role == role.name}
        contents = [turn.content for turn in game.conversation.turns if turn.speaker in own]
        asked = [message.text + message.material for prompt in game.prompts for message in prompt.messages]
        shown = [*VIEWS, *asked, msgspec.json.encode(contents).decode()]
        VIEWS.clear()
        assert not [text for text in shown if SECRET in text or str(SECRET_NUMBER) in text]


VIEWS: list[str] = []


def generated_case(setup: Setup) -> list[Case]:
    return [next(iter(setup.generator.make(setup.generator.parameters(n=1))))] if setup.generator else []


def alone(casting: Casting) -> Arm:
    """The system among participants who say nothing of the case; what it sees is noted."""
    mute = {role.name: Player("mute", greet) for role in casting.setup.roles}
    players = mute | {role: watched(casting.player(role)) for role in casting.system.card.plays}
    return Arm("arm", players, casting.system.cast().protocol or casting.setup.protocol)


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
    if isinstance(value, dict | list | tuple):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield path


def with_leaf(value: Any, path: tuple[Any, ...]) -> Any:
    if not path:
        return SECRET if isinstance(value, str) else type(value)(SECRET_NUMBER)
    key, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = with_leaf(value[key], tuple(rest))
    return copy


def has_secret(case: Case) -> bool:
    text = msgspec.json.encode(case).decode()
    return SECRET in text or str(SECRET_NUMBER) in text


def holds_nothing(case: Case, fields: Iterable[str]) -> bool:
    """Whether the fields of a case are all empty, so that there is nothing to hide."""
    return not any(getattr(case, name) for name in fields)


def test_every_hidden_field_is_a_field_of_the_case() -> None:
    for setup in SETUPS:
        names = {field.name for field in structs.fields(setup.case)}
        for role in setup.roles:
            assert set(role.hidden) <= names, f"{setup.suite}: {role.name}"
