"""Who is alive, as a patient tells it: relatives who died, and relatives who act."""

from __future__ import annotations

import re
from functools import cache

from adjudge.suites.patient.phrases import plain, table

# Somebody may have had two husbands, and a mother in law.
_MY = r"\bmy (?:dear |poor |beloved )?(?P<late>late )?"
_ADVERB = r"(?: (?:always|usually|also|still|often|now|just|already|sadly|unfortunately|only|never))*"


def dead(sentence: str) -> frozenset[str]:
    """The relatives that a sentence says are dead.

    >>> sorted(dead("My late husband liked it, and my mom has died.")), sorted(dead("My husband is dead tired."))
    (['husband', 'mother'], [])
    """
    return _relatives(sentence, "is_dead", late=True)


def alive(sentence: str) -> frozenset[str]:
    """The relatives that a sentence says do what only the living do.

    >>> sorted(alive("My husband cooks for me.")), sorted(alive("My husband cooked for me."))
    (['husband'], [])
    """
    return _relatives(sentence, "is_alive", late=False)


def _relatives(sentence: str, state: str, late: bool) -> frozenset[str]:
    said = plain(sentence)
    if said.endswith("?"):
        return frozenset()
    found = ((names.split("|")[0], match) for names, pattern in _patterns(state) for match in pattern.finditer(said))
    return frozenset(name for name, match in found if bool(match["late"]) <= late and (match["late"] or match["state"]))


@cache
def _patterns(state: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    after = rf"{_ADVERB}\s*(?P<state>{'|'.join(table()[state])})?"
    return tuple(
        (names, re.compile(rf"{_MY}(?:{names})\b(?![- ]in[- ]law){after}")) for names in table()["single_relatives"]
    )
