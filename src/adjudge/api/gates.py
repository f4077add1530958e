"""Check a run against rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.api.options import as_names
from adjudge.api.runs import Place, loaded_runs
from adjudge.api.shown import Shown, html_table
from adjudge.gate.baseline import Baseline, open_baseline
from adjudge.gate.check import GateTerms, check
from adjudge.gate.rules import parse_all, rules_of
from adjudge.gate.verdicts import Gate, RuleVerdict
from adjudge.report.gate.words import warn_of_retired
from adjudge.run import Run as RunFolder

if TYPE_CHECKING:
    from rich.console import Console


class GateRequest(Struct, frozen=True, eq=False, kw_only=True):
    """What is asked of a run: rules, the metrics whose rules are checked, the baseline, and the coverage.

    None is for what `adjudge.toml` says, and then for the default: all conversations have to be scored.
    """

    rules: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    against: RunFolder | str | None = None
    coverage: float | None = None
    arms: tuple[str, ...] = ()
    force: bool = False
    config: str | None = None


class GateResult(Shown):
    """The verdicts on a run; it is true if every rule passed.

    >>> import adjudge as aj
    >>> result = aj.gate(aj.demo("service", only="task_completion"), "task_completion >= 0.8", arms="five-agents")
    >>> result.passed, bool(result), result.gate.headline()
    (True, True, 'gate passed: 1 passed')
    """

    def __init__(self, gate: Gate, run: RunFolder) -> None:
        self.gate = gate
        self._run = run

    @property
    def passed(self) -> bool:
        """Whether every rule passed."""
        return self.gate.passed

    @property
    def verdicts(self) -> list[RuleVerdict]:
        """The outcome of each rule for each arm."""
        return self.gate.verdicts

    def __bool__(self) -> bool:
        return self.passed

    def report(self, *targets: Place) -> None:
        """Write the verdicts to files: .xml (JUnit), .json or .md."""
        from adjudge.report.gate.files import write_gate

        for target in targets:
            write_gate(self.gate, self._run, Path(target))

    def _print(self, console: Console) -> None:
        from adjudge.report.console import Out
        from adjudge.report.gate.terminal import print_gate

        print_gate(self.gate, Out(console))

    def _repr_html_(self) -> str:
        from adjudge.report.gate.words import verdict_table

        return html_table(verdict_table(self.gate), self.gate.headline())


def gate(
    run: RunFolder | Place,
    rules: str | Sequence[str] = (),
    *,
    against: RunFolder | Place | None = None,
    coverage: float | None = None,
    arms: str | Sequence[str] = (),
    force: bool = False,
    config: Place | None = None,
) -> GateResult:
    """Check a run against rules, as `adjudge gate` does; `adjudge.toml` can hold more.

    >>> import adjudge as aj
    >>> for verdict in aj.gate(aj.demo("service", only="task_completion"), ["task_completion >= 0.8"]).verdicts:
    ...     print(verdict.arm, verdict.outcome)
    five-agents pass
    one-agent fail
    """
    request = GateRequest(
        rules=as_names(rules),
        against=str(against) if isinstance(against, Path) else against,
        coverage=coverage,
        arms=as_names(arms),
        force=force,
        config=None if config is None else str(config),
    )
    return check_gate(loaded_runs([run])[0], request)


def check_gate(run: RunFolder, request: GateRequest) -> GateResult:
    """The verdicts on a run, by the rules of the request and of the settings file."""
    from adjudge.gate.settings import load

    settings = load(Path(request.config) if request.config else None)
    texts = [*settings.rules, *request.rules]
    rules = rules_of(parse_all(texts, run.manifest.cards), request.metrics)
    against = request.against if request.against is not None else settings.against
    coverage = request.coverage if request.coverage is not None else settings.coverage
    terms = GateTerms(
        coverage=1.0 if coverage is None else coverage,
        arms=request.arms,
        baseline=None if against is None else _baseline(against),
        force=request.force,
    )
    return GateResult(warn_of_retired(check(run, rules, terms), run), run)


def _baseline(against: RunFolder | str) -> Baseline:
    return Baseline(against) if isinstance(against, RunFolder) else open_baseline(against)
