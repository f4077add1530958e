"""The gate in `adjudge.toml`: the table [gate] with `rules`, `coverage` and `against`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from adjudge.core.errors import BadInput, did_you_mean
from adjudge.read.settings_file import GATE, read_settings

Share = Annotated[float, Meta(ge=0, le=1)]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a file asks of a run; None: it does not say."""

    rules: tuple[str, ...] = ()
    coverage: Share | None = None
    against: str | None = None


def load(path: Path | None) -> Settings:
    """The settings of a file; none named: those of `adjudge.toml` here, if there is one."""
    place, content = read_settings(path)
    return _check_settings(content.get(GATE, {}), place)


def _check_settings(table: Any, place: Path) -> Settings:
    known = Settings.__struct_fields__
    for name in table if isinstance(table, dict) else ():
        if name not in known:
            hint = did_you_mean(name, known) or f"; expected {', '.join(known)}"
            raise BadInput(f"{place}: {GATE}.{name}: no such setting{hint}")
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise BadInput(f'{place}: [{GATE}]: {error}; expected rules = ["METRIC >= 0.5"], coverage, against') from error
    if settings.against is None:
        return settings
    # A place named in a file is meant from the file's folder.
    return msgspec.structs.replace(settings, against=str(place.parent / Path(settings.against).expanduser()))
