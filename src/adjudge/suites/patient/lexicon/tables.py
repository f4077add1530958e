"""The tables of the suite: words, phrases, ranges and figures, kept as TOML files in this folder."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def table_of(name: str) -> dict[str, Any]:
    """The content of `NAME.toml`, read anew on each call; callers cache what they derive from it."""
    return tomllib.loads(files("adjudge.suites.patient").joinpath("lexicon", f"{name}.toml").read_text("utf-8"))
