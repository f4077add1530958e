"""The conversations behind a failed rule: the worst of those that break it, with what went wrong in them."""

from __future__ import annotations

from msgspec import Struct, structs

from adjudge.compare.sheet import Column, Place, Sheet
from adjudge.core.mark import Mark, Score
from adjudge.core.record import Key
from adjudge.gate.baseline import Opponents
from adjudge.gate.rules import Rule
from adjudge.gate.verdicts import CaseEvidence, RuleVerdict
from adjudge.gate.words import clip
from adjudge.run import Run
from adjudge.stats.variance import ROUNDING

# At most this many conversations are shown for a failed rule.
SHOWN = 3

Wanted = tuple[str, str, str, int]


def rule_breakers(column: Column, rule: Rule) -> list[Place]:
    """The conversations whose own value breaks the limit, worst first; among equals those that weigh more."""
    values = _values(column)
    sign = 1 if rule.relation in (">=", ">") else -1
    wrong = [place for place, value in values.items() if not rule.holds(value)]
    return sorted(wrong, key=lambda place: (sign * values[place], -column.sums[place][1], place))


def lost_places(ours: Column, theirs: Column, sign: int) -> list[Place]:
    """The conversations that are worse than with the baseline, worst first; the sign is -1 where low is better."""
    before = _values(theirs)
    apart = {place: sign * (value - before[place]) for place, value in _values(ours).items() if place in before}
    return sorted((place for place in apart if apart[place] < -ROUNDING), key=lambda place: (apart[place], place))


class Sources(Struct, frozen=True, eq=False):
    """Where the conversations behind verdicts are looked up; `pairs` are those of arms that have a baseline."""

    run: Run
    sheet: Sheet
    pairs: dict[str, Opponents]

    def worst(self, verdict: RuleVerdict) -> list[Place]:
        """The conversations that are shown for a verdict; none unless it failed."""
        rule = verdict.rule
        if verdict.outcome != "fail" or not verdict.broken:
            return []
        ours = self.sheet.column(rule.metric, self.sheet.names(self.run).get(verdict.arm, verdict.arm))
        if not rule.compares:
            return rule_breakers(ours, rule)[:SHOWN]
        theirs = self.sheet.column(rule.metric, self.pairs[verdict.arm].base_name)
        return lost_places(ours, theirs, self.sign(rule))[:SHOWN]

    def case_without_marks(self, verdict: RuleVerdict, place: Place) -> CaseEvidence:
        """A conversation whose marks the run does not keep."""
        metric, pair = verdict.rule.metric, self.pairs.get(verdict.arm) if verdict.rule.compares else None
        ours = self.sheet.column(metric, self.sheet.names(self.run).get(verdict.arm, verdict.arm))
        theirs = self.sheet.column(metric, pair.base_name) if pair else None
        before = None if theirs is None else _values(theirs)[place]
        return CaseEvidence(*place, _values(ours)[place], before, "", "", "its marks are not kept")

    def sign(self, rule: Rule) -> int:
        """-1 where low values are better."""
        return -1 if self.sheet.cards[rule.metric].better == "lower" else 1


def with_cases(verdicts: list[RuleVerdict], sources: Sources) -> list[RuleVerdict]:
    """Add the worst conversations to the verdicts that failed; each run is read once."""
    shown = [(verdict, place) for verdict in verdicts for place in sources.worst(verdict)]
    pairs = sources.pairs
    scores = _scores(sources.run, {(verdict.rule.metric, verdict.arm, *place) for verdict, place in shown})
    compared = {
        (verdict.rule.metric, pairs[verdict.arm].base_arm, *place) for verdict, place in shown if verdict.rule.compares
    }
    before = _scores(next(iter(pairs.values())).base, compared) if compared else {}
    cases: dict[tuple[Rule, str], list[CaseEvidence]] = {}
    for verdict, place in shown:
        score = scores.get((verdict.rule.metric, verdict.arm, *place))
        base = before.get((verdict.rule.metric, pairs[verdict.arm].base_arm, *place)) if verdict.rule.compares else None
        if score is None or (verdict.rule.compares and base is None):
            case = sources.case_without_marks(verdict, place)
        elif base is not None:
            case = _lost_case(place, score, base, sources.sign(verdict.rule))
        else:
            case = _broken_case(place, score, verdict.rule)
        cases.setdefault((verdict.rule, verdict.arm), []).append(case)
    return [structs.replace(verdict, cases=tuple(cases.get((verdict.rule, verdict.arm), ()))) for verdict in verdicts]


def _values(column: Column) -> dict[Place, float]:
    return {place: total / weight for place, (total, weight) in column.sums.items()}


def _scores(run: Run, wanted: set[Wanted]) -> dict[Wanted, Score]:
    """The scores, with their marks, of the requested metrics, arms and conversations."""
    keys = {Key(case, arm, trial) for _, arm, case, trial in wanted}
    return {
        (metric, row.arm, row.case, row.trial): score
        for _, row in run.rows_of(keys)
        for metric, score in row.scores.items()
        if (metric, row.arm, row.case, row.trial) in wanted
    }


def _broken_case(place: Place, score: Score, rule: Rule) -> CaseEvidence:
    wrong = [mark for mark in score.marks if not rule.holds(mark.value)]
    return _case(place, score, None, wrong)


def _lost_case(place: Place, score: Score, before: Score, sign: int) -> CaseEvidence:
    known = {(mark.turn, mark.at): mark.value for mark in before.marks}
    worse = [
        mark
        for mark in score.marks
        if (mark.turn, mark.at) not in known or sign * (mark.value - known[mark.turn, mark.at]) < 0
    ]
    return _case(place, score, before.value, worse)


def _case(place: Place, score: Score, baseline: float | None, wrong: list[Mark]) -> CaseEvidence:
    explained = [mark for mark in wrong if mark.why]
    mark = (explained or wrong or list(score.marks))[0]
    value = 0.0 if score.value is None else score.value
    return CaseEvidence(*place, value, baseline, mark.turn, clip(mark.at), clip(mark.why))
