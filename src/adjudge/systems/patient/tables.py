"""The tables of the cast: wordings, topics and vocabulary, kept as TOML files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

LEXICON = Path(__file__).parent / "lexicon"

T = TypeVar("T")


def read_table(name: str, kind: type[T]) -> T:
    """The content of `NAME.toml` as a type, read anew on each call; callers cache what they derive from it."""
    return msgspec.convert(tomllib.loads((LEXICON / f"{name}.toml").read_text("utf-8")), kind)
