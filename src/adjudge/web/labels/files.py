"""The files of labels: a table for each rater, to which every answer is appended at once."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, structs

from adjudge.web.index.store import cache_folder

FOLDER = "labels"
COLUMNS = ("case", "arm", "trial", "metric", "turn", "at", "label", "rater", "why", "time", "seconds", "plan")


class LabelRow(Struct, frozen=True, kw_only=True):
    """An answer of a rater; `label` is empty where the item was skipped, and `why` says the reason."""

    case: str
    arm: str
    trial: str
    metric: str
    turn: str
    at: str
    label: str
    rater: str
    why: str = ""
    time: str = ""
    seconds: str = ""
    plan: str = ""

    @property
    def item(self) -> tuple[str, ...]:
        """What was labelled."""
        return (self.case, self.arm, self.trial, self.metric, self.turn, self.at)


class ListedLabelFile(Struct, frozen=True):
    """A file of labels, and how many rows it has."""

    path: Path
    count: int


def label_folder(run: Path) -> Path:
    """Where the labels of a run are: in it, or in the user's cache where it cannot be written."""
    inside = run / FOLDER
    if os.access(inside if inside.is_dir() else run, os.W_OK):
        return inside
    digest = hashlib.sha256(str(run.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return cache_folder() / FOLDER / digest


def label_path(run: Path, rater: str) -> Path:
    """The file of a rater; a name that is no good file name gets a digest, so that no two raters share a file.

    >>> label_path(Path("run"), "../ann").name
    'ann-2a8c40.csv'
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", rater).strip("-")[:60]
    if plain != rater:
        plain = f"{plain}-{hashlib.sha256(rater.encode('utf-8', 'surrogateescape')).hexdigest()[:6]}".strip("-")
    return label_folder(run) / f"{plain}.csv"


def label_files(run: Path) -> list[ListedLabelFile]:
    """All files of labels of a run."""
    folder = label_folder(run)
    paths = sorted(folder.glob("*.csv")) if folder.is_dir() else []
    return [ListedLabelFile(path, len(read_rows(path))) for path in paths if path.is_file() and not path.is_symlink()]


def read_rows(path: Path) -> list[LabelRow]:
    """The whole rows of a file of labels."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return []
    whole = text[: text.rfind("\n") + 1]
    return [_row(cells) for cells in csv.DictReader(io.StringIO(whole, newline="")) if cells.get("case")]


def append_row(path: Path, row: LabelRow) -> bool:
    """Append an answer and wait until it is on the disk; False where the rater has labelled the item already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _open_locked(path) as file:
        _cut_half_line(file)
        if any(other.item == row.item for other in read_rows(path)):
            return False
        file.seek(0, os.SEEK_END)
        lines = ([COLUMNS] if file.tell() == 0 else []) + [structs.astuple(row)]
        file.write(_encode(lines))
        file.flush()
        os.fsync(file.fileno())
    return True


def remove_last(path: Path) -> LabelRow | None:
    """Take back the last answer of a file; None where there is none."""
    if not path.is_file():
        return None
    with _open_locked(path) as file:
        _cut_half_line(file)
        rows = read_rows(path)
        if not rows:
            return None
        file.truncate(file.seek(0, os.SEEK_END) - len(_encode([structs.astuple(rows[-1])])))
        file.flush()
        os.fsync(file.fileno())
    return rows[-1]


def _encode(rows: list[tuple[str, ...]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", "replace")


def _row(cells: dict[str, str | None]) -> LabelRow:
    return LabelRow(**{name: cells.get(name) or "" for name in COLUMNS})


@contextmanager
def _open_locked(path: Path) -> Iterator[io.FileIO]:
    """The file, opened for reading and writing, held against all other processes until it is closed."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    with io.FileIO(descriptor, "r+") as file:
        try:
            import fcntl
        except ImportError:  # Windows has no fcntl; there only this process writes.
            yield file
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield file


def _cut_half_line(file: io.FileIO) -> None:
    """Drop what was being written when an earlier server was killed: the rater got no reply to it."""
    file.seek(0)
    content = file.read()
    if content and not content.endswith(b"\n"):
        file.truncate(content.rfind(b"\n") + 1)
