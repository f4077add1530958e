"""Labels on the scale of their metric: a number within it, yes or no, or a word of the metric's bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from adjudge.core.card import Card
from adjudge.core.errors import BadInput, Complaint, listing
from adjudge.core.selection import check_metric
from adjudge.read.labels import Label

ANSWERS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
SHARE = (0.0, 1.0)


def on_scales(labels: Sequence[Label], cards: Mapping[str, Card]) -> list[Label]:
    """The labels as numbers on the metric's scale or as words of its bands; raises BadInput for any other label."""
    for label in labels:
        check_metric(label.metric, cards, label.where)
    read = [_read(label, cards[label.metric]) for label in labels]
    complaints = [item for item in read if isinstance(item, Complaint)]
    known = [item for item in read if isinstance(item, Label)]
    if complaints or (complaints := _mixed_kinds(known)):
        raise BadInput(listing(complaints))
    return known


def steps(card: Card, values: Sequence[float], most: int) -> tuple[float, ...] | None:
    """The steps of the scale that contains all values; None if there are more than `most`.

    If all values are whole numbers on a bounded scale, the steps are all whole numbers of that scale, used or not.
    Otherwise the steps are the values that occur.
    """
    low, high = card.scale
    whole = all(value == int(value) for value in values)
    if whole and low is not None and high is not None and high - low < most and low == int(low):
        return tuple(float(step) for step in range(int(low), int(high) + 1))
    different = tuple(sorted(set(values)))
    return different if len(different) <= most else None


def _read(label: Label, card: Card) -> Label | Complaint:
    if isinstance(label.label, str):
        value = _word(label.label, card)
        return _unread(label, card) if value is None else structs.replace(label, label=value)
    low, high = card.scale
    within = (low is None or label.label >= low) and (high is None or label.label <= high)
    return label if within else _unread(label, card)


def _word(text: str, card: Card) -> str | float | None:
    """The number or the band that a word means on the metric's scale; None for an unknown word."""
    folded = text.casefold()
    if card.scale == SHARE and folded in ANSWERS:
        return ANSWERS[folded]
    return {band.word.casefold(): band.word for band in card.bands}.get(folded)


def _unread(label: Label, card: Card) -> Complaint:
    text = label.label if isinstance(label.label, str) else f"{label.label:g}"
    expected = [f"a number {_range(card)}"]
    if card.scale == SHARE:
        expected.append("yes or no")
    if card.bands:
        expected.append(f"one of {', '.join(dict.fromkeys(band.word for band in card.bands))}")
    return Complaint(label.where, f"found {text!r}; {card.name} expects {', or '.join(expected)}", "label")


def _range(card: Card) -> str:
    low, high = card.scale
    if low is not None and high is not None:
        return f"from {low:g} to {high:g}"
    return f"from {low:g} up" if low is not None else f"up to {high:g}" if high is not None else "of any size"


def _mixed_kinds(labels: Sequence[Label]) -> list[Complaint]:
    """Complaints about metrics that have both numbers and words as labels."""
    first: dict[str, Label] = {}
    for label in labels:
        other = first.setdefault(label.metric, label)
        if isinstance(other.label, str) != isinstance(label.label, str):
            text = f"found {label.label!r}, but {other.label!r} at {other.where}; expected numbers only or words only"
            return [Complaint(label.where, text, "label")]
    return []
