"""Canaries: questions with a known answer that ride along to see whether a judge can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudge.core.ask import Question


@dataclass(frozen=True)
class Canary:
    """A question to the judge and what a sound answer to it looks like."""

    name: str
    question: Question[Any]
    passes: Callable[[Any], bool]
    expected: str
