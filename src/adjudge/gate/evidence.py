"""The conversations behind a failed rule: the worst of those that break it, with what went wrong in them."""

from __future__ import annotations

from msgspec import structs

from adjudge.compare.flips import Flip, MarkFlip, flips
from adjudge.compare.sheet import Column, Place, Sheet
from adjudge.core.mark import Mark, Score
from adjudge.gate.baseline import Opponents
from adjudge.gate.rules import Rule
from adjudge.gate.verdicts import Case, Verdict
from adjudge.run import Run

SHOWN = 3
LONGEST = 300


def broken(column: Column, rule: Rule) -> list[Place]:
    """The conversations whose own value breaks the limit, worst first; among equals those that weigh more."""
    found = {place: total / weight for place, (total, weight) in column.sums.items()}
    sign = 1 if rule.relation in (">=", ">") else -1
    wrong = [place for place, value in found.items() if not rule.holds(value)]
    return sorted(wrong, key=lambda place: (sign * found[place], -column.sums[place][1], place))


def with_cases(run: Run, sheet: Sheet, verdicts: list[Verdict]) -> list[Verdict]:
    """The verdicts, those failed by values with their worst conversations."""
    names = sheet.names(run)
    chosen: dict[int, list[Place]] = {
        number: broken(sheet.column(one.rule.metric, names.get(one.arm, one.arm)), one.rule)[:SHOWN]
        for number, one in enumerate(verdicts)
        if one.outcome == "fail" and not one.rule.compares and one.broken
    }
    if not chosen:
        return verdicts
    wanted = {
        (verdicts[number].rule.metric, verdicts[number].arm, *place)
        for number, places in chosen.items()
        for place in places
    }
    scores = _scores(run, wanted)
    return [
        structs.replace(
            one, cases=tuple(_case(one.rule, place, scores[one.rule.metric, one.arm, *place]) for place in chosen[number])
        )
        if number in chosen
        else one
        for number, one in enumerate(verdicts)
    ]


def with_lost_cases(sheet: Sheet, pairs: dict[str, Opponents], verdicts: list[Verdict]) -> list[Verdict]:
    """The verdicts, those failed beside a baseline with the conversations that lost most."""
    failed = [one for one in verdicts if one.outcome == "fail" and one.rule.compares]
    found: list[Flip] = []
    for arm in dict.fromkeys(one.arm for one in failed):
        metrics = list(dict.fromkeys(one.rule.metric for one in failed if one.arm == arm))
        found += flips(sheet, metrics, (pairs[arm].name, pairs[arm].base_name), SHOWN)
    return [
        structs.replace(one, cases=tuple(_lost(sheet, one, pairs[one.arm], found))) if one in failed else one
        for one in verdicts
    ]


def _lost(sheet: Sheet, verdict: Verdict, pair: Opponents, found: list[Flip]) -> list[Case]:
    sign = 1 if sheet.cards[verdict.rule.metric].better == "higher" else -1
    return [
        _flipped(one, sign)
        for one in found
        if (one.metric, one.a) == (verdict.rule.metric, pair.name) and sign * one.difference < 0
    ]


def _flipped(one: Flip, sign: int) -> Case:
    worse = [mark for mark in one.marks if mark.a is None or mark.b is None or sign * (mark.a - mark.b) < 0]
    told = next((mark for mark in worse if mark.why), (worse or [MarkFlip("", "", None, None)])[0])
    return Case(one.case, one.trial, one.value_a, one.value_b, told.turn, clipped(told.at), clipped(told.why))


def _scores(run: Run, wanted: set[tuple[str, str, str, int]]) -> dict[tuple[str, str, str, int], Score]:
    return {
        (metric, row.arm, row.case, row.trial): score
        for row in run.rows()
        for metric, score in row.scores.items()
        if (metric, row.arm, row.case, row.trial) in wanted
    }


def _case(rule: Rule, place: Place, score: Score) -> Case:
    mark = _telling(rule, score)
    value = 0.0 if score.value is None else score.value
    return Case(*place, value, None, mark.turn, clipped(mark.at), clipped(mark.why))


def _telling(rule: Rule, score: Score) -> Mark:
    wrong = [mark for mark in score.marks if not rule.holds(mark.value)]
    said = [mark for mark in wrong if mark.why]
    return (said or wrong or list(score.marks))[0]


def clipped(text: str) -> str:
    """The text, or its beginning where it is long: a log is no place for a transcript."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
