"""Cases of a test kept as rows of a data file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest


def rows_of(file: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each row of its table in `rows/FILE.toml`; the table has the name of the test without `test_`."""

    def parametrize(test: Callable[..., None]) -> Callable[..., None]:
        table = _tables(file)[test.__name__.removeprefix("test_")]
        columns, rows = table["columns"], _frozen(table["rows"])
        cases = [row[0] for row in rows] if len(columns) == 1 else rows
        return pytest.mark.parametrize(columns[0] if len(columns) == 1 else columns, cases)(test)

    return parametrize


@cache
def _tables(file: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "rows" / f"{file}.toml").read_text("utf-8"))


def _frozen(value: Any) -> Any:
    """Lists as tuples, since most expected values are tuples."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
