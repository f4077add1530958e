"""The page of a comparison: everything it shows, gathered once; the template only sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.compare.comparison import Comparison, Ranking
from adjudge.compare.contrast import Contrast
from adjudge.compare.flips import Flip
from adjudge.compare.sheet import Place
from adjudge.core.card import Card
from adjudge.report.comparison import words
from adjudge.report.comparison.conversations import ChangedConversation, ListedFlip, read_changed_conversations
from adjudge.report.comparison.forest import forest_plot, metric_panel, pair_panels, sign_of
from adjudge.report.comparison.headline import headline_table
from adjudge.report.comparison.ranks import ranks_plot
from adjudge.report.comparison.tables import unpaired_table
from adjudge.report.comparison.words import ComparisonReport
from adjudge.report.page.frame import render
from adjudge.report.table import TextTable
from adjudge.report.words import arm_name, count, method_words

if TYPE_CHECKING:
    from markupsafe import Markup

# At most so many cases are listed as changed on the whole page, and for one pair, metric and direction.
MOST_FLIPS = 400
MOST_EACH = 10
# With more pairs than these there are no plots: nobody would look at them all.
MOST_PLOTTED_PAIRS = 30


class TitledPlot(Struct, frozen=True):
    """A plot with its title."""

    title: str
    plot: Markup


class ChangedCases(Struct, frozen=True):
    """The cases that changed most by one metric, and how many changed in all (None: the cases are not shared)."""

    metric: str
    shown: list[Flip]
    gained: int | None
    lost: int | None


class Block(Struct, frozen=True):
    """A pair of arms: the answer, the plots, the contrasts, what changed."""

    pair: words.Pair
    short_answer: str
    answer: str
    plots: list[TitledPlot]
    contrasts: list[Contrast]
    unpaired: TextTable
    headline: TextTable | None
    changed: list[ChangedCases]


class MetricPlots(Struct, frozen=True):
    """A metric over all pairs of arms, and the ranks of the arms where there are three or more."""

    card: Card
    plot: Markup
    ranks: Markup | None


class ComparisonPage(Struct, frozen=True, kw_only=True):
    """The sections of the page.

    `verdicts` maps each metric to its contrasts in the order of the pairs; `listed` counts the cases that are listed as
    changed, of which `conversations` are shown whole; `places` numbers these for links within the page.
    """

    comparison: Comparison
    warnings: list[str]
    standing: str
    blocks: list[Block]
    by_metric: list[MetricPlots]
    verdicts: dict[str, list[Contrast | None]]
    methods: dict[str, list[str]]
    metrics: dict[str, int]
    retired: list[str]
    listed: int
    conversations: list[ChangedConversation]
    places: dict[tuple[int, Place], int]
    rankings: list[str]
    trials: list[str]
    left_out: list[str]

    def place(self, pair: int, flip: Flip) -> int | None:
        """The number of a conversation that is shown whole; None for any other."""
        return self.places.get((pair, (flip.case, flip.trial)))


def comparison_page(report: ComparisonReport) -> bytes:
    """A comparison of runs as HTML."""
    page = gather_comparison_page(report)
    return render("comparison/page.html", page=page, contrast_words=words, sign_of=sign_of)


def gather_comparison_page(report: ComparisonReport) -> ComparisonPage:
    """Gather a comparison for its page; plots are left out where there are too many pairs to look at."""
    comparison, pairs = report.comparison, report.pairs
    plotted = len(pairs) <= MOST_PLOTTED_PAIRS
    blocks = _blocks(report, plotted)
    listed = _listed_flips(blocks)
    conversations = read_changed_conversations(listed, report.runs, comparison.cards)
    return ComparisonPage(
        comparison=comparison,
        warnings=report.warnings,
        standing=standing(comparison) if len(pairs) > 1 else "",
        blocks=blocks,
        by_metric=_metric_plots(comparison) if len(pairs) > 1 and plotted else [],
        verdicts=_verdicts(comparison, list(pairs)),
        methods=_methods(comparison),
        metrics={name: place for place, name in enumerate(comparison.cards)},
        retired=[metric for run in report.runs for metric in run.retired],
        listed=len({item.key for item in listed}),
        conversations=conversations,
        places={conversation.among[0].key: place for place, conversation in enumerate(conversations)},
        rankings=list(map(words.ranking_line, comparison.rankings)),
        trials=list(map(words.repeated_line, comparison.repeated)),
        left_out=words.left_out_lines(comparison.left_out),
    )


def standing(comparison: Comparison) -> str:
    """All arms in a sentence: how often each is better and worse than another, the one most often ahead first."""
    better = dict.fromkeys(comparison.arms, 0)
    worse = dict.fromkeys(comparison.arms, 0)
    for contrast in comparison.contrasts:
        if contrast.verdict in ("better", "worse"):
            arms = (contrast.a.arm, contrast.b.arm)
            ahead, behind = arms if contrast.verdict == "better" else arms[::-1]
            better[ahead] += 1
            worse[behind] += 1
    if not any(better.values()):
        return f"No arm is shown to be better than another in {count(len(comparison.contrasts), 'contrast')}."
    first, *others = sorted(better, key=lambda arm: worse[arm] - better[arm])
    rest = "".join(f", {arm_name(arm)} in {better[arm]} and {worse[arm]}" for arm in others[:MOST_EACH])
    more = f", and {count(len(others) - MOST_EACH, 'more arm')}" if len(others) > MOST_EACH else ""
    return f"{arm_name(first)} is better in {better[first]} contrasts and worse in {worse[first]}{rest}{more}."


def _blocks(report: ComparisonReport, plotted: bool) -> list[Block]:
    comparison = report.comparison
    # The cases to show for each pair, metric and direction, so that the page stays small.
    each = max(1, min(MOST_EACH, MOST_FLIPS // (2 * len(comparison.contrasts))))
    return [
        Block(
            pair,
            words.short_answer(pair, contrasts),
            words.pair_answer(pair, contrasts),
            _pair_plots(contrasts, comparison.cards) if plotted else [],
            contrasts,
            unpaired_table(contrasts),
            headline_table(pair, comparison) if report.headline else None,
            _changes(contrasts, report.flips.get(pair, []), each),
        )
        for pair, contrasts in report.pairs.items()
    ]


def _pair_plots(contrasts: list[Contrast], cards: dict[str, Card]) -> list[TitledPlot]:
    return [TitledPlot(panel.title, forest_plot(panel)) for panel in pair_panels(contrasts, cards)]


def _changes(contrasts: list[Contrast], flips: list[Flip], each: int) -> list[ChangedCases]:
    by_metric: dict[str, list[Flip]] = {}
    for flip in flips:
        by_metric.setdefault(flip.metric, []).append(flip)
    compared = {contrast.metric: contrast for contrast in contrasts}
    return [
        ChangedCases(metric, _most_changed(changes, each), compared[metric].gained, compared[metric].lost)
        for metric, changes in by_metric.items()
        if metric in compared
    ]


def _most_changed(flips: list[Flip], each: int) -> list[Flip]:
    up = [flip for flip in flips if flip.difference > 0]
    down = [flip for flip in flips if flip.difference < 0]
    return up[:each] + down[:each]


def _listed_flips(blocks: list[Block]) -> list[ListedFlip]:
    return [
        ListedFlip(pair, row, flip)
        for pair, block in enumerate(blocks)
        for changed in block.changed
        for row, flip in enumerate(changed.shown)
    ]


def _metric_plots(comparison: Comparison) -> list[MetricPlots]:
    rankings: dict[str, Ranking] = {ranking.metric: ranking for ranking in comparison.rankings if ranking.ranks}
    plots: list[MetricPlots] = []
    for name, card in comparison.cards.items():
        contrasts = [contrast for contrast in comparison.contrasts if contrast.metric == name]
        if contrasts:
            ranks = ranks_plot(rankings[name]) if name in rankings else None
            plots.append(MetricPlots(card, forest_plot(metric_panel(card, contrasts)), ranks))
    return plots


def _verdicts(comparison: Comparison, pairs: list[words.Pair]) -> dict[str, list[Contrast | None]]:
    verdicts: dict[str, dict[words.Pair, Contrast]] = {}
    for contrast in comparison.contrasts:
        verdicts.setdefault(contrast.metric, {})[contrast.group, contrast.a.arm, contrast.b.arm] = contrast
    return {metric: [by_pair.get(pair) for pair in pairs] for metric, by_pair in verdicts.items()}


def _methods(comparison: Comparison) -> dict[str, list[str]]:
    """For each test and interval, the metrics they were used for."""
    metrics: dict[str, dict[str, None]] = {}
    for contrast in comparison.contrasts:
        metrics.setdefault(_method(contrast), {})[contrast.metric] = None
    return {method: list(names) for method, names in metrics.items()}


def _method(contrast: Contrast) -> str:
    if contrast.test == contrast.interval:
        return method_words(contrast.test) or "neither a test nor an interval"
    return f"test: {method_words(contrast.test) or 'none'}; interval: {method_words(contrast.interval) or 'none'}"
