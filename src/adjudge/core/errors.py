"""What is wrong with an input, said so that its owner can mend it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from msgspec import Struct

SHOWN = 20


class Complaint(Struct, frozen=True):
    """One fault: where it is, in which field, and what was found and expected there."""

    where: str
    text: str
    field: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.where, self.field, self.text) if part)


class BadInput(Exception):  # noqa: N818 - reads as the sentence a user sees
    """The input cannot be used; the message says where, what was found, what was expected, what to do."""


class BadRecord(BadInput):
    """One record cannot be used; others may."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(str(complaint))
        self.complaint = complaint


def bad_record(where: str, text: str, field: str = "") -> BadRecord:
    """The exception for one fault."""
    return BadRecord(Complaint(where, text, field))


def listing(complaints: Iterable[Complaint]) -> str:
    """The first twenty complaints a line each, then how many more there are."""
    lines = [str(complaint) for complaint in complaints]
    rest = len(lines) - SHOWN
    return "\n".join(lines[:SHOWN] + ([f"... and {rest} more"] if rest > 0 else []))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the name that was probably meant, empty where none is close.

    >>> did_you_mean("jgacc", ["joint_goal_accuracy", "inform"]), did_you_mean("infrom", ["inform"])
    ('', "; did you mean 'inform'?")
    """
    close = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


class Warnings:
    """Things accepted with a remark: counted by kind, each kind shown with its first example."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.examples: dict[str, str] = {}

    def add(self, kind: str, example: str) -> None:
        """Count one more of a kind; the first example is kept."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.examples.setdefault(kind, example)

    def lines(self) -> list[str]:
        """A sentence per kind."""
        return [
            self.examples[kind] + (f" (and {count - 1} more like it)" if count > 1 else "")
            for kind, count in self.counts.items()
        ]
