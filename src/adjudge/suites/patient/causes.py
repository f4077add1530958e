"""How an injury came about, as a patient or a record tells it."""

from __future__ import annotations

import re
from functools import lru_cache

from adjudge.suites.patient.phrases import pattern
from adjudge.suites.patient.topics import Claim, named_in, plain

# What happens to somebody who gets hurt; without it a ladder is only a ladder.
_EVENT = re.compile(
    r"\b(?:fell|fall(?:en|ing)?|slip(?:ped|ping)?|trip(?:ped|ping)?|land(?:ed|ing)|crash(?:ed|ing)?|collid\w+"
    r"|collision|accident|twist(?:ed|ing)|rolled|rolling|sprain\w*|broke|broken|fractur\w+|injur\w+|tackled?"
    r"|thrown off|knocked|struck|hit|bang(?:ed|ing)|bump(?:ed|ing)|smash(?:ed|ing)|jam(?:med|ming)|caught|cut|cutting"
    r"|burn(?:ed|t|ing)?|scald\w*|spill(?:ed|ing)?|spilt|bit|bite|bitten|kicked|punch(?:ed|ing)|attacked|mugged"
    r"|lift(?:ed|ing)|pull(?:ed|ing)|strain(?:ed|ing)?|came off|went over|happened|hurt (?:it|my|him|her)\w*)\b"
)
_ASKS_HOW = re.compile(
    r"\bwhat (?:exactly )?happened\b|\bhow (?:exactly )?(?:did|you|it|this|that)\b[^?]*"
    r"\b(?:happen|happened|hurt|fall|fell|break|broke|burn|burned|cut|injure|injured|do (?:it|that|this))\b"
    r"|\bwhat were you doing\b|\bdid you (?:fall|hit|injure|hurt)\b"
)
_TO_ME = re.compile(r"\b(?:hit|knocked|bit|kicked|struck|attacked|threw|pushed|punched|scratched|ran into) (?:me|my)\b")
# What somebody compares a pain with, or what was going on at another time.
_NOT_SO = re.compile(r"\b(?:like|as if|as though|never|not|without|nearly|almost|used to|always|usually)\b|n't\b")


def account(claim: Claim) -> frozenset[str]:
    """The causes that a claim gives for an injury of the patient; none where it tells of none."""
    told = _EVENT.search(claim.raw) is not None or (claim.leans and _ASKS_HOW.search(plain(claim.asked)) is not None)
    mine = claim.of_self or _TO_ME.search(claim.raw) is not None
    if not told or not mine or claim.raw.endswith("?") or _NOT_SO.search(claim.raw):
        return frozenset()
    return frozenset() if pattern("history").search(claim.raw) else _named(claim.raw)


@lru_cache(maxsize=10_000)
def recorded(part: str) -> frozenset[str]:
    """The causes that a part of a record gives for an injury.

    >>> sorted(recorded("ankle pain after twisting it in a football match")), sorted(recorded("pain on the stairs"))
    (['sport'], [])
    """
    said = plain(part)
    return _named(said) if _EVENT.search(said) else frozenset()


def _named(said: str) -> frozenset[str]:
    return frozenset(cause for cause, named in named_in("causes").items() if named.search(said))
