"""From a draft to the plan of a trip: its days, and the text in which it is presented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.suites.trip.data import Day, Leg, Place, Plan
from adjudge.suites.trip.rules.places import city_name
from adjudge.systems.trip.data import PlannerView
from adjudge.systems.trip.planning.openings import Filling, Opening
from adjudge.systems.trip.planning.route import Route, date_of, days_of
from adjudge.systems.trip.planning.search import FilledRoute


def plan_of(view: PlannerView, draft: FilledRoute, turns: Sequence[int] = ()) -> Plan:
    """The plan of a draft.

    `turns` are the claims of each member, as bits, where members take turns by day: day 1 has what the first one
    wishes, as far as it is there, day 2 what the second one does.
    """
    choice = _take_turns(draft, turns) if turns else draft.choice
    filled = [(opening, each) for opening, each in zip(draft.openings, choice, strict=True) if each]
    days = tuple(_day(view, draft.route, filled, number) for number in range(1, days_of(view.request) + 1))
    return Plan(days, "\n".join(map(day_text, days)))


def _day(view: PlannerView, route: Route, filled: Sequence[tuple[Opening, Filling]], number: int) -> Day:
    today = [(opening, filling) for opening, filling in filled if opening.day == number and opening.what != "lodging"]
    places = {what: [_place(filling) for opening, filling in today if opening.what == what] for what in _WHATS}
    on, leg = date_of(view.request, number), _leg_on(route, number)
    return Day(
        number,
        _city_text(view, route, number),
        on.isoformat() if on else "",
        _transport_text(leg) if leg else "",
        breakfast=next(iter(places["breakfast"]), None),
        lunch=next(iter(places["lunch"]), None),
        dinner=next(iter(places["dinner"]), None),
        attractions=tuple(places["attraction"]),
        events=tuple(places["event"]),
        lodging=next((_place(each) for opening, each in filled if _is_night_at(opening, number)), None),
    )


_WHATS = ("breakfast", "lunch", "dinner", "attraction", "event")


def _place(filling: Filling) -> Place:
    return Place(filling.entry.name, filling.entry.city)


def _is_night_at(opening: Opening, number: int) -> bool:
    return opening.what == "lodging" and opening.stop.first <= number < opening.stop.last


def _leg_on(route: Route, number: int) -> Leg | None:
    days = [*(stop.first for stop in route.stops), route.stops[-1].last]
    return next((leg for leg, day in zip(route.legs, days, strict=True) if day == number), None)


def _city_text(view: PlannerView, route: Route, number: int) -> str:
    """The city of a day, or "from A to B" on a travel day."""
    cities = [stop.city for stop in route.stops if stop.first <= number <= stop.last]
    origin = view.request.origin
    if origin and number == 1:
        cities.insert(0, origin)
    if origin and number == route.stops[-1].last:
        cities.append(origin)
    return cities[0] if len(cities) == 1 else f"from {cities[0]} to {cities[1]}"


def _transport_text(leg: Leg) -> str:
    """A leg as plans name it, so that it is found again in the catalogue."""
    ends = f"from {leg.origin} to {leg.destination}"
    price = "" if leg.price is None else f", cost: {leg.price:g}"
    if leg.mode == "flight":
        return f"Flight Number: {leg.number}, {ends}{price}"
    return f"{leg.mode.capitalize()}, {ends}{price}"


def day_text(day: Day) -> str:
    """A day in words: "Day 2, Ames. Breakfast: Copper Ladle. Night: Quay House."."""
    parts = [
        ("", day.transport.partition(", cost:")[0]),
        *((meal.capitalize(), place.name) for meal, place in day.meals.items() if place),
        ("See", ", ".join(place.name for place in day.attractions)),
        ("Event", ", ".join(place.name for place in day.events)),
        ("Night", day.lodging.name if day.lodging else ""),
    ]
    spoken = (f"{name}: {text}." if name else f"{text}." for name, text in parts if text)
    return " ".join([f"Day {day.number}, {city_name(day.city)}.", *spoken])


def _take_turns(draft: FilledRoute, turns: Sequence[int]) -> list[Filling | None]:
    """The choice after places were exchanged within a stop, so that members take turns by day."""
    choice = list(draft.choice)
    for day in range(1, draft.route.stops[-1].last + 1):
        wanted = turns[(day - 1) % len(turns)]
        for here, there in _exchanges(draft.openings, day):
            first, second = choice[here], choice[there]
            if first and second and not first.meets & wanted and second.meets & wanted and not _is_timed(first, second):
                choice[here], choice[there] = second, first
                break
    return choice


def _exchanges(openings: Sequence[Opening], day: int) -> Iterator[tuple[int, int]]:
    """Pairs of openings of one kind in one stop: the first on a day, the other on a later day."""
    for here, mine in enumerate(openings):
        if mine.day != day or mine.kind not in ("restaurant", "attraction"):
            continue
        for there, other in enumerate(openings):
            if other.day > day and (other.kind, other.stop) == (mine.kind, mine.stop):
                yield here, there


def _is_timed(*fillings: Filling) -> bool:
    """Whether one of the places may not be open on another day."""
    return any(filling.entry.date or filling.entry.about for filling in fillings)
