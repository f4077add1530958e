"""The sentences of verdicts."""

from __future__ import annotations

from adjudge.aggregate import Row
from adjudge.compare.contrast import Contrast
from adjudge.gate.coverage import Covered
from adjudge.gate.rules import Relation, Rule, at_limit, number
from adjudge.gate.verdicts import Case

KEPT: dict[Relation, str] = {">=": "at least", "<=": "at most", ">": "above", "<": "below"}
BROKEN: dict[Relation, str] = {">=": "below", "<=": "above", ">": "not above", "<": "not below"}
REASONS = 2
LONGEST = 300
BOUNDS = {"value": "value", "lower": "lower bound", "upper": "upper bound"}


def measured(rule: Rule, value: float) -> str:
    """How a value or a bound stands to the limit."""
    word = (KEPT if rule.holds(value) else BROKEN)[rule.relation]
    return f"the {BOUNDS[rule.of]} {figure(value, rule.limit)} is {word} {number(rule.limit)}"


def every(rule: Rule, valued: int, broken: int) -> str:
    """How many conversations keep to the limit."""
    if not broken:
        return f"all {valued} conversations with a value are {KEPT[rule.relation]} {number(rule.limit)}"
    are = "is" if broken == 1 else "are"
    return f"{broken} of {valued} conversations {are} {BROKEN[rule.relation]} {number(rule.limit)}"


def short(covered: Covered, asked: float, row: Row | None = None) -> str:
    """That there is less coverage than was asked for, and why."""
    return f"coverage {figure(covered.share, asked)}, asked {number(asked)}: {covered.lacks}{_reasons(row)}"


def no_value(row: Row | None) -> str:
    """Why an arm has no value."""
    if row is None:
        return "never scored"
    counts = {"undefined": row.undefined, "skipped": row.skipped, "with an error": row.errors}
    every = sum(counts.values())
    said = ", ".join(f"{count} of {every} conversations {word}" for word, count in counts.items() if count)
    return f"no value: {said}{_reasons(row)}"


def _reasons(row: Row | None) -> str:
    """Why scores are missing: the commonest reasons."""
    found = sorted(row.reasons, key=lambda why: -row.reasons[why]) if row is not None else []
    more = [f"and {len(found) - REASONS} more reasons"] if len(found) > REASONS else []
    return "".join(f"; {why}" for why in [*map(clipped, found[:REASONS]), *more])


def clipped(text: str) -> str:
    """The text, or its beginning where it is long: a log is no place for a transcript."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def no_bound(row: Row) -> str:
    """Why a value has no interval."""
    few = row.conversations < 2
    return f"no interval: {'one conversation only' if few else 'the conversations show no spread to measure it by'}"


def not_worse(rule: Rule, one: Contrast, low: float, high: float) -> str:
    """Where the interval of a difference lies beside the margin."""
    margin = number(rule.limit)
    edge = f"-{margin}" if one.better == "higher" else margin
    sides = ("above", "below") if one.better == "higher" else ("below", "above")
    near, far = (low, high) if one.better == "higher" else (high, low)
    sign = 1 if one.better == "higher" else -1
    if sign * near > -rule.limit:
        return f"{difference(one)}, all of it {sides[0]} {edge}: not worse by the margin of {margin}"
    if sign * far <= -rule.limit:
        return f"{difference(one)}, all of it {sides[1]} {edge}: worse by more than the margin of {margin}"
    return f"{difference(one)}, reaching {sides[1]} {edge}: being worse by the margin of {margin} is not ruled out"


def better(one: Contrast, p: float) -> str:
    """Whether a difference is shown to be for the better."""
    said = {"better": "better", "worse": "worse"}.get(one.verdict, "not shown to be better")
    return f"{difference(one)}, p {'<0.001' if p < 0.001 else f'{p:.3f}'} ({one.test}): {said}"


def difference(one: Contrast) -> str:
    """A difference with its interval and pairs."""
    interval = (
        "no interval" if one.low is None or one.high is None else f"95 % interval {one.low:+.3f} to {one.high:+.3f}"
    )
    return f"{one.difference:+.3f} from {one.b.arm or '(unnamed)'}, {interval}, {pairs(one)}"


def pairs(one: Contrast) -> str:
    """How many conversations were compared."""
    return f"{one.pairs} pair{'s'[: one.pairs != 1]}"


def case_line(one: Case) -> str:
    """A conversation that broke a rule: its value, where, and why."""
    value = f"{one.value:.3f}" if one.baseline is None else f"{one.baseline:.3f} to {one.value:.3f}"
    where = f", turn {one.turn}" if one.turn else ""
    said = ": ".join(filter(None, (one.at, one.why)))
    return f"{value}  {one.name}{where}{': ' if said else ''}{said}"


def figure(value: float, limit: float) -> str:
    """A value with as many digits as it takes to tell it from the limit.

    >>> figure(0.49996, 0.5), figure(2 / 3, 0.5), figure(0.1 * 3, 0.3)
    ('0.49996', '0.6667', '0.3')
    """
    if at_limit(value, limit):
        return number(limit)
    shown = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next((text for text in shown if float(text) != limit), repr(value))
