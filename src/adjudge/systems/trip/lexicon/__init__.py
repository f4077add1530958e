"""The words of the trip systems and their strategies, as data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table_of(name: str) -> dict[str, Any]:
    """The table in the file `NAME.toml` of this folder."""
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text("utf-8"))
