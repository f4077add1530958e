"""Whether a simulated user did what its goal says."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.simulation import contradictions, omissions


@metric(
    "Kept",
    formula="dialogues in which the user contradicts nothing in its goal and leaves nothing out / simulated dialogues",
    unit="conversation",
    pool="conversations",
    better="higher",
    probes=("user",),
    compared=False,
    source="tau2-bench: up to 30 % of failures were errors of the simulated user",
)
def user_keeps_goal(dialogue: ServiceDialogue) -> Iterator[Mark]:
    """Did the simulated user say what its goal says, and nothing else?

    It looks at the states of the simulator (facet `gold`), so dialogues with people have no mark. A user that the
    conversation did not let finish, and what it could not ask because nothing was offered, are not held against it.
    """
    if dialogue.goal and dialogue.facets.get("gold") == "simulator":
        faults = [*contradictions(dialogue), *omissions(dialogue)]
        yield Mark(float(not faults), why="; ".join(faults), group="+".join(sorted(dialogue.goal)))
