"""Who broke it, and when: rules that each name one step of an agent, and a ranked list of what they name.

None of them reads the annotations or the outcome's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.suites.team.lexicon.phrases import assumes
from adjudge.suites.team.rules.calls import ToolUse, tool_uses
from adjudge.suites.team.rules.claims import number_claims, success_claims
from adjudge.suites.team.rules.endings import announced_end
from adjudge.suites.team.rules.parties import agent_steps
from adjudge.suites.team.rules.wording import new_words, telling_words

# A step with fewer words that nobody used before changes nothing.
FEWEST_NEW_WORDS = 3

Rule = Callable[[Conversation], int | None]


class Suspect(Struct, frozen=True):
    """A step that may be the decisive error: who took it, its turn and place, who names it, and their share."""

    agent: str
    turn: str
    place: int
    share: float
    named_by: tuple[str, ...]


def unrecovered_failure(conversation: Conversation) -> int | None:
    """The step that made the first failed call after which the same tool never works."""
    works = {use.name: use.place for use in tool_uses(conversation) if use.failed is False}
    failures = (use for use in tool_uses(conversation) if use.failed and works.get(use.name, -1) < use.place)
    return _first_cause(conversation, failures)


def first_failure(conversation: Conversation) -> int | None:
    """The step that made the first failed call, whether it is put right later or not."""
    return _first_cause(conversation, (use for use in tool_uses(conversation) if use.failed))


def contradiction(conversation: Conversation) -> int | None:
    """The first turn that says something else than a tool gave back."""
    claims = (*success_claims(conversation), *number_claims(conversation))
    return min((claim.place for claim in claims if claim.contradiction), default=None)


def assumption(conversation: Conversation) -> int | None:
    """The first turn after the opening one that says that something is assumed, simulated or a placeholder."""
    return next((place for place, turn in agent_steps(conversation)[1:] if assumes(turn.text)), None)


def first_reply(conversation: Conversation) -> int | None:
    """The second step of an agent: the opening one mostly states the task, and the next one chooses the way."""
    steps = agent_steps(conversation)
    return steps[1][0] if len(steps) > 1 else None


def last_change(conversation: Conversation) -> int | None:
    """The last step before the end is announced that brings at least three informative words that nobody had used."""
    end, new = announced_end(conversation), new_words(conversation)
    stop = end[0] if end else len(new)
    for place, _ in reversed(agent_steps(conversation)):
        if place < stop and len(telling_words(new[place])) >= FEWEST_NEW_WORDS:
            return place
    return None


RULES: tuple[Rule, ...] = (
    unrecovered_failure,
    contradiction,
    last_change,
    first_failure,
    assumption,
    first_reply,
)


def has_failed(conversation: Conversation) -> bool:
    """Whether a conversation is known to have failed: its log says so, or annotators name an error."""
    outcome = conversation.outcome
    return bool(conversation.faults) or (outcome is not None and outcome.reached is False)


@once
def suspects(conversation: Conversation) -> tuple[Suspect, ...]:
    """The steps that rules name in a conversation that failed, those that most rules name first.

    Of steps named as often, the opening one comes last and the others in their order. A share is that of the rules
    that name any step.
    """
    if not has_failed(conversation):
        return ()
    named: dict[int, list[str]] = {}
    for rule in RULES:
        place = rule(conversation)
        if place is not None:
            named.setdefault(place, []).append(rule.__name__)
    return rank_suspects(conversation, named)


def rank_suspects(conversation: Conversation, named: dict[int, list[str]]) -> tuple[Suspect, ...]:
    """Suspects by the places that were named, the most named first."""
    votes = sum(map(len, named.values()))
    opening = agent_steps(conversation)[0][0] if agent_steps(conversation) else -1
    ranked = sorted(named, key=lambda place: (-len(named[place]), place == opening, place))
    turns = conversation.turns
    return tuple(
        Suspect(turns[place].speaker, turns[place].id, place, len(named[place]) / votes, tuple(named[place]))
        for place in ranked
    )


def ranked_agents(ranking: Iterable[Suspect]) -> list[str]:
    """Agents by the sum of their shares, highest first; of equal ones the one named first in the ranking."""
    shares: dict[str, float] = {}
    for suspect in ranking:
        shares[suspect.agent] = shares.get(suspect.agent, 0.0) + suspect.share
    return sorted(shares, key=lambda agent: -round(shares[agent], 9))


def _first_cause(conversation: Conversation, failures: Iterable[ToolUse]) -> int | None:
    """The place of the step behind the first failure: the call, or where there is none, the step before the result."""
    use = next(iter(failures), None)
    if use is None:
        return None
    if use.call is not None:
        return use.place
    before = [place for place, _ in agent_steps(conversation) if place < use.place]
    return before[-1] if before else None
