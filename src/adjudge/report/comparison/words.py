"""The words in which a comparison is reported, the same in every format."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from adjudge.compare.comparison import Comparison, LeftOut, Ranking, TrialSpread
from adjudge.compare.contrast import Contrast, ContrastSide
from adjudge.compare.flips import Flip, MarkFlip
from adjudge.compare.given import unchecked_text
from adjudge.compare.unnamed import unnamed_text
from adjudge.report.words import (
    NONE,
    arm_name,
    bounds,
    count,
    enumerate_names,
    figure,
    p_value,
    retired_line,
    signed_figure,
)
from adjudge.run import Run
from adjudge.stats.interval import CONFIDENCE

CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no correction"}
# Verdicts that decide, in the order of the answer; any other is inconclusive.
DECIDED = ("better", "worse", "higher", "lower", "tied")
INCONCLUSIVE = "inconclusive"

# The part of the data, the arm, and the baseline it is compared with.
Pair = tuple[str, str, str]
Flips = dict[Pair, list[Flip]]


class ComparisonReport(Struct, frozen=True):
    """What the report of a comparison is made from: the comparison, the cases that changed, and the runs.

    `headline` puts the headline table of each pair of arms first.
    """

    comparison: Comparison
    flips: Flips
    runs: list[Run]
    headline: bool = False

    @property
    def pairs(self) -> dict[Pair, list[Contrast]]:
        """The contrasts of each part of the data and pair of arms."""
        return contrasts_by_pair(self.comparison)

    @property
    def warnings(self) -> list[str]:
        """What has to be known before any contrast is read."""
        retired = {metric: None for run in self.runs for metric in run.retired if metric in self.comparison.cards}
        mismatches = [f"compared although {mark}" for mark in self.comparison.marked]
        lean = [run.folder for run in self.runs if self.flips and run.keep.kind == "worst"]
        unmarked = [f"{folder} keeps few marks (--keep worst): most changes are listed without" for folder in lean]
        return [*mismatches, *filter(None, [retired_line(retired)]), *unmarked]


def contrasts_by_pair(comparison: Comparison) -> dict[Pair, list[Contrast]]:
    """The contrasts of each part of the data and pair of arms, in the order they came."""
    pairs: dict[Pair, list[Contrast]] = {}
    for contrast in comparison.contrasts:
        pairs.setdefault((contrast.group, contrast.a.arm, contrast.b.arm), []).append(contrast)
    return pairs


def pair_title(pair: Pair) -> str:
    """What a block of contrasts is about."""
    group, a, b = pair
    return f"{arm_name(a)} against {arm_name(b)}{f', {group}' if group else ''}"


def pair_answer(pair: Pair, contrasts: list[Contrast]) -> str:
    """The block in one sentence: which metrics decide, and how many do not."""
    metrics = _metrics_by_verdict(_voting(contrasts))
    parts = [f"{word} in {len(names)} ({', '.join(names)})" for word, names in metrics.items() if word in DECIDED]
    if INCONCLUSIVE in metrics:
        parts.append(f"{INCONCLUSIVE} in {len(metrics[INCONCLUSIVE])}")
    return f"{pair_title(pair)}: {'; '.join(parts)}"


def short_answer(pair: Pair, contrasts: list[Contrast]) -> str:
    """The block in one sentence without the metrics' names."""
    counts = [f"{word} in {len(names)}" for word, names in _metrics_by_verdict(_voting(contrasts)).items()]
    return f"{pair_title(pair)}: {', '.join(counts)}"


def method_lines(comparison: Comparison) -> list[str]:
    """Which metrics were compared and how, a sentence each."""
    lines = selection_line(comparison), method_line(comparison), unnamed_text(comparison.unnamed)
    return [*filter(None, (*lines, unchecked_text(comparison.unchecked)))]


def method_line(comparison: Comparison) -> str:
    """How the contrasts were computed, in a sentence."""
    correction, contrasts = CORRECTIONS[comparison.correction], comparison.contrasts
    number = count(contrasts[0].family if contrasts else 0, "contrast")
    return (
        f"{CONFIDENCE * 100:g} % intervals (this contrast alone), two-sided tests, {correction} over "
        f"{number}{_count_gaps(contrasts)}, seed {comparison.seed}"
    )


def selection_line(comparison: Comparison) -> str:
    """Which metrics were compared and how to compare others; empty where they were named."""
    chosen = count(len(comparison.cards), "metric")
    if comparison.selection == "primary":
        rest = f"; --metrics all takes the other {comparison.unselected}" if comparison.unselected else ""
        return f"the primary family of the suite, {chosen}{rest}"
    if comparison.selection == "unmarked":
        return f"no metric of the runs is marked as primary, so all but variants are compared: {chosen}"
    if comparison.selection == "all":
        return f"all {chosen}; the sentence about each pair counts the primary family, and equal values once"
    return ""


