"""The check of a run against rules."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.aggregate import Row, table
from adjudge.compare.sheet import Column, Sheet
from adjudge.core.complaint import BadInput, did_you_mean
from adjudge.gate import words
from adjudge.gate.baseline import Baseline, Opponents, judge, opponents, sheet_of
from adjudge.gate.coverage import covered
from adjudge.gate.evidence import broken, with_cases, with_lost_cases
from adjudge.gate.rules import Rule
from adjudge.gate.verdicts import Gate, Outcome, Verdict, overall
from adjudge.run import Run


class Terms(Struct, frozen=True, eq=False, kw_only=True):
    """On what terms a run is checked: the coverage asked for, the arms (none: all), and the baseline.

    None: there is no baseline. `force` compares runs that were measured differently, and says so.
    """

    coverage: float = 1.0
    arms: tuple[str, ...] = ()
    baseline: Baseline | None = None
    force: bool = False


def check(run: Run, rules: list[Rule], terms: Terms) -> Gate:
    """The verdict of every rule for every arm, with the worst conversations of those that failed."""
    _refuse_mismatch(rules, terms)
    sheet = sheet_of(run, terms.baseline, terms.force)
    rows = {(row.metric, row.arm): row for row in table(run)}
    arms = _arms(run, rows, terms.arms)
    pairs = opponents(run, arms, terms.baseline, sheet) if terms.baseline else {}
    found = list(_verdicts(_Table(run, sheet, rows, terms.coverage), rules, arms, pairs))
    found = with_lost_cases(sheet, pairs, with_cases(run, sheet, found))
    return Gate(
        run=run.folder.resolve().name,
        suite=run.manifest.suite,
        finished=run.manifest.finished,
        outcome=overall(found),
        coverage=terms.coverage,
        against=str(terms.baseline.run.folder) if terms.baseline else "",
        warnings=_warnings(run, sheet),
        verdicts=found,
    )


class _Table(Struct, frozen=True, eq=False):
    """What verdicts on values are read from."""

    run: Run
    sheet: Sheet
    rows: dict[tuple[str, str], Row]
    asked: float


def _verdicts(
    found: _Table, rules: list[Rule], arms: list[str], pairs: dict[str, Opponents]
) -> Iterator[Verdict]:
    for rule in rules:
        for arm in arms:
            if not rule.compares:
                yield _measure(found, rule, arm)
            elif arm in pairs:
                yield judge(rule, pairs[arm], found.sheet, found.asked)


def _measure(found: _Table, rule: Rule, arm: str) -> Verdict:
    """The verdict of a rule about values."""
    row, name = found.rows.get((rule.metric, arm)), found.sheet.names(found.run).get(arm, arm)
    column = found.sheet.column(rule.metric, name)
    coverage = covered(found.run, arm, column)
    wrong = len(broken(column, rule)) if found.sheet.cards[rule.metric].pool != "groups" else 0
    if row is None or row.value is None:
        outcome, why = _error(words.no_value(row))
    elif rule.of == "every" and wrong:
        # No score that is missing could mend it.
        outcome, why = "fail", words.every(rule, len(column.sums), wrong)
    elif not coverage.reaches(found.asked):
        outcome, why = _error(words.short(coverage, found.asked, row))
    else:
        outcome, why = _held(rule, row, column)
    return Verdict(
        rule=rule,
        text=str(rule),
        arm=arm,
        outcome=outcome,
        why=why,
        value=row.value if row else None,
        low=row.low if row else None,
        high=row.high if row else None,
        n=row.n if row else 0,
        unit="" if row is None else row.unit if row.pool == "marks" else "conversation",
        coverage=coverage.share,
        broken=wrong,
    )


def _error(why: str) -> tuple[Outcome, str]:
    return "error", why


def _held(rule: Rule, row: Row, column: Column) -> tuple[Outcome, str]:
    """What comes of a rule where there is a value and enough of it."""
    if rule.of == "every":
        return "pass", words.every(rule, len(column.sums), 0)
    value = {"value": row.value, "lower": row.low, "upper": row.high}[rule.of]
    if value is None:
        return "error", words.no_bound(row)
    return "pass" if rule.holds(value) else "fail", words.measured(rule, value)


def _refuse_mismatch(rules: list[Rule], terms: Terms) -> None:
    if not rules:
        raise BadInput('no rules; give some with --rule "METRIC >= 0.5", or in adjudge.toml under [gate]')
    comparing = [rule for rule in rules if rule.compares]
    if comparing and terms.baseline is None:
        raise BadInput(f"rule '{comparing[0]}' takes a baseline; name its run with --against RUN or RUN:ARM")
    if terms.baseline is not None and not comparing:
        raise BadInput(
            f"--against {terms.baseline.run.folder}: no rule takes a baseline; expected one such as "
            f"'{rules[0].metric} not worse by 0.02', or no --against"
        )


def _arms(run: Run, rows: dict[tuple[str, str], Row], wanted: tuple[str, ...]) -> list[str]:
    known = list(dict.fromkeys([*run.manifest.coverage.arms, *(arm for _, arm in rows)]))
    for arm in wanted:
        if arm not in known:
            raise BadInput(f"{run.folder}: no arm {arm!r}{did_you_mean(arm, known)} (there are: {', '.join(known)})")
    if not known:
        raise BadInput(f"{run.folder}: nothing is scored there; score the run first")
    return list(dict.fromkeys(wanted)) or known


def _warnings(run: Run, sheet: Sheet) -> list[str]:
    unfinished = ["the run is not finished: run the same `adjudge score` again, it goes on"]
    found = unfinished if run.manifest.status != "complete" else []
    return found + [f"compared nevertheless: {mark}" for mark in sheet.marked]
