"""What somebody works as, by titles, by what one does in a job, and by where one does it."""

from __future__ import annotations

import re
from functools import lru_cache

from adjudge.suites.patient.facts.finding import OPEN, Finding, listing
from adjudge.suites.patient.topics import Claim, asks_for, named_in, plain

_OWN = re.compile(
    r"(?:and |so |well |yes,? |yeah,? |no,? )*(?:i|i'm|i've|i'd|we|we're|my (?:job|work|shift|profession|trade))\b"
)
_BEING = re.compile(
    r"\b(?:i'm|i am|i was|i work as|i worked as|i've been|i have been) (?:still )?(?:a|an|the)\b"
    r"|\bi (?:work|worked|drive|teach|run)\b|\bmy (?:job|work|profession|trade)\b"
)
WHICH = re.compile(
    r"\b(?:what|which|where|(?:kind|sort|type|line) of|tell me about)\b[^?]*"
    r"\b(?:work|job|living|occupation|profession)\b"
    r"|\bwhat (?:do|did) you do(?: for (?:a living|work)| now| before| exactly|,| at| as)?\s*(?:\?|$)"
    r"|\b(?:your|you an?|you still) (?:job|occupation|profession|working as)\b"
)
_NO_JOB = re.compile(r"\b(?:like|as if|my (?:wife|husband|son|daughter|brother|sister|father|mother))\b")


def work(claim: Claim, value: str) -> Finding:
    """How a claim relates to an occupation by the jobs that both name.

    Another job contradicts where one was asked for or is told as one's own.
    """
    said, true = _said(claim), jobs(plain(value))
    denied = any(clause.denies and jobs(clause.text) for clause in claim.clauses)
    if not said or not true or denied:
        return OPEN
    why = f"{listing(said)} against {value}"
    if said & true:
        return Finding("entail", why)
    direct = _BEING.search(claim.raw) is not None or WHICH.search(plain(claim.asked)) is not None
    return Finding("contradict", why) if direct else OPEN


def _said(claim: Claim) -> frozenset[str]:
    """The jobs that a claim gives as the patient's own."""
    asked = asks_for(claim.asked, "occupation")
    own = _OWN.match(claim.raw) is not None or (asked and claim.leans)
    return jobs(claim.raw) if own and not _NO_JOB.search(claim.raw) else frozenset()


@lru_cache(maxsize=10_000)
def jobs(text: str) -> frozenset[str]:
    """The kinds of jobs that a text in small letters names.

    >>> sorted(jobs("i fix cars all day")), sorted(jobs("retired car mechanic"))
    (['mechanic'], ['mechanic'])
    """
    return frozenset(name for name, named in named_in("jobs").items() if named.search(text))
