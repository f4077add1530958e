"""Whether two texts speak of the same thing: words in common, by their weight, and cosines."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from msgspec import Struct

from adjudge.suites.patient.facts.finding import Limits, Near
from adjudge.suites.patient.topics import taken_apart, termed, words
from adjudge.tools.statement import Statement

# Weights are counted in thirds, so that sums do not depend on their order.
FULL, WEAK = 3, 1
_LEAST = 2


class Matcher(Struct, frozen=True):
    """Tells whether a claim names a part of a value."""

    near: Near
    limits: Limits

    def close(self, part: str, limit: float | None = None) -> bool:
        """Whether the claim is close to the part in meaning; `limit` stands for the one that is searched for."""
        return self.near(part) >= (self.limits.near if limit is None else limit)

    def far(self, part: str) -> bool:
        """Whether the claim has nothing to do with the part."""
        return self.near(part) < self.limits.far

    def shares(self, some: frozenset[str], other: frozenset[str]) -> bool:
        """Whether most of one is in the other, by weight; never where they name different places of the body."""
        common = some & other
        if other == common and other & alone():
            return True
        if some & sites() and other & sites() and not common & sites():
            return False
        if common <= sites() and names_more(other):
            return False
        smaller = min(heft(some), heft(other))
        return heft(common) >= max(self.limits.share * smaller, _LEAST)


def names_more(part: frozenset[str]) -> bool:
    """Whether a part names a finding beside a place of the body; pain is at every place that is complained of."""
    beside = part - sites()
    return heft(beside) >= FULL or bool(beside & alone() - Statement.of("pain").words)


def heft(some: Iterable[str]) -> int:
    """How much words say, in thirds of a full word."""
    weak, nothing = _weights()
    return sum(0 if word in nothing else WEAK if word in weak else FULL for word in some)


@lru_cache(maxsize=10_000)
def part_of(value: str) -> Statement:
    """A part of a value, taken apart."""
    return taken_apart(termed(value))


@lru_cache(maxsize=10_000)
def called(text: str) -> frozenset[str]:
    """The medicines that are called as something in the text is: "water pill", "blood thinner"."""
    names = [name for calls, some in words()["classes"].items() if calls in text for name in some]
    return Statement.of(" ".join(map(termed, names))).words


@cache
def alone() -> frozenset[str]:
    """Words that say little beside others and are findings by themselves."""
    return Statement.of(" ".join(words()["weak"]["alone"])).words


@cache
def sites() -> frozenset[str]:
    """The words for places of the body."""
    return Statement.of(" ".join(words()["sites"]["words"])).words


@cache
def _weights() -> tuple[frozenset[str], frozenset[str]]:
    weak = words()["weak"]
    return Statement.of(" ".join(weak["third"])).words, Statement.of(" ".join(weak["nothing"])).words
