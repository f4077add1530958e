"""Whether the plan gives each member what they want, and through which channel that is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.channels import Finding
from adjudge.suites.trip.rules.targets import (
    Judgements,
    PairFindings,
    Thresholds,
    WishJudgement,
    add_meaning,
    basis,
    basis_of,
    judge_pairs,
    least_cosine,
    offline_judgements,
)

SOURCE = "Metric Reference: Data Sources & Calculations (group travel planning), "
NEGATION = (
    "A negative wish is satisfied if the unwanted thing is absent. An unwanted thing in the plan, a house rule against "
    "what is wanted, or a price above the stated one makes the wish unsatisfied in every channel."
)

satisfying = partial(
    metric,
    unit="pair",
    better="higher",
    probes=("preferences",),
    predicts=("a plan",),
    version=2,
    english=True,
)


@satisfying(
    "M10",
    formula="pairs of member and slot satisfied by room type, category, words or meaning / pairs",
    source=SOURCE + "M10 Member Slot Satisfaction Rate",
    departs=NEGATION
    + " A wish for a narrower category (a classical concert) is not met by the wider one (music), and a refusal of the "
    "narrower does not refuse the wider. A lodging allows what no house rule forbids. Hidden wishes count for "
    "slots that the member did not speak about.",
)
def satisfaction(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How many of the members' wishes for lodging, cuisine, event and attraction does the plan satisfy?

    A pair is everything that one member wants in one slot, whatever the strength of each wish. One channel is enough.
    Words may also come from the planner's own text, which can echo the request; satisfaction_strict reads only the
    places. If a slot has no place, the wishes there are not satisfied.

    Three cases make no pair: a member without a preference in the slot; a purely negative wish, if the plan has no
    place that the catalogue knows; and a wish about the price alone ("under $80 a night"), if no price is known. Once
    the room type fits, further demands on a lodging ("on the ground floor") are not checked.
    """
    yield from judge_pairs(trip, embed, thresholds).loose.marks()


@satisfying(
    "M10s",
    formula="pairs of member and slot satisfied by the places of the plan and their catalogue entries / pairs",
    source="our own",
    members="wishes",
)
def satisfaction_strict(
    trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None
) -> Iterator[Mark]:
    """How many of the members' wishes do the places of the plan satisfy, whatever the planner says about them?

    Like satisfaction, but without the planner's own text, and one channel is not always enough. If room type or
    category applies to the wish and fails, words and meaning cannot overrule it, unless the description names the
    wanted category itself. If neither applies, words and meaning decide; without an embedder, words alone. Each mark
    names a member and a slot ("Ann: cuisine"), and its group is the slot.
    """
    yield from judge_pairs(trip, embed, thresholds).strict.marks()


@satisfying(
    "M10w",
    formula="pairs of member and slot satisfied by room type, category or words of the places / pairs",
    source="our own",
)
def satisfaction_lexical(trip: Trip) -> Iterator[Mark]:
    """How many of the members' wishes do the places satisfy, judged by words alone?

    Like satisfaction_strict, but without the channel of meaning. It needs no embedder, and it misses wishes that are
    met in other words.
    """
    yield from Judgements(offline_judgements(trip), basis_of(trip)).strict.marks()


@satisfying(
    "M10b",
    formula="pairs whose wanted category is in the plan, or unwanted category is not / pairs that name a category",
    source=SOURCE + "M10b Category Lookup Satisfaction Rate",
    departs=NEGATION
    + " A wish for a narrower category is not met by the wider one. If the catalogue gives a place no category, its "
    "name decides; name and description may make a category narrower.",
)
def satisfaction_category(trip: Trip) -> Iterator[Mark]:
    """If a wish names a category, does a place of the plan have that category?

    Lodgings do not count. Wishes that name no category are left out.
    """
    for judgement in offline_judgements(trip):
        if "category" in judgement.findings:
            yield judgement.pair.mark(_channel_finding(judgement, "category"), basis_of(trip))


