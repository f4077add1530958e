"""Parts of a run: the scores of a shard in files of their own, until they are appended to the run.

A part appears when it is complete: its files are written under temporary names and renamed, the description last. It is
named by a hash over all that decides its content, so that a part of another run is never taken for it.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.core.record import Key
from adjudge.engines.rows import SurveyedShard
from adjudge.run.batch import ScoredBatch

FOLDER = "parts"
# The file with the order that all parts follow; by it, workers on other machines recognise the run's folder.
ORDER = "order.json"
# The ending of a file with a byte for each process that has begun a part.
TRIES_ENDING = ".tries"
DESCRIPTION, CONTENT = ".json", ".content"

# Seconds that a folder of the network may take to show what another machine has written.
PATIENCE = 10.0


class Order(Struct, frozen=True):
    """What decides the scores of every part of a run.

    `plan` is the plan as JSON, `fields` the fields that each arm predicts, `metrics` the metrics to score by name, and
    `missing` the tools that are not there, with the reason. `inputs` are the hashes of the input files.
    `is_partial` says that scores of other metrics are added later, so that a part has to keep all scores.
    """

    adjudge: str
    plan: bytes
    fields: dict[str, list[str]]
    metrics: tuple[str, ...]
    missing: dict[str, str]
    inputs: tuple[str, ...]
    is_partial: bool = False


class PartBatch(Struct, frozen=True):
    """A batch of records in a part: their keys, and the sizes of their records, scores and columns in bytes."""

    keys: list[Key]
    sizes: tuple[int, int, int]


class Part(Struct, frozen=True):
    """A part that is complete."""

    name: str
    batches: list[PartBatch]


def check_folder(folder: Path, order: bytes) -> None:
    """Raise BadInput where this process does not see what the driver has written into the folder of parts."""
    deadline = time.monotonic() + PATIENCE
    while not _holds(folder / ORDER, order):
        if time.monotonic() > deadline:
            raise BadInput(
                f"{folder}: does not hold this run; expected the run folder under the same path as where the "
                "command runs; put it on storage that all machines share"
            )
        time.sleep(0.2)


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def part_name(order: bytes, surveyed: SurveyedShard) -> str:
    """The name of the part of a shard."""
    content = msgspec.json.encode((order, surveyed.shard, sorted(surveyed.excluded)))
    return hashlib.sha256(content).hexdigest()[:32]


def find_part(folder: Path, name: str) -> Part | None:
    """The part of this name, if it is there and complete."""
    try:
        part = msgspec.json.decode((folder / f"{name}{DESCRIPTION}").read_bytes(), type=Part)
        size = (folder / f"{name}{CONTENT}").stat().st_size
    except (OSError, msgspec.MsgspecError):
        return None
    return part if size == sum(sum(batch.sizes) for batch in part.batches) else None


def write_part(folder: Path, name: str, batches: Iterable[ScoredBatch]) -> Part:
    """Write the part of a shard."""
    # Two workers, or threads of one, may score one shard, if the first one is taken for dead or its command was killed.
    unfinished = f".{name}-{platform.node()}-{os.getpid()}-{threading.get_ident()}"
    content, description = folder / f"{unfinished}{CONTENT}", folder / f"{unfinished}{DESCRIPTION}"
    listed = []
    try:
        with content.open("wb") as file:
            for batch in batches:
                pieces = (batch.records, batch.scores, batch.columns)
                file.writelines(pieces)
                listed.append(PartBatch(batch.keys, (len(pieces[0]), len(pieces[1]), len(pieces[2]))))
        part = Part(name, listed)
        description.write_bytes(msgspec.json.encode(part))
        content.replace(folder / f"{name}{CONTENT}")
        description.replace(folder / f"{name}{DESCRIPTION}")
    finally:
        content.unlink(missing_ok=True)
        description.unlink(missing_ok=True)
    return part


def batches_of(folder: Path, part: Part) -> Iterator[ScoredBatch]:
    """The batches of a part, ready to be appended to the run."""
    with (folder / f"{part.name}{CONTENT}").open("rb") as file:
        for batch in part.batches:
            yield ScoredBatch(batch.keys, *(file.read(size) for size in batch.sizes))


def remove_part(folder: Path, name: str) -> None:
    """Remove a part that is in the run."""
    for ending in (DESCRIPTION, CONTENT):
        (folder / f"{name}{ending}").unlink(missing_ok=True)


def count_try(folder: Path, name: str) -> int:
    """Note that a process begins a part; how many have begun it before and ended."""
    with (folder / f".{name}{TRIES_ENDING}").open("ab") as file:
        file.write(b".")
        return file.tell() - 1


def forget_tries(folder: Path, name: str) -> None:
    """Note that a process is done with a part."""
    (folder / f".{name}{TRIES_ENDING}").unlink(missing_ok=True)


def remove_others(folder: Path, names: set[str]) -> None:
    """Remove what is no file of a part of these names: parts of another run, and those that were never finished."""
    for path in list(folder.iterdir()):
        if path.stem not in names:
            with suppress(FileNotFoundError):
                path.unlink()


def remove_if_empty(folder: Path) -> None:
    """Remove the folder of parts, unless a complete part is in it."""
    if folder.is_dir() and all(path.name == ORDER for path in folder.glob(f"*{DESCRIPTION}")):
        shutil.rmtree(folder, ignore_errors=True)
