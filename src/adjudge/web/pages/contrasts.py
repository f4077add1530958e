"""What the comparison of two arms says about each metric."""

from __future__ import annotations

from msgspec import Struct

from adjudge.compare.comparison import Comparison, ComparisonRequest, compare
from adjudge.compare.contrast import Contrast
from adjudge.compare.sheet import Sheet
from adjudge.core.errors import BadInput
from adjudge.report.comparison import words
from adjudge.report.words import signed_figure
from adjudge.run import Run
from adjudge.web.memory import remember
from adjudge.web.opened import OpenRun

# Larger runs are compared with `adjudge compare`: a page should not take minutes.
LARGEST = 10_000


class Verdict(Struct, frozen=True):
    """The difference of two arms in one metric, the word for it, and the whole sentence."""

    difference: str
    word: str
    kind: str


def contrasts_of(run: OpenRun) -> dict[str, Verdict]:
    """The verdict on the second arm against the first for each metric of the primary family; none for other runs."""
    if len(run.arms) != 2 or run.entry.status != "complete" or run.records > LARGEST:
        return {}
    comparison = remember(run, "contrasts", lambda: _compare(run))
    return {contrast.metric: verdict_of(contrast) for contrast in comparison.contrasts} if comparison else {}


def verdict_of(contrast: Contrast) -> Verdict:
    """A contrast in a few words."""
    return Verdict(signed_figure(contrast.difference).replace("-", "−"), words.verdict_text(contrast), contrast.verdict)


def _compare(run: OpenRun) -> Comparison | None:
    try:
        sheet = Sheet([Run(run.entry.folder)])
        return compare(sheet, ComparisonRequest(arms=tuple(run.arms)))
    except (BadInput, ValueError):
        return None
