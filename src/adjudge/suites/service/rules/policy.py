"""What a booking needs before it may be made."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from msgspec import Struct

from adjudge.suites.service.data import ABSENT, Annotation, ServiceDialogue, State, domain_of
from adjudge.suites.service.rules.tables import LEXICON, read_table

DEFAULT_POLICY = LEXICON / "policy.toml"


class Requirement(Struct, frozen=True, forbid_unknown_fields=True):
    """The slots a booking needs: all of `all` and, where given, one of `any`."""

    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()


class Policy(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """What a booking in each domain needs before it may be made."""

    book: dict[str, Requirement]

    @classmethod
    def load(cls, path: Path) -> Policy:
        """Read a policy file."""
        return read_table(path, cls)

    def lacks(self, domain: str, state: State) -> list[str]:
        """The slots that a booking in the domain still needs; empty where nothing is missing."""
        needed = self.book.get(domain)
        if needed is None:
            return []
        missing = [slot for slot in needed.all if state.get(f"{domain}-{slot}", "") in ABSENT]
        if needed.any and all(state.get(f"{domain}-{slot}", "") in ABSENT for slot in needed.any):
            missing.append(" or ".join(needed.any))
        return missing


NO_POLICY = Policy({})


def policy_for(dialogue: ServiceDialogue, policy: Policy) -> Policy:
    """The policy that a judge is shown: MultiWOZ's only where the dialogue names one of its domains, others always."""
    return policy if policy.book != _multiwoz_book() or _domains_named(dialogue) & set(policy.book) else NO_POLICY


@cache
def _multiwoz_book() -> dict[str, Requirement]:
    return Policy.load(DEFAULT_POLICY).book


def _domains_named(dialogue: ServiceDialogue) -> set[str]:
    """The domains in the services, the goal and the annotations of a dialogue."""
    annotations = [given for turn in dialogue.turns for given in (turn.gold, turn.predicted) if given is not None]
    return {*dialogue.services, *(dialogue.goal or ()), *(name for given in annotations for name in _domains_in(given))}


def _domains_in(given: Annotation) -> Iterable[str]:
    yield from given.domains or ()
    yield from map(domain_of, (*(given.intents or ()), *(given.state or ()), *(given.acts or ())))
