"""The planner by rule: plans that exist, can be paid and serve the group best, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import structs
from playing_trips import group, played_trips

from adjudge.suites.trip.data import ACTIONABLE, CatalogueEntry, Leg, Trip
from adjudge.suites.trip.metrics.coherence import coherence
from adjudge.suites.trip.metrics.feasibility import event_dates, house_rules, minimum_nights, within_budget
from adjudge.suites.trip.metrics.grounding import grounding
from adjudge.suites.trip.metrics.satisfaction import satisfaction_lexical
from adjudge.suites.trip.rules.costs import bill_of
from adjudge.suites.trip.rules.places import slots_of
from adjudge.systems.trip.data import Brief, PlannerView, Rule, SpokenWish, TripCase, TurnFacts
from adjudge.systems.trip.generation.groups import Groups, make_groups
from adjudge.systems.trip.planning.matching import Matcher, wants_of
from adjudge.systems.trip.planning.objective import Objective
from adjudge.systems.trip.planning.search import Search
from adjudge.systems.trip.searching import plan_turn


@dataclass(frozen=True)
class Outcome:
    facts: TurnFacts
    case: TripCase

    @property
    def names(self) -> set[str]:
        assert self.facts.plan is not None, self.facts.fault
        return {place.name for day in self.facts.plan.days for place, _, _ in slots_of(day)}


def plan_for(case: TripCase, **brief: Any) -> Outcome:
    claims = tuple(
        SpokenWish(name, wish.slot, wish.text, wish.strength) for name, own in case.wishes.items() for wish in own
    )
    view = PlannerView(case.request, case.request.people or 1, case.catalogue, case.legs, Brief(claims, **brief))
    return Outcome(plan_turn(view).facts, case)


def test_a_plan_has_what_was_claimed() -> None:
    outcome = plan_for(
        group(("Ada", "cuisine", "Thai food"), ("Bo", "lodging", "an entire home"), ("Bo", "event", "jazz"))
    )

    assert {"Lotus", "Gable", "Late Bell"} <= outcome.names


def test_a_place_is_not_visited_on_the_day_on_which_it_is_closed() -> None:
    outcome = plan_for(group(("Ada", "attraction", "a museum"), ("Bo", "attraction", "a park")))

    assert outcome.facts.plan is not None
    [day] = [day.number for day in outcome.facts.plan.days for place in day.attractions if place.name == "Old Hall"]
    assert day != 2, "day 2 is a Tuesday"


def test_house_rules_of_the_request_come_before_wishes() -> None:
    wish = ("Ada", "lodging", "a shared room")

    assert "Dorm" in plan_for(group(wish)).names
    assert "Dorm" not in plan_for(group(wish, needs=("pets",))).names


def test_a_tight_budget_leaves_out_what_it_cannot_pay() -> None:
    wish = ("Ada", "cuisine", "Thai food")

    assert "Lotus" in plan_for(group(wish, budget=150.0)).names
    assert "Lotus" not in plan_for(group(wish, budget=115.0)).names


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"budget": 50.0}, "no plan keeps to the budget of 50: the cheapest costs 114"),
        ({"cities": ("Atlantis",)}, "the catalogue has no lodging in 'Atlantis'"),
        ({"days": None}, "the request asks for an unknown number of days; expected two or more"),
        ({"days": 1}, "the request asks for 1 days; expected two or more"),
        ({"origin": "Nowhere"}, "the catalogue has no legs for a round trip from 'Nowhere'"),
        ({"without": ("self-driving",)}, "the catalogue has no legs for a round trip from 'Ames'"),
    ],
)
def test_where_nothing_fits_there_is_no_plan_and_the_reason(changes: dict[str, Any], fault: str) -> None:
    outcome = plan_for(group(("Ada", "cuisine", "Thai food"), **changes))

    assert outcome.facts.plan is None
    assert outcome.facts.fault == fault


def test_an_empty_catalogue_gives_no_plan() -> None:
    case = structs.replace(group(("Ada", "cuisine", "Thai food")), catalogue=())

    assert plan_for(case).facts.fault == "the catalogue has no lodging in any city"


def test_the_route_is_a_choice_by_what_the_cities_have() -> None:
    case = group(("Ada", "event", "an opera"))
    there = (
        CatalogueEntry("lodging", "Heron", "Cove", 80.0, room_type="Private room", occupancy=2),
        *(CatalogueEntry("restaurant", f"Quay {number}", "Cove", 20.0, cuisines=("Diner",)) for number in range(3)),
        CatalogueEntry("event", "Grand Opera", "Cove", 20.0, categories=("Opera",), date="2026-05-05"),
    )
    ways = (Leg("self-driving", "Ames", "Cove", 20.0), Leg("self-driving", "Cove", "Ames", 20.0))
    wider = structs.replace(case, catalogue=(*case.catalogue, *there), legs=(*case.legs, *ways))

    assert "Grand Opera" in plan_for(wider).names
    assert "Heron" not in plan_for(structs.replace(wider, wishes={})).names, "Bend is cheaper"


def test_a_group_drives_all_the_way_or_not_at_all() -> None:
    case = group(("Ada", "cuisine", "Thai food"))
    flight = Leg("flight", "Ames", "Bend", 5.0, "F1", "2026-05-04")

    plan = plan_for(structs.replace(case, legs=(*case.legs, flight))).facts.plan

    assert plan is not None
    assert [day.transport.partition(",")[0] for day in plan.days] == ["Self-driving", "", "Self-driving"]


def objective(*rules: Rule) -> Objective:
    """Ada claims two slots and Bo one; the slots are decided by these rules."""
    claims = (
        SpokenWish("Ada", "cuisine", "Thai food"),
        SpokenWish("Ada", "event", "jazz"),
        SpokenWish("Bo", "event", "an opera"),
    )
    return Objective(Brief(claims, dict(zip(("cuisine", "event"), rules, strict=True))))


def test_the_rule_of_a_slot_says_what_is_worth_more() -> None:
    both_of_ada, one_of_each = 0b011, 0b101

    def prefers_ada(*rules: Rule) -> bool:
        worth = objective(*rules).worth
        return worth(both_of_ada) > worth(one_of_each)

    assert not prefers_ada("sum", "sum"), "half of Ada and all of Bo are more than all of Ada"
    assert not prefers_ada("maximin", "maximin")
    assert not prefers_ada("nash", "nash")
    assert objective("coverage", "coverage").worth(both_of_ada) == objective("coverage", "coverage").worth(one_of_each)


def test_claims_that_come_first_outweigh_all_others() -> None:
    claims = (
        SpokenWish("Ada", "cuisine", "no Thai food", "reject"),
        SpokenWish("Bo", "event", "jazz"),
        SpokenWish("Cleo", "event", "jazz"),
    )
    plain, strict = Objective(Brief(claims)), Objective(Brief(claims, first=claims[:1]))

    assert plain.worth(0b110) > plain.worth(0b001)
    assert strict.worth(0b001) > strict.worth(0b110)


def test_members_take_turns_by_day_where_that_is_the_rule() -> None:
    case = group(("Ada", "attraction", "a park"), ("Bo", "attraction", "a zoo"))
    zoo = CatalogueEntry("attraction", "Raven", "Bend", 0.0, categories=("Zoo",))
    turned = structs.replace(case, catalogue=(*case.catalogue, zoo))

    plan = plan_for(turned, rules={"attraction": "alternate"}).facts.plan

    assert plan is not None
    assert "Fox Hollow" in [place.name for place in plan.days[0].attractions]
    assert "Raven" in [place.name for place in plan.days[1].attractions]


def test_planner_and_metrics_agree_on_wishes_and_costs() -> None:
    """Both sides judge with the same rules: what the search counts as met is what satisfaction_strict says."""
    for trip in played_trips(make_groups(Groups(n=10, seed=3)), "C3"):
        claims = [
            SpokenWish(member.id, wish.slot, wish.text, wish.strength)
            for member in trip.members
            for wish in member.hidden
        ]
        case = next(case for case in make_groups(Groups(n=10, seed=3)) if case.id == trip.case)
        view = PlannerView(case.request, 4, case.catalogue, case.legs, Brief(tuple(claims)))
        draft = Search(view).run()
        matcher = Matcher(case.catalogue)
        judged = {mark.at: bool(mark.value) for mark in satisfaction_lexical.function(with_plan(trip, view))}
        met = {f"{want.member}: {want.slot}": matcher.is_met(want, draft.entries) for want in wants_of(claims)}
        assert {at: met[at] for at in judged} == judged
        assert draft.cost == pytest.approx(bill_of(with_plan(trip, view)).total)


def with_plan(trip: Trip, view: PlannerView) -> Trip:
    """The trip without what was said, and with the plan for all claims."""
    return structs.replace(trip, turns=(), plan=plan_turn(view).facts.plan)


def test_generated_groups_get_plans_that_can_be_carried_out() -> None:
    for trip in played_trips(make_groups(Groups(n=5, seed=2)), "C4"):
        for metric in (grounding, coherence, within_budget, house_rules, minimum_nights, event_dates):
            assert all(mark.value == 1.0 for mark in metric.function(trip)), metric.card.name
        assert {wish.slot for member in trip.members for wish in member.hidden} >= set(ACTIONABLE)


def test_a_catalogue_with_many_cities_is_searched_within_reason() -> None:
    names = [f"City {number}" for number in range(40)]
    lodgings = tuple(CatalogueEntry("lodging", "Inn", name, 50.0, occupancy=2) for name in names)
    meals = tuple(CatalogueEntry("restaurant", f"Plate {number}", name, 9.0) for name in names for number in range(3))
    case = group(("Ada", "cuisine", "Thai food"), days=7, cities=(), origin="")

    outcome = plan_for(structs.replace(case, catalogue=(*lodgings, *meals), legs=()))

    assert outcome.facts.plan is not None
    assert len({day.lodging.city for day in outcome.facts.plan.days if day.lodging}) == 3
