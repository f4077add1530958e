"""The pairs of a member and a slot for which a plan is judged, and the findings of the channels for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from adjudge.core.ask import Embedder, Vector
from adjudge.core.errors import Unanswered
from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.suites.trip.data import KIND_OF_SLOT, Strength, Trip
from adjudge.suites.trip.rules import channels
from adjudge.suites.trip.rules.channels import Finding, WishPair
from adjudge.suites.trip.rules.dialogue import SlotPreference, actionable_preferences
from adjudge.suites.trip.rules.offers import Offer, price_of
from adjudge.suites.trip.rules.places import places_of, unnamed_meals
from adjudge.suites.trip.rules.vocabulary import CategoryPhrases, with_categories
from adjudge.suites.trip.rules.wishes import ParsedWish, read_wish
from adjudge.tools.embed import cosine

Thresholds = Mapping[str, float]

SPOKESPERSON = "the spokesperson's wishes alone"

WITHOUT_MEANING = "without meaning"


class WishJudgement(Struct, frozen=True, dict=True):
    """The judgement of one pair: why its wish is ruled out (empty if it is not), and the findings of the channels.

    The channel with the best evidence comes first. `echo` is the finding of the words if the planner's own text is
    searched as well; None if the wish has no word to search for.
    """

    pair: WishPair
    barred: str
    findings: Mapping[str, Finding]
    echo: Finding | None = None

    @cached_property
    def strict(self) -> Finding:
        """Whether the plan's places satisfy the wish; words and meaning do not overrule room type and category."""
        return self._final_finding or self._refutation or self._any(self.findings)

    @cached_property
    def loose(self) -> Finding:
        """Whether any channel finds the wish satisfied, by the places or the planner's own words."""
        echo = {"words, with the planner's own text": self.echo} if self.echo else {}
        return self._final_finding or self._any({**self.findings, **echo})

    @property
    def _final_finding(self) -> Finding | None:
        """The finding that no channel can change; None if the channels decide."""
        if self.barred:
            return Finding(False, self.barred)
        return Finding(True, _absent_things(self.pair.wish)) if self.pair.wish.met_by_absence else None

    @property
    def _refutation(self) -> Finding | None:
        """The negative finding of room type or category, which overrules words and meaning; None if there is none."""
        for channel in ("room type", "category"):
            finding = self.findings.get(channel)
            if finding and not finding.passed and not (channel == "category" and channels.describes(self.pair)):
                return Finding(False, f"{channel}: {finding.why}")
        return None

    def _any(self, findings: Mapping[str, Finding]) -> Finding:
        for channel, finding in findings.items():
            if finding.passed:
                return Finding(True, f"{channel}: {finding.why}")
        if not self.pair.offers:
            return Finding(False, f"the plan has no place for {self.pair.slot}")
        return Finding(
            False,
            "; ".join(f"{channel}: {finding.why}" for channel, finding in findings.items()) or "no channel applies",
        )


def _absent_things(wish: ParsedWish) -> str:
    """The unwanted things that are absent, for a wish that their absence satisfies."""
    unwanted = f"nothing of: {', '.join(wish.unwanted)}" if wish.unwanted else ""
    dear = "" if wish.most is None else f"no price above {wish.most:g}"
    return ", ".join(filter(None, [unwanted, dear]))


@once
def pairs(trip: Trip) -> tuple[WishPair, ...]:
    """The wishes for which a plan is judged; none if the plan has no places.

    Members without a preference state no wish. Three kinds of wishes are left out because nothing is known: a wish that
    only refuses something, if the catalogue has no place of the plan for that slot; a wish about the price alone, if no
    price is known; and a wish that a lodging be without something that none of its rules mentions.
    """
    return _pairs_of(trip, actionable_preferences(trip))


