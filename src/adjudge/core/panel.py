"""Panels: several judges, or several answers of one judge, to the same question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import structs

from adjudge.core.ask import Answerer, Question

Combine = Literal["mean", "majority"]

# How the name of a judge that is a file of labels begins. The people who gave the labels are named as raters.
LABEL_FILE = "labels ("


@dataclass(frozen=True)
class PanelMember:
    """One member of a panel: the tool to ask, and the number of its answer (draw) to each question."""

    answerer: Answerer
    draw: int = 0

    def own(self, question: Question[Any]) -> Question[Any]:
        """The question for this member's draw."""
        return structs.replace(question, draw=self.draw) if self.draw else question


@dataclass(frozen=True)
class Panel:
    """A tool of several members that get the same questions; their scores are combined mark by mark.

    Members with different draws may share one answerer.
    """

    members: Mapping[str, PanelMember]
    combine: Combine = "mean"
