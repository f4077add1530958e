"""Compare runs: which arm is better, by how much, and how certain that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.api.options import as_names
from adjudge.api.runs import Place, loaded_runs
from adjudge.api.shown import Shown, frame, frame_height
from adjudge.api.tables import Table
from adjudge.compare.comparison import Comparison, ComparisonRequest, compare_groups
from adjudge.compare.family import Correction
from adjudge.compare.flips import flips
from adjudge.compare.parts import sheets_by
from adjudge.compare.sheet import Sheet
from adjudge.compare.unnamed import open_sheet
from adjudge.core.errors import BadInput
from adjudge.report.comparison.words import ComparisonReport, Flips, contrasts_by_pair

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.compare.contrast import Verdict
    from adjudge.run import Run as RunFolder


class ContrastLine(Struct, frozen=True):
    """One metric in two arms: both values, the difference with its interval, its tests and the verdict."""

    metric: str
    a: str
    b: str
    group: str
    value_a: float | None
    value_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_corrected: float | None
    pairs: int
    verdict: Verdict


class ComparisonResult(Shown):
    """A comparison: shows itself as tables and pictures; `comparison` has every number.

    >>> import adjudge as aj
    >>> result = aj.compare(aj.demo("service", only="task_completion"))
    >>> result.verdict("task_completion")
    'inconclusive'
    """

    def __init__(self, report: ComparisonReport) -> None:
        self._report = report

    @property
    def comparison(self) -> Comparison:
        """All contrasts, with how they were tested."""
        return self._report.comparison

    def table(self) -> Table[ContrastLine]:
        """A row for each metric and pair of arms."""
        return Table(
            ContrastLine,
            [
                ContrastLine(
                    each.metric,
                    each.a.arm,
                    each.b.arm,
                    each.group,
                    each.a.value,
                    each.b.value,
                    each.difference,
                    each.low,
                    each.high,
                    each.p,
                    each.p_corrected,
                    each.pairs,
                    each.verdict,
                )
                for each in self.comparison.contrasts
            ],
        )

    def verdict(self, metric: str) -> Verdict:
        """The verdict on a metric; raises BadInput unless it was compared in exactly one pair of arms."""
        verdicts = [each.verdict for each in self.comparison.contrasts if each.metric == metric]
        if len(verdicts) != 1:
            raise BadInput(f"{metric}: compared in {len(verdicts)} pairs of arms; expected one; see table()")
        return verdicts[0]

    def report(self, *targets: Place) -> None:
        """Write the comparison to files; the ending of a name sets the format, as in `adjudge compare`."""
        from adjudge.report.comparison.files import write_comparison

        for target in targets:
            write_comparison(self._report, Path(target))

    def _print(self, console: Console) -> None:
        from adjudge.report.comparison.terminal import print_comparison

        print_comparison(self._report, console)

    def _repr_html_(self) -> str:
        from adjudge.report.comparison.page import comparison_page

        rows = len(self.comparison.contrasts)
        return frame(comparison_page(self._report).decode(), frame_height(rows + 4))


def compare(
    *runs: RunFolder | Place,
    metrics: str | Sequence[str] = (),
    arms: str | Sequence[str] = (),
    baseline: str = "",
    by: str = "",
    correction: Correction = "holm",
    margin: float | Mapping[str, float] | None = None,
    bootstrap: bool = False,
    flips: int = 0,
    force: bool = False,
) -> ComparisonResult:
    """Compare the arms of runs, as `adjudge compare` does; a run is a `Run` or the name of its folder.

    >>> import adjudge as aj
    >>> run = aj.demo("service", only=["joint_goal_accuracy", "task_completion"])
    >>> for line in aj.compare(run, metrics="joint_goal_accuracy").table():
    ...     print(line.metric, line.a, line.b, f"{line.difference:+.3f}", line.verdict)
    joint_goal_accuracy one-agent five-agents -0.174 inconclusive
    """
    wanted = ComparisonRequest(
        metrics=as_names(metrics),
        arms=as_names(arms),
        baseline=baseline,
        correction=correction,
        margins=dict(margin) if isinstance(margin, Mapping) else {} if margin is None else {"": margin},
        bootstrap=bootstrap,
    )
    return ComparisonResult(compare_runs(loaded_runs(runs), wanted, by=by, shown=flips, force=force))


def compare_runs(
    runs: list[RunFolder], wanted: ComparisonRequest, *, by: str = "", shown: int = 0, force: bool = False
) -> ComparisonReport:
    """The report of a comparison, with the cases that changed most, `shown` for each metric and direction."""
    whole = open_sheet(runs, force)
    sheets = sheets_by(runs, by, force) if by else {"": whole}
    comparison = compare_groups(sheets, wanted, by)
    return ComparisonReport(comparison, {} if by else _flips_by_pair(comparison, whole, shown), runs)


def _flips_by_pair(comparison: Comparison, sheet: Sheet, shown: int) -> Flips:
    """The cases that changed most between each pair of arms, so many for each metric and direction."""
    if not shown:
        return {}
    return {
        pair: flips(sheet, [contrast.metric for contrast in contrasts], (pair[1], pair[2]), shown)
        for pair, contrasts in contrasts_by_pair(comparison).items()
    }
