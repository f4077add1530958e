"""The actions of a reply and the action that a turn calls for: search, book, request or inform."""

from __future__ import annotations

import fnmatch
from functools import cached_property, lru_cache
from pathlib import Path

from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.core.memo import once
from adjudge.suites.service.data import Annotation, Exchange, ServiceDialogue, domain_of
from adjudge.suites.service.rules.policy import Policy
from adjudge.suites.service.rules.tables import LEXICON, read_table

DEFAULT_ACTIONS = LEXICON / "actions.toml"

ACTIONS = ("search", "book", "request", "inform")


class Actions(Struct, frozen=True, eq=False, forbid_unknown_fields=True, dict=True):
    """Which dialogue acts amount to which action."""

    actions: dict[str, tuple[str, ...]]

    @classmethod
    def load(cls, path: Path) -> Actions:
        """Read an act-to-action table; it must say what each of the four actions is."""
        table = read_table(path, cls)
        if missing := [name for name in ACTIONS if name not in table.actions]:
            raise BadInput(f"{path}: no acts for {', '.join(missing)}; expected [actions] with {', '.join(ACTIONS)}")
        return table

    def of(self, annotation: Annotation) -> frozenset[str]:
        """The actions of a reply: the one it names, or those its acts amount to."""
        if annotation.action is not None:
            return _alone(action_word(annotation.action))
        return self.of_acts(tuple(annotation.acts)) if annotation.acts else _alone("")

    def of_acts(self, acts: tuple[str, ...]) -> frozenset[str]:
        """The actions that acts amount to. Combinations of acts recur, so results are cached."""
        known = self._by_acts
        actions = known.get(acts)
        if actions is None:
            if len(known) >= 1 << 16:
                known.clear()
            actions = known[acts] = frozenset(
                action
                for action, patterns in self.actions.items()
                if any(_fits(act, pattern) for act in acts for pattern in patterns)
            )
        return actions

    @cached_property
    def _by_acts(self) -> dict[tuple[str, ...], frozenset[str]]:
        return {}


@lru_cache(maxsize=1024)
def action_word(action: str) -> str:
    """The action as the table names it.

    >>> action_word("Book"), action_word("book_hotel"), action_word("request_info")
    ('book', 'book', 'request')
    """
    return action.strip().lower().partition("_")[0]


@once
def expected_actions(dialogue: ServiceDialogue, policy: Policy) -> list[str]:
    """The action that each exchange calls for."""
    return [expected_action(exchange, policy) for exchange in dialogue.exchanges]


def expected_action(exchange: Exchange, policy: Policy) -> str:
    """The action that the gold intents and state of a turn call for: search, book, request or inform.

    Empty where gold has no intent annotation, or only intents that are neither find_x nor book_x. See
    docs/methods/service.md, system correctness.
    """
    gold = exchange.gold
    if gold is None or gold.intents is None:
        return ""
    action = "" if gold.intents else "inform"
    for intent in gold.intents:
        if intent.startswith("book_"):
            return "request" if policy.lacks(domain_of(intent), gold.state or {}) else "book"
        if intent.startswith("find_"):
            action = "search"
    return action


@lru_cache(maxsize=1024)
def _alone(action: str) -> frozenset[str]:
    return frozenset((action,)) if action else frozenset()


@lru_cache(maxsize=4096)
def _fits(act: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(act.lower(), pattern.lower())
