"""From a plan to arms: systems are looked up, their parts and models checked, and every role gets a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.play import TurnTaking
from adjudge.core.suite import Missing
from adjudge.core.system import Setup, System, SystemCard
from adjudge.play.arms import OF_THE_ENGINE, Arm, Player
from adjudge.play.guests import OwnCode, function_players, own_players
from adjudge.play.models import Models
from adjudge.play.plan import PlayPlan
from adjudge.play.spec import FUNCTION, ArmSpec, parse_arm
from adjudge.run.played import PlayedArm


@dataclass(frozen=True)
class Assembly:
    """The arms of a play, what the manifest says about them, and the cards of all systems that take part."""

    arms: tuple[Arm, ...]
    entries: Mapping[str, PlayedArm]
    cards: Mapping[str, SystemCard]


class _Side(NamedTuple):
    """The players of an arm or of a role that is not under test."""

    players: Mapping[str, Player]
    protocol: TurnTaking | None = None
    without: tuple[str, ...] = ()
    card: SystemCard | None = None


def assemble(setup: Setup, systems: Mapping[str, System], plan: PlayPlan, models: Models) -> Assembly:
    """The arms of a plan; raises BadInput where a name is unknown or a model is missing."""
    caster = _Caster(setup, systems, plan, models)
    others = [caster.counterpart(role.name, role.default) for role in setup.roles if not role.tested]
    specs = [
        ArmSpec(text, text, own=FUNCTION) if text in plan.functions else parse_arm(text)
        for text in plan.arms or setup.arms
    ]
    _refuse_repeated_labels(specs)
    sides = {spec.label: caster.side(spec) for spec in specs}
    arms = [_arm(setup, label, side, others) for label, side in sides.items()]
    cards = [side.card for side in (*others, *sides.values()) if side.card is not None]
    return Assembly(
        tuple(arms),
        {arm.label: _entry(arm, sides[arm.label].without) for arm in arms},
        {card.name: card for card in cards},
    )


def check_tools(arms: tuple[Arm, ...], tools: Mapping[str, object]) -> None:
    """Raise BadInput where a step takes a tool that is not there."""
    for arm in arms:
        for player in arm.players.values():
            for name in player.takes:
                tool = (
                    None
                    if name in OF_THE_ENGINE
                    else tools.get(name, Missing(f"takes {name!r}, and there is no such tool"))
                )
                if isinstance(tool, Missing):
                    raise BadInput(f"{player.system}: {tool.why}")


class _Caster:
    """Finds the players of each side."""

    def __init__(self, setup: Setup, systems: Mapping[str, System], plan: PlayPlan, models: Models) -> None:
        self.setup = setup
        self.systems = systems
        self.plan = plan
        self.models = models
        self.tested = [role.name for role in setup.roles if role.tested]
        self.parts = {part for system in systems.values() for part in system.card.parts}
        unknown = [part for part in plan.models if part and part not in self.parts]
        if unknown:
            hint = did_you_mean(unknown[0], self.parts)
            raise BadInput(f"--model {unknown[0]}=...: no system has a part {unknown[0]!r}{hint}")

    def counterpart(self, role: str, default: str) -> _Side:
        """The system that plays a role that is not under test; a model stands for the system that asks a model."""
        spec = parse_arm(self.plan.counterparts.get(role) or default)
        asking = [system for system in self.systems.values() if role in system.card.plays and system.card.asks]
        if spec.system not in self.systems and ":" in spec.system and asking:
            spec = ArmSpec(spec.label, asking[0].card.name, model=spec.label)
        if spec.own:
            raise BadInput(f"--{role} {spec.label}: a system of your own can only be an arm; expected a name")
        return self._own_side(spec, f"--{role}", [role])

    def side(self, spec: ArmSpec) -> _Side:
        """The players of an arm."""
        if spec.own == FUNCTION:
            function = self.plan.functions[spec.label]
            return _Side(function_players(OwnCode.of(function), self.setup, self.models, self.plan.models))
        if spec.own:
            return _Side(own_players(spec, self.setup, self.models, self.plan.models))
        return self._own_side(spec, "--arm", self.tested)

    def _own_side(self, spec: ArmSpec, option: str, roles: list[str]) -> _Side:
        system = self._find(spec, option, roles)
        card = system.card
        self._check_parts(spec, card, option)
        parts = frozenset(card.parts) - set(spec.without)
        models = self._models_of(spec, card, parts)
        cast = system.cast()
        players = {role: Player(card.name, step, parts, models) for role, step in cast.steps.items()}
        return _Side(players, cast.protocol, spec.without, card)

    def _find(self, spec: ArmSpec, option: str, roles: list[str]) -> System:
        able = {name: system for name, system in self.systems.items() if set(roles) & set(system.card.plays)}
        if spec.system not in able:
            hint = did_you_mean(spec.system, able)
            raise BadInput(
                f"{option} {spec.label}: no system {spec.system!r} in suite {self.setup.suite!r} plays "
                f"{' or '.join(roles)}{hint} (adjudge list {self.setup.suite})"
            )
        return able[spec.system]

    def _check_parts(self, spec: ArmSpec, card: SystemCard, option: str) -> None:
        for part in spec.without:
            if part not in card.parts:
                parts = ", ".join(card.parts) or "none"
                hint = did_you_mean(part, card.parts)
                raise BadInput(f"{option} {spec.label}: {card.name} has no part {part!r}{hint} (its parts: {parts})")
            if part in card.fixed:
                raise BadInput(f"{option} {spec.label}: {card.name} cannot do without its part {part!r}")

    def _models_of(self, spec: ArmSpec, card: SystemCard, parts: frozenset[str]) -> dict[str, str]:
        """The model of every part that asks: the part's own, the arm's, or the one for all."""
        models = {}
        for part in card.asks:
            if part not in parts:
                continue
            name = self.plan.models.get(part) or spec.model or self.plan.models.get("", "")
            if not name and part in card.by_rule:
                continue
            if not name:
                asking = ", ".join(card.asks)
                raise BadInput(
                    f"{spec.label}: {card.name} asks a model ({asking}) and none is named; "
                    f"write {card.name}@MODEL, or name one with --model"
                )
            models[part] = self.models.add(name)
        if spec.model and not card.asks:
            raise BadInput(f"{spec.label}: {card.name} asks no model; expected {card.name} without @{spec.model}")
        return models


def _arm(setup: Setup, label: str, side: _Side, others: list[_Side]) -> Arm:
    players = {role: player for other in others for role, player in other.players.items()}
    players |= side.players
    if missing := [role.name for role in setup.roles if role.name not in players]:
        raise BadInput(f"{label}: no system plays {', '.join(missing)}; expected one for each role")
    return Arm(label, players, side.protocol or setup.protocol)


def _entry(arm: Arm, without: tuple[str, ...]) -> PlayedArm:
    systems = {role: player.system for role, player in arm.players.items()}
    models = {part or role: name for role, player in arm.players.items() for part, name in player.models.items()}
    return PlayedArm(systems=systems, without=without, models=models)


def _refuse_repeated_labels(specs: list[ArmSpec]) -> None:
    labels = [spec.label for spec in specs]
    for label in labels:
        if labels.count(label) > 1:
            raise BadInput(f"two arms are called {label!r}; name one of them: --arm NAME={label}")
