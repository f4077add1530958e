"""The words in which a comparison is told, the same in every format."""

from __future__ import annotations

from adjudge.compare.comparison import Comparison, LeftOut, Ranking, Repeated
from adjudge.compare.contrast import Contrast, Side
from adjudge.compare.flips import Flip
from adjudge.report.words import NONE, arm_name, count, figure
from adjudge.stats.interval import CONFIDENCE

CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no correction"}
SMALLEST = 0.001
NONE_SHOWN = "none shown"

Pair = tuple[str, str, str]


def by_pair(comparison: Comparison) -> dict[Pair, list[Contrast]]:
    """The contrasts of each part of the data and pair of arms, in the order they came."""
    found: dict[Pair, list[Contrast]] = {}
    for one in comparison.contrasts:
        found.setdefault((one.group, one.a.arm, one.b.arm), []).append(one)
    return found


def title(pair: Pair) -> str:
    """What a block of contrasts is about."""
    group, a, b = pair
    return f"{arm_name(a)} against {arm_name(b)}{f', {group}' if group else ''}"


def answer(pair: Pair, contrasts: list[Contrast]) -> str:
    """The block in one sentence: how many metrics say what."""
    counts: dict[str, list[str]] = {}
    for one in contrasts:
        shown = verdict(one)
        counts.setdefault(shown if shown == NONE_SHOWN else one.verdict, []).append(one.metric)
    said = [f"{word} in {_named(counts[word])}" for word in ("better", "worse", "higher", "lower") if word in counts]
    if "tied" in counts:
        said.append(f"tied in {_named(counts['tied'])}")
    if "too few" in counts:
        said.append(f"too few cases to tell in {len(counts['too few'])}")
    if NONE_SHOWN in counts:
        said.append(f"{NONE_SHOWN} in {len(counts[NONE_SHOWN])}")
    return f"{title(pair)}: {'; '.join(said)}"


def _named(metrics: list[str]) -> str:
    return f"{len(metrics)} ({', '.join(metrics)})"


def method(comparison: Comparison) -> str:
    """How the contrasts were made, in a sentence."""
    number = count(len(comparison.contrasts), "contrast")
    correction = CORRECTIONS[comparison.correction]
    corrected = f"{correction} over {number}" if comparison.correction != "none" else f"no correction over {number}"
    return f"{CONFIDENCE * 100:g} % intervals, two-sided tests, {corrected}, seed {comparison.seed}"


def verdict(one: Contrast) -> str:
    """The verdict with what belongs to it."""
    if one.verdict == "tied":
        return f"tied (within {one.margin:g})"
    if one.verdict != "too few":
        return one.verdict
    if one.p is None:
        return f"too few cases ({one.why})"
    if not one.difference:
        tie = "" if one.needed_to_tie is None else f" ({one.needed_to_tie:,} would do)"
        return f"too few to call it tied{tie}"
    return NONE_SHOWN if one.needed is None or one.needed <= one.n else f"too few ({one.needed:,} would do)"


def line(one: Contrast) -> str:
    """A contrast in one line, where there is no room for a table."""
    p = f"p {p_value(one.p_corrected)} corrected"
    return (
        f"{one.metric}: {value(one.a)} against {value(one.b)}, {difference(one)} ({interval(one)}), {percent(one)}, "
        f"{p}, {effect(one)}, cases {cases(one)}: {verdict(one)}"
    )


def value(side: Side) -> str:
    """An arm's value."""
    return figure(side.value)


def difference(one: Contrast) -> str:
    """The difference with its sign."""
    return f"{one.difference:+.3f}" if figure(one.difference) != "0.000" else "0.000"


def interval(one: Contrast) -> str:
    """The bounds of the difference; a dash where there are none."""
    if one.low is None or one.high is None:
        return NONE
    return f"{figure(one.low)} to {figure(one.high)}"


def p_value(p: float | None) -> str:
    """A p with three decimals, or that it is smaller.

    >>> p_value(0.04), p_value(0.00001), p_value(None)
    ('0.040', '<0.001', '–')
    """
    if p is None:
        return NONE
    return f"<{SMALLEST}" if p < SMALLEST else f"{p:.3f}"


def effect(one: Contrast) -> str:
    """The effect size with its name and its word."""
    return NONE if one.effect is None else f"{one.effect_name} {one.effect:.2f} {one.effect_word}"


