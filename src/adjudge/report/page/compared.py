"""All that the page of a comparison shows, gathered once; the template only sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.compare.comparison import Comparison, Ranking
from adjudge.compare.contrast import Contrast, Verdict
from adjudge.compare.flips import Flip
from adjudge.compare.sheet import Place
from adjudge.core.card import Card
from adjudge.report import contrasts as words
from adjudge.report.page.flipped import Conversation, Listed, conversations
from adjudge.report.page.forest import Drawn, by_metric, by_pair
from adjudge.report.page.ranks import ranks
from adjudge.report.words import arm_name, count
from adjudge.run import Run

if TYPE_CHECKING:
    from markupsafe import Markup

Flips = dict[words.Pair, list[Flip]]

FLIPS = 400
MOST = 10
DRAWN = 30

# In the order and the words of the full answer.
VERDICTS: dict[Verdict, str] = {
    "better": "better",
    "worse": "worse",
    "higher": "higher",
    "lower": "lower",
    "tied": "tied",
    "too few": "too few cases to tell",
}


class Changed(Struct, frozen=True):
    """The cases that changed most by one metric, and how many changed in all (None: the cases are not shared)."""

    metric: str
    shown: list[Flip]
    gained: int | None
    lost: int | None


class Block(Struct, frozen=True):
    """A pair of arms: the answer, the plots, the contrasts, what changed."""

    pair: words.Pair
    brief: str
    answer: str
    plots: list[Drawn]
    contrasts: list[Contrast]
    changed: list[Changed]


class Measured(Struct, frozen=True):
    """A metric over all pairs of arms, and the ranks of the arms where there are three or more."""

    card: Card
    plot: Drawn
    ranking: Ranking | None
    ranks: Markup | None


class Compared(Struct, frozen=True, kw_only=True):
    """The sections of the page.

    `verdicts` maps each metric to its contrasts in the order of the pairs; `listed` counts the cases that are listed as
    changed, of which `conversations` are shown whole; `places` numbers these for links within the page.
    """

    comparison: Comparison
    standing: str
    blocks: list[Block]
    measured: list[Measured]
    verdicts: dict[str, list[Contrast | None]]
    methods: dict[str, list[str]]
    metrics: dict[str, int]
    listed: int
    conversations: list[Conversation]
    places: dict[tuple[int, Place], int]

    def place(self, pair: int, flip: Flip) -> int | None:
        """The number of a conversation that is shown whole; None for any other."""
        return self.places.get((pair, (flip.case, flip.trial)))


def compared(comparison: Comparison, flips: Flips, runs: list[Run]) -> Compared:
    """Gather a comparison for its page; plots are left out where there are too many pairs to look at."""
    pairs = words.by_pair(comparison)
    each = _each(pairs)
    drawn = len(pairs) <= DRAWN
    blocks = [
        Block(
            pair,
            brief(pair, found),
            words.answer(pair, found),
            by_pair(found, comparison.cards) if drawn else [],
            found,
            _changed(found, flips.get(pair, []), each),
        )
        for pair, found in pairs.items()
    ]
    entries = _entries(blocks)
    whole = conversations(entries, runs)
    return Compared(
        comparison=comparison,
        standing=standing(comparison) if len(pairs) > 1 else "",
        blocks=blocks,
        measured=_measured(comparison) if len(pairs) > 1 and drawn else [],
        verdicts=_verdicts(comparison, list(pairs)),
        methods=_methods(comparison),
        metrics={name: place for place, name in enumerate(comparison.cards)},
        listed=len({one.key for one in entries}),
        conversations=whole,
        places={one.among[0].key: place for place, one in enumerate(whole)},
    )


def standing(comparison: Comparison) -> str:
    """All arms in a sentence: how often each is better and worse than another, the one most often ahead first."""
    better = dict.fromkeys(comparison.arms, 0)
    worse = dict.fromkeys(comparison.arms, 0)
    for one in comparison.contrasts:
        ahead, behind = (one.a.arm, one.b.arm) if one.verdict == "better" else (one.b.arm, one.a.arm)
        if one.verdict in ("better", "worse"):
            better[ahead] += 1
            worse[behind] += 1
    if not any(better.values()):
        return f"No arm is shown to be better than another in {count(len(comparison.contrasts), 'contrast')}."
    first, *others = sorted(better, key=lambda arm: worse[arm] - better[arm])
    rest = "".join(f", {arm_name(arm)} in {better[arm]} and {worse[arm]}" for arm in others[:MOST])
    more = f", and {count(len(others) - MOST, 'more arm')}" if len(others) > MOST else ""
    return f"{arm_name(first)} is better in {better[first]} contrasts and worse in {worse[first]}{rest}{more}."


def brief(pair: words.Pair, found: list[Contrast]) -> str:
    """The answer without the metrics' names."""
    counts = {verdict: sum(one.verdict == verdict for one in found) for verdict in VERDICTS}
    said = [f"{VERDICTS[verdict]} in {number}" for verdict, number in counts.items() if number]
    return f"{words.title(pair)}: {', '.join(said)}"


def _each(pairs: dict[words.Pair, list[Contrast]]) -> int:
    """How many cases to show for each pair, metric and direction, so that the page stays small."""
    lists = 2 * sum(map(len, pairs.values()))
    return max(1, min(MOST, FLIPS // max(lists, 1)))


def _changed(found: list[Contrast], flips: list[Flip], each: int) -> list[Changed]:
    counts = {one.metric: one for one in found}
    metrics = dict.fromkeys(flip.metric for flip in flips)
    return [
        Changed(metric, _most([flip for flip in flips if flip.metric == metric], each), one.gained, one.lost)
        for metric in metrics
        if (one := counts.get(metric)) is not None
    ]


def _most(flips: list[Flip], each: int) -> list[Flip]:
    up = [flip for flip in flips if flip.difference > 0]
    down = [flip for flip in flips if flip.difference < 0]
    return up[:each] + down[:each]


def _entries(blocks: list[Block]) -> list[Listed]:
    return [
        Listed(pair, row, flip)
        for pair, block in enumerate(blocks)
        for one in block.changed
        for row, flip in enumerate(one.shown)
    ]


def _measured(comparison: Comparison) -> list[Measured]:
    rankings = {one.metric: one for one in comparison.rankings}
    found: list[Measured] = []
    for name, card in comparison.cards.items():
        contrasts = [one for one in comparison.contrasts if one.metric == name]
        if contrasts:
            ranking = rankings.get(name)
            drawn = ranks(ranking) if ranking is not None and ranking.ranks else None
            found.append(Measured(card, by_metric(card, contrasts), ranking, drawn))
    return found


def _verdicts(comparison: Comparison, pairs: list[words.Pair]) -> dict[str, list[Contrast | None]]:
    cells = {(one.metric, (one.group, one.a.arm, one.b.arm)): one for one in comparison.contrasts}
    metrics = dict.fromkeys(one.metric for one in comparison.contrasts)
    return {metric: [cells.get((metric, pair)) for pair in pairs] for metric in metrics}


def _methods(comparison: Comparison) -> dict[str, list[str]]:
    """For each test and interval, the metrics they were used for."""
    found: dict[str, list[str]] = {}
    for one in comparison.contrasts:
        metrics = found.setdefault(f"{one.test}; interval: {one.interval or 'none'}", [])
        metrics += [one.metric] if one.metric not in metrics else []
    return found
