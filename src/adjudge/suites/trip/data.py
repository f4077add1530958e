"""The records of the trip suite: the dialogue of a group with an assistant, and the resulting plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from adjudge.core.fingerprint import without_order
from adjudge.core.record import Record, Turn

Condition = Literal["C1", "C2", "C3", "C4", "C5"]
Strength = Literal["must", "prefer", "avoid", "reject"]
PlaceKind = Literal["restaurant", "lodging", "attraction", "event"]

# Larger group sizes are rejected as mistakes.
LARGEST_GROUP = 10_000
GroupSize = Annotated[int, Meta(ge=1, le=LARGEST_GROUP)]
Amount = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]

# The slots of a dialogue, and those that a plan can satisfy (docs/methods/trip.md).
SLOTS = ("traveler_type", "travel_purpose", "spending_preference", "cuisine", "attraction", "event", "lodging")
ACTIONABLE = ("lodging", "cuisine", "event", "attraction")
KIND_OF_SLOT: dict[str, PlaceKind] = {
    "lodging": "lodging",
    "cuisine": "restaurant",
    "event": "event",
    "attraction": "attraction",
}
MEALS = ("breakfast", "lunch", "dinner")


class Wish(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a member wants in one slot, in the member's words; `strength` is None if the record does not give it."""

    slot: str
    text: str
    strength: Strength | None = None


