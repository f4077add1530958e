"""The scores of several arms side by side, case by case, from one run or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from msgspec import Struct, field

from adjudge.core.card import Card
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.mark import BY_DESIGN
from adjudge.run import Run, ScoreSummary, SummaryRow
from adjudge.stats.cases import Arm, Paired, Unpaired
from adjudge.stats.variance import ROUNDING

Place = tuple[str, int]
Sums = tuple[float, float]
Rows = Callable[[Run], Iterable[SummaryRow]]


class Column(Struct):
    """One metric on one arm: the total and the weight of each case and trial, and the counts of missing values.

    `cases` are all cases of the arm, with a value or not.
    `bases` counts values by their basis; `versions` are the versions of the metric's card.
    """

    sums: dict[Place, Sums] = field(default_factory=dict)
    bases: dict[str, int] = field(default_factory=dict)
    versions: set[int] = field(default_factory=set)
    cases: set[str] = field(default_factory=set)
    undefined: int = 0
    skipped: int = 0
    errors: int = 0

    @property
    def conversations(self) -> int:
        """The number of conversations, with a value or not."""
        return len(self.sums) + self.undefined + self.skipped + self.errors

    def by_case(self, places: Iterable[Place]) -> dict[str, Sums]:
        """The sums of each case over the given trials."""
        sums: dict[str, Sums] = {}
        for place in places:
            total, weight = self.sums[place]
            before = sums.get(place[0], (0.0, 0.0))
            sums[place[0]] = before[0] + total, before[1] + weight
        return sums


class Sheet:
    """The columns of all metrics and arms of the runs.

    If two runs have an arm of the same name, the name of the run is added to it. `marked` lists the settings in which
    the runs differ, if they are compared nevertheless (`force`). `given` has the fingerprints of what each arm was
    given, by case and trial.
    """

    def __init__(self, runs: list[Run], force: bool = False, rows: Rows = Run.summaries) -> None:
        self.runs = runs
        self.force = force
        self.given: dict[str, dict[Place, dict[str, str]]] = {}
        self.marked = _differences(runs)
        if self.marked and not force:
            raise BadInput(
                f"{'; '.join(self.marked)}; numbers measured differently cannot be compared; score both the same way, "
                "or compare them nevertheless with --force, which marks the result"
            )
        self.cards: dict[str, Card] = {}
        self.columns: dict[tuple[str, str], Column] = {}
        self.arms: list[str] = []
        self._names = _names(runs)
        for run in runs:
            self._add(run, rows(run))

    def column(self, metric: str, arm: str) -> Column:
        """The column of a metric and an arm; empty if the arm has no scores of the metric."""
        return self.columns.get((metric, arm), Column())

    def arms_of(self, metric: str, a: str, b: str) -> Paired | Unpaired:
        """Two arms over the cases they share; if they share none, each over its own cases."""
        first, second = self.column(metric, a), self.column(metric, b)
        shared = [place for place in first.sums if place in second.sums]
        if shared:
            ours, theirs = first.by_case(shared), second.by_case(shared)
            return Paired.of(_arm(ours.values()), _arm(theirs[case] for case in ours))
        return Unpaired.of(_arm(first.by_case(first.sums).values()), _arm(second.by_case(second.sums).values()))

    def pairs(self, metric: str, a: str, b: str) -> int:
        """The number of trials that two arms share."""
        return len(self.column(metric, a).sums.keys() & self.column(metric, b).sums.keys())

    def find_arm(self, name: str) -> str:
        """The arm with this name; raises BadInput with the existing names if there is none."""
        if name not in self.arms:
            raise BadInput(f"no arm {name!r}{did_you_mean(name, self.arms)} (there are: {', '.join(self.arms)})")
        return name

    def names(self, run: Run) -> dict[str, str]:
        """The name in this sheet of each arm of a run."""
        return {arm: self._names[str(run.folder), arm] for arm in run.manifest.coverage.arms}

    def _add(self, run: Run, rows: Iterable[SummaryRow]) -> None:
        for name, card in run.manifest.cards.items():
            # A run made before cards named the primary family does not hide that of the other runs.
            if name not in self.cards or (card.primary and not self.cards[name].primary):
                self.cards[name] = card
        names = self.names(run)
        self.arms += names.values()
        for row in rows:
            arm = names.get(row.arm, row.arm)
            self.given.setdefault(arm, {})[row.case, row.trial] = row.given
            self._add_row(row, arm, run.manifest.cards)

    def _add_row(self, row: SummaryRow, arm: str, cards: dict[str, Card]) -> None:
        for metric, score in row.scores.items():
            key = (metric, arm)
            column = self.columns.get(key)
            if column is None:
                column = self.columns[key] = Column(versions={cards[metric].version})
            column.cases.add(row.case)
            if score.value is None:
                _miss(column, score)
                continue
            weight = score.weight if cards[metric].pool == "marks" else 1.0
            # A gain of 5e-17 is what rounding leaves of none.
            value = 0.0 if abs(score.value) <= ROUNDING else score.value
            column.sums[row.case, row.trial] = value * weight, weight
            if score.basis:
                column.bases[score.basis] = column.bases.get(score.basis, 0) + 1


def left_out(sheet: Sheet, metric: str, a: str, b: str) -> str:
    """The reason why two arms are not compared by a metric; empty if they are."""
    card, first, second = sheet.cards[metric], sheet.column(metric, a), sheet.column(metric, b)
    if not card.compared:
        return "its card leaves it out of comparisons"
    if card.pool == "groups":
        return "it is no mean over cases, so there is no test for it"
    if len(versions := first.versions | second.versions) > 1:
        return f"versions {' and '.join(map(str, sorted(versions)))} of the metric; score both with one"
    for arm, column in ((a, first), (b, second)):
        if BY_DESIGN in column.bases:
            return f"by design in {arm}: it follows from the condition, not from the data"
        if not column.sums:
            return f"{arm} has no value ({_missing(column)})"
    if first.bases.keys() != second.bases.keys():
        return f"different methods: {a} rests on {_basis_names(first)}, {b} on {_basis_names(second)}"
    return ""


def rests_on_other_methods(sheet: Sheet, metric: str, a: str, b: str) -> bool:
    """Whether both arms have values of a metric that rest on different methods."""
    card, first, second = sheet.cards[metric], sheet.column(metric, a), sheet.column(metric, b)
    is_mean = card.compared and card.pool != "groups" and BY_DESIGN not in first.bases | second.bases
    return bool(is_mean and first.sums and second.sums and first.bases.keys() != second.bases.keys())


def _arm(sums: Iterable[Sums]) -> Arm:
    columns = np.array(list(sums), dtype=float).reshape(-1, 2)
    return Arm(columns[:, 0].copy(), columns[:, 1].copy())


def _basis_names(column: Column) -> str:
    return " and ".join(column.bases) or "nothing named"


def _missing(column: Column) -> str:
    counts = {"undefined": column.undefined, "skipped": column.skipped, "errors": column.errors}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "never scored by it"


def _miss(column: Column, score: ScoreSummary) -> None:
    if score.skipped is None:
        column.undefined += 1
    elif score.skipped.status == "error":
        column.errors += 1
    else:
        column.skipped += 1


def _names(runs: list[Run]) -> dict[tuple[str, str], str]:
    """The name of each arm of each run; the name of the run is added if two runs have an arm of the same name."""
    arms = [(str(run.folder), run.folder.resolve().name, arm) for run in runs for arm in run.manifest.coverage.arms]
    counts: dict[str, int] = {}
    for _, _, arm in arms:
        counts[arm] = counts.get(arm, 0) + 1
    names = {(folder, arm): arm if counts[arm] == 1 else f"{arm}@{run}" for folder, run, arm in arms}
    if len(set(names.values())) < len(names):  # Two folders have the same name: use the whole path.
        names = {(folder, arm): arm if counts[arm] == 1 else f"{arm}@{folder}" for folder, _, arm in arms}
    if len({folder for folder, _, _ in arms}) < len(runs):
        raise BadInput("the same run is named twice; expected different ones")
    return names


def _differences(runs: list[Run]) -> list[str]:
    """The settings and tools in which the runs differ."""
    first, *others = runs
    differences: list[str] = []
    for run in others:
        if run.manifest.suite != first.manifest.suite:
            raise BadInput(
                f"{run.folder}: suite {run.manifest.suite!r}, {first.folder}: suite {first.manifest.suite!r}; "
                "expected runs of one suite"
            )
        differences += list(_unlike(first, run))
    return list(dict.fromkeys(differences))


def _unlike(first: Run, second: Run) -> Iterator[str]:
    ours = first.manifest.settings | first.manifest.tools
    theirs = second.manifest.settings | second.manifest.tools
    for name in dict.fromkeys([*ours, *theirs]):
        if ours.get(name) != theirs.get(name):
            yield f"{name} is {ours.get(name)!r} in {first.folder}, {theirs.get(name)!r} in {second.folder}"
