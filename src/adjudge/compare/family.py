"""The family of contrasts that are corrected together: each question counts once, if the data can answer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import structs

from adjudge.compare.contrast import ALPHA, Contrast, Draft, verdict_of, with_sample_sizes
from adjudge.stats.correction import benjamini_hochberg, family_level, holm

Correction = Literal["holm", "bh", "none"]

CORRECTIONS: dict[Correction, Callable[[Sequence[float | None]], Sequence[float | None]]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": list,
}
# The smallest level at which a sample size is computed; below it the power functions lose precision.
SMALLEST_ALPHA = 1e-4


def judge_family(drafts: Sequence[Draft], correction: Correction = "holm") -> list[Contrast]:
    """The contrasts of one family with their corrected p, family interval and verdict.

    A contrast without any difference between its cases is not counted: it cannot be significant, whatever the
    correction (Tarone, Biometrics 46, 1990). Metrics with the same values in both arms ask one question, so they are
    counted once and have the same corrected p.
    """
    first = _first_of_equal_values(drafts)
    counted = [place for place, draft in enumerate(drafts) if first[place] == place and _is_counted(draft.contrast)]
    corrected = CORRECTIONS[correction]([drafts[place].contrast.p for place in counted])
    by_place = dict(zip(counted, corrected, strict=True))
    # Holm's first step divides alpha by the size of the family. Later steps are less strict, so this sample size is
    # enough for them, too.
    alpha = ALPHA if correction == "none" else max(ALPHA / max(len(counted), 1), SMALLEST_ALPHA)
    return [
        _judge(
            structs.replace(draft, contrast=_with_family(draft, drafts[first[place]], len(counted))),
            by_place.get(first[place], draft.contrast.p),
            alpha,
        )
        for place, draft in enumerate(drafts)
    ]


def _is_counted(contrast: Contrast) -> bool:
    return contrast.p is not None and not contrast.identical


def _first_of_equal_values(drafts: Sequence[Draft]) -> list[int]:
    """For each draft the place of the first with the same values; one that the headline counts comes first."""
    firsts: dict[tuple[str, str, str, bytes], int] = {}
    order = sorted(range(len(drafts)), key=lambda place: not drafts[place].contrast.headline)
    for place in order:
        firsts.setdefault(_question(drafts[place]), place)
    return [firsts[_question(draft)] for draft in drafts]


def _question(draft: Draft) -> tuple[str, str, str, bytes]:
    return draft.contrast.group, draft.contrast.a.arm, draft.contrast.b.arm, draft.values


def _with_family(draft: Draft, first: Draft, family: int) -> Contrast:
    if first is draft:
        return structs.replace(draft.contrast, family=family)
    return structs.replace(draft.contrast, family=family, same_as=first.contrast.metric, headline=False)


def _judge(draft: Draft, corrected: float | None, alpha: float) -> Contrast:
    contrast = structs.replace(with_sample_sizes(draft, alpha), p_corrected=corrected)
    if draft.pivot is not None and contrast.p is not None and corrected is not None:
        level = family_level(contrast.p, corrected, ALPHA)
        low, high = draft.pivot.limits(level)
        contrast = structs.replace(contrast, family_level=level, family_low=low, family_high=high)
    return structs.replace(contrast, verdict=verdict_of(contrast))
