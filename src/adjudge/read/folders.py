"""Folders as input: the files in them that may hold records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from adjudge.core.errors import BadInput

# visits.jsonl, Visit1.TXT, table.csv.gz
READABLE = re.compile(r"\.(jsonl|ndjson|json|csv|tsv|xlsx|txt|text|md|log)(\.gz)?\Z|\.(zip|eval)\Z", re.IGNORECASE)
# README.md, LICENSE.txt, SOURCES.md
ABOUT = re.compile(r"(?:readme|licen[cs]e|changelog|sources)\b", re.IGNORECASE)
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
        inside = sorted(entry for entry in path.iterdir() if not entry.name.startswith(".")) if path.is_dir() else []
        chosen = [entry for entry in inside if _may_hold_records(entry)]
        if path.is_dir() and not chosen:
            raise BadInput(
                f"{path}: a folder without records; expected files such as .jsonl, .csv, .xlsx or .txt in it"
            )
        left_out = [entry.name for entry in inside if entry not in chosen]
        if left_out:
            remarks.append(f"{path}: left out {_names(left_out)}; name a file or folder by itself to read it")
        files += chosen or [path]
    return Inputs(files, remarks)


def _may_hold_records(path: Path) -> bool:
    return path.is_file() and READABLE.search(path.name) is not None and ABOUT.match(path.name) is None


def _names(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(map(repr, names[:NAMES_SHOWN])) + more
