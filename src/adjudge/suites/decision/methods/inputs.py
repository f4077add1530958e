"""The arguments of the methods as checked arrays of numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def numbers(given: npt.ArrayLike, name: str) -> Floats:
    """The argument as an array; `name` is its name in the error message."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise ValueError(f"{name}: expected numbers, in rows of one length; {problem}") from None


def shares(weights: npt.ArrayLike, count: int, things: str) -> Floats:
    """The weights divided by their sum; `count` weights are expected, one for each of the `things`."""
    given = numbers(weights, "weights")
    if given.shape != (count,):
        raise ValueError(f"weights: found shape {given.shape}, expected ({count},): one for each of the {things}")
    bad = np.flatnonzero(~(np.isfinite(given) & (given >= 0)))
    if bad.size:
        raise ValueError(f"weights[{bad[0]}]: found {given[bad[0]]}, expected a finite number of 0 or more")
    if not given.any():
        raise ValueError(f"weights: found a sum of 0 over {count} {things}, expected at least one weight above 0")
    # Divide by the largest first: the sum of very large weights would overflow.
    relative = given / given.max()
    normalised: Floats = relative / relative.sum()
    return normalised
