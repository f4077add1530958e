"""A copy of a run whose scores are stored in another format."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput
from adjudge.run.append import AppendFile
from adjudge.run.batch import ScoredBatch, join_lines
from adjudge.run.folder import Run
from adjudge.run.manifest import Store
from adjudge.run.names import MANIFEST, PARTS, RECORDS, SCORES
from adjudge.run.stores import store_of
from adjudge.run.whole_file import write_whole

# The number of records that are copied at a time.
_BATCH = 128


def copy_run(run: Run, target: Path, store: Store) -> int:
    """Write a run to a new folder with its scores in a format; the number of records. All other files are copied."""
    run.check_whole(f"export to {store}")
    if target.exists():
        raise BadInput(f"{target}: already exists; expected a new folder for the run")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        count = _write(run, unfinished, store)
        unfinished.rename(target)
    except OSError as error:
        raise BadInput(f"{target}: cannot write the run ({error.strerror}); choose another folder") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return count


def _write(run: Run, folder: Path, store: Store) -> int:
    leave = shutil.ignore_patterns(SCORES, PARTS, RECORDS, MANIFEST, "view.sqlite*", ".*")
    shutil.copytree(run.folder, folder, ignore=leave)
    manifest, count = structs.replace(run.manifest, store=store), 0
    files = store_of(AppendFile(folder / RECORDS), manifest)
    for batch in _batches(run):
        files.append(batch)
        count += len(batch.keys)
    manifest.counts = manifest.counts | files.finish()
    for file in files.files:
        file.close()
    write_whole(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    return count


def _batches(run: Run) -> Iterator[ScoredBatch]:
    pairs = zip(run.rows(), run.records(), strict=False)
    encode = msgspec.json.Encoder().encode
    while batch := list(islice(pairs, _BATCH)):
        rows = [row for row, _ in batch]
        records = b"".join(record for _, record in batch)
        yield ScoredBatch([row.key for row in rows], records, join_lines(map(encode, rows)))
