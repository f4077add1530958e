"""The sentences of verdicts."""

from __future__ import annotations

from adjudge.aggregate import Row
from adjudge.compare.contrast import Contrast
from adjudge.gate.coverage import CoverageShare
from adjudge.gate.rules import Relation, Rule, at_limit, number
from adjudge.gate.verdicts import CaseEvidence

KEPT: dict[Relation, str] = {">=": "at least", "<=": "at most", ">": "above", "<": "below"}
BROKEN: dict[Relation, str] = {">=": "below", "<=": "above", ">": "not above", "<": "not below"}
# A verdict gives at most this many reasons for missing scores, each cut at this many characters.
REASONS = 2
LONGEST = 300
BOUNDS = {"value": "value", "lower": "lower bound", "upper": "upper bound"}


def against_limit(rule: Rule, value: float) -> str:
    """A value or a bound compared with the limit."""
    word = (KEPT if rule.holds(value) else BROKEN)[rule.relation]
    return f"the {BOUNDS[rule.of]} {figure(value, rule.limit)} is {word} {number(rule.limit)}"


def every(rule: Rule, valued: int, broken: int) -> str:
    """How many conversations keep to the limit."""
    if not broken:
        return f"all {valued} conversations with a value are {KEPT[rule.relation]} {number(rule.limit)}"
    are = "is" if broken == 1 else "are"
    return f"{broken} of {valued} conversations {are} {BROKEN[rule.relation]} {number(rule.limit)}"


def low_coverage(covered: CoverageShare, asked: float, row: Row | None = None) -> str:
    """The sentence for coverage below the required share, with the reasons."""
    return f"coverage {figure(covered.share, asked)}, asked {number(asked)}: {covered.lacks}{_reasons(row)}"


def no_value(row: Row | None) -> str:
    """Why an arm has no value."""
    if row is None:
        return "never scored"
    counts = {"undefined": row.undefined, "skipped": row.skipped, "with an error": row.errors}
    every = sum(counts.values())
    lacking = ", ".join(f"{count} of {every} conversations {word}" for word, count in counts.items() if count)
    return f"no value: {lacking}{_reasons(row)}"


def _reasons(row: Row | None) -> str:
    """Why scores are missing: the commonest reasons."""
    reasons = sorted(row.reasons, key=lambda why: -row.reasons[why]) if row is not None else []
    more = [f"and {len(reasons) - REASONS} more reasons"] if len(reasons) > REASONS else []
    return "".join(f"; {why}" for why in [*map(clip, reasons[:REASONS]), *more])


def clip(text: str) -> str:
    """The text, or its beginning if it is long, so that a log does not fill with transcripts."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def no_bound(row: Row) -> str:
    """Why a value has no interval."""
    few = row.conversations < 2
    return f"no interval: {'one conversation only' if few else 'one case only, or no spread between cases'}"


def not_worse(rule: Rule, contrast: Contrast, low: float, high: float) -> str:
    """The interval of a difference compared with the margin."""
    margin = number(rule.limit)
    edge = f"-{margin}" if contrast.better == "higher" else margin
    sides = ("above", "below") if contrast.better == "higher" else ("below", "above")
    near, far = (low, high) if contrast.better == "higher" else (high, low)
    sign = 1 if contrast.better == "higher" else -1
    if sign * near > -rule.limit:
        return f"{difference(contrast)}, all of it {sides[0]} {edge}: not worse by the margin of {margin}"
    if sign * far <= -rule.limit:
        return f"{difference(contrast)}, all of it {sides[1]} {edge}: worse by more than the margin of {margin}"
    return f"{difference(contrast)}, reaching {sides[1]} {edge}: being worse by the margin of {margin} is not ruled out"


def better(contrast: Contrast, p: float) -> str:
    """Whether a difference is shown to be for the better."""
    outcome = {"better": "better", "worse": "worse"}.get(contrast.verdict, "not shown to be better")
    return f"{difference(contrast)}, p {'<0.001' if p < 0.001 else f'{p:.3f}'} ({contrast.test}): {outcome}"


def difference(contrast: Contrast) -> str:
    """A difference with its interval and pairs."""
    low, high = contrast.low, contrast.high
    interval = "no interval" if low is None or high is None else f"95 % interval {low:+.3f} to {high:+.3f}"
    return f"{contrast.difference:+.3f} from {contrast.b.arm or '(unnamed)'}, {interval}, {pairs(contrast)}"


def pairs(contrast: Contrast) -> str:
    """How many conversations were compared, or how many cases of each arm where these have no pairs."""
    if not contrast.paired:
        return f"{contrast.a.n} and {contrast.b.n} cases, not paired"
    return f"{contrast.pairs} pair{'s'[: contrast.pairs != 1]}"


def case_line(case: CaseEvidence) -> str:
    """A conversation that broke a rule: its value, where, and why."""
    value = f"{case.value:.3f}" if case.baseline is None else f"{case.baseline:.3f} to {case.value:.3f}"
    where = f", turn {case.turn}" if case.turn else ""
    text = ": ".join(filter(None, (case.at, case.why)))
    return f"{value}  {case.name}{where}{': ' if text else ''}{text}"


def figure(value: float, limit: float) -> str:
    """A value with as many digits as it takes to tell it from the limit.

    >>> figure(0.49996, 0.5), figure(2 / 3, 0.5), figure(0.1 * 3, 0.3)
    ('0.49996', '0.6667', '0.3')
    """
    if at_limit(value, limit):
        return number(limit)
    shown = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next((text for text in shown if float(text) != limit), repr(value))
