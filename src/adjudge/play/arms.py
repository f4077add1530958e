"""Arms: systems with their parts and models, bound to the roles they play."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args, get_type_hints

from adjudge.core.play import TurnTaking
from adjudge.core.system import Step

# The parameters of a step that the engine itself provides, beside the tools of the setup.
OF_THE_ENGINE = ("ask", "own", "rng", "parts", "asking")


@dataclass(frozen=True)
class Player:
    """A step that plays a role: the system it belongs to, the parts that are in, and the model of each part.

    `models` maps a part, or "" for every other part, to the name of a model.
    """

    system: str
    step: Step
    parts: frozenset[str] = frozenset()
    models: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The names of the parameters after the view."""
        _, *rest = inspect.signature(self.step).parameters.values()
        return tuple(parameter.name for parameter in rest)

    def model_of(self, part: str) -> str:
        """The name of the model that a part asks; empty where there is none."""
        return self.models.get(part) or self.models.get("", "")

    @cached_property
    def asking(self) -> frozenset[str]:
        """The parts that have a model to ask."""
        return frozenset(part for part in self.parts if self.model_of(part))

    @cached_property
    def notes_type(self) -> Any:
        """The type of the notes, from the step's return annotation `Said[Notes]`."""
        hints = get_type_hints(self.step)
        arguments = get_args(hints.get("return"))
        return arguments[0] if arguments else Any


@dataclass(frozen=True)
class Arm:
    """What is compared: a label, a player for every role, and who speaks next."""

    label: str
    players: Mapping[str, Player]
    protocol: TurnTaking
