"""How close in meaning the plan, and what the group agreed on, are to each wish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from msgspec import Struct

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import KIND_OF_SLOT, Trip
from adjudge.suites.trip.rules.dialogue import SlotPreference, preferences, syntheses
from adjudge.suites.trip.rules.places import places_of
from adjudge.suites.trip.rules.targets import Likeness, pairs
from adjudge.suites.trip.rules.wishes import read_wish

SOURCE = "Metric Reference: Data Sources & Calculations (group travel planning), "
WANTED = "Only the wanted part of a wish is compared; a purely negative wish is left out."

compared = partial(metric, unit="pair", scale=(-1.0, 1.0), version=2, english=True)
on_plan = partial(
    compared, formula="mean over pairs of the cosine of the wish and the plan's text for its slot", better="higher"
)


@on_plan(
    "M12",
    probes=("preferences",),
    predicts=("a plan",),
    source=SOURCE + "M12 Semantic Preference Satisfaction",
    departs="The text is that of the slot alone, without the planner's own text. " + WANTED,
)
def semantic_satisfaction(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How close in meaning is what the plan has for a slot to what each member wants there?

    The plan's text for a slot is the list of its places with their cities. Undefined for a slot without places, which
    satisfaction counts as not satisfied.
    """
    for close in plan_closeness(trip, embed):
        yield close.preference.mark(close.cosine, close.wanted)


@on_plan(
    "M12raw",
    probes=("preferences",),
    predicts=("a plan",),
    source=SOURCE + "M12 Semantic Preference Satisfaction",
    departs=WANTED,
    variant=True,
)
def semantic_satisfaction_raw(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How close in meaning are a slot's places and the planner's whole text to what each member wants?

    This follows the source. The planner's whole text is the same for all slots and outweighs the slot's own places.
    """
    for close in plan_closeness(trip, embed, trip.plan.raw if trip.plan else ""):
        yield close.preference.mark(close.cosine, close.wanted)


def slot_text(trip: Trip, slot: str) -> str:
    """The plan's text for a slot: its places with their cities, each once."""
    kind = KIND_OF_SLOT[slot]
    there = [placed.place for placed in places_of(trip) if kind in (placed.kind, placed.entry and placed.entry.kind)]
    return "; ".join(dict.fromkeys(", ".join(filter(None, [place.name, place.city])) for place in there))


def plan_closeness(trip: Trip, embed: Embedder, behind: str = "") -> list[Closeness]:
    """How close each wish is to the plan's text for its slot, with the text `behind` after it."""
    texts = {slot: "; ".join(filter(None, [slot_text(trip, slot), behind])) for slot in KIND_OF_SLOT}
    return _closeness(embed, [(pair.preference, pair.wish.wanted, texts[pair.slot]) for pair in pairs(trip)])


class Closeness(Struct, frozen=True):
    """The cosine of what a preference wants and of a text."""

    preference: SlotPreference
    wanted: str
    cosine: float


def _closeness(embed: Embedder, compared: Iterable[tuple[SlotPreference, str, str]]) -> list[Closeness]:
    """How close what is wanted is to the text beside it; left out where either is empty."""
    known = [(preference, wanted, text) for preference, wanted, text in compared if wanted and text]
    likeness = Likeness(embed, [part for _, wanted, text in known for part in (wanted, text)])
    return [Closeness(preference, wanted, likeness(wanted, text)) for preference, wanted, text in known]


agreed = partial(compared, probes=("preferences",), predicts=("a dialogue",), source=SOURCE + "M14 Concession Rate")


@agreed(
    "M14",
    formula="mean over pairs of the cosine of the wish and the explanation of its slot's resolution",
    better="higher",
    departs="The source calls it concession rate, but it is high where little is conceded. " + WANTED,
)
def alignment(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How close in meaning is what was agreed for a slot to what each member wanted?

    All slots with an explained resolution count. Undefined without a synthesis.
    """
    for close in agreement_closeness(trip, embed):
        yield close.preference.mark(close.cosine, close.preference.text)


@agreed("M14c", formula="1 - alignment", better="neither", scale=(0.0, 2.0))
def concession(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How much does each member concede in what was agreed?

    The complement of alignment.
    """
    for close in agreement_closeness(trip, embed):
        yield close.preference.mark(1 - close.cosine, close.preference.text)


def agreement_closeness(trip: Trip, embed: Embedder) -> list[Closeness]:
    """How close each wish is to what was agreed for its slot."""
    texts = _explanations(trip)
    return _closeness(embed, [(wish, read_wish(wish).wanted, texts.get(wish.slot, "")) for wish in preferences(trip)])


def _explanations(trip: Trip) -> dict[str, str]:
    """How the resolution of each slot was explained, where it was."""
    explanations = {
        slot: [turn.synthesis.resolution_explanation.strip() for turn in turns if turn.synthesis]
        for slot, turns in syntheses(trip).items()
    }
    return {slot: " ".join(filter(None, texts)) for slot, texts in explanations.items()}
