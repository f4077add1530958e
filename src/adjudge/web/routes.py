"""The pages beside those of runs and conversations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.routing import Route


def more_routes(page: Callable[[Any], Any]) -> list[Route]:
    """The routes of differences, labels and reports."""
    return []
