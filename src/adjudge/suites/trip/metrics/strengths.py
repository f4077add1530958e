"""Whether what members must have is there, and what they refuse is not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.channels import Finding
from adjudge.suites.trip.rules.targets import Thresholds, judge_strong_pairs, strong_judgements

of_strength = partial(metric, probes=("preferences",), predicts=("a plan",), source="our own", version=2, english=True)


@of_strength(
    "Must",
    formula="pairs a member insists on that are satisfied / pairs a member insists on",
    unit="pair",
    better="higher",
    primary=True,
)
def must_kept(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """Does the plan keep what members insist on?

    Based on satisfaction_strict; works without an embedder. Undefined if nobody insists on anything.
    """
    yield from judge_strong_pairs(trip, ("must",), embed, thresholds).strict.marks()


@metric(
    "Avoided",
    formula=(
        "pairs for which the plan has nothing that the member avoids or rejects / pairs with an avoided or rejected "
        "thing"
    ),
    unit="pair",
    better="higher",
    primary=True,
    probes=("preferences",),
    predicts=("a plan",),
    source="our own",
    version=2,
    english=True,
)
def avoided(trip: Trip) -> Iterator[Mark]:
    """Does the plan leave out what members avoid or reject?

    A wish of this kind names the unwanted thing itself. It is searched for in the categories, room types, names and
    descriptions of the slot's places. Undefined if the plan has no place for the slot that the catalogue knows.
    """
    for judgement in strong_judgements(trip, "avoid", "reject"):
        yield judgement.pair.mark(Finding(not judgement.barred, judgement.barred or judgement.strict.why))


@of_strength(
    "Violations",
    formula="pairs a member insists on that are not satisfied + pairs for which the plan has what the member rejects",
    unit="conversation",
    better="lower",
    scale=(0.0, None),
    pool="conversations",
)
def violations(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """How often does the plan break what members insist on or include what they reject?

    Based on satisfaction_strict; works without an embedder. Undefined if nobody insists on or rejects anything.
    """
    insisted = judge_strong_pairs(trip, ("must",), embed, thresholds).strict
    rejected = judge_strong_pairs(trip, ("reject",), embed, thresholds).strict
    bound = [*insisted.all, *rejected.all]
    broken = [f"{pair.preference.at}: {finding.why}" for pair, finding in bound if not finding.passed]
    if bound:
        why = "; ".join(broken) or f"none of {len(bound)} broken"
        yield Mark(float(len(broken)), why=why, basis=insisted.basis)
