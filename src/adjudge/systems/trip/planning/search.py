"""The search for a plan: every route, and for each the places that serve the group best within the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import KIND_OF_SLOT, CatalogueEntry, PlaceKind
from adjudge.suites.trip.rules.places import city_key
from adjudge.systems.trip.data import PlannerView
from adjudge.systems.trip.planning.matching import Matcher
from adjudge.systems.trip.planning.objective import Objective
from adjudge.systems.trip.planning.openings import Filling, Opening, candidates, cost_of, openings, place_key
from adjudge.systems.trip.planning.route import NoPlanError, Route, routes

# Rounds in which every opening is looked at again; few plans change after the third.
ROUNDS = 8

Choice = list[Filling | None]
Rank = tuple[float, ...]


class FilledRoute(NamedTuple):
    """A route with what fills its openings, and how it ranks among others."""

    route: Route
    openings: list[Opening]
    choice: Choice
    rank: Rank
    cost: float

    @property
    def entries(self) -> list[CatalogueEntry]:
        """The places of the draft."""
        return [filling.entry for filling in self.choice if filling]


class Search:
    """The search of one planner for one brief.

    `liked` are names of places that are kept as far as possible: those of a draft that somebody else wrote.
    """

    def __init__(self, view: PlannerView, liked: frozenset[str] = frozenset()) -> None:
        self.view = view
        self.objective = Objective(view.brief)
        self._matcher = Matcher(view.catalogue)
        self._budget = inf if view.request.budget is None else view.request.budget
        self._asked = [name_key(cuisine) for cuisine in view.request.cuisines]
        self._liked = liked
        self._worths: dict[int, Rank] = {}
        self._fillings: dict[tuple[str, int, str], Filling] = {}
        self._of_openings: dict[tuple[PlaceKind, str, int], list[Filling]] = {}
        self._index: dict[tuple[PlaceKind, str], list[CatalogueEntry]] = {}
        for entry in view.catalogue:
            self._index.setdefault((entry.kind, city_key(entry.city)), []).append(entry)

    def run(self) -> FilledRoute:
        """The best draft over all routes; raises NoPlanError where none keeps to the budget."""
        begun = [draft for route in routes(self.view) if (draft := self._cheapest(route))]
        if not begun:
            raise NoPlanError("the catalogue has no lodging that can be booked on any route")
        affordable = [draft for draft in begun if draft.cost <= self._budget]
        if not affordable:
            least = min(draft.cost for draft in begun)
            raise NoPlanError(f"no plan keeps to the budget of {self._budget:,.0f}: the cheapest costs {least:,.0f}")
        best: FilledRoute | None = None
        for draft in sorted(affordable, key=lambda draft: draft.cost):
            if best is None or self._most_gain(draft) > _gain(best.rank):
                improved = self._improve(draft)
                best = improved if best is None or improved.rank > best.rank else best
        assert best is not None
        return best

    def _most_gain(self, draft: FilledRoute) -> Rank:
        """What a route gains at most: all that any of its places meets, and nothing ruled out."""
        meets = liked = 0
        for opening in draft.openings:
            for each in self._options(opening):
                meets |= each.meets
            liked += 1 if self._liked else 0
        return _gain(self._rank(_Sums(meets, 0, 0.0, 0, liked)))

    def _cheapest(self, route: Route) -> FilledRoute | None:
        """A route whose lodgings and meals of whole days are as cheap as can be; None where a city has no lodging."""
        places, used, choice = openings(route), set[str](), Choice()
        for opening in places:
            free = [each for each in self._options(opening) if each.key not in used] if opening.is_needed else []
            cheapest = min(free, key=_cost, default=None)
            used |= {cheapest.key} if cheapest else set()
            choice.append(cheapest)
        if None in choice[: len(route.stops)]:
            return None
        return self._draft(route, places, choice)

    def _improve(self, draft: FilledRoute) -> FilledRoute:
        """The draft after better places were taken one by one, and then after empty openings were filled."""
        choice = list(draft.choice)
        options = [self._options(opening) for opening in draft.openings]
        self._ascend(draft, options, choice, self._rank)
        self._ascend(draft, options, choice, self._rank_full)
        return self._draft(draft.route, draft.openings, choice)

    def _ascend(
        self, draft: FilledRoute, options: Sequence[Sequence[Filling]], choice: Choice, rank: Callable[..., Rank]
    ) -> None:
        """Put the best place into each opening, until nothing changes."""
        for _ in range(ROUNDS):
            before = list(choice)
            for place, opening in enumerate(draft.openings):
                others = [each for at, each in enumerate(choice) if each and at != place]
                used = {each.key for each in others}
                free: list[Filling | None] = [each for each in options[place] if each.key not in used]
                if not opening.is_needed or not free:
                    free.append(None)
                sums = _Sums.of(others, draft.route.fare)
                choice[place] = max(free, key=lambda each, sums=sums: rank(sums.plus(each)))  # type: ignore[misc]
            if choice == before:
                return

    def _draft(self, route: Route, places: list[Opening], choice: Choice) -> FilledRoute:
        sums = _Sums.of([each for each in choice if each], route.fare)
        return FilledRoute(route, places, choice, self._rank(sums), sums.cost)

    def _rank(self, sums: _Sums) -> Rank:
        """Within the budget, with what the request asks for, as much as the group can get, and cheap."""
        met = sums.meets & ~sums.bars & self.objective.everything
        asked = (sums.meets >> len(self.objective.wants)).bit_count()
        return (min(self._budget - sums.cost, 0.0), sums.liked, asked, *self._worth(met), -sums.cost)

    def _rank_full(self, sums: _Sums) -> Rank:
        """The same, and rather full than cheap."""
        *first, cost = self._rank(sums)
        return (*first, sums.filled, cost)

    def _worth(self, met: int) -> Rank:
        if met not in self._worths:
            self._worths[met] = self.objective.worth(met)
        return self._worths[met]

    def _options(self, opening: Opening) -> list[Filling]:
        """What can fill an opening."""
        key = (opening.kind, opening.stop.city, opening.stop.nights if opening.kind == "lodging" else -opening.day)
        if key not in self._of_openings:
            self._of_openings[key] = self._distinct_fillings(opening)
        return self._of_openings[key]

    def _distinct_fillings(self, opening: Opening) -> list[Filling]:
        """What can fill an opening: of places that do the same for the group, only the cheapest are looked at."""
        rivals = 1 if opening.kind == "lodging" else len(self.view.request.cuisines) + 3 * (opening.stop.nights + 1)
        alike: dict[tuple[int, int, bool], list[Filling]] = {}
        there = self._index.get((opening.kind, city_key(opening.stop.city)), [])
        for entry in candidates(self.view, opening, there):
            filling = self._filling(opening, entry)
            alike.setdefault((filling.meets, filling.bars, filling.is_liked), []).append(filling)
        return [each for group in alike.values() for each in sorted(group, key=_cost)[:rivals]]

    def _filling(self, opening: Opening, entry: CatalogueEntry) -> Filling:
        nights = opening.stop.nights if opening.kind == "lodging" else 0
        key = place_key(entry)
        if (key, nights, entry.date) not in self._fillings:
            meets, bars = self._claims(entry)
            cost = cost_of(self.view, opening, entry)
            filling = Filling(entry, meets, bars, cost, key, entry.name in self._liked)
            self._fillings[key, nights, entry.date] = filling
        return self._fillings[key, nights, entry.date]

    def _claims(self, entry: CatalogueEntry) -> tuple[int, int]:
        """The claims that a place meets and those that it rules out; the request's cuisines come after the members'."""
        meets = bars = 0
        for place, want in enumerate(self.objective.wants):
            if KIND_OF_SLOT[want.slot] == entry.kind:
                verdict = self._matcher.verdict(want, entry)
                meets |= verdict.meets << place
                bars |= verdict.bars << place
        cuisines = set(map(name_key, entry.cuisines))
        for place, cuisine in enumerate(self._asked, len(self.objective.wants)):
            meets |= (cuisine in cuisines) << place
        return meets, bars


class _Sums(NamedTuple):
    """What some places do together."""

    meets: int
    bars: int
    cost: float
    filled: int
    liked: int

    @classmethod
    def of(cls, fillings: Sequence[Filling], fare: float) -> _Sums:
        meets = bars = liked = 0
        cost = fare
        for each in fillings:
            meets |= each.meets
            bars |= each.bars
            cost += each.cost
            liked += each.is_liked
        return cls(meets, bars, cost, len(fillings), liked)

    def plus(self, filling: Filling | None) -> _Sums:
        if filling is None:
            return self
        meets, bars = self.meets | filling.meets, self.bars | filling.bars
        return _Sums(meets, bars, self.cost + filling.cost, self.filled + 1, self.liked + filling.is_liked)


def _gain(rank: Rank) -> Rank:
    """A rank without what the plan costs."""
    return rank[1:-1]


def _cost(filling: Filling) -> float:
    return filling.cost
