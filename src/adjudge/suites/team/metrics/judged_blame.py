"""Who broke it, and when, as a judge sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from adjudge.core.ask import Judge, NoLabel
from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.team.rules.attribution import Attribution, Attributor
from adjudge.suites.team.rules.hits import NEAR, agent_hit, turn_hit
from adjudge.suites.team.rules.parties import agent_steps
from adjudge.suites.team.rules.suspects import Suspect, has_failed, rank_suspects
from adjudge.tools.rubrics import Rubrics

SOURCE = "Zhang et al., Which agent causes task failures and when? (Who&When, arXiv 2505.00212), prompts our own"
RUBRICS = ("blame_whole", "blame_step", "blame_half")

hit_metric = partial(
    metric,
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("blame",),
    predicts=("faults",),
    rubrics=RUBRICS,
    source=SOURCE,
)
Hit = Callable[[tuple[Suspect, ...]], Iterator[Mark]]


@metric(
    "JBlame",
    formula="1 for the step that the judge blames, 0 for the other steps of agents; with several draws, their mean",
    unit="step",
    better="lower",
    compared=False,
    probes=("blame",),
    rubrics=RUBRICS,
    source=SOURCE,
)
def judged_blame(
    conversation: Conversation, judge: Judge, rubrics: Rubrics, attributor: Attributor
) -> Iterator[Mark | Unlabelled]:
    """Which step does a judge blame?

    Only failed conversations are judged. `--blame` says how the judge is asked: about the whole conversation (one
    question), after each step until it sees an error, or by halving. With `--samples` or several judges, the value of a
    step is the share of draws that name it. The judge does not see what annotators or the log say about the failure.
    Lower is declared better only so that reports show the step as evidence; arms are not compared by it.
    """
    attribution = _attribution(conversation, judge, rubrics, attributor)
    if attribution is None:
        return
    if isinstance(attribution, NoLabel):
        yield Unlabelled()
        return
    for place, turn in agent_steps(conversation):
        hit = place == attribution.place
        yield Mark(float(hit), turn.speaker, turn.id, attribution.why if hit else "", turn.speaker)


@hit_metric(
    "JWho", formula="conversations in which the judge blames the agent that annotators name / annotated conversations"
)
def judged_agent(
    conversation: Conversation, judge: Judge, rubrics: Rubrics, attributor: Attributor
) -> Iterator[Mark | Unlabelled]:
    """Does the judge blame the agent that annotators name?

    The best methods of the source name the right agent in 53.5 % of its logs, and the right step in 14.2 %. Always
    naming the agent that speaks most is right in 54.0 % of its logs of algorithm-generated systems.
    """
    yield from _hits(conversation, judge, rubrics, attributor, lambda ranking: agent_hit(conversation, ranking, 1))


@hit_metric(
    "JWhen", formula="conversations in which the judge blames the turn that annotators name / annotated conversations"
)
def judged_turn(
    conversation: Conversation, judge: Judge, rubrics: Rubrics, attributor: Attributor
) -> Iterator[Mark | Unlabelled]:
    """Does the judge blame the turn that annotators name?

    Experts disagree about the decisive turn, and several may be right (MP-Bench, arXiv 2603.25001).
    """
    yield from _hits(conversation, judge, rubrics, attributor, lambda ranking: turn_hit(conversation, ranking, 1))


@hit_metric(
    "JNear",
    formula=(
        "conversations in which the judge blames a turn within two of the turn that annotators name / annotated "
        "conversations"
    ),
)
def judged_turn_within_2(
    conversation: Conversation, judge: Judge, rubrics: Rubrics, attributor: Attributor
) -> Iterator[Mark | Unlabelled]:
    """Does the judge blame a turn at most two turns from the one that annotators name?

    In conversations of five to ten turns a guess is often that close.
    """
    yield from _hits(conversation, judge, rubrics, attributor, lambda ranking: turn_hit(conversation, ranking, 1, NEAR))


def _hits(
    conversation: Conversation, judge: Judge, rubrics: Rubrics, attributor: Attributor, hit: Hit
) -> Iterator[Mark | Unlabelled]:
    attribution = _attribution(conversation, judge, rubrics, attributor) if conversation.faults else None
    if isinstance(attribution, NoLabel):
        yield Unlabelled()
    elif attribution is not None:
        named = {} if attribution.place is None else {attribution.place: ["judge"]}
        yield from hit(rank_suspects(conversation, named))


def _attribution(
    conversation: Conversation, judge: Judge, rubrics: Rubrics, attributor: Attributor
) -> Attribution | NoLabel | None:
    """What the judge blames; None where there is nothing to blame."""
    if not has_failed(conversation) or not agent_steps(conversation):
        return None
    return attributor.find(conversation, judge, rubrics)
