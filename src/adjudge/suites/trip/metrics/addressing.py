"""Whether what members said they want comes up again: where wishes are put together, and in the plan."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.sentences import sentences
from adjudge.english.tokens import has_phrase, stems
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.dialogue import SlotPreference, spoken_preferences, turns_with
from adjudge.suites.trip.rules.targets import Likeness, Thresholds, basis, least_cosine
from adjudge.suites.trip.rules.vocabulary import as_said, informative, is_mention, top
from adjudge.suites.trip.rules.wishes import parse_wish

SOURCE = "Metric Reference: Data Sources & Calculations (group travel planning), "
MENTION = "A member without a preference in a slot makes no pair."
# How much of a sentence a reason shows, in characters.
SHOWN = 60

mentioned = partial(
    metric,
    unit="pair",
    better="higher",
    probes=("preferences",),
    predicts=("a dialogue",),
    version=2,
    english=True,
)


class Text(Struct, frozen=True):
    """A text in which wishes are looked for, and its name."""

    name: str
    text: str


@mentioned(
    "M8",
    formula="stated pairs of member and slot that synthesis or plan address / stated pairs",
    source=SOURCE + "M8 Preference Addressing Score",
    departs=MENTION,
)
def addressing(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """Does the assistant take up the members' wishes, when it combines them or in the text of the plan?

    All seven slots and all spoken wishes count. A wish is addressed if its words occur in a row, if two of its first
    six informative words occur (one, if it has only one), or if a sentence is close enough in meaning. Addressed means
    mentioned: a plan full of seafood addresses the wish "no seafood" too. satisfaction measures whether the plan meets
    the wish. Undefined if there is neither a synthesis nor a plan text.
    """
    yield from _address_marks(trip, [*_synthesis_texts(trip), *_plan_texts(trip)], embed, thresholds)


@mentioned(
    "M8a",
    formula="stated pairs that the synthesis addresses / stated pairs",
    source=SOURCE + "M8 Preference Addressing Score",
    departs=MENTION,
)
def addressing_synthesis(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """Does the assistant take up the members' wishes when it combines them?

    Like addressing, but only in the synthesis turns and their metadata. Undefined without a synthesis.
    """
    yield from _address_marks(trip, _synthesis_texts(trip), embed, thresholds)


@mentioned(
    "M8b",
    formula="stated pairs that the plan's text addresses / stated pairs",
    source=SOURCE + "M8 Preference Addressing Score",
    departs=MENTION,
)
def addressing_plan(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """Does the text of the plan take up the members' wishes?

    Like addressing, but only in the turns that present the plan and in the planner's own text. Undefined without
    either.
    """
    yield from _address_marks(trip, _plan_texts(trip), embed, thresholds)


@mentioned(
    "M8w",
    formula="stated pairs whose words occur in synthesis or plan / stated pairs",
    source="our own",
)
def addressing_lexical(trip: Trip) -> Iterator[Mark]:
    """Do the words of the members' wishes occur again, in the synthesis or in the plan's text?

    Like addressing, but without the cosine. It needs no embedder, and it misses wishes that are taken up in other
    words.
    """
    texts = [*_synthesis_texts(trip), *_plan_texts(trip)]
    for wish in _stated_wishes(trip) if texts else ():
        where = _by_words(wish, texts)
        yield wish.mark(float(bool(where)), where or "its words do not come up")


def _address_marks(trip: Trip, texts: list[Text], embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    least = least_cosine(thresholds, "addressing")
    stated = _stated_wishes(trip) if texts else []
    parts = list(dict.fromkeys(part for text in texts for part in sentences(text.text)))
    likeness = Likeness(embed, [*(wish.text for wish in stated), *parts] if stated else [])
    for wish in stated:
        close, part = max(((likeness(wish.text, part), part) for part in parts), default=(-1.0, ""))
        where = _by_words(wish, texts)
        why = where or f"cosine {close:.3f} with {part[:SHOWN]!r}, {least:g} asked"
        yield wish.mark(float(bool(where) or close >= least), why, basis(least))


def _stated_wishes(trip: Trip) -> list[SlotPreference]:
    """The wishes that members stated; "no preference" is not a wish."""
    return [wish for wish in spoken_preferences(trip) if not parse_wish(wish.text).indifferent]


def _by_words(wish: SlotPreference, texts: list[Text]) -> str:
    """The name of the text in which the words of a wish come up; empty if in none."""
    asked, phrase = top(wish.text, wish.slot), _phrase(wish.text)
    for text in texts:
        there = stems(text.text)
        if phrase and has_phrase(there, phrase):
            return f"its phrase in {text.name}"
        hits = set(asked) & set(there)
        if is_mention(len(hits), len(asked)):
            return f"{len(hits)} of {len(asked)} words in {text.name} ({as_said(wish.text, hits)})"
    return ""


def _phrase(text: str) -> tuple[str, ...]:
    """The words of a wish from the first informative one to the last."""
    stemmed, telling = stems(text), set(informative(text))
    places = [place for place, word in enumerate(stemmed) if word in telling]
    return stemmed[places[0] : places[-1] + 1] if places else ()


def _synthesis_texts(trip: Trip) -> list[Text]:
    """What the assistant said and noted when it put wishes together."""
    parts = []
    for turn in turns_with(trip, "sys_synthesize_"):
        notes = turn.synthesis
        parts += [turn.text, *([notes.conflict_description, notes.resolution_explanation] if notes else [])]
    text = "\n".join(part.strip() for part in parts if part.strip())
    return [Text("the synthesis", text)] if text else []


def _plan_texts(trip: Trip) -> list[Text]:
    """How the plan was presented, and the planner's own text."""
    presented = [turn.text for turn in turns_with(trip, "sys_present_plan")]
    raw = trip.plan.raw if trip.plan else ""
    text = "\n".join(part.strip() for part in [*presented, raw] if part.strip())
    return [Text("the plan's text", text)] if text else []
