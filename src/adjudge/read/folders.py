"""Folders as input: the files in them that may hold records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from adjudge.core.errors import BadInput

# visits.jsonl, Visit1.TXT, table.csv.gz
READABLE = re.compile(
    r"\.(jsonl|ndjson|json|csv|tsv|xlsx|txt|text|md|log)(\.gz)?\Z|\.(zip|eval|parquet|arrow|feather)\Z", re.IGNORECASE
)
# README.md, LICENSE.txt, SOURCES.md
ABOUT = re.compile(r"(?:readme|licen[cs]e|changelog|sources)\b", re.IGNORECASE)
# What Spark and the like leave beside the parts of a table: _SUCCESS, _common_metadata, _committed_7
BESIDE_PARTS = re.compile(r"_(SUCCESS|(common_)?metadata|(committed|started)_\d+)\Z")
# A folder with a part of a table, by the value of a column: arm=one
PARTITION = re.compile(r"\w+=.")
NAMES_SHOWN = 5


class Inputs(Struct, frozen=True):
    """The files to read, and a remark on each folder in which some were left out."""

    files: list[Path]
    remarks: list[str] = []


def input_files(paths: Sequence[Path]) -> Inputs:
    """The files that are named, and the files in the folders that are named, sorted by name."""
    files: list[Path] = []
    remarks: list[str] = []
    for path in paths:
        is_folder = path.is_dir()
        inside = _entries(path) if is_folder else []
        chosen = [entry for entry in inside if _may_hold_records(entry)]
        if is_folder and not chosen:
            raise BadInput(
                f"{path}: a folder without records; expected files such as .jsonl, .csv, .parquet or .txt in it"
            )
        left_out = [entry.name for entry in inside if entry not in chosen]
        if left_out:
            remarks.append(f"{path}: left out {_names(left_out)}; name a file or folder by itself to read it")
        files += chosen or [path]
    return Inputs(files, remarks)


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, sorted by name; folders of the parts of a table are replaced by their files."""
    entries: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or BESIDE_PARTS.match(entry.name):
            continue
        entries += _entries(entry) if PARTITION.match(entry.name) and entry.is_dir() else [entry]
    return entries


def _may_hold_records(path: Path) -> bool:
    return path.is_file() and READABLE.search(path.name) is not None and ABOUT.match(path.name) is None


def _names(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(map(repr, names[:NAMES_SHOWN])) + more
