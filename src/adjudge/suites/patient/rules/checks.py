"""The accuracy of the checks that need no judge, measured on labelled replies."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.suites.patient.lexicon import table_of

# Checks whose phrases or patterns were also chosen by what they find on these replies.
CHOSEN_ON_THE_REPLIES = ("role_break", "injection_suspected", "diagnosis_revealed", "number_contradiction")


def quality(check: str) -> str:
    """The measured accuracy of a check, as sentences for its documentation page."""
    figures = measured_figures()[check]
    chosen = check in CHOSEN_ON_THE_REPLIES
    replies = "replies that were also used to choose the rules" if chosen else "held-out replies"
    caveat = " Expect less on other replies." if chosen else ""
    return (
        f"The rules are for English. Measured on {replies}, written by one author for this purpose: found "
        f"{figures['found']} of {figures['of']} faults, false alarms on {figures['raised']} of {figures['among']} "
        f"replies without a fault.{caveat}"
    )


def measured_figures() -> Mapping[str, Mapping[str, int]]:
    """The figures in `checks.toml`, by check."""
    figures: Mapping[str, Mapping[str, int]] = table_of("checks")["checks"]
    return figures
