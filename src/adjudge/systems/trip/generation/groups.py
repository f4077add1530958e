"""Groups whose wishes conflict in known slots: `--generate n=200,members=4,conflict=0.5,seed=1`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct

from adjudge.suites.trip.data import ACTIONABLE, Strength, Wish
from adjudge.systems.trip.data import AGENDA, Person, TripCase
from adjudge.systems.trip.generation.catalogue import Trek, make_catalogue, make_legs, make_request
from adjudge.systems.trip.lexicon import table_of

STRENGTHS: tuple[Strength | None, ...] = ("must", "prefer", "prefer", None)
REFUSALS: tuple[Strength, ...] = ("avoid", "reject")
# How often a member of a conflict refuses what another wishes, and does not wish for something else.
REFUSING = 0.25


class Groups(Struct, frozen=True, forbid_unknown_fields=True):
    """How many groups to make, how large they are, how often a slot is in conflict, and how many cities there are."""

    n: Annotated[int, Meta(ge=1)] = 200
    members: Annotated[int, Meta(ge=2, le=20)] = 4
    conflict: Annotated[float, Meta(ge=0, le=1)] = 0.5
    cities: Annotated[int, Meta(ge=3, le=8)] = 3
    seed: int = 1


def make_groups(groups: Groups) -> Iterator[TripCase]:
    """The groups, the same ones for the same parameters; the types of groups take turns."""
    types = list(table_of("groups")["roles"])
    for number in range(groups.n):
        # A generator of its own for each group: more groups leave the first ones as they are.
        yield make_group(f"g{number + 1:03}", types[number % len(types)], groups, Random(f"{groups.seed}/{number}"))


def make_group(name: str, group_type: str, groups: Groups, rng: Random) -> TripCase:
    """One group with its wishes, its request, and the places and legs there are."""
    trek = Trek.draw(groups.cities, groups.members, rng)
    members = tuple(_members(group_type, groups.members, rng))
    conflicts = tuple(slot for slot in AGENDA if rng.random() < groups.conflict)
    wishes: dict[str, list[Wish]] = {person.id: [] for person in members}
    for slot in AGENDA:
        drawn = _conflicting(slot, len(members), rng) if slot in conflicts else _agreeing(slot, len(members), rng)
        for person, wish in zip(members, drawn, strict=True):
            wishes[person.id].append(wish)
    catalogue = tuple(make_catalogue(trek, rng))
    legs = tuple(make_legs(trek, rng))
    return TripCase(
        id=name,
        facets={"days": str(trek.days)},
        group_type=group_type,
        members=members,
        wishes={member: tuple(own) for member, own in wishes.items()},
        request=make_request(trek, catalogue, legs, rng),
        catalogue=catalogue,
        legs=legs,
        conflicts=conflicts,
    )


def _members(group_type: str, count: int, rng: Random) -> Iterator[Person]:
    roles = table_of("groups")["roles"][group_type]
    for place, name in enumerate(rng.sample(table_of("groups")["names"]["members"], count)):
        yield Person(name, roles[place % len(roles)])


def _agreeing(slot: str, count: int, rng: Random) -> Iterator[Wish]:
    """The same wish of all members, each in words of their own."""
    kind = rng.choice(_kinds(slot))
    return (_wish(slot, kind, rng) for _ in range(count))


def _conflicting(slot: str, count: int, rng: Random) -> list[Wish]:
    """Wishes of which at least two cannot be the same: for different kinds, or one refuses what another wishes."""
    kinds = rng.sample(_kinds(slot), rng.randint(2, min(count, len(_kinds(slot)))))
    chosen = [*kinds, *(rng.choice(kinds) for _ in range(count - len(kinds)))]
    rng.shuffle(chosen)
    wishes = [_wish(slot, kind, rng) for kind in chosen]
    if slot in ACTIONABLE and rng.random() < REFUSING:
        wishes[chosen.index(kinds[0])] = Wish(slot, kinds[1]["no"], rng.choice(REFUSALS))
    return wishes


def _wish(slot: str, kind: dict[str, Any], rng: Random) -> Wish:
    return Wish(slot, rng.choice(kind["wishes"]), rng.choice(STRENGTHS) if slot in ACTIONABLE else None)


def _kinds(slot: str) -> list[dict[str, Any]]:
    kinds: list[dict[str, Any]] = table_of("groups")["kinds"][slot]
    return kinds
