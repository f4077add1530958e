"""The arms that a user names for whole files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from adjudge.core.errors import BadInput
from adjudge.core.suite import Options


def arms_of(files: Sequence[Path], options: Options) -> dict[str, str]:
    """The names of --arm by file: one for all files or one for each; raises BadInput for another number.

    >>> arms_of([Path("a.jsonl"), Path("b.jsonl")], {"arm": ["x", "y"]})
    {'a.jsonl': 'x', 'b.jsonl': 'y'}
    """
    names = list(options.get("arm") or ())
    if names and len(names) not in (1, len(files)):
        raise BadInput(f"--arm: found {len(names)} names for {len(files)} files; expected one for all or one for each")
    each = names * len(files) if len(names) == 1 else names
    return {str(path): name for path, name in zip(files, each, strict=False)}


def arm_at(where: str, arms: Mapping[str, str]) -> str:
    """The arm that was named for the file, or the archive, of a place; empty where none was.

    >>> arm_at("visits.zip/a.txt:1", {"visits.zip": "x"}), arm_at("other.txt:1", {"visits.zip": "x"})
    ('x', '')
    """
    file = where.rpartition(":")[0]
    return next((arm for path, arm in arms.items() if file == path or file.startswith(f"{path}/")), "")
