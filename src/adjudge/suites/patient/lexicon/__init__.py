"""The vocabulary of the suite: profile items, phrases, ranges and figures, and what of a reply is spoken."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table_of(name: str) -> dict[str, Any]:
    """The content of `NAME.toml` in this folder."""
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text("utf-8"))


@cache
def words_of(table: str, name: str) -> frozenset[str]:
    """The words in the text under a name of a table."""
    return frozenset(table_of(table)[name].split())
