"""The failure modes of MAST, and a judge's answer about all of them.

The Multi-Agent System Failure Taxonomy (Cemri et al., "Why do multi-agent LLM systems fail?", arXiv 2503.13657) has 14
modes in three categories. The rubric `failure_modes` says in our words what each of them is.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from adjudge.core.ask import About, Question
from adjudge.core.conversation import Conversation
from adjudge.suites.team.rules.material import answer_of, material
from adjudge.tools.rubrics import Rubrics

# Our names, with the numbers of the source.
MODES = {
    "disobeyed_task": "1.1",
    "disobeyed_role": "1.2",
    "step_repetition": "1.3",
    "lost_history": "1.4",
    "unaware_of_end": "1.5",
    "conversation_reset": "2.1",
    "no_clarification": "2.2",
    "derailment": "2.3",
    "withheld_information": "2.4",
    "ignored_input": "2.5",
    "reasoning_action_mismatch": "2.6",
    "premature_end": "3.1",
    "missing_verification": "3.2",
    "wrong_verification": "3.3",
}


class ModeVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on one failure mode; turn 0 is none."""

    reasoning: str
    present: bool
    turn: Annotated[int, Meta(ge=0)]


def question_about(conversation: Conversation, rubrics: Rubrics) -> Question[Any]:
    """The question about all failure modes of a conversation at once."""
    about = tuple(About(f"{mode}.present", conversation.key, at=mode, label="failure_modes") for mode in MODES)
    shown = material(conversation, instructions=conversation.instructions)
    return Question(rubrics.text("failure_modes"), answer_type(), shown, about=about)


@cache
def answer_type() -> Any:
    """The type of the answer: a verdict on each mode."""
    return answer_of("FailureModes", dict.fromkeys(MODES, ModeVerdict))
