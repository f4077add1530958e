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
    formula="rules that name a step / rules that name any; one mark for each step that a rule names",
    unit="suspect",
    better="lower",
    compared=False,
    probes=("blame",),
    source=SOURCE,
)
def blame(conversation: Conversation) -> Iterator[Mark]:
    """Who may have broken it, and when?

    For conversations that failed: their log says that the goal was not reached, or annotators name an error. Each of
    six rules names at most one step of an agent: the first failed call after which the tool never works; the first
    contradiction of a result; the last step that brings something new before the end; the first failed call; the first
    turn that says that it assumes or simulates something (English); the second step of an agent. The marks are the
    list, the most named step first, with the share of rules that name it; the group of a mark is the agent. It is a
    list of where to look first, not a verdict: `blamed_turn` says how little it is worth. The direction makes reports
    show suspects as evidence; the mean over suspects says nothing, and arms are not compared by it.
    """
    for suspect in suspects(conversation):
        rules = ", ".join(rule.replace("_", " ") for rule in suspect.named_by)
        yield Mark(suspect.share, suspect.agent, suspect.turn, rules, suspect.agent)


@hit_metric("BlameWho", formula="conversations whose first suspect is the agent that annotators name / annotated ones")
def blamed_agent(conversation: Conversation) -> Iterator[Mark]:
    """Is the agent that the rules suspect first the one that annotators name?

    Does not beat the base rates: on the 63 logs of Who&When that the rules were not chosen on it is 0.571 (0.449 to
    0.686), beside 0.540 for the agent of the first step and 0.460 for the one that speaks most, which is right in
    0.540 of all 126 (`benchmarks/blame.py`).
    """
    yield from agent_hit(conversation, suspects(conversation), 1)


@hit_metric("BlameWho3", formula="conversations with that agent among the first three / annotated ones")
def blamed_agent_in_3(conversation: Conversation) -> Iterator[Mark]:
    """Is the agent that annotators name among the first three that the rules suspect?

    With three agents or fewer that says nothing: then every list that names all of them is right.
    """
    yield from agent_hit(conversation, suspects(conversation), 3)


@hit_metric("BlameWhen", formula="conversations whose first suspect is the turn that annotators name / annotated ones")
def blamed_turn(conversation: Conversation) -> Iterator[Mark]:
    """Is the turn that the rules suspect first the one that annotators name?

    On the 63 logs of Who&When that the rules were not chosen on it is 0.333 (0.229 to 0.456), beside 0.163 for a random
    step and 0.175 for the first one. It is not shown to beat 0.270, which always naming the second step of an agent
    reaches there (`benchmarks/blame.py`).
    """
    yield from turn_hit(conversation, suspects(conversation), 1)


@hit_metric("BlameWhen3", formula="conversations with that turn among the first three suspects / annotated ones")
def blamed_turn_in_3(conversation: Conversation) -> Iterator[Mark]:
    """Is the turn that annotators name among the first three that the rules suspect?

    Experts disagree about the decisive turn, and several may be right (MP-Bench, arXiv 2603.25001). On the 63 logs of
    Who&When that the rules were not chosen on it is 0.635 (0.511 to 0.743).
    """
    yield from turn_hit(conversation, suspects(conversation), 3)


@hit_metric("BlameNear", formula="conversations whose first suspect is within two turns of that turn / annotated ones")
def blamed_turn_within_2(conversation: Conversation) -> Iterator[Mark]:
    """Is the turn that the rules suspect first at most two turns from the one that annotators name?

    In conversations of five to ten turns a guess is often that near: on the 63 logs of Who&When that the rules were not
    chosen on it is 0.746 (0.627 to 0.837), beside 0.512 for a random step and 0.683 for the second step of an agent.
    """
    yield from turn_hit(conversation, suspects(conversation), 1, NEAR)
