"""Words for a play and for how its conversations end."""

from __future__ import annotations

from adjudge.report.play.summary import EndCount, PlaySummary
from adjudge.report.words import count as counted

REASONS = {
    "participant": "a participant",
    "protocol": "the protocol: nobody was to speak",
    "turns": "the limit of turns",
    "time": "the limit of time",
    "budget": "the limit of calls or cost",
    "error": "an error",
}


def play_line(summary: PlaySummary) -> str:
    """How much was played."""
    trials = f", {summary.trials} trials of each case" if summary.trials > 1 else ""
    conversations = counted(summary.conversations, "conversation")
    turns = f"{summary.turns:,} {'turn' if summary.turns == 1 else 'turns'}"
    return f"played {conversations} with {turns}{trials} (seed {summary.seed})"


def end_words(count: EndCount) -> str:
    """Why conversations ended, and by whom.

    >>> end_words(EndCount("a", "participant", "user", "", 3))
    'the user'
    >>> end_words(EndCount("a", "error", "system", "refusal", 1))
    'an error of system (refusal)'
    """
    if count.reason == "participant":
        return f"the {count.by}"
    whose = f" of {count.by} ({count.status})" if count.reason == "error" else ""
    return f"{REASONS[count.reason]}{whose}"