@satisfying(
    "M11",
    formula="members all of whose pairs are satisfied / members with a pair",
    unit="member",
    source=SOURCE + "M11 All-Constraints Satisfied Rate",
    departs="Members without any wish are left out. " + NEGATION,
)
def all_satisfied(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How many members get everything they want?

    The fewer members are known, the higher this value tends to be. Compare conditions only over the same members.
    """
    yield from _whole_members(trip, judge_pairs(trip, embed, thresholds).loose)


@satisfying(
    "M11s",
    formula="members all of whose pairs are satisfied by the places alone / members with a pair",
    unit="member",
    source="our own",
)
def all_satisfied_strict(
    trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None
) -> Iterator[Mark]:
    """How many members get everything they want, judged by the places alone?

    Like all_satisfied, but based on satisfaction_strict. It also works without an embedder.
    """
    yield from _whole_members(trip, judge_pairs(trip, embed, thresholds).strict)


def _whole_members(trip: Trip, findings: PairFindings) -> Iterator[Mark]:
    """Whether each member gets everything, and what is lacking."""
    for member in findings.rates(trip):
        lost = findings.lost_slots(member)
        why = f"not satisfied: {', '.join(lost)}" if lost else "all satisfied"
        yield Mark(float(not lost), at=member, why=why, basis=findings.basis)


channel = partial(satisfying, source=SOURCE + "M10 Member Slot Satisfaction Rate, the channels", better="neither")


@channel("M10.room", formula="lodging pairs that the room type satisfies / lodging pairs")
def channel_room_type(trip: Trip) -> Iterator[Mark]:
    """How many wishes for lodging does the room type satisfy?

    Once the room type fits, further demands ("on the ground floor") are not checked.
    """
    lodging = [judgement for judgement in offline_judgements(trip) if judgement.pair.slot == "lodging"]
    yield from _channel(lodging, "room type")


@channel("M10.category", formula="other pairs that the category satisfies / pairs that are not about lodging")
def channel_category(trip: Trip) -> Iterator[Mark]:
    """How many wishes for cuisine, event and attraction does the category satisfy?

    Unlike satisfaction_category, this includes wishes that name no category.
    """
    others = [judgement for judgement in offline_judgements(trip) if judgement.pair.slot != "lodging"]
    yield from _channel(others, "category")


@channel("M10.rules", formula="lodging pairs that the house rules satisfy / lodging pairs", source="our own")
def channel_house_rules(trip: Trip) -> Iterator[Mark]:
    """How many wishes for lodging do the house rules satisfy?

    House rules decide only wishes about what is allowed ("pets allowed") and nothing more. What no rule forbids is
    allowed.
    """
    lodging = [judgement for judgement in offline_judgements(trip) if judgement.pair.slot == "lodging"]
    yield from _channel(lodging, "house rules")


@channel(
    "M10.words",
    formula="pairs that words of the places or of the planner's own text satisfy / pairs that want something",
)
def channel_lexical(trip: Trip) -> Iterator[Mark]:
    """How many wishes do words in the places, their entries or the planner's own text satisfy?

    Two of the wish's first six informative words are needed, or one if it has only one.
    """
    for judgement in _wanting(offline_judgements(trip)):
        finding = _channel_finding(judgement, "words")
        echoed = judgement.echo if judgement.echo and not finding.passed and not judgement.barred else finding
        yield judgement.pair.mark(echoed)


@channel(
    "M10.meaning",
    formula="pairs whose cosine with a place reaches the embedder's threshold / pairs that want something",
)
def channel_semantic(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How many wishes does a place's entry satisfy by its meaning?

    Only the wanted part is embedded, because "no seafood" is close to "seafood".
    """
    least = least_cosine(thresholds, "satisfaction")
    for judgement in _wanting(add_meaning(offline_judgements(trip), embed, least)):
        yield judgement.pair.mark(_channel_finding(judgement, "meaning"), basis(least))


@channel(
    "M10.echo",
    formula="pairs whose words are found in the planner's own text and not in the places / pairs that want something",
)
def channel_echo(trip: Trip) -> Iterator[Mark]:
    """How many wishes are found, by their words, only in the planner's own text?

    That text may repeat the request. Undefined if the plan has no such text.
    """
    for judgement in _wanting(offline_judgements(trip)):
        if judgement.pair.raw:
            heard = judgement.echo is not None and judgement.echo.passed and not judgement.barred
            only = heard and not _channel_finding(judgement, "words").passed
            yield judgement.pair.mark(Finding(only, judgement.echo.why if judgement.echo else "no word to look for"))


def _wanting(judgements: Iterable[WishJudgement]) -> Iterator[WishJudgement]:
    return (judgement for judgement in judgements if judgement.pair.wish.wanted)


def _channel_finding(judgement: WishJudgement, channel: str) -> Finding:
    """The finding of one channel, unless a fact rules the wish out."""
    if judgement.barred:
        return Finding(False, judgement.barred)
    return judgement.findings.get(channel) or Finding(False, f"nothing by {channel}")


def _channel(judgements: Iterable[WishJudgement], channel: str) -> Iterator[Mark]:
    for judgement in judgements:
        if judgement.pair.wish.wanted or judgement.barred or channel in judgement.findings:
            yield judgement.pair.mark(_channel_finding(judgement, channel))
