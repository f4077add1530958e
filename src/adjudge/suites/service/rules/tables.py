"""The TOML tables of the suite, which users may replace by their own."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from adjudge.core.errors import BadInput

LEXICON = Path(__file__).parents[1] / "lexicon"

T = TypeVar("T")


def read_table(path: Path, kind: type[T]) -> T:
    """The table of a TOML file as a struct; BadInput names the suite's own file as the example to follow."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), kind)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; expected a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"{path}: {error}; see {kind.__name__.lower()}.toml of the suite for the format") from error
