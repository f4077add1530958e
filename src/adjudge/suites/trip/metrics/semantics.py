"""How close in meaning the plan, and what the group agreed on, are to each wish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import KIND_OF_SLOT, Trip
from adjudge.suites.trip.rules.dialogue import Preference, preferences, syntheses
from adjudge.suites.trip.rules.places import places_of
from adjudge.suites.trip.rules.targets import Likeness, Pair, pairs
from adjudge.suites.trip.rules.wishes import read_wish

SOURCE = "Group travel planning, metric reference, "
WANTED = "Only the wanted part of a wish is compared; a wish that is only negated is left out."

close = partial(metric, unit="pair", scale=(-1.0, 1.0))
planned = partial(
    close, formula="mean over pairs of the cosine of the wish and the plan's text for its slot", better="higher"
)


@planned(
    "M12",
    probes=("preferences",),
    predicts=("a plan",),
    source=SOURCE + "M12",
    departs="The text is that of the slot alone, without the planner's own text. " + WANTED,
)
def semantic_satisfaction(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How close in meaning is what the plan has for a slot to what each member wants there?

    The plan's text for a slot are the names of its places, with their cities. Undefined for a slot without places,
    which satisfaction counts as not satisfied.
    """
    yield from _marks(embed, ((pair, slot_text(trip, pair.slot)) for pair in pairs(trip)))


@planned(
    "M12raw",
    probes=("preferences",),
    predicts=("a plan",),
    source=SOURCE + "M12",
    departs=WANTED,
    variant=True,
)
def semantic_satisfaction_raw(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How close in meaning are a slot's places, with the planner's whole text behind them, to what each member wants?

    As in the source, where the whole text is the same for all slots and hides the slot's own.
    """
    raw = [trip.plan.raw] if trip.plan and trip.plan.raw else []
    texts = ((pair, "; ".join([*filter(None, [slot_text(trip, pair.slot)]), *raw])) for pair in pairs(trip))
    yield from _marks(embed, texts)


def slot_text(trip: Trip, slot: str) -> str:
    """The plan's text for a slot: its places with their cities, each once."""
    kind = KIND_OF_SLOT[slot]
    there = [placed.place for placed in places_of(trip) if kind in (placed.kind, placed.entry and placed.entry.kind)]
    return "; ".join(dict.fromkeys(", ".join(filter(None, [place.name, place.city])) for place in there))


def member_closeness(trip: Trip, embed: Embedder) -> list[tuple[str, float]]:
    """Each pair's member with the cosine of its wish and its slot's text."""
    return [
        (pair.member, value)
        for pair, value in _cosines(embed, ((pair, slot_text(trip, pair.slot)) for pair in pairs(trip)))
    ]


def _marks(embed: Embedder, texts: Iterable[tuple[Pair, str]]) -> Iterator[Mark]:
    for pair, value in _cosines(embed, texts):
        why = pair.explain(pair.wish.wanted)
        yield Mark(value, at=pair.at, turn=pair.preference.turn, why=why, group=pair.slot)


def _cosines(embed: Embedder, texts: Iterable[tuple[Pair, str]]) -> list[tuple[Pair, float]]:
    known = [(pair, text) for pair, text in texts if pair.wish.wanted and text]
    likeness = Likeness(embed, [part for pair, text in known for part in (pair.wish.wanted, text)])
    return [(pair, likeness(pair.wish.wanted, text)) for pair, text in known]


agreed = partial(close, probes=("preferences",), predicts=("a dialogue",), source=SOURCE + "M14")


@agreed(
    "M14",
    formula="mean over pairs of the cosine of the wish and the explanation of its slot's resolution",
    better="higher",
    departs="The source calls it concession rate, but it is high where little is conceded. " + WANTED,
)
def alignment(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How close in meaning is what was agreed for a slot to what each member wanted?

    Over all slots with an explained resolution; undefined without synthesis.
    """
    for preference, value in _agreements(trip, embed):
        yield _agreement(preference, value)


@agreed("M14c", formula="1 - alignment", better="neither", scale=(0.0, 2.0))
def concession(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How much does each member concede in what was agreed?

    What alignment leaves.
    """
    for preference, value in _agreements(trip, embed):
        yield _agreement(preference, 1 - value)


def _agreement(preference: Preference, value: float) -> Mark:
    why = preference.text if preference.turn else f"{preference.text} (hidden wish)"
    return Mark(
        value, at=f"{preference.member}: {preference.slot}", turn=preference.turn, why=why, group=preference.slot
    )


def _agreements(trip: Trip, embed: Embedder) -> list[tuple[Preference, float]]:
    explained = _explanations(trip)
    known = [
        (preference, wanted, text)
        for preference in preferences(trip)
        if (text := explained.get(preference.slot, "")) and (wanted := read_wish(preference).wanted)
    ]
    likeness = Likeness(embed, [part for _, wanted, text in known for part in (wanted, text)])
    return [(preference, likeness(wanted, text)) for preference, wanted, text in known]


def _explanations(trip: Trip) -> dict[str, str]:
    """How the resolution of each slot was explained, where it was."""
    explanations = {
        slot: [turn.synthesis.resolution_explanation.strip() for turn in turns if turn.synthesis]
        for slot, turns in syntheses(trip).items()
    }
    return {slot: " ".join(filter(None, texts)) for slot, texts in explanations.items()}
