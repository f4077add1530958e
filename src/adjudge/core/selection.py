"""Metrics chosen by name among the cards of a run or a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.core.card import Card
from adjudge.core.errors import BadInput, did_you_mean

# The name that stands for all metrics.
ALL = "all"


def primary_family(cards: Mapping[str, Card]) -> list[str]:
    """The names of the primary metrics; of all but the variants where none is primary, as in older runs."""
    primary = [name for name, card in cards.items() if card.primary]
    return primary or [name for name, card in cards.items() if not card.variant]


def chosen_metrics(names: Sequence[str], cards: Mapping[str, Card], where: str = "--metrics") -> list[str]:
    """The named metrics, each once; all of them for "all". Raises BadInput for a name that is not among the cards.

    >>> chosen_metrics([], {})
    []
    """
    if ALL in names:
        return list(cards)
    for name in names:
        check_metric(name, cards, where)
    return list(dict.fromkeys(names))


def check_metric(name: str, cards: Mapping[str, Card], where: str) -> None:
    """Raise BadInput if there is no metric of this name; `where` is the place that names it."""
    if name not in cards:
        hint = did_you_mean(name, cards)
        raise BadInput(f"{where}: no metric {name!r} in the run{hint} (there are: {', '.join(cards)})")
