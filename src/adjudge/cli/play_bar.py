"""The progress of a play: conversations, turns, tokens, cost, and what is in flight."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from adjudge.cli.streams import raw_stream

if TYPE_CHECKING:
    from adjudge.play.state import PlayState

# Seconds between two drawings.
INTERVAL = 0.1


def play_bar_for(quiet: bool) -> PlayBar:
    """A progress bar on a terminal; nothing when quiet or elsewhere."""
    return PlayBar(quiet or not sys.stderr.isatty())


class PlayBar:
    """A progress bar that is called with the state of a play."""

    def __init__(self, hidden: bool) -> None:
        self.hidden = hidden
        self._shown = 0.0

    def __enter__(self) -> PlayBar:
        if not self.hidden:
            from rich.console import Console
            from rich.progress import Progress

            self.progress = Progress(console=Console(file=raw_stream(sys.stderr)), transient=True)
            self.progress.start()
            self.task = self.progress.add_task("playing", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if not self.hidden:
            self.progress.stop()

    def __call__(self, state: PlayState) -> None:
        """Show how far the play has come."""
        now = time.monotonic()
        if self.hidden or now - self._shown < INTERVAL:
            return
        self._shown = now
        self.progress.update(self.task, description=describe_state(state), completed=state.ended, total=state.total)


def describe_state(state: PlayState) -> str:
    """The state in a line.

    >>> from adjudge.play.state import PlayState
    >>> describe_state(PlayState(10, 3, 4, 120, 5000, 0.0125))
    '3 of 10 conversations, 4 in play, 120 turns, 5,000 tokens, 0.0125 USD'
    """
    asked = f", {state.tokens:,} tokens, {state.cost:.4f} USD" if state.tokens else ""
    return f"{state.ended} of {state.total} conversations, {state.in_flight} in play, {state.turns:,} turns{asked}"
