"""What a play would take."""

from __future__ import annotations

from adjudge.play.prepare import PreparedPlay


def estimate_play(prepared: PreparedPlay) -> list[str]:
    """Sentences about calls, tokens and cost."""
    raise NotImplementedError
