"""Which test and which interval: one default for each shape of data, chosen by what `tests/compare` measures.

| data | test | interval |
|---|---|---|
| paired, one 0/1 mark a case | McNemar, exact | Tango |
| paired, bounded scale | permutation, held to the interval | square-and-add on logits |
| paired, open scale | permutation, held to the interval | cluster t |
| unpaired, one 0/1 mark a case | Fisher, exact | Newcombe |
| unpaired, bounded scale | Welch's t, shuffled, held to the interval | square-and-add on logits |
| unpaired, open scale | Welch's t, shuffled, held to the interval | Welch |

Means over marks and means over conversations take the same methods: the second are the first with weights of 1.

Held to the interval: p is the larger of the permutation's and the level at which the interval stops holding 0, so it
is right if either is. A permutation test asks whether arms are interchangeable. Where one arm errs a little in all
cases and the other fails a few cases altogether they are not, though their means may be equal, and the permutation
alone then finds a difference in up to 26 of 100 data sets, unpaired in 36. The interval alone errs where cases are of
very unequal length, which the permutation does not mind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import exp, log

from msgspec import Struct
from msgspec.structs import replace

from adjudge.stats.cases import Paired, Undefined, Unpaired
from adjudge.stats.difference import LEVEL, Interval, cluster_t, newcombe, square_and_add, tango
from adjudge.stats.difference import welch as welch_interval
from adjudge.stats.permutation import PERMUTATIONS, permutation, shuffled_welch
from adjudge.stats.tests import Test, fisher, mcnemar, undefined

Scale = tuple[float | None, float | None]

# The smallest p that drawn permutations can give, and the smallest that is told at all.
FLOOR = 1 / (PERMUTATIONS + 1)
SMALLEST = 1e-12


class Methods(Struct, frozen=True, eq=False):
    """The test, to be called with a seed, and the interval, to be called with a level; each names itself."""

    test: Callable[[int], Test]
    interval: Callable[[float], Interval]


def default(data: Paired | Unpaired, scale: Scale) -> Methods:
    """The test and the interval for data of this shape, on a scale of which None is an open end.

    >>> from adjudge.stats.cases import Arm
    >>> methods = default(Paired.of(Arm.over_marks([3, 5], [4, 5]), Arm.over_marks([2, 5], [4, 5])), (0.0, 1.0))
    >>> methods.test(0).method, methods.interval(0.95).method
    ('permutation, all 2', 'square-and-add on logits')
    """
    return _paired(data, scale) if isinstance(data, Paired) else _unpaired(data, scale)


def default_test(data: Paired | Unpaired, scale: Scale, seed: int = 0) -> Test:
    """The default test of no difference."""
    return default(data, scale).test(seed)


def default_interval(data: Paired | Unpaired, scale: Scale, level: float = LEVEL) -> Interval:
    """The default interval of the difference; at level 0.90 it answers `equivalence.within`."""
    return default(data, scale).interval(level)


def _paired(data: Paired, scale: Scale) -> Methods:
    if _binary(data, scale):
        return Methods(lambda seed: _mcnemar(data), partial(tango, data))
    interval = _on_bounds(data, scale) or partial(cluster_t, data)
    return Methods(_held(data, partial(permutation, data), interval), interval)


def _unpaired(data: Unpaired, scale: Scale) -> Methods:
    if _binary(data, scale):
        return Methods(lambda seed: fisher(data), partial(newcombe, data))
    interval = _on_bounds(data, scale) or partial(welch_interval, data)
    return Methods(_held(data, partial(shuffled_welch, data), interval), interval)


def _held(
    data: Paired | Unpaired, test: Callable[[int], Test], interval: Callable[[float], Interval]
) -> Callable[[int], Test]:
    """The test with a p no smaller than its interval allows."""
    estimate = data.estimate()
    if isinstance(estimate, Undefined) or not estimate.error:
        # Without spread an interval is the widest that can be thought of, no measurement to hold a test to.
        return test

    def held(seed: int) -> Test:
        found = test(seed)
        if found.p is None:
            return found
        if not _holds_zero(interval(1 - found.p)):
            # No draw came near: how small p is, draws cannot tell, and many contrasts together need to know.
            return replace(found, p=_tail(interval)) if found.p <= FLOOR else found
        return replace(found, p=_last_level(interval, found.p), method=f"{found.method}, held to the interval")

    return held


def _tail(interval: Callable[[float], Interval]) -> float:
    """The largest p below what draws can show whose interval still holds 0, by halving its logarithm."""
    low, high = log(SMALLEST), log(FLOOR)
    for _ in range(32):
        middle = (low + high) / 2
        low, high = (middle, high) if _holds_zero(interval(1 - exp(middle))) else (low, middle)
    return exp(high)


def _last_level(interval: Callable[[float], Interval], p: float) -> float:
    """The largest p whose interval still holds 0, by halving; it does so at the given one."""
    low, high = p, 1.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if _holds_zero(interval(1 - middle)) else (low, middle)
    return high


def _holds_zero(found: Interval) -> bool:
    return found.low is not None and found.high is not None and found.low <= 0 <= found.high


def _on_bounds(data: Paired | Unpaired, scale: Scale) -> Callable[[float], Interval] | None:
    low, high = scale
    return None if low is None or high is None else partial(square_and_add, data, (low, high))


def _binary(data: Paired | Unpaired, scale: Scale) -> bool:
    return scale == (0.0, 1.0) and data.a.binary and data.b.binary


def _mcnemar(data: Paired) -> Test:
    if data.n < 2:
        return undefined(Undefined(data.n, f"needs at least 2 shared cases, found {data.n}"), "mcnemar exact")
    return mcnemar(data.gained, data.lost)
