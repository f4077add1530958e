"""Canaries: questions with a known answer, which show whether a judge works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudge.core.ask import Question


@dataclass(frozen=True)
class Canary:
    """A question to the judge, a test of the answer, and the expected answer in words."""

    name: str
    question: Question[Any]
    passes: Callable[[Any], bool]
    expected: str
