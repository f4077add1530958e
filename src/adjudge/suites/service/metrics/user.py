"""Whether a simulated user did what its goal says."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.simulation import contradictions, omissions


@metric(
    "Kept",
    formula=(
        "simulated dialogues in which the user neither contradicts nor omits part of the goal / simulated dialogues"
    ),
    unit="conversation",
    pool="conversations",
    better="higher",
    probes=("user",),
    compared=False,
    source="our own; tau2-bench (Barres et al. 2025, arXiv 2506.07982) also counts errors of the simulated user",
)
def user_keeps_goal(dialogue: ServiceDialogue) -> Iterator[Mark]:
    """Did the simulated user state its goal, all of it and nothing else?

    The states of the simulator (facet `gold`) are compared with the goal, so dialogues with people have no mark. The
    user is not blamed for what it could not say because the conversation ended early or nothing was offered.
    """
    if dialogue.goal and dialogue.facets.get("gold") == "simulator":
        faults = [*contradictions(dialogue), *omissions(dialogue)]
        yield Mark(float(not faults), why="; ".join(faults), group="+".join(sorted(dialogue.goal)))