def _count_gaps(contrasts: list[Contrast]) -> str:
    """How many contrasts are not corrected for, and why."""
    same = sum(bool(contrast.same_as) and not contrast.identical for contrast in contrasts)
    identical = sum(contrast.identical for contrast in contrasts)
    parts = [
        f"{identical} without any difference" if identical else "",
        f"{same} with the values of another metric" if same else "",
    ]
    left = ", ".join(filter(None, parts))
    return f" ({left}: not counted)" if left else ""


def _voting(contrasts: list[Contrast]) -> list[Contrast]:
    """The contrasts that the sentence about a pair of arms counts."""
    return [contrast for contrast in contrasts if contrast.headline] or contrasts


def verdict_text(contrast: Contrast) -> str:
    """The verdict with what belongs to it."""
    same = f"; same values as {contrast.same_as}" if contrast.same_as else ""
    return f"{_verdict_words(contrast)}{same}"


def _verdict_words(contrast: Contrast) -> str:
    if contrast.verdict == "tied":
        return f"tied (within {contrast.margin:g})"
    if contrast.verdict in DECIDED:
        within = f", but within the margin of a tie ({contrast.margin:g})" if contrast.equivalent else ""
        return f"{contrast.verdict}{within}"
    if contrast.p is None:
        return f"{INCONCLUSIVE} ({contrast.why})"
    if not contrast.difference:
        needed = contrast.needed_to_tie
        return INCONCLUSIVE if needed is None else f"{INCONCLUSIVE} (about {needed:,} cases needed to show a tie)"
    if contrast.significant_alone:
        return f"{INCONCLUSIVE} (0 is outside alone, not among {contrast.family})"
    if contrast.needed is None or contrast.needed <= contrast.n:
        return INCONCLUSIVE
    return f"{INCONCLUSIVE} (about {contrast.needed:,} cases needed)"


def short_verdict_text(contrast: Contrast) -> str:
    """The verdict without the number of cases that it needs, where that has a column of its own."""
    if not needed_text(contrast):
        return verdict_text(contrast)
    return f"{INCONCLUSIVE}; same values as {contrast.same_as}" if contrast.same_as else INCONCLUSIVE


def needed_text(contrast: Contrast) -> str:
    """How many cases a verdict would need; empty where there is one, or where nobody can say."""
    if contrast.verdict in DECIDED or contrast.p is None or (contrast.difference and contrast.significant_alone):
        return ""
    needed = contrast.needed if contrast.difference else contrast.needed_to_tie
    return "" if needed is None or needed <= contrast.n else f"{needed:,}"


def contrast_line(contrast: Contrast) -> str:
    """A contrast in one line, where there is no room for a table."""
    values = f"{figure(contrast.a.value)} against {figure(contrast.b.value)}"
    change = f"{difference_text(contrast)} ({difference_interval(contrast)}), {percent_text(contrast)}"
    test = f"p {p_value(contrast.p_corrected)} corrected, {effect_text(contrast)}, cases {cases_text(contrast)}"
    return f"{contrast.metric}: {values}, {change}, {test}: {verdict_text(contrast)}"


def difference_text(contrast: Contrast) -> str:
    """The difference with its sign."""
    return signed_figure(contrast.difference)


def difference_interval(contrast: Contrast) -> str:
    """The bounds of the difference; a dash where there are none."""
    return bounds(contrast.low, contrast.high)


def effect_text(contrast: Contrast) -> str:
    """The effect size with its name and its word."""
    return NONE if contrast.effect is None else f"{contrast.effect_name} {contrast.effect:.2f} {contrast.effect_word}"


def cases_text(contrast: Contrast) -> str:
    """How many cases were compared, of how many there were, with their trials; unpaired, of each arm."""
    if not contrast.paired:
        return f"{contrast.a.n} and {contrast.b.n}, {'not paired' if contrast.unnamed else 'none shared'}"
    whole = max(contrast.a.cases, contrast.b.cases)
    trials = f" ({contrast.pairs} trials)" if contrast.pairs != contrast.n else ""
    return (f"{contrast.n} of {whole}" if contrast.n < whole else str(contrast.n)) + trials


def percent_text(contrast: Contrast) -> str:
    """The difference relative to the baseline's value; a dash where that is 0."""
    return NONE if contrast.relative is None else f"{contrast.relative:+.1%}"


