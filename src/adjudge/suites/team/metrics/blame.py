"""Who broke it, and when, by rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.suites.team.rules.hits import NEAR, agent_hit, turn_hit
from adjudge.suites.team.rules.suspects import suspects

SOURCE = "after Zhang et al., Which agent causes task failures and when? (Who&When, arXiv 2505.00212); rules our own"

hit_metric = partial(
    metric,
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("blame",),
    predicts=("faults",),
    source=SOURCE,
)


@metric(
    "Blame",
    formula="rules that name a step / rules that name any step; one mark for each step that a rule names",
    unit="suspect",
    better="lower",
    compared=False,
    probes=("blame",),
    source=SOURCE,
)
def blame(conversation: Conversation) -> Iterator[Mark]:
    """Which steps may have caused the failure?

    Only failed conversations are judged: the log says that the goal was not reached, or annotators name an error. Each
    of six rules names at most one step of an agent: (1) the first failed call after which the tool never works; (2) the
    first contradiction of a result; (3) the last step that adds something new before the end; (4) the first failed
    call; (5) the first turn that says that it assumes or simulates something (English); (6) the second step of an
    agent.

    The marks are a ranked list of steps with the share of rules that name each; the group of a mark is the agent. The
    list says where to look first and is not a verdict; `blamed_turn` says how accurate it is. Lower is declared better
    only so that reports show suspects as evidence. The mean over suspects is meaningless, and arms are not compared by
    it.
    """
    for suspect in suspects(conversation):
        rules = ", ".join(rule.replace("_", " ") for rule in suspect.named_by)
        yield Mark(suspect.share, suspect.agent, suspect.turn, rules, suspect.agent)


@hit_metric(
    "BlameWho", formula="conversations whose first suspect is the agent that annotators name / annotated conversations"
)
def blamed_agent(conversation: Conversation) -> Iterator[Mark]:
    """Is the agent that the rules suspect first the one that annotators name?

    The rules do not beat the base rates. On the 63 logs of Who&When that were not used to choose the rules, the value
    is 0.571 (0.449 to 0.686). Always naming the agent of the first step reaches 0.540 there, and the agent that speaks
    most 0.460 (0.540 on all 126 logs; `benchmarks/blame.py`).
    """
    yield from agent_hit(conversation, suspects(conversation), 1)


@hit_metric(
    "BlameWho3",
    formula=(
        "conversations with the agent that annotators name among the first three suspects / annotated conversations"
    ),
)
def blamed_agent_in_3(conversation: Conversation) -> Iterator[Mark]:
    """Is the agent that annotators name among the first three suspects?

    With three agents or fewer this is meaningless: every list that names all of them is right.
    """
    yield from agent_hit(conversation, suspects(conversation), 3)


@hit_metric(
    "BlameWhen", formula="conversations whose first suspect is the turn that annotators name / annotated conversations"
)
def blamed_turn(conversation: Conversation) -> Iterator[Mark]:
    """Is the turn that the rules suspect first the one that annotators name?

    On the 63 logs of Who&When that were not used to choose the rules, the value is 0.333 (0.229 to 0.456). A random
    step reaches 0.163 there, and the first step 0.175. The rules are not shown to beat 0.270, which always naming the
    second step of an agent reaches (`benchmarks/blame.py`).
    """
    yield from turn_hit(conversation, suspects(conversation), 1)


@hit_metric(
    "BlameWhen3",
    formula=(
        "conversations with the turn that annotators name among the first three suspects / annotated conversations"
    ),
)
def blamed_turn_in_3(conversation: Conversation) -> Iterator[Mark]:
    """Is the turn that annotators name among the first three suspects?

    Experts disagree about the decisive turn, and several may be right (MP-Bench, arXiv 2603.25001). On the 63 logs of
    Who&When that were not used to choose the rules, the value is 0.635 (0.511 to 0.743).
    """
    yield from turn_hit(conversation, suspects(conversation), 3)


@hit_metric(
    "BlameNear",
    formula=(
        "conversations whose first suspect is within two turns of the turn that annotators name / annotated "
        "conversations"
    ),
)
def blamed_turn_within_2(conversation: Conversation) -> Iterator[Mark]:
    """Is the first suspect at most two turns from the turn that annotators name?

    In conversations of five to ten turns a guess is often that close. On the 63 logs of Who&When that were not used to
    choose the rules, the value is 0.746 (0.627 to 0.837). A random step reaches 0.512 there, and the second step of an
    agent 0.683.
    """
    yield from turn_hit(conversation, suspects(conversation), 1, NEAR)
