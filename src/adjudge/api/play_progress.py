"""The progress of a play: conversations, turns, tokens, cost, and open requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.api.progress import ProgressBar, bar_for

if TYPE_CHECKING:
    from adjudge.play.state import PlayState


def play_progress_for(quiet: bool) -> PlayingProgress:
    """The progress of a play, where it can be shown."""
    return PlayingProgress(bar_for(quiet, "playing"))


class PlayingProgress:
    """The progress of a play, called with its state."""

    def __init__(self, bar: ProgressBar) -> None:
        self._bar = bar

    def __enter__(self) -> PlayingProgress:
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__()

    def __call__(self, state: PlayState) -> None:
        """Show how far the play has come."""
        self._bar.show(describe_state(state), state.ended, state.total)


def describe_state(state: PlayState) -> str:
    """The state in a line.

    >>> from adjudge.play.state import PlayState
    >>> describe_state(PlayState(10, 3, 4, 120, 5000, 0.0125))
    '3 of 10 conversations, 4 in play, 120 turns, 5,000 tokens, 0.0125 USD'
    """
    asked = f", {state.tokens:,} tokens, {state.cost:.4f} USD" if state.tokens else ""
    return f"{state.ended} of {state.total} conversations, {state.in_flight} in play, {state.turns:,} turns{asked}"
