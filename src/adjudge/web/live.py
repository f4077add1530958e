"""How far a run has come that is being played or scored."""

from __future__ import annotations

from msgspec import Struct

from adjudge.run.played import ENDS
from adjudge.web.catalogue import RunEntry


class PlayProgress(Struct, frozen=True):
    """How many conversations are finished, and of how many; 0 where that is not known."""

    finished: int = 0
    expected: int = 0
    going: bool = False

    @property
    def words(self) -> str:
        """How many of how many."""
        if not self.going or self.expected <= self.finished:
            return f"{self.finished:,}"
        return f"{self.finished:,} of {self.expected:,}"


def standing_of(entry: RunEntry, indexed: int) -> PlayProgress:
    """The standing of a run of which so many conversations can be shown."""
    going = entry.status in ("running", "playing", "stopped")
    return PlayProgress(indexed, _expected_count(entry), going)


def _expected_count(entry: RunEntry) -> int:
    """How many conversations the run will have, as far as its manifests say it."""
    if entry.manifest is not None:
        arms = entry.manifest.coverage.arms.values()
        return sum(max(arm.conversations, arm.expected) for arm in arms)
    if entry.play is not None and entry.play.limit:
        return entry.play.limit * entry.play.trials * max(len(entry.play.arms), 1)
    return entry.play.counts.get("conversations", 0) if entry.play is not None else 0


def ended_conversations(entry: RunEntry) -> int:
    """How many conversations of a play have ended."""
    try:
        with (entry.folder / ENDS).open("rb") as file:
            return sum(line.endswith(b"\n") for line in file)
    except OSError:
        return 0
