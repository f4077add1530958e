"""Arms derived from a group's assessments: its average, best, majority and random member."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator

import msgspec
from msgspec import structs

from adjudge.suites.decision.data import ROUNDING, Assessment, Decision
from adjudge.suites.decision.rules.beliefs import mean_confidence
from adjudge.suites.decision.rules.preferences import equal_shares, leaders, votes
from adjudge.suites.decision.rules.satisfaction import expected_quality

NAMES = ("average", "best", "majority", "random")
FEW = ("average", "best")
# The arm whose members stand for those of other arms that say the same.
GROUP = "group"


def baselines(decision: Decision, names: Collection[str] = NAMES) -> Iterator[Decision]:
    """The decisions of a group's members without the group, each as an arm of its own: `group/average` and so on.

    Each member's preference in the first round counts. The average member is a lottery over the members' preferences,
    so its values are the means over the members. The best member has the highest quality or, where quality is unknown,
    is right; it is known only with hindsight. The majority is the alternative with most votes; a tie is shared equally.
    The random member is drawn once per case, arm and trial, and is the same in every run. See docs/methods/decision.md.
    """
    members = [assessment for assessment in decision.first if assessment.choices]
    if len(decision.agents) < 2 or not members:
        return
    for name, (shares, behind) in _derived_shares(decision, members).items():
        if name in names:
            yield _baseline(decision, name, shares, behind)


def _derived_shares(
    decision: Decision, members: list[Assessment]
) -> dict[str, tuple[dict[str, float], list[Assessment]]]:
    """What each derived arm decides, and whose assessments are behind it."""
    counts = votes(members)
    derived = {"average": ({name: count / len(members) for name, count in counts.items()}, members)}
    if best := _best(decision, members):
        derived["best"] = equal_shares(best.choices), [best]
    derived["majority"] = equal_shares(leaders(counts)), []
    drawn = members[_pseudo_random(decision) % len(members)]
    derived["random"] = equal_shares(drawn.choices), [drawn]
    return derived


class Members:
    """Which arm stands for members who say the same in the first round of several arms of a case and trial.

    It is the arm called `group` where that is among them, else the first one.
    """

    def __init__(self) -> None:
        self._arms: dict[tuple[str, int, bytes], str] = {}

    def add(self, decision: Decision) -> None:
        """Look at one decision."""
        if decision.arm == GROUP:
            self._arms[_members(decision)] = GROUP
        self._arms.setdefault(_members(decision), decision.arm)

    def are_of(self, decision: Decision) -> bool:
        """Whether the members of this decision are derived from its own arm."""
        return self._arms.get(_members(decision), decision.arm) == decision.arm


def _members(decision: Decision) -> tuple[str, int, bytes]:
    digest = hashlib.sha256(msgspec.json.encode(decision.first)).digest()
    return decision.key.case, decision.trial, digest


def is_derived(arm: str) -> bool:
    """Whether an arm was derived from a group's members.

    >>> is_derived("group/best"), is_derived("openai/gpt-4.1"), is_derived("best")
    (True, False, False)
    """
    group, _, name = arm.rpartition("/")
    return bool(group) and name in NAMES


def _baseline(decision: Decision, name: str, shares: dict[str, float], members: list[Assessment]) -> Decision:
    sole = next(iter(shares)) if len(shares) == 1 else None
    single = members if len(members) == 1 else []
    return structs.replace(
        decision,
        id=f"{decision.id}/{name}",
        case=decision.key.case,
        arm=f"{decision.arm}/{name}",
        recommended=sole,
        lottery=shares if sole is None else {},
        assessments=tuple(structs.replace(member, round=0) for member in single),
        confidence=mean_confidence(single),
        participants=(),
        turns=(),
        log=(),
        effort=None,
        stated=None,
    )


def _best(decision: Decision, members: list[Assessment]) -> Assessment | None:
    """The member with the best preference; the first one among equals."""
    known = {
        assessment.agent: expected_quality(decision.scenario, equal_shares(assessment.choices))
        for assessment in members
    }
    values = {agent: value for agent, value in known.items() if value is not None}
    if not values and decision.truth is not None:
        values = {assessment.agent: equal_shares(assessment.choices).get(decision.truth, 0.0) for assessment in members}
    if not values:
        return None
    most = max(values.values())
    return next(assessment for assessment in members if values.get(assessment.agent, -1.0) >= most - ROUNDING)


def _pseudo_random(decision: Decision) -> int:
    """A pseudo-random number that depends only on the case, the arm and the trial."""
    return int.from_bytes(hashlib.sha256(str(decision.key).encode()).digest()[:8])
