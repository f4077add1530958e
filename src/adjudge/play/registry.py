"""Setups and systems by name, from this and other packages."""

from __future__ import annotations

from adjudge.core.entry_points import entry_points
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.system import Setup, System

GROUP = "adjudge.systems"


def find_setup(suite: str) -> Setup:
    """How the conversations of a suite are played."""
    setups = {value.suite: value for value in _entries() if isinstance(value, Setup)}
    if suite not in setups:
        raise BadInput(
            f"no system plays {suite!r}{did_you_mean(suite, setups)} (there are: {', '.join(sorted(setups)) or 'none'})"
        )
    return setups[suite]


def setup_names() -> list[str]:
    """The names of all suites that can be played."""
    return sorted(value.suite for value in _entries() if isinstance(value, Setup))


def find_systems(setup: Setup) -> dict[str, System]:
    """The systems of a setup and those that other packages bring for its suite, by name."""
    others = [value for value in _entries() if isinstance(value, System) and value.card.suite == setup.suite]
    return {system.card.name: system for system in [*setup.systems(), *others]}


def _entries() -> list[Setup | System]:
    """What packages register under the entry point: setups, and single systems for setups of others."""
    values = []
    for entry in entry_points(GROUP):
        value = entry.load()
        if not isinstance(value, Setup | System):
            raise BadInput(
                f"system {entry.name!r}: {entry.value} is a {type(value).__name__}, expected Setup or System"
            )
        values.append(value)
    return values
