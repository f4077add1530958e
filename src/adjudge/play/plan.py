"""What is played: a suite, cases, arms and everything that decides how the conversations go."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.core.play import Limits


class PlayPlan(Struct, frozen=True, kw_only=True):
    """What to play.

    No files mean the sample that comes with the suite, unless `generate` says which cases to make. `arms` and
    `counterparts` (a system for each role that is not under test, by role) are written as on the command line. `models`
    names a model for each part, or "" for all others. `limit` plays the first cases only. `limits` are None for those
    of the setup. `functions` are the arms that are functions of this program, by their label in `arms`.
    """

    suite: str
    files: tuple[str, ...] = ()
    generate: str | None = None
    options: dict[str, Any] = {}
    arms: tuple[str, ...] = ()
    functions: dict[str, Any] = {}
    counterparts: dict[str, str] = {}
    models: dict[str, str] = {}
    prompts: str | None = None
    trials: int = 1
    seed: int = 0
    limit: int | None = None
    limits: Limits | None = None
