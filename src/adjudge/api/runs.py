"""A run as users hold it in Python: its tables, its worst conversations, its page."""

from __future__ import annotations

import shutil
import sys
import tempfile
import weakref
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.api.shown import Page, Shown, frame, frame_height
from adjudge.api.tables import Table
from adjudge.api.versions import retired_metrics
from adjudge.core.errors import BadInput
from adjudge.core.selection import check_metric
from adjudge.read.addresses import refuse_address
from adjudge.run import Run as RunFolder
from adjudge.run.version import newer_version

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from rich.console import Console

    from adjudge.aggregate import Row, Tallies
    from adjudge.report.run.export import MarkLine, ScoreLine
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.worst import Worst

Place = str | Path
# The names of temporary folders begin so.
PREFIX = "adjudge-"


class TemporaryFolder:
    """A folder that is removed when nothing refers to it any more, at the latest at the end of the program."""

    def __init__(self) -> None:
        parent = tempfile.mkdtemp(prefix=PREFIX)
        weakref.finalize(self, shutil.rmtree, parent, ignore_errors=True)
        self.path = Path(parent) / "run"
        self.path.mkdir()


class Run(Shown, RunFolder):
    """A scored run: a folder, with its tables and its evidence.

    A run that was scored without a folder lives in a temporary one, which is removed with it; `save` keeps it.

    >>> import adjudge as aj
    >>> run = aj.demo("service", only=["joint_goal_accuracy", "task_completion"])
    >>> run.suite, run.arms, run.metrics
    ('service', ['five-agents', 'one-agent'], ['joint_goal_accuracy', 'task_completion'])
    >>> for row in run.table():
    ...     print(f"{row.metric} {row.arm} {row.value:.3f}, {row.low:.3f} to {row.high:.3f}, n {row.n}")
    joint_goal_accuracy five-agents 0.793, 0.616 to 0.902, n 92
    joint_goal_accuracy one-agent 0.620, 0.425 to 0.782, n 92
    task_completion five-agents 0.833, 0.624 to 0.938, n 24
    task_completion one-agent 0.750, 0.535 to 0.887, n 24
    >>> worst = run.worst("joint_goal_accuracy", 1)[0]
    >>> worst.arm, worst.value
    ('one-agent', 0.0)
    """

    def __init__(self, folder: Place, kept: TemporaryFolder | None = None, tallies: Tallies | None = None) -> None:
        refuse_address(folder, "a run folder", "copy it first")
        super().__init__(Path(folder))
        self.retired = retired_metrics(self.manifest)
        self._kept = kept
        self._tallies = tallies  # Those of a run that has just been scored, which need not be read again.

    @property
    def suite(self) -> str:
        """The suite that the run was scored with."""
        return self.manifest.suite

    @property
    def arms(self) -> list[str]:
        """The arms of the run, in the order they came."""
        return self.summary.arms

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, in the order of the suite."""
        return list(self.manifest.cards)

    @cached_property
    def summary(self) -> RunSummary:
        """All that the report of the run is made from, except what is read from the marks."""
        from adjudge.report.run.summary import RunSummary

        return RunSummary.brief(self, self._tallies)

    @property
    def incomplete(self) -> list[str]:
        """What is missing: metrics with errors, questions without an answer; empty if nothing is."""
        from adjudge.api.completeness import missing_parts

        return missing_parts(self.summary)

    def with_metrics(self, names: Collection[str]) -> Run:
        """The run as if it had been scored with these metrics only."""
        narrowed = super().with_metrics(names)
        assert isinstance(narrowed, Run)
        narrowed.__dict__.pop("summary", None)  # It is of all metrics.
        narrowed._tallies = None
        return narrowed

    def table(self, by: str = "") -> Table[Row]:
        """A row for each metric and arm, with interval and counts; `by` a facet of the records, or `group` of marks."""
        from adjudge.aggregate import Row
        from adjudge.report.run.facets import rows_by
        from adjudge.report.run.files import GROUP_COLUMN, ROW_COLUMNS

        if not by:
            return Table(Row, self.summary.rows, ROW_COLUMNS)
        return Table(Row, rows_by(self, by), [GROUP_COLUMN, *ROW_COLUMNS])

    def marks(self, metric: str = "") -> Table[MarkLine]:
        """A row for each judged fact: its value, where it is and why; of one metric, or of all."""
        from adjudge.report.run.export import MarkLine, mark_lines

        return Table(MarkLine, mark_lines(self._narrow_to(metric)))

    def scores(self, metric: str = "") -> Table[ScoreLine]:
        """A row for each metric on each conversation, with its status where there is no value."""
        from adjudge.report.run.export import ScoreLine, score_lines

        return Table(ScoreLine, score_lines(self._narrow_to(metric)))

    def worst(self, metric: str, n: int = 3) -> Table[Worst]:
        """The conversations that a metric values least, worst first, with the turn and the reason."""
        from adjudge.report.run.files import WORST_COLUMNS
        from adjudge.report.run.worst import Worst, worst_by

        check_metric(metric, self.manifest.cards, "worst")
        return Table(Worst, worst_by(self, metric, n), WORST_COLUMNS)

    def to_pandas(self, level: str = "marks") -> pandas.DataFrame:
        """The long table as a pandas DataFrame: a row for each mark, or, by `conversations`, for each score."""
        return self._long_table(level).to_pandas()

    def to_polars(self, level: str = "marks") -> polars.DataFrame:
        """The long table as a polars DataFrame."""
        return self._long_table(level).to_polars()

    def to_arrow(self, level: str = "marks") -> pyarrow.Table:
        """The long table as an Arrow table."""
        return self._long_table(level).to_arrow()

    def page(self) -> Page:
        """The whole report: every number with the turns behind it."""
        from adjudge.report.run.page import run_page

        return Page(run_page(self).decode())

    def report(self, *targets: Place) -> None:
        """Write the report to files; the ending of a name sets the format, as in `adjudge report`."""
        from adjudge.report.run.files import FORMATS, write_run
        from adjudge.report.target import format_of

        for target in targets:
            format_of(Path(target), FORMATS)
        for target in targets:
            write_run(self, Path(target))

    def save(self, folder: Place) -> Run:
        """Copy the run to a folder, and return it from there."""
        target = Path(folder)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise BadInput(f"{target}: already exists; expected a new folder for the run")
        shutil.copytree(self.folder, target, dirs_exist_ok=True)
        return Run(target)

    def _narrow_to(self, metric: str) -> RunFolder:
        if metric:
            check_metric(metric, self.manifest.cards, "metric")
        return self.with_metrics([metric]) if metric else self

    def _long_table(self, level: str) -> Table[Any]:
        from adjudge.report.run.export import LEVELS, check_level

        check_level(level)
        kind, lines = LEVELS[level]
        return Table[Any](kind, lines(self))

    def _print(self, console: Console) -> None:
        from adjudge.report.run.terminal import print_summary

        print_summary(self.summary, console)

    def _repr_html_(self) -> str:
        from adjudge.report.run.card import run_card

        rows = len(self.summary.primary_names())
        return frame(run_card(self.summary).decode(), frame_height(rows))


def load(folder: Place) -> Run:
    """Open a run folder.

    >>> import adjudge as aj
    >>> aj.load("runs/none")
    Traceback (most recent call last):
        ...
    adjudge.core.errors.BadInput: runs/none: no run.json there; expected a run folder made by `adjudge score ... -o runs/none`
    """  # noqa: E501 - the message stands on one line
    run = Run(folder)
    if line := newer_version(run.manifest.adjudge):
        run.manifest.coverage.warnings.insert(0, line)
        print(f"adjudge: {folder}: {line}", file=sys.stderr)
    return run


def loaded_runs(runs: Sequence[RunFolder | Place]) -> list[RunFolder]:
    """The runs, opened where they are named by their folder."""
    return [run if isinstance(run, RunFolder) else load(run) for run in runs]
