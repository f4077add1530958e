"""The cases of the service system, and what its participants say beside their text."""

from __future__ import annotations

from msgspec import Struct, field

from adjudge.core.play import Case
from adjudge.suites.service.data import Annotation, Goal
from adjudge.systems.service.customer.wishes import DomainWish


class RecordedTurn(Struct, frozen=True, gc=False, omit_defaults=True):
    """A user turn of a recorded dialogue with its gold annotation, and the reply that the recorded system gave."""

    text: str
    gold: Annotation | None = None
    reply: str = ""
    reply_gold: Annotation | None = None


class ServiceCase(Case, frozen=True, kw_only=True, omit_defaults=True):
    """A customer with a goal.

    `goal` is the goal in the shape that Inform and Success are computed for, `wishes` what the simulated customer
    goes by, in order. `recorded` is the dialogue of the file where the case comes from one.
    """

    goal: dict[str, Goal] = field(default_factory=dict)
    wishes: dict[str, DomainWish] = field(default_factory=dict)
    services: tuple[str, ...] = ()
    recorded: tuple[RecordedTurn, ...] = ()


class UserFacts(Struct, frozen=True, omit_defaults=True):
    """What is known of a user turn beside its text.

    `gold` is what the turn says, by its annotator or by the simulator that said it. For a recorded user, `heard` is
    the recorded reply that the turn answers, and `reply` the one that followed it; both are None for other users.
    """

    gold: Annotation | None = None
    heard: str | None = None
    reply: str | None = None
    reply_gold: Annotation | None = None
