"""The thresholds that come with the known embedders."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def known_calibrations() -> Mapping[str, Any]:
    """What `thresholds.toml` holds: by embedder the thresholds, where they come from and how good they are."""
    return tomllib.loads(files("adjudge.tools.embed").joinpath("thresholds.toml").read_text("utf-8"))


def thresholds(name: str) -> dict[str, float]:
    """The thresholds in use for an embedder, by use; none for an embedder that was never calibrated."""
    known = known_calibrations().get(name, {})
    ours = {use: float(entry["threshold"]) for use, entry in known.get("calibrated", {}).items()}
    return {**ours, **known["source"]} if known.get("used") == "source" else ours
