"""The check of a run against rules."""

from __future__ import annotations

from itertools import product

from msgspec import Struct

from adjudge.aggregate import Row, table
from adjudge.compare.given import check_given, unchecked_arms, unchecked_text
from adjudge.compare.sheet import Column, Sheet
from adjudge.compare.unnamed import unnamed_text
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.gate import words
from adjudge.gate.baseline import Baseline, Opponents, judge, opponents, sheet_of
from adjudge.gate.coverage import CoverageShare, ScoredCounts, coverage_of
from adjudge.gate.evidence import Sources, rule_breakers, with_cases
from adjudge.gate.rules import Rule
from adjudge.gate.verdicts import Gate, Outcome, RuleVerdict, overall
from adjudge.run import Run


class GateTerms(Struct, frozen=True, eq=False, kw_only=True):
    """The terms of a check: the required coverage, the arms (none: all), and the baseline (None: no baseline).

    `force` compares runs that were measured differently, with a warning.
    """

    coverage: float = 1.0
    arms: tuple[str, ...] = ()
    baseline: Baseline | None = None
    force: bool = False


def check(run: Run, rules: list[Rule], terms: GateTerms) -> Gate:
    """The verdict of every rule for every arm, with the worst conversations of those that failed."""
    _refuse_mismatch(rules, terms)
    sheet = sheet_of(run, terms.baseline, terms.force)
    rows = {(row.metric, row.arm): row for row in table(run)}
    arms = _arms(run, rows, terms.arms)
    pairs = opponents(run, arms, terms.baseline, sheet) if terms.baseline else {}
    changes = check_given(sheet, [(pair.name, pair.base_name) for pair in pairs.values()])
    verdicts: list[RuleVerdict] = []
    for rule, arm in product(rules, arms):
        if not rule.compares:
            measured = _measure(rule, run, arm, sheet, rows.get((rule.metric, arm)))
            verdicts.append(_verdict(rule, arm, measured, terms.coverage))
        elif arm in pairs:
            verdicts.append(judge(rule, pairs[arm], sheet, terms.coverage))
    verdicts = with_cases(verdicts, Sources(run, sheet, pairs))
    return Gate(
        run=run.folder.resolve().name,
        suite=run.manifest.suite,
        finished=run.manifest.finished,
        outcome=overall(verdicts),
        coverage=terms.coverage,
        against=str(terms.baseline.run.folder) if terms.baseline else "",
        warnings=_warnings(run, [*sheet.marked, *changes], sheet, pairs),
        verdicts=verdicts,
    )


class _Measured(Struct, frozen=True, eq=False):
    """The measurement of one metric on one arm; there is no row if the arm has no scores of the metric.

    `broken` counts the conversations that break the rule; `has_values` says whether the run keeps their values.
    """

    row: Row | None
    column: Column
    has_values: bool
    coverage: CoverageShare
    broken: int


def _measure(rule: Rule, run: Run, arm: str, sheet: Sheet, row: Row | None) -> _Measured:
    column = sheet.column(rule.metric, sheet.names(run).get(arm, arm))
    has_values = run.keep.kind != "tallies"
    wrong = 0 if sheet.cards[rule.metric].pool == "groups" else len(rule_breakers(column, rule))
    return _Measured(row, column, has_values, coverage_of(run, arm, ScoredCounts.of_row(row)), wrong)


def _outcome(rule: Rule, measured: _Measured, asked: float) -> tuple[Outcome, str]:
    """The outcome of a rule about values, and why."""
    row, valued = measured.row, measured.column.valued
    if row is None or row.value is None:
        return "error", words.no_value(row)
    # A conversation that breaks the rule stays broken whatever scores are missing.
    if rule.of == "every" and measured.broken:
        return "fail", words.every(rule, valued, measured.broken)
    if not measured.coverage.reaches(asked):
        return "error", words.low_coverage(measured.coverage, asked, row)
    if rule.of == "every" and not measured.has_values:
        return "error", "the run keeps tallies only, not the value of every conversation; score it with --keep worst"
    if rule.of == "every":
        return "pass", words.every(rule, valued, 0)
    value = {"value": row.value, "lower": row.low, "upper": row.high}[rule.of]
    if value is None:
        return "error", words.no_bound(row)
    return "pass" if rule.holds(value) else "fail", words.against_limit(rule, value)


def _verdict(rule: Rule, arm: str, measured: _Measured, asked: float) -> RuleVerdict:
    outcome, why = _outcome(rule, measured, asked)
    row = measured.row
    return RuleVerdict(
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
        coverage=measured.coverage.share,
        broken=measured.broken,
    )


def _refuse_mismatch(rules: list[Rule], terms: GateTerms) -> None:
    if not rules:
        raise BadInput('no rules; give some with --rule "METRIC >= 0.5", or in adjudge.toml under [gate]')
    comparing = [rule for rule in rules if rule.compares]
    if comparing and terms.baseline is None:
        raise BadInput(f"rule '{comparing[0]}' needs a baseline; name its run with --against RUN or RUN:ARM")
    if terms.baseline is not None and not comparing:
        raise BadInput(
            f"--against {terms.baseline.run.folder}: no rule needs a baseline; expected one such as "
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


def _warnings(run: Run, marks: list[str], sheet: Sheet, pairs: dict[str, Opponents]) -> list[str]:
    unfinished = ["the run is not finished: run the same `adjudge score` again, it goes on"]
    compared = list(dict.fromkeys(name for pair in pairs.values() for name in (pair.name, pair.base_name)))
    return [
        *(unfinished if run.manifest.status != "complete" else []),
        *(f"compared with --force: {mark}" for mark in marks),
        *filter(None, [unchecked_text(unchecked_arms(sheet, compared))]),
        *filter(None, [unnamed_text([name for name in compared if name in sheet.unnamed])]),
    ]
