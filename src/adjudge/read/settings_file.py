"""The settings file: `adjudge.toml` in the working folder, or the file that the user names."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from adjudge.core.errors import BadInput
from adjudge.read.opening import refuse_special

FILE = "adjudge.toml"
# The table of rules for `adjudge gate`, and that of questions of the user's own; all else in the file is about tools.
GATE = "gate"
RUBRIC = "rubric"


def read_settings(path: Path | None) -> tuple[Path, dict[str, Any]]:
    """The place of the settings file and what it holds, which is nothing if none was named and none is here."""
    place = path or Path(FILE)
    try:
        refuse_special(place)
        return place, tomllib.loads(place.read_text("utf-8"))
    except FileNotFoundError as error:
        if path is None:
            return place, {}
        raise BadInput(f"{place}: no such file; expected settings in TOML") from error
    except OSError as error:
        raise BadInput(f"{place}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{place}: not TOML: {error}") from error