def _pairs_of(trip: Trip, wishes: Iterable[SlotPreference]) -> tuple[WishPair, ...]:
    if not places_of(trip):
        return ()
    raw = trip.plan.raw if trip.plan else ""
    here = {slot: (offers(trip, slot), known_categories(trip, slot)) for slot in KIND_OF_SLOT}
    made = (WishPair(wish, read_wish(wish), *here[wish.slot], raw) for wish in wishes)
    return tuple(pair for pair in made if not _is_open(pair))


def _is_open(pair: WishPair) -> bool:
    """Whether nothing can be said: no wish, nothing in which something could be absent, no price, no rule known."""
    unseen = not any(offer.entry for offer in pair.offers)
    unpriced = not pair.wish.unwanted and all(price_of(offer) is None for offer in pair.offers)
    open_absence = pair.wish.met_by_absence and (unseen or unpriced)
    return pair.wish.indifferent or open_absence or channels.is_untold(pair)


def offers(trip: Trip, slot: str) -> tuple[Offer, ...]:
    """What the plan has for a slot, each place once."""
    kind = KIND_OF_SLOT[slot]
    there = [
        Offer(placed.place.name, placed.entry)
        for placed in places_of(trip)
        if kind in (placed.kind, placed.entry and placed.entry.kind)
    ]
    # "Picnic lunch" names no restaurant, but it may be what a member wants.
    there += map(Offer, unnamed_meals(trip)) if kind == "restaurant" else ()
    return tuple({offer.text: offer for offer in there}.values())


def known_categories(trip: Trip, slot: str) -> CategoryPhrases:
    """The categories of a slot: those that are generally known and those of the catalogue."""
    entries = trip.entries.get(KIND_OF_SLOT[slot], ())
    return with_categories(slot, {name for entry in entries for name in (*entry.cuisines, *entry.categories)})


@once
def offline_judgements(trip: Trip) -> tuple[WishJudgement, ...]:
    """What the channels that need no embedder say of each pair."""
    return tuple(judge_pair(pair) for pair in pairs(trip))


def strong_judgements(trip: Trip, *strengths: Strength) -> list[WishJudgement]:
    """What the same channels say of the statements of one of these strengths, a pair for each member and slot."""
    narrowed = (wish.with_strength(*strengths) for wish in actionable_preferences(trip))
    whole = {judgement.pair.preference: judgement for judgement in offline_judgements(trip)}
    wishes = [wish for wish in narrowed if wish is not None]
    parts = _pairs_of(trip, [wish for wish in wishes if wish not in whole])
    judged = whole | {pair.preference: judge_pair(pair) for pair in parts}
    return [judged[wish] for wish in wishes if wish in judged]


def add_meaning(offline: Sequence[WishJudgement], embed: Embedder, least: float) -> list[WishJudgement]:
    """What all channels say of each pair."""
    compared = [pair for judgement in offline if (pair := judgement.pair).wish.wanted and pair.offers]
    likeness = Likeness(
        embed, [text for pair in compared for text in (pair.wish.wanted, *(offer.text for offer in pair.offers))]
    )
    return [with_meaning(judgement, likeness, least) for judgement in offline]


class PairFindings(Struct, frozen=True):
    """One finding on each pair, and what that rests on."""

    all: Sequence[tuple[WishPair, Finding]]
    basis: str

    def marks(self) -> Iterator[Mark]:
        """The mark of each pair."""
        return (pair.mark(finding, self.basis) for pair, finding in self.all)

    def rates(self, trip: Trip) -> dict[str, float]:
        """Each member's share of pairs whose finding passes."""
        return by_member(trip, [(pair.member, float(finding.passed)) for pair, finding in self.all])

    def lost_slots(self, member: str) -> list[str]:
        """The slots in which the finding on a member's wish does not pass."""
        return [pair.slot for pair, finding in self.all if pair.member == member and not finding.passed]


