"""How evenly the plan serves the members."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from math import fsum

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.stats.inequality import gini
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.metrics.semantics import plan_closeness
from adjudge.suites.trip.metrics.welfare import Rates
from adjudge.suites.trip.rules.targets import PairFindings, Thresholds, by_member, judge_pairs

SOURCE = "Metric Reference: Data Sources & Calculations (group travel planning), "
# Nothing is uneven about one member.
FEWEST = 2

even = partial(
    metric,
    unit="conversation",
    pool="conversations",
    probes=("fairness",),
    predicts=("a plan",),
    english=True,
)


@even(
    "M13",
    formula="Gini coefficient of the members' means of semantic_satisfaction",
    better="lower",
    source=SOURCE + "M13 Fairness Gini Coefficient",
    departs="Based on the slots' own texts (see semantic_satisfaction). A mean below 0 counts as 0.",
    version=2,
)
def fairness_gini(trip: Trip, embed: Embedder) -> Iterator[Mark]:
    """How unevenly does the plan match what the members want?

    The members' means lie in a narrow band, so the value is small even for an unfair plan; see satisfaction_gini.
    Undefined with fewer than two members.
    """
    means = by_member(trip, [(close.preference.member, close.cosine) for close in plan_closeness(trip, embed)])
    uneven = gini(max(mean, 0.0) for mean in means.values()) if len(means) >= FEWEST else None
    if uneven is not None:
        yield Mark(uneven, why=_list_rates(means))


@even(
    "GiniS",
    formula="Gini coefficient of the members' shares of pairs satisfied by the places alone",
    better="lower",
    source="our own",
    version=2,
    primary=True,
)
def satisfaction_gini(
    trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None
) -> Iterator[Mark]:
    """How unevenly are the members satisfied?

    Based on satisfaction_strict; works without an embedder. Undefined with fewer than two members, and if nobody gets
    anything.
    """
    yield from gini_marks(trip, judge_pairs(trip, embed, thresholds).strict)


@even(
    "WorstBest",
    formula="lowest share of a member's pairs satisfied by the places alone / highest",
    better="higher",
    source="our own",
    version=2,
)
def worst_to_best(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """What fraction of the best-off member's share does the worst-off member get?

    Based on satisfaction_strict; works without an embedder. Undefined with fewer than two members, and if nobody gets
    anything.
    """
    yield from ratio_marks(trip, judge_pairs(trip, embed, thresholds).strict)


@even(
    "Envy",
    formula="mean over ordered pairs of members of max(0, the other member's share - own share)",
    better="lower",
    source="our own",
    version=2,
)
def envy(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """By how much are other members better off, on average over all ordered pairs of members?

    Based on satisfaction_strict; works without an embedder. The value is at most 0.5, because in each pair only one
    member can envy the other. Undefined with fewer than two members.
    """
    yield from envy_marks(trip, judge_pairs(trip, embed, thresholds).strict)


@metric(
    "Sacrificed",
    formula="members who get nothing while another gets something / members with a pair",
    unit="member",
    better="lower",
    probes=("fairness",),
    predicts=("a plan",),
    source="our own",
    version=2,
    english=True,
)
def sacrificed(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """Which members get nothing of what they want while others get something?

    Based on satisfaction_strict; works without an embedder. Undefined with fewer than two members.
    """
    yield from sacrifice_marks(trip, judge_pairs(trip, embed, thresholds).strict)


def gini_marks(trip: Trip, findings: PairFindings) -> Iterator[Mark]:
    """How uneven the members' shares are."""
    rates = _rates(trip, findings)
    uneven = gini(rates.values())
    if uneven is not None:
        yield Mark(uneven, why=_list_rates(rates), basis=findings.basis)


def ratio_marks(trip: Trip, findings: PairFindings) -> Iterator[Mark]:
    """The lowest share in parts of the highest."""
    rates = _rates(trip, findings)
    if rates and (best := max(rates.values())):
        yield Mark(min(rates.values()) / best, why=_list_rates(rates), basis=findings.basis)


def envy_marks(trip: Trip, findings: PairFindings) -> Iterator[Mark]:
    """By how much others are better off."""
    rates = _rates(trip, findings)
    if rates:
        felt = [max(0.0, other - own) for own, other in permutations(rates.values(), 2)]
        yield Mark(fsum(felt) / len(felt), why=_list_rates(rates), basis=findings.basis)


def sacrifice_marks(trip: Trip, findings: PairFindings) -> Iterator[Mark]:
    """Whether each member gets nothing while another gets something."""
    rates = _rates(trip, findings)
    for member, rate in rates.items():
        given_up = rate == 0 and max(rates.values()) > 0
        why = f"lost: {', '.join(findings.lost_slots(member))}" if given_up else f"{rate:.3f} satisfied"
        yield Mark(float(given_up), at=member, why=why, basis=findings.basis)


def _rates(trip: Trip, findings: PairFindings) -> Rates:
    """The members' shares of satisfied pairs; none with fewer than two members."""
    rates = findings.rates(trip)
    return rates if len(rates) >= FEWEST else {}


def _list_rates(rates: Rates) -> str:
    return ", ".join(f"{member} {rate:.3f}" for member, rate in rates.items())
