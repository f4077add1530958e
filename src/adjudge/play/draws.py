"""Random numbers that depend on what is drawn for, and never on the order in which conversations are played."""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple

import msgspec


class Draw(NamedTuple):
    """What random numbers are drawn for; `arm` is empty for participants who are the same in all arms."""

    seed: int
    case: str
    trial: int
    arm: str
    participant: str
    turn: int


def generator(draw: Draw) -> random.Random:
    """A generator seeded by the SHA-256 of what it draws for.

    >>> first = Draw(7, "c1", 0, "", "user", 3)
    >>> generator(first).random() == generator(first).random()
    True
    >>> generator(first).random() == generator(first._replace(trial=1)).random()
    False
    """
    return random.Random(hashlib.sha256(msgspec.json.encode(draw)).digest())
