"""The scores of several arms side by side, case by case, from one run or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from adjudge.compare.column import Column, GivenParts, Place, PlacedSums, Places, shared_sums, sums_by_case
from adjudge.core.card import Card
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.mark import BY_DESIGN
from adjudge.run import Run
from adjudge.run.chunk import Chunk, ScoreColumns
from adjudge.stats.cases import Arm, PairedCases, UnpairedCases

__all__ = ["Column", "Place", "Sheet", "left_out", "rests_on_other_methods"]

Chunks = Callable[[Run], Iterable[Chunk]]


class Sheet:
    """The columns of all metrics and arms of the runs.

    If two runs have an arm of the same name, the name of the run is added to it. `marked` lists the settings in which
    the runs differ, if they are compared nevertheless (`force`). `given` says what each arm was given, by case and
    trial, which `places` numbers. The cases of the arms in `unnamed` are not known by name, so they have no pairs.
    """

    def __init__(self, runs: list[Run], force: bool = False, chunks: Chunks = Run.chunks) -> None:
        self.runs = runs
        self.force = force
        self.places = Places()
        self.given: dict[str, GivenParts] = {}
        self.marked = _differences(runs)
        if self.marked and not force:
            raise BadInput(
                f"{'; '.join(self.marked)}; numbers measured differently cannot be compared; score both the same way, "
                "or compare them anyway with --force, which marks the result"
            )
        self.cards: dict[str, Card] = {}
        self.columns: dict[tuple[str, str], Column] = {}
        self.arms: list[str] = []
        self.unnamed: set[str] = set()
        self._names = _names(runs)
        for run in runs:
            self._add(run, chunks(run))

    def column(self, metric: str, arm: str) -> Column:
        """The column of a metric and an arm; empty if the arm has no scores of the metric."""
        return self.columns.get((metric, arm), Column(self.places))

    def arms_of(self, metric: str, a: str, b: str) -> PairedCases | UnpairedCases:
        """Two arms over the cases they share; if they share none, each over its own cases."""
        first, second = self.column(metric, a), self.column(metric, b)
        ours, theirs = shared_sums(first, second)
        if len(ours.places):
            return PairedCases.of(self._arm(ours), self._arm(theirs))
        return UnpairedCases.of(first.unpaired_sums(), second.unpaired_sums())

    def pairs(self, metric: str, a: str, b: str) -> int:
        """The number of trials that two arms share."""
        return len(shared_sums(self.column(metric, a), self.column(metric, b))[0].places)

    def find_arm(self, name: str) -> str:
        """The arm with this name; raises BadInput with the existing names if there is none."""
        if name not in self.arms:
            raise BadInput(f"no arm {name!r}{did_you_mean(name, self.arms)} (there are: {', '.join(self.arms)})")
        return name

    def names(self, run: Run) -> dict[str, str]:
        """The name in this sheet of each arm of a run."""
        return {arm: self._names[str(run.folder), arm] for arm in run.manifest.coverage.arms}

    def _add(self, run: Run, chunks: Iterable[Chunk]) -> None:
        for name, card in run.manifest.cards.items():
            # A run made before cards named the primary family does not hide that of the other runs.
            if name not in self.cards or (card.primary and not self.cards[name].primary):
                self.cards[name] = card
        names = self.names(run)
        self.arms += names.values()
        for chunk in chunks:
            self.take(chunk, names, run.manifest.cards)

    def take(self, chunk: Chunk, names: Mapping[str, str], cards: Mapping[str, Card]) -> None:
        """Take in the scores of some records, and what they were given; `names` are those of their arms here."""
        for arm, part in self.places.number_records(chunk).arms:
            name = names.get(arm, arm)
            self.given.setdefault(name, GivenParts()).add(part.numbers, part.chunk.given_parts())
            for metric, scores in part.chunk.scores.items():
                self.add_scores((metric, name), part.numbers, scores, cards[metric])

    def add_scores(self, key: tuple[str, str], places: list[int], scores: ScoreColumns, card: Card) -> None:
        """Take in the scores of a metric and an arm in some places."""
        column = self.columns.get(key)
        if column is None:
            column = self.columns[key] = Column(self.places, {card.version})
        column.add(places, scores, card.pool == "marks")

    def _arm(self, sums: PlacedSums) -> Arm:
        return Arm(*sums_by_case(self.places, sums))


def left_out(sheet: Sheet, metric: str, a: str, b: str) -> str:
    """The reason why two arms are not compared by a metric; empty if they are."""
    card, first, second = sheet.cards[metric], sheet.column(metric, a), sheet.column(metric, b)
    if not card.compared:
        return "its card leaves it out of comparisons"
    if card.pool == "groups":
        return "it is not a mean over cases, so there is no test for it"
    if len(versions := first.versions | second.versions) > 1:
        return f"versions {' and '.join(map(str, sorted(versions)))} of the metric; score both with one"
    for arm, column in ((a, first), (b, second)):
        if BY_DESIGN in column.bases:
            return f"by design in {arm}: it follows from the condition, not from the data"
        if not column.valued:
            return f"{arm} has no value ({_missing(column)})"
    if first.bases.keys() != second.bases.keys():
        return f"different methods: {a} rests on {_basis_names(first)}, {b} on {_basis_names(second)}"
    return ""


def rests_on_other_methods(sheet: Sheet, metric: str, a: str, b: str) -> bool:
    """Whether both arms have values of a metric that rest on different methods."""
    card, first, second = sheet.cards[metric], sheet.column(metric, a), sheet.column(metric, b)
    is_mean = card.compared and card.pool != "groups" and BY_DESIGN not in first.bases | second.bases
    return bool(is_mean and first.valued and second.valued and first.bases.keys() != second.bases.keys())


def _basis_names(column: Column) -> str:
    return " and ".join(column.bases) or "nothing named"


def _missing(column: Column) -> str:
    counts = {"undefined": column.undefined, "skipped": column.skipped, "errors": column.errors}
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "never scored by it"


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
