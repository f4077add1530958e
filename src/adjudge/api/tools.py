"""The tools of a run as users name them: options over environment over `adjudge.toml`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from adjudge.core.errors import BadInput
from adjudge.core.panel import Combine
from adjudge.tools.settings import LoadedSettings, load_with_origin

if TYPE_CHECKING:
    from adjudge.core.usage import Usage
    from adjudge.tools.guard import Destination
    from adjudge.tools.toolbox import Toolbox


class Asking(Struct, frozen=True, kw_only=True):
    """How tools are asked: how answers are combined, and whether to ask cached questions again, or nothing at all."""

    combine: Combine = "mean"
    refresh: bool = False
    replay: bool = False


def load_tools(options: Mapping[str, Any], config: str | Path | None = None) -> LoadedSettings:
    """The settings that options, environment and adjudge.toml describe."""
    return load_with_origin(Path(config) if config else None, os.environ, options)


def open_toolbox(loaded: LoadedSettings, asking: Asking, spent: Usage | None = None) -> Toolbox:
    """The toolbox of these settings; raises BadInput for a setting that takes a judge where there is none.

    `spent` is what an earlier part of the command took of the budget.
    """
    from adjudge.tools.toolbox import Toolbox

    settings = loaded.settings
    needing = [name for name in ("canaries", "judge_url") if getattr(settings, name)]
    needing += ["nli"] if settings.nli == "judge" else []
    if needing and not settings.judge:
        raise BadInput(f"--{needing[0].replace('_', '-')}: there is no judge to ask; name one with --judge")
    if spent is not None:
        settings = structs.replace(
            settings,
            max_calls=settings.max_calls and max(0, settings.max_calls - spent.calls),
            max_cost=settings.max_cost and max(0.0, settings.max_cost - (spent.cost or 0.0)),
        )
    return Toolbox(settings, os.environ, asking.combine, asking.refresh, asking.replay)


def announce(destinations: Mapping[str, Destination], loaded: LoadedSettings, quiet: bool = False) -> None:
    """Say where requests will go and which settings a file decided, before anything is sent.

    With `quiet`, only what a file decided is said: the user has not typed it.
    """
    from adjudge.report.text import one_line

    by_file = ", ".join(loaded.from_file)
    lines = [f"settings from {loaded.file}: {by_file}"] if by_file else []
    if lines or not quiet:
        lines += [f"{what} go to {destination}" for what, destination in destinations.items()]
    if lines and not (quiet and len(lines) == 1):
        print("\n".join(map(one_line, lines)), file=sys.stderr, flush=True)
