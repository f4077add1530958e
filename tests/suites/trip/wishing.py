"""Trips for the tests of wishes: who wants what, what the plan has, and an embedder that knows given cosines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudge.core.mark import Mark
from adjudge.suites.trip import suite
from adjudge.suites.trip.data import (
    CatalogueEntry,
    Day,
    Member,
    Place,
    Plan,
    Strength,
    Synthesis,
    Trip,
    TripTurn,
    Wish,
)
from adjudge.suites.trip.rules.vocabulary import CategoryPhrases, senses

METRICS = {metric.card.name: metric for metric in suite.metrics()}
THRESHOLDS = {"addressing": 0.45, "satisfaction": 0.42, "serendipity": 0.30}
Spoken = Mapping[str, Mapping[str, str]]


def lodging(name: str, room_type: str = "", *rules: str, about: str = "") -> CatalogueEntry:
    return CatalogueEntry("lodging", name, room_type=room_type, rules=rules, about=about)


def restaurant(name: str, *cuisines: str, about: str = "") -> CatalogueEntry:
    return CatalogueEntry("restaurant", name, cuisines=cuisines, about=about)


def event(name: str, *categories: str, about: str = "") -> CatalogueEntry:
    return CatalogueEntry("event", name, categories=categories, about=about)


def attraction(name: str, *categories: str, about: str = "") -> CatalogueEntry:
    return CatalogueEntry("attraction", name, categories=categories, about=about)


def categories_in(text: str, known: CategoryPhrases) -> set[str]:
    """The categories that a text names, and those that give what it names."""
    return {name for sense in senses(text, known) for name in sense.names | sense.givers}


def plan(*entries: CatalogueEntry, raw: str = "") -> Plan:
    """A plan with one day for every lodging and every three restaurants, and all the rest on the first day."""
    beds, tables = _of("lodging", entries), _of("restaurant", entries)
    count = max(len(beds), -(-len(tables) // 3), 1)
    days = []
    for number in range(count):
        meals = dict(zip(("breakfast", "lunch", "dinner"), tables[3 * number : 3 * number + 3], strict=False))
        days.append(
            Day(
                number + 1,
                attractions=() if number else _of("attraction", entries),
                events=() if number else _of("event", entries),
                lodging=beds[number] if number < len(beds) else None,
                **meals,
            )
        )
    return Plan(tuple(days), raw)


def _of(kind: str, entries: Sequence[CatalogueEntry]) -> tuple[Place, ...]:
    return tuple(Place(entry.name) for entry in entries if entry.kind == kind)


def trip(
    spoken: Spoken,
    *entries: CatalogueEntry,
    raw: str = "",
    strengths: Mapping[str, Strength] | None = None,
    **more: Any,
) -> Trip:
    """A trip in which members say what they want by slot, and all entries are in the plan and in the catalogue.

    `strengths` are by "member: slot".
    """
    turns = tuple(
        TripTurn(f"{member}-{slot}", member, text, f"user_provide_{slot}", (strengths or {}).get(f"{member}: {slot}"))
        for member, wishes in spoken.items()
        for slot, text in wishes.items()
    )
    members = tuple(Member(member) for member in spoken)
    facts = {"members": members, "turns": turns, "plan": plan(*entries, raw=raw) if entries else None}
    return Trip(id="t", **{"catalogue": entries, **facts, **more})


def silent_member(member: str, **wishes: str) -> Member:
    """A member with wishes that are known and not said."""
    return Member(member, hidden=tuple(Wish(slot, text) for slot, text in wishes.items()))


def synthesis(slot: str, text: str = "", explanation: str = "") -> TripTurn:
    """A turn in which the assistant puts the wishes for a slot together."""
    noted = Synthesis(resolution_explanation=explanation)
    return TripTurn(f"synthesis-{slot}", "system", text, f"sys_synthesize_{slot}", synthesis=noted)


def cosines(known: Mapping[str, float]) -> Callable[[Sequence[str]], list[list[float]]]:
    """An embedder: texts that hold a given part have that cosine to all texts that hold none."""

    def embed(texts: Sequence[str]) -> list[list[float]]:
        cosines = [next((value for part, value in known.items() if part in text), 1.0) for text in texts]
        return [[value, (1 - value * value) ** 0.5] for value in cosines]

    return embed


def unlike(texts: Sequence[str]) -> list[list[float]]:
    """An embedder to which no two texts are alike."""
    return [[float(place == number) for place in range(len(texts))] for number in range(len(texts))]


def marks(name: str, record: Trip, **tools: Any) -> list[Mark]:
    """The marks of a metric, with an embedder to which nothing is alike unless another, or None, is given."""
    metric = METRICS[name]
    given = {"embed": unlike, "thresholds": THRESHOLDS, **tools}
    taken = [tool for tool in (*metric.card.needs, *metric.card.optional) if given[tool] is not None]
    return list(metric(record, **{tool: given[tool] for tool in taken}))


def values(name: str, record: Trip, **tools: Any) -> dict[str, float]:
    """The marks' values by what was judged."""
    return {mark.at: mark.value for mark in marks(name, record, **tools)}


def value(name: str, record: Trip, **tools: Any) -> float | None:
    """The mean of the marks; None where there are none."""
    judged = [mark.value for mark in marks(name, record, **tools)]
    return sum(judged) / len(judged) if judged else None
