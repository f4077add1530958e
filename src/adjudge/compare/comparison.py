"""A comparison: all contrasts of one family, the metrics left out and why, and the ranking of three or more arms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import numpy as np
from msgspec import Struct

from adjudge.compare.contrast import VALUE_DIGITS, Contrast, Terms, draft_contrast
from adjudge.compare.family import Correction, judge_family
from adjudge.compare.given import check_given, unchecked_arms
from adjudge.compare.sheet import Sheet, left_out, rests_on_other_methods
from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.core.selection import ALL, chosen_metrics, primary_family
from adjudge.stats.friedman import RankContrast, critical_difference, friedman, holm_against, nemenyi
from adjudge.stats.trials import components, pass_hat_k

# Which metrics are compared: the primary family, the named ones, all, or all since none is marked as primary.
Selection = Literal["primary", "named", "all", "unmarked"]


class LeftOut(Struct, frozen=True):
    """A metric that was left out of the comparison of two arms, and why.

    `a_value` and `b_value` are the values of both arms where each has one by a method of its own, else None.
    """

    metric: str
    a: str
    b: str
    why: str
    a_value: float | None = None
    b_value: float | None = None


class Ranking(Struct, frozen=True):
    """The ranks of three or more arms by one metric on the cases they share: Friedman's test, then a test of each pair.

    Pairs are tested with Nemenyi's test or, against a baseline, with Holm's.
    `ranks` are mean ranks; 1 is the best value of a case (the lowest value if neither direction is better). By
    Nemenyi's test, two arms differ if their mean ranks differ by more than `critical`, which is 0 without a test.
    """

    metric: str
    arms: tuple[str, ...]
    ranks: tuple[float, ...]
    statistic: float | None
    p: float | None
    n: int
    pairs: tuple[RankContrast, ...] = ()
    why: str = ""
    critical: float = 0.0


class TrialSpread(Struct, frozen=True):
    """The spread between and within cases with several trials, for one metric and arm.

    `passes` maps k to pass^k, the probability that k trials of a case all succeed, for metrics whose values are 0 or 1.
    """

    metric: str
    arm: str
    cases: int
    trials: int
    between: float | None
    within: float | None
    correlation: float | None
    passes: dict[int, float] = {}


class Comparison(Struct, frozen=True, kw_only=True):
    """The results of a comparison of arms.

    `marked` lists in which settings and cases the arms differ, if they were compared nevertheless; `unchecked` the arms
    of which the run does not say what they were given; `unnamed` the arms of runs that keep tallies, which are compared
    without pairs. `selection` says how the
    metrics were chosen, `unselected` counts the others of the runs.
    """

    runs: list[str]
    suite: str
    settings: dict[str, str]
    tools: dict[str, str]
    arms: list[str]
    baseline: str
    correction: Correction
    seed: int
    contrasts: list[Contrast]
    left_out: list[LeftOut]
    rankings: list[Ranking]
    repeated: list[TrialSpread]
    cards: dict[str, Card]
    marked: list[str] = []
    unchecked: list[str] = []
    unnamed: list[str] = []
    by: str = ""
    selection: Selection = "named"
    unselected: int = 0


class ComparisonRequest(Struct, frozen=True, kw_only=True):
    """The request for a comparison: which metrics and arms, and the baseline.

    Without metrics, the primary family is compared; "all" stands for all metrics. Without arms, all are compared;
    without a baseline, in all pairs.
    """

    metrics: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    baseline: str = ""
    correction: Correction = "holm"
    margins: dict[str, float] = {}
    bootstrap: bool = False


def compare(sheet: Sheet, wanted: ComparisonRequest) -> Comparison:
    """All requested contrasts that can be computed."""
    return compare_groups({"": sheet}, wanted)


def compare_groups(sheets: dict[str, Sheet], wanted: ComparisonRequest, by: str = "") -> Comparison:
    """The contrasts of several parts of the data, all in one family; `by` names the facet that makes the parts."""
    first = next(iter(sheets.values()))
    arms = list(dict.fromkeys(first.find_arm(name) for name in wanted.arms)) or first.arms
    chosen_metrics([name for name in wanted.margins if name], first.cards, "--margin")
    selection = selection_of(first, wanted)
    metrics = chosen_metrics(wanted.metrics, first.cards) or primary_family(first.cards)
    pairs = _pairs(first, arms, wanted.baseline)
    changes = list(dict.fromkeys(mark for sheet in sheets.values() for mark in check_given(sheet, pairs)))
    planned, outs = _plan(sheets, metrics, pairs)
    if not planned:
        reasons = [f"{out.metric}: {out.a} against {out.b}: {out.why}" for out in outs]
        more = "; --metrics all also compares the metrics outside the primary family" if selection == "primary" else ""
        raise BadInput("cannot be compared: " + "; ".join(reasons[:5]) + more)
    voting = set(primary_family(first.cards) if selection == "all" else metrics)
    drafts = [
        draft_contrast(sheets[group], metric, a, b, _terms(wanted, metric, metric in voting), group)
        for group, metric, a, b in planned
    ]
    manifest = first.runs[0].manifest
    return Comparison(
        runs=[str(run.folder) for run in first.runs],
        suite=manifest.suite,
        settings=manifest.settings,
        tools=manifest.tools,
        arms=list(arms),
        baseline=wanted.baseline,
        correction=wanted.correction,
        seed=0,
        contrasts=judge_family(drafts, wanted.correction),
        left_out=outs,
        rankings=[] if by else _rankings(first, metrics, arms, wanted.baseline),
        repeated=[] if by else _trials(first, metrics, arms),
        cards={name: first.cards[name] for name in metrics},
        marked=[*first.marked, *changes],
        unchecked=unchecked_arms(first, arms),
        unnamed=[arm for arm in arms if arm in first.unnamed],
        by=by,
        selection=selection,
        unselected=len(first.cards.keys() - set(metrics)),
    )


def _rankings(sheet: Sheet, metrics: list[str], arms: Sequence[str], baseline: str) -> list[Ranking]:
    rankings = [rank_arms(sheet, metric, arms, baseline) for metric in metrics]
    return [ranking for ranking in rankings if ranking is not None]


def _trials(sheet: Sheet, metrics: list[str], arms: Sequence[str]) -> list[TrialSpread]:
    parts = [repeated_trials(sheet, metric, arm) for metric in metrics for arm in arms]
    return [part for part in parts if part is not None]


def rank_arms(sheet: Sheet, metric: str, arms: Sequence[str], baseline: str = "") -> Ranking | None:
    """The ranking of three or more arms by one metric; None for fewer arms, or if they cannot be compared."""
    known = [arm for arm in arms if sheet.column(metric, arm).valued]
    comparable = all(not left_out(sheet, metric, a, b) for a, b in combinations(known, 2))
    if len(known) < 3 or not comparable:
        return None
    columns = [sheet.column(metric, arm).sums for arm in known]
    shared = [place for place in columns[0] if all(place in column for column in columns)]
    if not shared:
        return None
    values = np.array([[column[place][0] / column[place][1] for column in columns] for place in shared])
    # Ranks would take what rounding leaves for a difference.
    values = np.round(values, VALUE_DIGITS)
    # Friedman's test gives rank 1 to the lowest value, so values are negated if higher is better.
    test = friedman(-values if sheet.cards[metric].better == "higher" else values)
    pairs: list[RankContrast] = []
    if test.p is not None:
        pairs = holm_against(test, known.index(baseline)) if baseline in known else nemenyi(test)
    return Ranking(
        metric=metric,
        arms=tuple(known),
        ranks=test.mean_ranks,
        statistic=test.statistic,
        p=test.p,
        n=len(shared),
        pairs=tuple(pairs),
        why=test.why,
        critical=0.0 if test.p is None else critical_difference(test),
    )


def repeated_trials(sheet: Sheet, metric: str, arm: str) -> TrialSpread | None:
    """The spread of repeated trials; None if every case has one trial."""
    column = sheet.column(metric, arm)
    if not column.has_repeated_cases():
        return None
    cases: dict[str, list[float]] = {}
    for (case, _), (total, weight) in column.sums.items():
        cases.setdefault(case, []).append(total / weight)
    parts = components(list(cases.values()))
    passes: dict[int, float] = {}
    if all(value in (0.0, 1.0) for values in cases.values() for value in values):
        passes = dict(_passes(list(cases.values())))
    return TrialSpread(metric, arm, len(cases), column.valued, parts.between, parts.within, parts.icc, passes)


def _passes(cases: list[list[float]]) -> Iterator[tuple[int, float]]:
    """Each k up to the smallest number of trials of a case, with pass^k."""
    successes = [int(sum(values)) for values in cases]
    trials = [len(values) for values in cases]
    for k in range(1, min(trials) + 1):
        rate = pass_hat_k(successes, trials, k)
        if rate.value is not None:
            yield k, rate.value


def _plan(
    sheets: dict[str, Sheet], metrics: list[str], pairs: list[tuple[str, str]]
) -> tuple[list[tuple[str, str, str, str]], list[LeftOut]]:
    """The planned contrasts (part of the data, metric and two arms), and the contrasts that are left out."""
    planned: list[tuple[str, str, str, str]] = []
    outs: dict[LeftOut, None] = {}
    for group, sheet in sheets.items():
        for metric in metrics:
            for a, b in pairs:
                if group and not any(sheet.column(metric, arm).conversations for arm in (a, b)):
                    continue  # The metric has no marks in this part of the data.
                if why := left_out(sheet, metric, a, b):
                    outs[LeftOut(metric, a, b, why, *_values_apart(sheet, metric, a, b))] = None
                else:
                    planned.append((group, metric, a, b))
    return planned, list(outs)


def _values_apart(sheet: Sheet, metric: str, a: str, b: str) -> tuple[float | None, float | None]:
    """The values of two arms that rest on different methods; None for both where that is not what sets them apart."""
    if not rests_on_other_methods(sheet, metric, a, b):
        return None, None
    data = sheet.arms_of(metric, a, b)
    return data.a.mean, data.b.mean


def _terms(wanted: ComparisonRequest, metric: str, headline: bool) -> Terms:
    margin = wanted.margins.get(metric, wanted.margins.get(""))
    return Terms(margin, wanted.bootstrap, headline)


def selection_of(sheet: Sheet, wanted: ComparisonRequest) -> Selection:
    """How the metrics of a comparison are chosen."""
    if wanted.metrics:
        return "all" if ALL in wanted.metrics else "named"
    return "primary" if any(card.primary for card in sheet.cards.values()) else "unmarked"


def _pairs(sheet: Sheet, arms: Sequence[str], baseline: str) -> list[tuple[str, str]]:
    if baseline:
        others = [arm for arm in arms if arm != sheet.find_arm(baseline)]
        pairs = [(arm, baseline) for arm in others]
    else:
        pairs = [(b, a) for a, b in combinations(arms, 2)]
    if not pairs:
        raise BadInput(f"one arm only ({', '.join(arms)}); expected two or more; name another run or arm")
    return pairs
