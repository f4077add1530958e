"""The value of each conversation, which the tables of a run leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Values(Protocol):
    """The values of all conversations by metric and arm."""

    def get(self, key: tuple[str, str], default: Sequence[float], /) -> Sequence[float]:
        """The values of a metric and an arm."""
