"""What a booking needs before it may be made."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from adjudge.suites.service.data import ABSENT, State
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
