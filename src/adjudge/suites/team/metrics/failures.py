"""The failure modes of MAST, as a judge sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.core.ask import NO_LABEL, Judge
from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.team.rules.material import turn_at
from adjudge.suites.team.rules.modes import MODES, question_about
from adjudge.tools.rubrics import Rubrics


@metric(
    "MAST",
    formula="failure modes that the judge finds / 14; by group, the share of conversations with each mode",
    unit="mode",
    better="lower",
    probes=("failures",),
    rubrics=("failure_modes",),
    source="MAST: Cemri et al., Why do multi-agent LLM systems fail? (arXiv 2503.13657), in our words",
)
def failure_modes(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Which failure modes of multi-agent systems does a judge find?

    One question covers all 14 modes. The group of a mark is its mode, so the table by group shows the prevalence of
    each. A mark names the turn where the mode begins, and its reason starts with the agent. Human labels name the mode
    in the column `at`, and `adjudge calibrate` gives the agreement. The annotators of the source reach a kappa of 0.88
    among themselves; only labels show how close a judge comes to people.
    """
    if not conversation.turns:
        return
    (answer,) = judge([question_about(conversation, rubrics)])
    for mode, number in MODES.items():
        yield _mark(conversation, mode, number, getattr(answer, mode))


def _mark(conversation: Conversation, mode: str, number: str, verdict: Any) -> Mark | Unlabelled:
    if verdict.present is NO_LABEL:
        return Unlabelled(mode)
    named = None if verdict.turn is NO_LABEL or not verdict.present else turn_at(conversation, verdict.turn)
    who = f"{named.speaker}: " if named else ""
    why = f"{who}{verdict.reasoning or f'mode {number}'}" if verdict.present else ""
    return Mark(float(verdict.present), mode, named.id if named else "", why, mode)
