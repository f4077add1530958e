"""Addresses of object storage, told apart from the names of files."""

from __future__ import annotations

import os
import re

from adjudge.core.errors import BadInput

# s3://bucket/trips.jsonl, gs://bucket/trips/, abfs://container@account.dfs.core.windows.net/trips.parquet
ADDRESS = re.compile(r"(?P<scheme>s3|gs|abfss?)://(?P<bucket>[^/]*)", re.IGNORECASE)
# Addresses that other programs know: hdfs://..., https://...
OTHER = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def is_address(place: str | os.PathLike[str]) -> bool:
    """Whether a place is in object storage.

    >>> is_address("s3://bucket/trips.jsonl"), is_address("trips.jsonl")
    (True, False)
    """
    return ADDRESS.match(os.fspath(place)) is not None


def refuse_address(place: str | os.PathLike[str], expected: str, advice: str) -> None:
    """Raise BadInput for a place in object storage where only a place on this machine will do."""
    if is_address(place):
        raise BadInput(f"{os.fspath(place)}: in object storage; expected {expected} on this machine; {advice}")
