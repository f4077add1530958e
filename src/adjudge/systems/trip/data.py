"""The cases of the trip systems, and what their participants say beside their text."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from adjudge.core.play import Case
from adjudge.suites.trip.data import (
    Ballot,
    CatalogueEntry,
    Condition,
    Leg,
    Plan,
    Promise,
    Strength,
    Synthesis,
    TripRequest,
    Vote,
    Wish,
)

# The order in which members are asked.
AGENDA = ("traveler_type", "travel_purpose", "spending_preference", "lodging", "cuisine", "event", "attraction")

# How a slot is decided: the members' welfare as the planner sees it (planning/objective.py).
Rule = Literal["sum", "maximin", "nash", "coverage", "alternate"]


class Person(Struct, frozen=True, gc=False, omit_defaults=True):
    """A member of the group as everybody knows them."""

    id: str
    role: str = ""


class TripCase(Case, frozen=True, kw_only=True, omit_defaults=True):
    """A group that wants to travel: what it asks for, and the places and legs there are.

    `wishes` are the true wishes of each member, which nobody else knows. `conflicts` are the slots in which a generator
    made the wishes conflict; None where nobody knows.
    """

    group_type: str = ""
    members: tuple[Person, ...] = ()
    wishes: dict[str, tuple[Wish, ...]] = field(default_factory=dict)
    request: TripRequest = field(default_factory=TripRequest)
    catalogue: tuple[CatalogueEntry, ...] = ()
    legs: tuple[Leg, ...] = ()
    conflicts: tuple[str, ...] | None = None


class TurnPart(Struct, frozen=True, omit_defaults=True):
    """One part of a turn: its words and its intent, with what belongs to it. `options` are those of a vote."""

    text: str
    intent: str = ""
    strength: Strength | None = None
    synthesis: Synthesis | None = None
    ballots: tuple[Ballot, ...] = ()
    vote: Vote | None = None
    promises: tuple[Promise, ...] = ()
    options: tuple[str, ...] = ()


class SpokenWish(Struct, frozen=True, gc=False, omit_defaults=True):
    """A wish that counts for the plan, in the words in which it was spoken."""

    member: str
    slot: str
    text: str
    strength: Strength | None = None


class Brief(Struct, frozen=True, omit_defaults=True):
    """What the mediator hands over to the planner.

    `rules` say how each slot is decided ("sum" where a slot is not named), and `first` are the claims that come before
    all others. `unmet` are the members for whom the plan before is to be repaired.
    """

    claims: tuple[SpokenWish, ...] = ()
    rules: dict[str, Rule] = field(default_factory=dict)
    first: tuple[SpokenWish, ...] = ()
    unmet: tuple[str, ...] = ()


class TurnFacts(Struct, frozen=True, omit_defaults=True):
    """What is known of a turn beside its text: its parts, what is handed over, and the plan.

    `condition` is the one under which the mediator works. `fault` says why there is no plan.
    """

    lines: tuple[TurnPart, ...] = ()
    condition: Condition | None = None
    brief: Brief | None = None
    plan: Plan | None = None
    fault: str = ""


class MemberAnswer(Struct, frozen=True):
    """The parts of a turn with which a member answers."""

    member: str
    lines: tuple[TurnPart, ...]


class MemberView(Struct, frozen=True):
    """What a member knows: itself, its own wishes, what it is asked, and the plan that was presented.

    `places` are the catalogue entries of the plan's places: what the group is told about them.
    """

    person: Person
    wishes: tuple[Wish, ...]
    asked: tuple[TurnPart, ...] = ()
    plan: Plan | None = None
    places: tuple[CatalogueEntry, ...] = ()


class MediatorView(Struct, frozen=True):
    """What the mediator knows: who travels, what the group asks for, and what it was answered last."""

    group_type: str
    members: tuple[Person, ...]
    request: TripRequest
    answers: tuple[MemberAnswer, ...] = ()
    plan: Plan | None = None
    fault: str = ""


class PlannerView(Struct, frozen=True):
    """What the planner knows: the request, the places and legs there are, what was handed over, the plan before."""

    request: TripRequest
    people: int
    catalogue: tuple[CatalogueEntry, ...]
    legs: tuple[Leg, ...]
    brief: Brief
    before: Plan | None = None