class Member(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One member of the group; `hidden` are the member's true wishes, spoken or not, if the record has them."""

    id: str
    role: str = ""
    hidden: tuple[Wish, ...] = ()


class Synthesis(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The assistant's notes from combining the wishes for a slot; `has_conflict` is None if it did not say."""

    has_conflict: bool | None = None
    conflict_description: str = ""
    resolution_strategy: str = ""
    resolution_explanation: str = ""


class Ballot(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How one member votes on the options of a slot."""

    member: str
    top_choice: str = ""
    acceptable: tuple[str, ...] = ()
    hard_no: tuple[str, ...] = ()


class OptionCount(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How one option fared in a vote."""

    option: str
    total_score: float | None = None
    member_scores: dict[str, float] = {}
    strong_rejections: int | None = None


class Vote(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The outcome of a vote as the assistant declares it."""

    method: str = ""
    strategy_id: str = ""
    selected_option: str = ""
    option_details: tuple[OptionCount, ...] = ()
    minority_members: tuple[str, ...] = ()


class Promise(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something the assistant promised to put into the plan; an empty `member` means the whole group."""

    text: str
    slot: str = ""
    member: str = ""


class TripTurn(Turn, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What a member or the assistant said, with its intent and attachments.

    The speaker is the id of a member, or `system`. `strength` is the strength of the wish in a `user_provide_*` turn.
    """

    intent: str = ""
    strength: Strength | None = None
    synthesis: Synthesis | None = None
    ballots: tuple[Ballot, ...] = ()
    vote: Vote | None = None
    promises: tuple[Promise, ...] = ()


class Place(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A place as a plan names it, with its city, its cost, and the rooms booked there if the plan states them."""

    name: str
    city: str = ""
    cost: Amount | None = None
    rooms: Count | None = None


class Visit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A timed entry of a day; `start` and `end` are HH:MM or empty.

    If the visit ends the next morning, `end` is earlier than `start`.
    """

    name: str
    start: str = ""
    end: str = ""
    city: str = ""


class Day(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One day of a plan; `city` is copied from the plan: "Rockford", or "from A to B" on a travel day."""

    number: int
    city: str = ""
    date: str = ""
    transport: str = ""
    breakfast: Place | None = None
    lunch: Place | None = None
    dinner: Place | None = None
    attractions: tuple[Place, ...] = ()
    events: tuple[Place, ...] = ()
    lodging: Place | None = None
    visits: tuple[Visit, ...] = ()

    @property
    def meals(self) -> dict[str, Place | None]:
        """The three meals by name."""
        return {"breakfast": self.breakfast, "lunch": self.lunch, "dinner": self.dinner}


class Plan(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The itinerary; `raw` is the planner's own text before it was parsed."""

    days: tuple[Day, ...] = ()
    raw: str = ""


class CatalogueEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One place of the reference catalogue; None means that the catalogue does not say.

    `price` is for a night, a meal or a ticket in the catalogue's currency. `rules` are house rules ("No pets").
    `date` is the day of an event (YYYY-MM-DD). `about` is any further description.
    """

    kind: PlaceKind
    name: str
    city: str = ""
    price: Amount | None = None
    cuisines: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    room_type: str = ""
    rules: tuple[str, ...] = ()
    occupancy: Count | None = None
    minimum_nights: Count | None = None
    rating: float | None = None
    date: str = ""
    about: str = ""


class Leg(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One way to travel between two cities, as the catalogue lists it; `price` is for one person or one car."""

    mode: Literal["flight", "self-driving", "taxi"]
    origin: str
    destination: str
    price: Amount | None = None
    number: str = ""
    date: str = ""


class TripRequest(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The requirements of the trip; None or empty means that the request does not say.

    `start` and `end` are YYYY-MM-DD. `needs` lists what a lodging must allow: children (under ten), pets, smoking,
    parties, visitors. `without` lists the ways of travel that are ruled out.
    """

    text: str = ""
    budget: Amount | None = None
    people: GroupSize | None = None
    origin: str = ""
    cities: tuple[str, ...] = ()
    start: str = ""
    end: str = ""
    days: Count | None = None
    needs: tuple[Literal["children", "pets", "smoking", "parties", "visitors"], ...] = ()
    room_type: str = ""
    cuisines: tuple[str, ...] = ()
    without: tuple[Literal["flight", "self-driving"], ...] = ()


class Trip(Record, frozen=True, kw_only=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """One group's planning dialogue under one condition, with the plan and the catalogue it was made from.

    `condition` is also the arm if no other is given. `member_count` is the size of the group if not every member is
    listed. `plan_fault` says why the plan in the file could not be read. `scripted_acceptance` means that members
    accept by script and not by choice. `conflicts` are the slots in which the members' wishes were made to conflict;
    None if that is not known. A trip without a condition is only a plan.
    """

    condition: Condition | None = None
    group_type: str = ""
    members: tuple[Member, ...] = ()
    member_count: GroupSize | None = None
    turns: tuple[TripTurn, ...] = ()
    request: TripRequest = field(default_factory=TripRequest)
    plan: Plan | None = None
    plan_fault: str = ""
    catalogue: tuple[CatalogueEntry, ...] = ()
    legs: tuple[Leg, ...] = ()
    scripted_acceptance: bool = False
    conflicts: tuple[str, ...] | None = None

    @property
    def given_parts(self) -> Mapping[str, object]:
        """The request, the members' true wishes, and the catalogue.

        Who speaks and what is said differs between conditions, so the wishes in the dialogue are not among it.
        """
        return {
            "request": None if self.request == TripRequest() else self.request,
            "wishes": {member.id: member.hidden for member in self.members if member.hidden},
            "catalogue": without_order(self.catalogue),
            "legs": without_order(self.legs),
        }

    @property
    def prose(self) -> Iterator[str]:
        """What was said in the dialogue, and the members' true wishes."""
        yield from (turn.text for turn in self.turns if turn.kind == "speech")
        yield from (wish.text for member in self.members for wish in member.hidden)

    @property
    def size(self) -> int:
        """How many members the group has."""
        return max(self.member_count or 0, len(self.members))

    @cached_property
    def entries(self) -> dict[PlaceKind, tuple[CatalogueEntry, ...]]:
        """The catalogue by kind of place."""
        by_kind: dict[PlaceKind, list[CatalogueEntry]] = {}
        for entry in self.catalogue:
            by_kind.setdefault(entry.kind, []).append(entry)
        return {kind: tuple(entries) for kind, entries in by_kind.items()}

    @property
    def days(self) -> tuple[Day, ...]:
        """The days of the plan; none without a plan."""
        return self.plan.days if self.plan else ()
