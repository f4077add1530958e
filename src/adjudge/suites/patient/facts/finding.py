"""What the rules about facts share: a finding with its reason, the limits, and how values are parted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from msgspec import Struct

from adjudge.core.ask import Relation
from adjudge.suites.patient.fields import SEPARATOR
from adjudge.suites.patient.numbers import NUMBER
from adjudge.suites.patient.topics import phrases, words

# How close a claim is to a value or a part of one, in multiples of the embedder's threshold.
Near = Callable[[str], float]

_NUMBER = re.compile(NUMBER)
# How records say that something is not there, before its name and after it.
_NEGATOR = re.compile(
    r"^(?:(?:the )?(?:patient|pt|he|she)\s+)?(?:also\s+)?"
    r"(?:(?:denies|denied|denying|reports no|no|not|without|negative for|absence of|never had|never|does not have"
    r"|doesn't have)\s+)+"
    r"(?:(?:experiencing|having|had|any|other|history of|recent|known|signs of|symptoms of|evidence of)\s+)*",
    re.IGNORECASE,
)
_NO_AFTER = re.compile(r"\s*:\s*(?:no|none|false|absent|denied|denies|negative)$", re.IGNORECASE)
_YES_AFTER = re.compile(r":\s*(?:yes|true|present)$", re.IGNORECASE)
_OR = re.compile(r",?\s+(?:or|nor)\s+(?:any\s+)?", re.IGNORECASE)
_PIECES = re.compile(r",|\band\b")
_ASIDE = re.compile(r" ?\(([^()]*)\)")


class Finding(Struct, frozen=True):
    """How a claim relates to an item, and the reason; `by_sense` says that only cosines tell."""

    relation: Relation
    why: str = ""
    by_sense: bool = False


OPEN = Finding("neutral")


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When a claim names a part of a value.

    `share` is the weighted share of words in common from which it does, `near` the closeness; below `far` an answer
    about an item with one value tells another value.
    """

    share: float
    near: float
    far: float


def same(right: bool, why: str) -> Finding:
    """Entailed if right, else contradicted."""
    return Finding("entail" if right else "contradict", why)


def listing(some: Iterable[object]) -> str:
    """Things in a row, for a reason."""
    return ", ".join(sorted(f"{one:g}" if isinstance(one, float) else str(one) for one in some))


def parts(value: str) -> list[str]:
    """The single values that an item has."""
    return [part.strip(" .") for part in value.split(SEPARATOR.strip()) if part.strip(" .")]


def pieces(value: str) -> list[str]:
    """The single values and, of those that are enumerations themselves, what they enumerate.

    >>> pieces("fever and chills; cough")
    ['fever and chills', 'cough', 'fever', 'chills']
    """
    found = dict.fromkeys(parts(value))
    for part in parts(value):
        outside = _ASIDE.sub("", part)
        found.update(dict.fromkeys(piece.strip() for piece in _PIECES.split(outside) if piece.strip()))
    return list(found)


def asides(value: str) -> list[str]:
    """What stands in brackets: "latex (itching)"."""
    return _ASIDE.findall(value)


def absent(value: str) -> str:
    """What a value that says what a patient does not have names, without the words that say so.

    >>> absent("Denies fever, chills or cough; no rash; headache: no; nausea: yes")
    'fever, chills, cough; rash; headache'
    """
    named = (
        _NEGATOR.sub("", _OR.sub(", ", _NO_AFTER.sub("", part))) for part in parts(value) if not _YES_AFTER.search(part)
    )
    return SEPARATOR.join(filter(None, named)) or value


def says_nothing(value: str) -> bool:
    """Whether a value says that there is nothing: "none", "denies", "no known allergies".

    >>> says_nothing("No known drug allergies"), says_nothing("penicillin")
    (True, False)
    """
    found = parts(value)
    return bool(found) and all(_nothing().match(part.lower()) for part in found)


@cache
def _nothing() -> re.Pattern[str]:
    return phrases(words()["nothing"]["values"])