class Judgements(Struct, frozen=True):
    """What is said of each pair, and what that rests on."""

    all: Sequence[WishJudgement]
    basis: str

    @property
    def strict(self) -> PairFindings:
        """What the places alone satisfy."""
        return PairFindings([(judgement.pair, judgement.strict) for judgement in self.all], self.basis)

    @property
    def loose(self) -> PairFindings:
        """What the places or the planner's own words satisfy."""
        return PairFindings([(judgement.pair, judgement.loose) for judgement in self.all], self.basis)


def judge_pairs(trip: Trip, embed: Embedder | None, thresholds: Thresholds | None) -> Judgements:
    """What all channels say of each pair, or without an embedder those that need none."""
    return _with_tools(trip, offline_judgements(trip), embed, thresholds)


def judge_strong_pairs(
    trip: Trip, strengths: tuple[Strength, ...], embed: Embedder | None, thresholds: Thresholds | None
) -> Judgements:
    """The same of the statements of one of these strengths."""
    return _with_tools(trip, strong_judgements(trip, *strengths), embed, thresholds)


def _with_tools(
    trip: Trip, offline: Sequence[WishJudgement], embed: Embedder | None, thresholds: Thresholds | None
) -> Judgements:
    if embed is None or thresholds is None:
        return Judgements(offline, basis_of(trip, WITHOUT_MEANING))
    least = least_cosine(thresholds, "satisfaction")
    return Judgements(add_meaning(offline, embed, least), basis_of(trip, basis(least)))


def basis_of(trip: Trip, on: str = "") -> str:
    """The basis of members' values: how they were judged and, in C1, that one member's wishes represent the group.

    If the hidden wishes of the others are known, they count, and the basis does not mention the spokesperson.
    """
    heard = {pair.member for pair in pairs(trip)}
    return ", ".join(filter(None, [on, SPOKESPERSON if trip.condition == "C1" and len(heard) < trip.size else ""]))


def basis(least: float) -> str:
    """What values that compare cosines with a threshold rest on."""
    return f"cosine from {least:g}"


def judge_pair(pair: WishPair) -> WishJudgement:
    """What the channels that need no embedder say of one pair."""
    findings = {
        "room type": channels.room_type(pair),
        "category": channels.category(pair),
        "house rules": channels.house_rules(pair),
        "words": channels.lexical(pair),
    }
    echo = channels.lexical(pair, pair.raw) if pair.raw else None
    applying = {name: finding for name, finding in findings.items() if finding}
    return WishJudgement(pair, channels.bar_reason(pair), applying, echo)


def with_meaning(judgement: WishJudgement, likeness: Callable[[str, str], float], least: float) -> WishJudgement:
    """A judgement with the finding of the channel of meaning."""
    finding = channels.semantic(judgement.pair, likeness, least)
    return (
        WishJudgement(judgement.pair, judgement.barred, {**judgement.findings, "meaning": finding}, judgement.echo)
        if finding
        else judgement
    )


class Likeness:
    """The cosines of texts that were embedded together."""

    def __init__(self, embed: Embedder, texts: Iterable[str]) -> None:
        asked = list(dict.fromkeys(texts))
        self._vectors: Mapping[str, Vector] = dict(zip(asked, embed(asked), strict=True)) if asked else {}

    def __call__(self, first: str, second: str) -> float:
        """The cosine of two of the texts."""
        return min(max(cosine(self._vectors[first], self._vectors[second]), -1.0), 1.0)


def least_cosine(thresholds: Thresholds, use: str) -> float:
    """The cosine from which two texts match for a use; raises Unanswered where the embedder has none."""
    if use in thresholds:
        return thresholds[use]
    raise Unanswered("no_tool", f"the embedder has no threshold for {use!r}; calibrate it (benchmarks/calibrate.py)")


def by_member(trip: Trip, marked: Sequence[tuple[str, float]]) -> dict[str, float]:
    """The mean of each member's values, in the order of the record; members without values are left out."""
    values: dict[str, list[float]] = {member.id: [] for member in trip.members}
    for member, value in marked:
        values.setdefault(member, []).append(value)
    return {member: sum(values) / len(values) for member, values in values.items() if values}
