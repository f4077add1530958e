"""The tables of the suite: words, phrases, ranges and figures kept as data beside the code."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def table_of(name: str) -> dict[str, Any]:
    """The table in the file of that name, `NAME.toml`; whoever reads it often keeps what it makes of it."""
    return tomllib.loads(files("adjudge.suites.patient").joinpath("lexicon", f"{name}.toml").read_text("utf-8"))