def gap_lines(contrasts: Iterable[Contrast]) -> list[str]:
    """For each metric, how many conversations of the two arms have no value."""
    gaps = {contrast.metric: "; ".join(filter(None, map(_gaps, (contrast.a, contrast.b)))) for contrast in contrasts}
    return [f"{metric}: {gap}" for metric, gap in gaps.items() if gap]


def left_out_lines(left_out: list[LeftOut], most: int = 0) -> list[str]:
    """What was left out and why; metrics and pairs with the same reason in one line, at most so many named (0: all)."""
    metrics: dict[tuple[str, str, str], list[str]] = {}
    for item in left_out:
        metrics.setdefault((item.a, item.b, item.why), []).append(item.metric)
    pairs: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (a, b, why), names in metrics.items():
        pairs.setdefault((why, tuple(names)), []).append(pair_title(("", a, b)))
    return [
        f"{enumerate_names(titles, 3)}: {why}: {enumerate_names(names, most or len(names))}"
        for (why, names), titles in pairs.items()
    ]


def ranking_line(ranking: Ranking) -> str:
    """Arms in the order of their mean ranks, with Friedman's p and the pairs that differ."""
    if not ranking.ranks:
        return f"{ranking.metric}: {ranking.why}"
    order = sorted(zip(ranking.ranks, ranking.arms, strict=True))
    ranks = ", ".join(f"{arm_name(arm)} {rank:.2f}" for rank, arm in order)
    if ranking.p is None:
        return f"{ranking.metric}: {ranks}; Friedman: {ranking.why}"
    test = "Nemenyi's test" if len(ranking.pairs) >= len(ranking.arms) else "Holm's test against the baseline"
    apart = ", ".join(_significant_pairs(ranking)) or "none"
    friedman = f"Friedman p {p_value(ranking.p)} over {ranking.n} cases"
    return f"{ranking.metric}: {ranks}; {friedman}; pairs that differ by {test}: {apart}"


def repeated_line(repeated: TrialSpread) -> str:
    """Where the spread of several trials comes from."""
    head = f"{repeated.metric} of {arm_name(repeated.arm)}: {repeated.trials} trials of {count(repeated.cases, 'case')}"
    if repeated.between is not None and repeated.within is not None:
        share = "" if repeated.correlation is None else f", {repeated.correlation:.0%} of the total between cases"
        head += f"; variance between cases {repeated.between:.4f}, within cases {repeated.within:.4f}{share}"
    passes = ", ".join(f"pass^{k} {figure(rate)}" for k, rate in repeated.passes.items())
    return f"{head}; {passes}" if passes else head


def telling_mark(flip: Flip) -> MarkFlip:
    """The first mark that changed and says why, else the first that changed; an empty one where none did."""
    return next(
        (mark for mark in flip.marks if mark.why), flip.marks[0] if flip.marks else MarkFlip("", "", None, None)
    )


def reason_text(mark: MarkFlip) -> str:
    """The reason of a mark after the arm that it belongs to; empty where there is none."""
    return f"{arm_name(mark.arm)}: {mark.why}" if mark.why else ""


def flip_line(flip: Flip) -> str:
    """A case on which two arms differ, with the first mark that shows the difference."""
    mark = telling_mark(flip)
    place = ", ".join(filter(None, (f"turn {mark.turn}" if mark.turn else "", mark.at)))
    why = "".join(f": {part}" for part in (place, reason_text(mark)) if part)
    return f"  {flip.metric}: {figure(flip.value_b)} to {figure(flip.value_a)}  {flip.name}{why}"


def _metrics_by_verdict(contrasts: list[Contrast]) -> dict[str, list[str]]:
    """The metrics of each verdict, verdicts in the order of the answer."""
    metrics: dict[str, list[str]] = {word: [] for word in (*DECIDED, INCONCLUSIVE)}
    for contrast in contrasts:
        slight = contrast.equivalent and contrast.verdict != "tied"
        name = f"{contrast.metric} within the margin" if slight else contrast.metric
        metrics[contrast.verdict if contrast.verdict in DECIDED else INCONCLUSIVE].append(name)
    return {word: names for word, names in metrics.items() if names}


def _gaps(side: ContrastSide) -> str:
    counts = {"undefined": side.undefined, "skipped": side.skipped, "errors": side.errors}
    gaps = ", ".join(f"{number} {word}" for word, number in counts.items() if number)
    return f"{arm_name(side.arm)}: {gaps}" if gaps else ""


def _significant_pairs(ranking: Ranking) -> list[str]:
    return [
        f"{arm_name(ranking.arms[pair.a])} - {arm_name(ranking.arms[pair.b])}"
        for pair in ranking.pairs
        if pair.p is not None and pair.p < 0.05
    ]
