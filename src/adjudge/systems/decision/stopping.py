"""When a deliberation is over."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.core.errors import BadInput
from adjudge.core.suite import Options

# A deliberation ends after this many rounds, or at this consensus once something was exchanged (docs/decisions/0043).
ROUNDS = 4
CONSENSUS = 0.75


@dataclass(frozen=True)
class Stopping:
    """The most rounds, and the consensus at which experts who have heard each other stop earlier."""

    rounds: int = ROUNDS
    consensus: float = CONSENSUS

    @classmethod
    def of(cls, options: Options) -> Stopping:
        """What the options say; raises BadInput where they say no number in range."""
        return cls(_rounds(options.get("rounds") or str(ROUNDS)), _share(options.get("consensus") or str(CONSENSUS)))


def _rounds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text):
        raise BadInput(f"--rounds: found {text!r}; expected a whole number from 1")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise BadInput(f"--consensus: found {text!r}; expected a number from 0 to 1")
    return share