def cases(one: Contrast) -> str:
    """How many cases were compared, of how many there were, with their trials; unpaired, of each arm."""
    if not one.paired:
        return f"{one.a.n} and {one.b.n}, none shared"
    whole = max(one.a.cases, one.b.cases)
    trials = f" ({one.pairs} trials)" if one.pairs != one.n else ""
    return (f"{one.n} of {whole}" if one.n < whole else str(one.n)) + trials


def percent(one: Contrast) -> str:
    """The difference in parts of the baseline's value; a dash where that is 0."""
    return NONE if one.relative is None else f"{one.relative:+.1%}"


def relative(one: Contrast) -> str:
    """The difference in parts of the baseline's value, with its word."""
    return f"{percent(one)} {one.relative_word}".rstrip()


def welch(one: Contrast) -> tuple[str, str, str]:
    """Welch's t and p and Cohen's d with its word: the unpaired reading."""
    t = NONE if one.t is None else f"{one.t:.3f}"
    return t, p_value(one.t_p), NONE if one.d is None else f"{one.d:.3f} {one.d_word}"


def missing(one: Contrast) -> str:
    """What the two arms could not value."""
    sides = [
        f"{arm_name(side.arm)}: " + ", ".join(f"{number} {word}" for word, number in _gaps(side).items() if number)
        for side in (one.a, one.b)
        if any(_gaps(side).values())
    ]
    return "; ".join(sides)


def _gaps(side: Side) -> dict[str, int]:
    return {"undefined": side.undefined, "skipped": side.skipped, "errors": side.errors}


def left_out_lines(outs: list[LeftOut]) -> list[str]:
    """What was left out and why; metrics with the same reason in one line."""
    metrics: dict[tuple[str, str, str], list[str]] = {}
    for one in outs:
        metrics.setdefault((one.a, one.b, one.why), []).append(one.metric)
    pairs: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (a, b, why), names in metrics.items():
        pairs.setdefault((why, tuple(names)), []).append(f"{arm_name(a)} against {arm_name(b)}")
    return [f"{_few(found)}: {why}: {', '.join(names)}" for (why, names), found in pairs.items()]


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def ranking_line(one: Ranking) -> str:
    """Arms in the order of their mean ranks, with Friedman's p and the pairs that differ."""
    if not one.ranks:
        return f"{one.metric}: {one.why}"
    order = sorted(zip(one.ranks, one.arms, strict=True))
    ranked = ", ".join(f"{arm_name(arm)} {rank:.2f}" for rank, arm in order)
    if one.p is None:
        return f"{one.metric}: {ranked}; Friedman: {one.why}"
    apart = [
        f"{arm_name(one.arms[pair.a])} - {arm_name(one.arms[pair.b])}"
        for pair in one.pairs
        if pair.p is not None and pair.p < 0.05
    ]
    told = "Nemenyi" if len(one.pairs) >= len(one.arms) else "Holm against the baseline"
    differing = f"; {told} tells apart: {', '.join(apart)}" if apart else f"; {told} tells no two apart"
    return f"{one.metric}: {ranked}; Friedman p {p_value(one.p)} over {one.n} cases{differing}"


def repeated_line(one: Repeated) -> str:
    """Where the spread of several trials comes from."""
    head = f"{one.metric} of {arm_name(one.arm)}: {one.trials} trials of {count(one.cases, 'case')}"
    if one.between is not None and one.within is not None:
        share = "" if one.correlation is None else f", {one.correlation:.0%} of it between cases"
        head += f"; variance between cases {one.between:.4f}, within {one.within:.4f}{share}"
    passes = ", ".join(f"pass^{k} {figure(rate)}" for k, rate in one.passes.items())
    return f"{head}; {passes}" if passes else head


def flip_line(one: Flip) -> str:
    """A case on which two arms differ, with the first fact that tells them apart."""
    told = next((mark for mark in one.marks if mark.why), one.marks[0] if one.marks else None)
    why = ""
    if told is not None:
        place = ", ".join(filter(None, (f"turn {told.turn}" if told.turn else "", told.at)))
        why = "".join(f": {part}" for part in (place, told.why) if part)
    return f"  {one.metric}: {figure(one.value_b)} to {figure(one.value_a)}  {one.name}{why}"
