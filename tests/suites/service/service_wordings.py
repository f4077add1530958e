"""Wordings of slot values and replies, kept as data."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[2] / "data" / "service_wordings.toml"


@cache
def _tables() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(TABLE.read_text("utf-8"))


def wordings(name: str) -> list[tuple[Any, ...]]:
    """The rows of one table, each as the values of its columns in order."""
    return [tuple(row.values()) for row in _tables()[name]]
