"""Suites: a reader, a record type, metrics, and the tools those metrics take."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from adjudge.core.canary import Canary
from adjudge.core.card import Metric
from adjudge.core.coverage import Coverage
from adjudge.core.errors import Complaint, Warnings
from adjudge.core.record import Record
from adjudge.core.shard import Shard


@dataclass(frozen=True)
class Option:
    """A command-line option of a suite: `name` is its flag without dashes; a `flag` takes no value.

    >>> from adjudge import Option
    >>> Option("db", "the folder of the databases", is_path=True).metavar
    'FILE'
    """

    name: str
    help: str
    metavar: str = "FILE"
    repeat: bool = False
    choices: tuple[str, ...] = ()
    default: str | None = None
    is_path: bool = False
    flag: bool = False


Refuse = Callable[[Complaint], None]


class Survey(Protocol):
    """Looks at every record once before anything is scored.

    >>> from adjudge import Coverage
    >>> class CountsRecords:
    ...     def __init__(self):
    ...         self.records = 0
    ...     def add(self, record):
    ...         self.records += 1
    ...     def complaints(self):
    ...         return []
    ...     def coverage(self):
    ...         return Coverage()
    >>> survey = CountsRecords()
    >>> survey.add("a record")
    >>> survey.records
    1
    """

    def add(self, record: Any) -> None:
        """Look at one record."""

    def add_unscored(self, where: str, row: bytes) -> None:
        """Look at a row that gives no record to score, such as a dialogue that no arm predicts; by default nothing."""
        return

    def complaints(self) -> list[Complaint]:
        """Faults that show only when all records have been seen; by default none."""
        return []

    def coverage(self) -> Coverage:
        """What was there and what was missing."""


@runtime_checkable
class MergeableSurvey(Protocol):
    """A survey that several processes can count in parts; merged, the parts give the counts of a single survey.

    `counts` is everything that the survey has counted, as plain values that can be sent to another process.
    """

    counts: Any

    def merge(self, counts: Any) -> None:
        """Take in what another survey has counted in the records that come after those seen so far."""


class Source(Protocol):
    """Where a suite's records come from.

    `suite.open` makes it:

    >>> from adjudge import Warnings
    >>> from adjudge.score import find_suite
    >>> suite = find_suite("service")
    >>> source = suite.open([suite.sample], {})
    >>> len(list(source.rows(Warnings())))
    48
    """

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""

    @property
    def warnings(self) -> Warnings:
        """The warnings of opening the source."""

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded rows in order, each with its place in the file; refused rows go to `refuse`."""

    def records(self, where: str, row: bytes, warnings: Warnings) -> Sequence[Record]:
        """The records of one row (one for each arm); raises BadRecord."""

    def survey(self) -> Survey:
        """An empty survey of these records."""


Options = Mapping[str, Any]


@dataclass(frozen=True)
class Missing:
    """Stands for a tool that is not there; `why` says how to get it.

    >>> from adjudge import Missing
    >>> Missing("no database was named; give its folder with --db").why
    'no database was named; give its folder with --db'
    """

    why: str


@runtime_checkable
class ShardedSource(Protocol):
    """A source whose files can be read by several processes at once, each a part of them; its survey is mergeable.

    The records of a shard must not depend on what was read before: a source that joins rows of several files, or
    compares records with each other, is read by one process.
    """

    def shardable_files(self) -> Mapping[Path, bool]:
        """The files with records in order, and whether each may be split between lines; empty if none can be shared."""

    def shard_rows(self, shard: Shard, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded rows of a shard, with the places that `rows` gives them."""


@dataclass(frozen=True)
class Suite:
    """One kind of evaluation.

    `open` makes the source of the records from the files and the suite's options. `tools` makes the tools that metrics
    may take by name: a `Missing` if an option was not given; the run records the tools that have an `identity`.
    `settings` names the options that change values, which reports show beside every number. `canaries` makes questions
    with a known answer, to test a judge. `own_metrics` makes metrics from files that options name. `example` is the
    text after `adjudge score NAME` in the help.

    >>> from adjudge.score import find_suite
    >>> find_suite("service").name
    'service'
    """

    name: str
    title: str
    record: type[Record]
    package: str
    open: Callable[[list[Path], Options], Source]
    tools: Callable[[Options], Mapping[str, object]]
    sample: Path
    options: tuple[Option, ...] = ()
    settings: tuple[str, ...] = ()
    canaries: Callable[[Mapping[str, object]], Sequence[Canary]] | None = None
    own_metrics: Callable[[Options], Sequence[Metric]] | None = None
    example: str = "FILE -o runs/mine"

    @property
    def sample_labels(self) -> Path | None:
        """The labels that people gave to the sample, `labels.csv` beside it; None where there are none."""
        path = self.sample.with_name("labels.csv")
        return path if path.is_file() else None

    def metrics(self) -> list[Metric]:
        """The metrics of the suite's `metrics` folder: files as its `ORDER` lists them, the others after."""
        package = importlib.import_module(f"{self.package}.metrics")
        names = [info.name for info in pkgutil.iter_modules(package.__path__)]
        first = [name for name in getattr(package, "ORDER", ()) if name in names]
        modules = [importlib.import_module(f"{package.__name__}.{name}") for name in dict.fromkeys([*first, *names])]
        return [metric for module in modules for metric in declared_metrics(vars(module))]


def declared_metrics(names: Mapping[str, object]) -> list[Metric]:
    """The metrics among a module's names that the module itself declares."""
    return [
        value
        for value in names.values()
        if isinstance(value, Metric) and value.function.__module__ == names.get("__name__")
    ]
