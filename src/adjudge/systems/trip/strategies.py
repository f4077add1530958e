"""Strategies of social theory: which one decides a slot, and what it asks of the planner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from adjudge.suites.trip.data import ACTIONABLE
from adjudge.suites.trip.rules.strategies import roles_in
from adjudge.suites.trip.rules.wishes import UNWANTED_STRENGTHS
from adjudge.systems.trip.data import Brief, Person, SpokenWish
from adjudge.systems.trip.lexicon import table_of

DECLARED = "declared"


def strategy_for(group_type: str, slot: str) -> str:
    """The strategy that decides a slot in a group of a type.

    >>> strategy_for("family", "cuisine"), strategy_for("band", "lodging")
    ('include_both', 'least_misery')
    """
    groups = table_of("strategies")["groups"]
    return str(groups.get(group_type, groups["other"])[slot])


def brief_by_strategy(claims: Sequence[SpokenWish], strategies: Mapping[str, str], members: Sequence[Person]) -> Brief:
    """What the strategies of the slots ask of the planner: a rule for each slot, and whose claims come first."""
    rules = {slot: table_of("strategies")["rules"][strategy] for slot, strategy in strategies.items()}
    roles = {person.id: frozenset(roles_in(person.role or person.id)) for person in members}
    return Brief(tuple(claims), rules, tuple(_first_claims(claims, strategies, roles)))


def _first_claims(
    claims: Sequence[SpokenWish], strategies: Mapping[str, str], roles: Mapping[str, frozenset[str]]
) -> Iterator[SpokenWish]:
    """The claims that come before all others: what a role refuses, or what anybody insists on or refuses."""
    for claim in claims:
        whose = table_of("strategies")["first"].get(strategies.get(claim.slot, ""), "")
        refuses = claim.strength in UNWANTED_STRENGTHS
        declares = whose == DECLARED and (refuses or claim.strength == "must")
        if claim.slot in ACTIONABLE and (declares or (refuses and whose in roles.get(claim.member, ()))):
            yield claim
