"""The policy part: what a booking still needs."""

from __future__ import annotations

from msgspec import Struct

from adjudge.suites.service.rules.policy import Policy
from adjudge.suites.service.rules.values import DONTCARE


class Clearance(Struct, frozen=True):
    """Whether a booking may be made, and the slots that it still lacks."""

    domain: str
    lacks: tuple[str, ...] = ()


def clear(domain: str, state: dict[str, str], policy: Policy) -> Clearance:
    """The clearance of a booking in a domain; "I don't care" is no answer to what a booking needs."""
    stated = {slot: value for slot, value in state.items() if value != DONTCARE or slot.endswith("-name")}
    return Clearance(domain, tuple(policy.lacks(domain, stated)))
