"""Whether what members must have is there, and what they refuse is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Strength, Trip
from adjudge.suites.trip.rules.channels import Finding
from adjudge.suites.trip.rules.targets import Judgement, Thresholds, judge_pairs, offline_judgements

kept = partial(metric, probes=("preferences",), predicts=("a plan",), source="our own")


@kept(
    "Must",
    formula="pairs a member insists on that are satisfied / pairs a member insists on",
    unit="pair",
    better="higher",
    primary=True,
)
def must_kept(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """Does the plan keep what members insist on?

    By satisfaction_strict, also without an embedder; undefined where nobody insists on anything.
    """
    judgements = judge_pairs(trip, embed, thresholds)
    for judgement in _with_strength(judgements.all, "must"):
        yield judgement.pair.mark(judgement.strict, judgements.basis)


@kept(
    "Avoided",
    formula="avoided or rejected things that the plan has not / those there are",
    unit="pair",
    better="higher",
    primary=True,
)
def avoided(trip: Trip) -> Iterator[Mark]:
    """Does the plan leave out what members avoid or reject?

    Their words name the unwanted thing itself. Looked for in categories, room types, names and descriptions of the
    slot's places; undefined where the plan has no place for the slot that the catalogue knows.
    """
    for judgement in _with_strength(offline_judgements(trip), "avoid", "reject"):
        yield judgement.pair.mark(Finding(not judgement.barred, judgement.barred or judgement.strict.why))


@kept(
    "Violations",
    formula="pairs a member insists on that are missed + rejected things that are there",
    unit="conversation",
    better="lower",
    scale=(0.0, None),
    pool="conversations",
)
def violations(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """How often does the plan break what members insist on or reject?

    By satisfaction_strict, also without an embedder. Undefined where nobody insists on or rejects anything.
    """
    judgements = judge_pairs(trip, embed, thresholds)
    bound = list(_with_strength(judgements.all, "must", "reject"))
    broken = [judgement for judgement in bound if not judgement.strict.passed]
    if bound:
        reasons = "; ".join(f"{judgement.pair.preference.at}: {judgement.strict.why}" for judgement in broken)
        yield Mark(float(len(broken)), why=reasons or f"none of {len(bound)} broken", basis=judgements.basis)


def _with_strength(judgements: Sequence[Judgement], *strengths: Strength) -> Iterator[Judgement]:
    return (judgement for judgement in judgements if judgement.pair.preference.strength in strengths)
