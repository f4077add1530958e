"""The answer that a run gives in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.run.best import are_comparable, best_rows, can_be_best
from adjudge.report.run.summary import RunSummary
from adjudge.report.run.words import interval_text, value_text
from adjudge.report.words import arm_name, count, enumerate_names

# The most names in a sentence, and the most values of a single arm.
NAMED = 4
FEW = 3


class RunAnswer(Struct, frozen=True):
    """The answer in a sentence, and how far it goes."""

    sentence: str
    reach: str = ""


def run_answer(summary: RunSummary) -> RunAnswer:
    """Which arm has the best value in how many metrics; of a single arm, its first values."""
    rows = _directed_rows(summary)
    if not rows:
        return RunAnswer("No metric with a better direction has a value.")
    if len(summary.arms) == 1:
        return RunAnswer(_single_arm(summary, rows))
    compared = {name: values for name, values in rows.items() if are_comparable(values)}
    if not compared:
        return RunAnswer("No two arms differ in a metric for which both have a value.")
    return RunAnswer(_best_arm(summary, compared), _clear_differences(compared))


def _directed_rows(summary: RunSummary) -> dict[str, list[Row]]:
    """The rows of the primary family that have a value, by metric, if a direction is better; none by design."""
    metrics: dict[str, list[Row]] = {}
    family = summary.primary_names()
    for row in summary.headline():
        if row.metric in family and can_be_best(row):
            metrics.setdefault(row.metric, []).append(row)
    return metrics


def _conversation_metrics(rows: dict[str, list[Row]]) -> set[str]:
    """The metrics with one mark a conversation."""
    return {metric for metric, values in rows.items() if all(row.marks == row.conversations for row in values)}


def _in_turns(cards: Iterable[Card], whole: set[str]) -> Iterator[Card]:
    parts: dict[str, list[Card]] = {}
    for card in cards:
        parts.setdefault(card.probes[0] if card.probes else "", []).append(card)
    ordered = sorted(parts.values(), key=lambda part: not any(card.name in whole for card in part))
    for turn in zip_longest(*ordered):
        yield from (card for card in turn if card is not None)


def _single_arm(summary: RunSummary, rows: dict[str, list[Row]]) -> str:
    turns = list(_in_turns([summary.cards[metric] for metric in rows], _conversation_metrics(rows)))
    shown = [_value_words(rows[card.name][0]) for card in turns[:FEW]]
    rest = f", and {count(len(turns) - FEW, 'more metric')}" if len(turns) > FEW else ""
    return f"{arm_name(summary.arms[0])}: {', '.join(shown)}{rest}."


def _value_words(row: Row) -> str:
    reading = ", ".join(filter(None, (interval_text(row), row.band)))
    return f"{row.metric} {value_text(row)}{f' ({reading})' if reading else ''}"


def _best_arm(summary: RunSummary, compared: dict[str, list[Row]]) -> str:
    wins: dict[str, list[str]] = {arm: [] for arm in summary.arms}
    for metric, rows in compared.items():
        for row in best_rows(rows):
            wins[row.arm].append(metric)
    first, *others = sorted((arm for arm in wins if wins[arm]), key=lambda arm: -len(wins[arm]))
    rest = "".join(f", {arm_name(arm)} in {len(wins[arm])}" for arm in others[:NAMED])
    more = f", {count(len(others) - NAMED, 'more arm')} in others" if len(others) > NAMED else ""
    of = f"{len(wins[first])} of {count(len(compared), 'metric')} in which arms differ"
    return f"{arm_name(first)} has the best value in {of}{rest}{more}."


def _clear_differences(compared: dict[str, list[Row]]) -> str:
    clear = [metric for metric, rows in compared.items() if _is_clear(rows)]
    if not clear:
        return "In none of them is the best arm's interval separate from all others."
    which = f"{len(clear)} ({enumerate_names(clear, NAMED)})"
    return f"In {which} the best arm's interval is separate from all others."


def _is_clear(rows: list[Row]) -> bool:
    """Whether the interval of the best arm overlaps no other arm's."""
    best, *shared = best_rows(rows)
    others = [row for row in rows if row is not best]
    if shared or any(row.low is None or row.high is None for row in rows):
        return False
    if best.better == "higher":
        return all((best.low or 0.0) > (row.high or 0.0) for row in others)
    return all((best.high or 0.0) < (row.low or 0.0) for row in others)
