"""Verdicts: the outcome of each rule for each arm, and of all of them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from adjudge.gate.rules import Rule

Outcome = Literal["pass", "fail", "error"]


class CaseEvidence(Struct, frozen=True):
    """A conversation that breaks a rule, or that is worse than with the baseline.

    `turn`, `at` and `why` are of its first mark that breaks the rule and says why (else of the first that breaks it).
    `baseline` is the baseline's value there; None: the rule takes no baseline.
    """

    case: str
    trial: int
    value: float
    baseline: float | None
    turn: str
    at: str
    why: str

    @property
    def name(self) -> str:
        """The case, with the trial where there are several."""
        return f"{self.case} #{self.trial}" if self.trial else self.case


class RuleVerdict(Struct, frozen=True, kw_only=True):
    """The outcome of one rule for one arm.

    `value` is the data set's, `low` and `high` bound its 95 % interval, `n` counts what it is the mean of; where the
    rule takes a baseline they are the difference from it, the interval of the difference and the pairs. None: there
    is none. `coverage` is the share of what was expected that was scored. `p` is that of the test of "better".
    `broken` counts conversations that break the limit, or are worse than with the baseline; `cases` are the worst of
    them. An error is no pass: the rule could not be checked.
    """

    rule: Rule
    text: str
    arm: str
    outcome: Outcome
    why: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    unit: str = ""
    coverage: float = 0.0
    baseline: str = ""
    p: float | None = None
    broken: int = 0
    cases: tuple[CaseEvidence, ...] = ()


class Gate(Struct, frozen=True, kw_only=True):
    """All verdicts on a run, rules in the order they were given and arms within each.

    `coverage` is the share that was asked for, `against` the baseline's folder; `warnings` are to be read before any
    verdict. `finished` is when the run was finished.
    """

    run: str
    suite: str
    finished: str
    outcome: Outcome
    coverage: float
    against: str
    warnings: list[str]
    verdicts: list[RuleVerdict]

    @property
    def passed(self) -> bool:
        """Whether every rule passed."""
        return self.outcome == "pass"

    def of(self, outcome: Outcome) -> list[RuleVerdict]:
        """The verdicts with an outcome."""
        return [verdict for verdict in self.verdicts if verdict.outcome == outcome]

    def headline(self) -> str:
        """The gate in one sentence."""
        counts = [
            f"{len(verdicts)} {word}"
            for word, verdicts in (
                ("failed", self.of("fail")),
                ("in error", self.of("error")),
                ("passed", self.of("pass")),
            )
            if verdicts
        ]
        return f"gate {'passed' if self.passed else 'not passed'}: {', '.join(counts)}"


def overall(verdicts: list[RuleVerdict]) -> Outcome:
    """The outcome of all verdicts: a failure where there is one, else an error, else a pass."""
    outcomes = {verdict.outcome for verdict in verdicts}
    return "fail" if "fail" in outcomes else "error" if "error" in outcomes else "pass"
