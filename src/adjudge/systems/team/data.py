"""Scenarios: what a user wants, how they say it, and what must hold."""

from __future__ import annotations

from msgspec import field

from adjudge.core.play import Case

# A scripted turn that the simulated user words.
SIMULATED = "..."


class ScenarioCase(Case, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A situation in which agents are tested.

    `goal` is what the user wants, `situation` what they know, `persona` how they talk. `script` are user turns in
    order; "..." is one that the simulated user words. A user by rule tells the goal in `wordings`, one a turn, and
    gives the `answers` to questions: the first whose words stand in the agent's reply. The conversation is over when
    nothing is left to say, or an agent says `until`. `agents` are the participants under test, who speak in this order.

    `calls` names tools that must be called and `never_calls` those that must not; `tools` all that there are. `says`
    and `never_says` are texts that an agent must say, or must not; upper and lower case are the same. These are checked
    by rule. `must` and `must_not` are criteria in words, for a judge.
    """

    goal: str = ""
    situation: str = ""
    persona: str = ""
    script: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()
    answers: dict[str, str] = field(default_factory=dict)
    until: str = ""
    agents: tuple[str, ...] = ("agent",)
    tools: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    never_calls: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    never_says: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()


# An agent knows nothing of its scenario but who else takes part.
_OPEN = ("id", "facets", "credentialed", "agents")
HIDDEN = tuple(name for name in ScenarioCase.__struct_fields__ if name not in _OPEN)
