"""From scores to tables: one row per metric and arm, with its interval and its counts of missing scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from statistics import fmean

import numpy as np
from msgspec import Struct, structs

from adjudge.core.card import Better, Card, Pool
from adjudge.core.errors import BadInput
from adjudge.core.mark import Score, ScoreRow
from adjudge.core.tally import OWN_CASE, Tally
from adjudge.run import Run, SummaryRow
from adjudge.stats.bootstrap import Group, group_distance, group_distance_limits
from adjudge.stats.cases import Arm
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.interval import estimate_mean


class Row(Struct, frozen=True, kw_only=True):
    """The value of one metric for one arm, with its interval, counts and settings.

    `value` is the mean over marks or over conversations, as `pool` says; None if there is nothing to average. Both
    means are in `over_marks` and `over_conversations`. `n` is the number of items averaged. `low` and `high` bound the
    95 % interval, computed by `method`; None if there is one conversation only, or no spread to estimate it from.
    `undefined`, `skipped` and `errors` count conversations; `reasons` and `statuses` say why.
    `of` is the number of turns that the arm has, for metrics over turns: the metric is undefined in the turns that
    `marks` does not count. `coverage` is the share of the expected data that the arm has. `settings` are the settings
    of the measurement. `bases` counts conversations by the basis of their value, for metrics with several bases.
    """

    metric: str
    arm: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    undefined: int
    skipped: int
    errors: int
    unit: str
    better: Better
    version: int
    pool: Pool
    over_marks: float | None
    over_conversations: float | None
    marks: int
    conversations: int
    method: str
    band: str = ""
    group: str = ""
    reasons: dict[str, int] = {}
    statuses: dict[str, int] = {}
    of: int | None = None
    coverage: float | None = None
    settings: dict[str, str] = {}
    bases: dict[str, int] = {}


Tallies = dict[tuple[str, str, str], Tally]


def table(run: Run) -> list[Row]:
    """The rows of a run: metrics in the order of its cards, arms in the order they came."""
    cards = run.manifest.cards
    tallies = tally(run.summaries())
    if grouped := [name for name, card in cards.items() if card.pool == "groups"]:
        for line in run.rows():
            for name in grouped:
                if name in line.scores:
                    tallies[name, line.arm, ""].sort(line.scores[name].marks)
    return [_with_settings(row, run) for row in _rows(_in_card_order(tallies, run), cards)]


def breakdown(run: Run) -> list[Row]:
    """The rows of a run by group of marks (in the service suite: by domain)."""
    return [
        _with_settings(row, run) for row in _rows(_in_card_order(tally_groups(run.rows()), run), run.manifest.cards)
    ]


def _with_settings(row: Row, run: Run) -> Row:
    """The row with the settings of the run and the coverage of its arm."""
    arm = run.manifest.coverage.arms.get(row.arm)
    turns = arm.turns if arm is not None and row.unit == "turn" and not row.group else None
    share = None if arm is None else arm.share
    return structs.replace(row, settings=run.manifest.settings, coverage=share, of=turns)


class Voice(Struct, frozen=True):
    """The answers of one judge or sample out of several: its mean over marks, and its failures by status.

    `agreement` and `spread` describe the whole panel, over the marks that two or more judges valued; None if there are
    none. `agreement` is the share of these marks with equal values. `spread` is the mean distance between the lowest
    and the highest value of a mark.
    """

    metric: str
    arm: str
    voice: str
    value: float | None
    marks: int
    agreement: float | None
    spread: float | None
    failures: dict[str, int] = {}


def voices(run: Run) -> list[Voice]:
    """The values of each judge or sample, for scores that come from several."""
    heard: dict[tuple[str, str, str], list[float]] = {}
    failed: dict[tuple[str, str, str], Counter[str]] = {}
    spreads: dict[tuple[str, str], list[float]] = {}
    for row in run.rows():
        for name, score in row.scores.items():
            for label, values in score.draws.items():
                heard.setdefault((name, row.arm, label), []).extend(v for v in values if v is not None)
            for label, why in score.missing.items():
                failed.setdefault((name, row.arm, label), Counter())[why.status] += 1
            shared = [sum(v is not None for v in values) > 1 for values in zip(*score.draws.values(), strict=True)]
            shown = [mark.spread for mark, several in zip(score.marks, shared, strict=False) if several]
            spreads.setdefault((name, row.arm), []).extend(shown)
    return [
        Voice(
            *key,
            fmean(values) if values else None,
            len(values),
            *_accord(spreads[key[:2]]),
            dict(failed.get(key, {})),
        )
        for key, values in heard.items()
    ]


def unlabelled_items(run: Run) -> dict[str, int]:
    """The number of items without a label by people, or without a usable answer of a model, by metric."""
    counts: Counter[str] = Counter()
    for row in run.rows():
        counts.update({name: score.unlabelled for name, score in row.scores.items() if score.unlabelled})
    return dict(counts)


def _accord(spreads: list[float]) -> tuple[float | None, float | None]:
    """The share of marks without spread, and the mean spread; None without marks."""
    if not spreads:
        return None, None
    return sum(spread == 0 for spread in spreads) / len(spreads), fmean(spreads)


def tally(rows: Iterable[ScoreRow] | Iterable[SummaryRow]) -> Tallies:
    """Tallies by metric and arm."""
    tallies: Tallies = defaultdict(Tally)
    numbers: dict[str, int] = {}
    for row in rows:
        arm, case = row.arm, _case_number(row.case, numbers)
        for name, score in row.scores.items():
            tally = tallies[name, arm, ""]
            if score.missing:
                tally.note(score.missing.values())
            if score.value is not None:
                tally.count(case, score.value, score.weight, score.n)
                tally.rest_on(score.basis)
            else:
                tally.miss(score.skipped)
    return dict(tallies)


def tally_groups(rows: Iterable[ScoreRow]) -> Tallies:
    """Tallies by metric, arm and group, of the marks that name a group."""
    tallies: Tallies = defaultdict(Tally)
    numbers: dict[str, int] = {}
    for row in rows:
        case = _case_number(row.case, numbers)
        for name, score in row.scores.items():
            for group, (total, weight, marks) in _by_group(score).items():
                tallies[name, row.arm, group].count(case, total / weight, weight, int(marks))
    return dict(tallies)


def _case_number(case: str, numbers: dict[str, int]) -> int:
    """The number of a case; a new case gets the next number, and a conversation without a case gets `OWN_CASE`."""
    return numbers.setdefault(case, len(numbers)) if case else OWN_CASE


def _by_group(score: Score) -> dict[str, list[float]]:
    """For each group, the weighted total of its marks, their weight, and their number."""
    sums: dict[str, list[float]] = {}
    for mark in score.marks:
        if mark.group and mark.weight:
            part = sums.setdefault(mark.group, [0.0, 0.0, 0.0])
            part[0] += mark.value * mark.weight
            part[1] += mark.weight
            part[2] += 1
    return sums


def _in_card_order(tallies: Tallies, run: Run) -> Tallies:
    cards = list(run.manifest.cards)
    known = [*run.manifest.coverage.arms, *(arm for _, arm, _ in tallies)]
    arms = {arm: index for index, arm in enumerate(dict.fromkeys(known))}
    place = {name: index for index, name in enumerate(cards)}
    if stray := sorted({name for name, _, _ in tallies} - place.keys()):
        raise BadInput(f"{run.folder}: has scores of {stray[0]!r} but no card of it; score the run again")
    return {key: tallies[key] for key in sorted(tallies, key=lambda key: (place[key[0]], arms[key[1]], key[2]))}


def _rows(tallies: Tallies, cards: dict[str, Card]) -> list[Row]:
    return [row(cards[name], arm, tally, group) for (name, arm, group), tally in tallies.items()]


def row(card: Card, arm: str, tally: Tally, group: str = "") -> Row:
    """The row of a tally."""
    known = tally.marks > 0
    over_marks = tally.mean_over_marks if known else None
    over_conversations = tally.mean_over_conversations if known else None
    value = over_conversations if card.pool == "conversations" else over_marks
    if tally.groups and card.pool == "groups":
        value = group_distance(_groups(tally))
    interval = interval_of(card, tally)
    return Row(
        metric=card.name,
        arm=arm,
        value=value,
        low=interval.low,
        high=interval.high,
        n=tally.conversations if card.pool == "conversations" else tally.marks,
        undefined=tally.undefined,
        skipped=tally.skipped,
        errors=tally.errors,
        unit=card.unit,
        better="neither" if group and card.pool == "groups" else card.better,
        version=card.version,
        pool=card.pool,
        over_marks=over_marks,
        over_conversations=over_conversations,
        marks=tally.marks,
        conversations=tally.conversations,
        method=interval.method,
        band=card.band(value) if value is not None else "",
        group=group,
        reasons=tally.reasons,
        statuses=tally.statuses,
        bases=tally.bases,
    )


def interval_of(card: Card, tally: Tally) -> Estimate:
    """The 95 % interval of a tally's headline value, with cases as clusters.

    A mean on a bounded scale has the score interval at the effective sample size, so 20 of 20 right is [0.83, 1],
    never [1, 1]. A mean on an open scale has Student's t interval. For a metric pooled over groups, the means of the
    groups are redrawn from their sampling distributions. See `adjudge.stats.interval`.
    """
    if tally.conversations < 2:
        return no_estimate("needs at least 2 conversations")
    if tally.groups and card.pool == "groups":
        limits = group_distance_limits(_groups(tally))
        return Estimate(None, *limits, method="redrawn groups") if limits else Estimate(None, method="redrawn groups")
    return estimate_mean(_arm(card, tally), card.scale)


def _arm(card: Card, tally: Tally) -> Arm:
    """The conversations of a tally as sums over their cases."""
    values = np.frombuffer(tally.values)
    weights = np.ones_like(values) if card.pool == "conversations" else np.frombuffer(tally.weights)
    cases = np.frombuffer(tally.cases, dtype=np.intc).astype(np.intp)
    own = np.flatnonzero(cases == OWN_CASE)
    cases[own] = cases.max() + 1 + own
    return Arm.by_cluster(values, weights, cases)


def _groups(tally: Tally) -> list[Group]:
    return [Group(group.n, group.mean, group.variance) for group in tally.groups.values()]
