"""The run folder: a manifest, the records as they were read, and their scores, readable by anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from adjudge.core.card import Card
from adjudge.core.coverage import Coverage
from adjudge.core.errors import BadInput
from adjudge.core.mark import ScoreRow, Skipped
from adjudge.core.record import Key
from adjudge.core.usage import Usage

MANIFEST = "run.json"
RECORDS = "records.jsonl"
SCORES = "scores.jsonl"

T = TypeVar("T")


class InputFile(Struct, frozen=True):
    """A file that was read: its path as given, its size, and the SHA-256 of its bytes."""

    path: str
    bytes: int
    sha256: str


class Manifest(Struct, kw_only=True):
    """What explains a run: what was read, how it was scored, with what, and how much of it there is.

    Two runs with the same suite, version, cards, options, settings, tools and inputs have the same scores. A run that
    was stopped has used up its budget. `places` says where the inputs were, which does not matter as long as their
    contents are the same. `usage` is what asking cost by metric, `canaries` how the judge met questions
    with a known answer.
    """

    suite: str
    adjudge: str
    cards: dict[str, Card]
    options: dict[str, Any]
    settings: dict[str, str]
    places: dict[str, Any] = {}
    inputs: list[InputFile]
    seed: int = 0
    tools: dict[str, str] = {}
    status: Literal["running", "stopped", "complete"] = "running"
    usage: dict[str, Usage] = {}
    canaries: dict[str, str] = {}
    coverage: Coverage = field(default_factory=Coverage)
    counts: dict[str, int] = {}
    started: str = ""
    finished: str = ""
    seconds: float = 0.0

    def differences(self, other: Manifest) -> list[str]:
        """What makes the other a different run, a sentence each; empty where it is the same."""
        found = [
            f"{name} was {getattr(self, name)!r}, now {getattr(other, name)!r}"
            for name in ("suite", "adjudge")
            if getattr(self, name) != getattr(other, name)
        ]
        mine, theirs = (
            {name: value for name, value in (run.options | run.settings).items() if name not in run.places} | run.tools
            for run in (self, other)
        )
        found += [
            f"{name} was {mine.get(name)!r}, now {theirs.get(name)!r}"
            for name in sorted(mine.keys() | theirs.keys())
            if mine.get(name) != theirs.get(name)
        ]
        if {file.sha256 for file in self.inputs} != {file.sha256 for file in other.inputs}:
            found.append("the contents of the input files changed")
        if self.coverage.arms.keys() != other.coverage.arms.keys():
            found.append(f"the arms were {', '.join(self.coverage.arms)}, now {', '.join(other.coverage.arms)}")
        if {(card.name, card.version) for card in self.cards.values()} != {
            (card.name, card.version) for card in other.cards.values()
        }:
            found.append("the metrics or their versions changed")
        return found


class ScoreSummary(Struct, frozen=True, gc=False):
    """A score as it stands in a run folder, its marks left undecoded."""

    value: float | None = None
    n: int = 0
    weight: float = 0.0
    skipped: Skipped | None = None
    missing: dict[str, Skipped] = {}
    basis: str = ""


class SummaryRow(Struct, frozen=True, gc=False):
    """A line of `scores.jsonl` without the marks: much faster to read."""

    case: str
    arm: str
    scores: dict[str, ScoreSummary]
    trial: int = 0
    facets: dict[str, str] = {}


class Run:
    """A run folder opened for reading.

    `retired` names the metrics of the run that its suite no longer has; whoever opens the run and knows the suite sets
    it.
    """

    def __init__(self, folder: Path) -> None:
        manifest = folder / MANIFEST
        if not manifest.is_file():
            raise BadInput(
                f"{folder}: no {MANIFEST} there; expected a run folder made by `adjudge score ... -o {folder}`"
            )
        self.folder = folder
        self.retired: tuple[str, ...] = ()
        try:
            self.manifest = msgspec.json.decode(manifest.read_bytes(), type=Manifest)
        except msgspec.MsgspecError as error:
            raise BadInput(f"{manifest}: not a run manifest ({error}); score the run again") from error

    def rows(self) -> Iterator[ScoreRow]:
        """The scores of each record with their marks."""
        return _lines(self.folder / SCORES, msgspec.json.Decoder(ScoreRow))

    def summaries(self) -> Iterator[SummaryRow]:
        """The scores of each record without their marks."""
        return _lines(self.folder / SCORES, msgspec.json.Decoder(SummaryRow))

    def records(self) -> Iterator[bytes]:
        """The records as JSON, in the order of the scores."""
        with _opened(self.folder / RECORDS) as file:
            yield from file


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; the run folder is incomplete, score it again") from error


def _lines(path: Path, decoder: msgspec.json.Decoder[T]) -> Iterator[T]:
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # A run that was killed: the line being written is not there yet.
            try:
                yield decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise BadInput(
                    f"{path}:{number}: {error}; the file was changed; score the run again with --fresh"
                ) from error


class RunWriter:
    """A run folder being written: opened anew or where an earlier attempt stopped.

    Each record and its scores are appended in one write each, so a crash loses at most the line being
    written. When writing fails, both files are cut back to whole lines; a folder in which nothing was
    scored is taken away again.
    """

    def __init__(self, folder: Path, manifest: Manifest, fresh: bool = False) -> None:
        self.folder = folder
        self.manifest = manifest
        self.done: set[Key] = set()
        self.spent: dict[str, Usage] = {}
        self._made: list[Path] = []
        self._files = ExitStack()
        try:
            self._begin(fresh)
        except OSError as error:
            self._withdraw()
            raise BadInput(
                f"{folder}: cannot write the run ({error.strerror}); choose another folder with -o"
            ) from error
        except BaseException:
            self._withdraw()
            raise

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._files.close()
        # An interrupt may come between writing a line and noting it: what is written stays.
        if kind is not None and not self.done and not (self.folder / SCORES).stat().st_size:
            self._withdraw()

    def append(self, keys: list[Key], records: bytes, scores: bytes) -> None:
        """Add records and their scores, as JSON lines in the same order."""
        sizes = self._records.tell(), self._scores.tell()
        try:
            _write(self._records, records)
            _write(self._scores, scores)
        except OSError as error:
            self._records.truncate(sizes[0])
            self._scores.truncate(sizes[1])
            raise BadInput(
                f"{self.folder}: {error.strerror} after {len(self.done)} records; what is there is whole: "
                "make room and run the same command again, it goes on from there"
            ) from error
        self.done.update(keys)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest of the complete run."""
        self.manifest = manifest
        try:
            for file in (self._records, self._scores):
                os.fsync(file.fileno())
            self._save()
        except OSError as error:
            raise BadInput(f"{self.folder}: {error.strerror}; make room and run the same command again") from error

    def _begin(self, fresh: bool) -> None:
        self._made = _missing(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._scores = self._files.enter_context((self.folder / SCORES).open("ab", 0))
        if not _locked(self._scores):
            self._made = []  # What is there belongs to the other process.
            raise BadInput(f"{self.folder}: another process is writing this run; wait for it or choose another -o")
        self._records = self._files.enter_context((self.folder / RECORDS).open("ab", 0))
        if fresh and (self.folder / MANIFEST).exists():
            self._keep(0)
            (self.folder / MANIFEST).unlink()
        for unfinished in self.folder.glob(f".{MANIFEST}.*.part"):
            unfinished.unlink()
        self._adopt()
        self._save()

    def _adopt(self) -> None:
        """Go on from what an earlier attempt left, if it was the same run."""
        if not (self.folder / MANIFEST).exists():
            for name in (SCORES, RECORDS):
                if (self.folder / name).stat().st_size:
                    raise BadInput(f"{self.folder}: has {name} but no {MANIFEST}; choose another folder with -o")
            return
        earlier = Run(self.folder)
        if differences := earlier.manifest.differences(self.manifest):
            raise BadInput(
                f"{self.folder}: holds a different run ({'; '.join(differences)}); "
                "choose another folder with -o, or start over with --fresh"
            )
        self.spent = earlier.manifest.usage
        scored = [Key(row.case, row.arm, row.trial) for row in earlier.summaries()]
        whole = min(len(scored), _whole_lines(self.folder / RECORDS))
        self._keep(whole)
        self.done = set(scored[:whole])
        if earlier.manifest.status == "complete" and earlier.manifest.counts.get("records") == whole:
            self.manifest = earlier.manifest

    def _keep(self, lines: int) -> None:
        """Cut both files back to the first so many lines."""
        for file in (self._records, self._scores):
            size = _size_of(Path(file.name), lines)
            if size < os.fstat(file.fileno()).st_size:
                file.truncate(size)
            file.seek(size)

    def _save(self) -> None:
        write_whole(self.folder / MANIFEST, msgspec.json.format(msgspec.json.encode(self.manifest), indent=1))

    def _withdraw(self) -> None:
        """Take away what was not there before."""
        self._files.close()
        for path in self._made:
            with suppress(OSError):  # Not there, or somebody else has put something in it.
                path.rmdir() if path.is_dir() else path.unlink()


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A file under a temporary name, synced and renamed when all of it is written: there whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    with whole(path) as file:
        file.write(content)


def _write(file: IO[bytes], content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[file.write(view) :]


def _locked(file: IO[bytes]) -> bool:
    """Whether the file is this process's alone from here on."""
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl; there the folder is not guarded.
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _whole_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(line.endswith(b"\n") for line in file)


def _size_of(path: Path, lines: int) -> int:
    """How many bytes the first so many lines take."""
    with path.open("rb") as file:
        return sum(map(len, islice(file, lines)))


def _missing(folder: Path) -> list[Path]:
    """What a run in this folder adds to what is there, innermost first."""
    files = [folder / name for name in (MANIFEST, RECORDS, SCORES)]
    return [path for path in (*files, folder, *folder.parents) if not path.exists()]
