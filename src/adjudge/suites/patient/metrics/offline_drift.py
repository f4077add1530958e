"""Whether the patient stays with what it said before, without a judge: held against what its profile says about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from msgspec import Struct

from adjudge.core.ask import Embedder, Relation
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.causes import account
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.fields import SEPARATOR, SOCIAL, group_of
from adjudge.suites.patient.offline import Reading, claims, quality, readings
from adjudge.suites.patient.persons import alive, dead
from adjudge.suites.patient.phrases import pattern, plain
from adjudge.suites.patient.speech import opening

# Facts of life stay the same during a visit and can be told apart; complaints come and go, and two sentences about
# one are seldom about the same of it.
LASTING = ("arrival_transport",)
OPPOSITE: Mapping[Relation, Relation] = {"entail": "contradict", "contradict": "entail"}


class Clash(Struct, frozen=True):
    """Two sentences that cannot both be true, and what they are about: an item, a relative, or how it happened."""

    about: str
    earlier: Sentence
    later: Sentence

    @property
    def why(self) -> str:
        """What was said, against what."""
        return f"says {self.later.text!r}, having said {self.earlier.text!r} in turn {self.earlier.turn} ({self.about})"


@metric(
    "SelfContra (rules)",
    formula="replies after the first that cannot be true beside an earlier one / replies after the first",
    unit="reply",
    better="lower",
    probes=("drift",),
    predicts=("a conversation", "a profile"),
    source="our own",
    departs=quality(),
)
def self_contradiction_offline(visit: Consultation, embed: Embedder, thresholds: Mapping[str, float]) -> Iterator[Mark]:
    """Does the patient contradict what it said before about an item of its profile, as far as rules and cosines see?

    Where an item supports one of two sentences and contradicts the other, not both can be true; nor can a relative
    be dead and act, nor one injury come from a ladder and from football. Of items only facts of life count (age,
    family, work, habits, how the patient came): complaints come and go. Items with several values are left out, since
    the sentences may be about different ones. A patient that corrects itself, or gets clearer after it was confused,
    contradicts nothing. What the profile does not hold is for the judged metric to find. Undefined without a profile,
    and where the patient tells nothing or replies only once.
    """
    read = readings(visit, embed, thresholds)
    clashes = {clash.later.turn: clash for clash in (*_risen(visit), *_retold(visit), *_opposed(visit, read))}
    for reply in visit.replies[1:] if read else ():
        clash = clashes.get(reply.turn)
        why = clash.why if clash else "nothing against an earlier reply"
        yield Mark(float(clash is not None), opening(reply.text), reply.turn, why)


def _opposed(visit: Consultation, read: Sequence[Reading]) -> Iterator[Clash]:
    """Every sentence with the first of an earlier reply that an item sets against it."""
    first: dict[tuple[str, Relation], Sentence] = {}
    for reading in read:
        later = reading.sentence
        for item, found in reading.findings.items():
            earlier = first.get((item, OPPOSITE[found.relation]))
            cleared = visit.persona.confused and found.relation == "entail"
            if _before(earlier, later) and not cleared and _stays(visit, item) and not _corrects(later):
                yield Clash(item, earlier, later)
            first.setdefault((item, found.relation), later)


def _risen(visit: Consultation) -> Iterator[Clash]:
    """Every sentence about a relative with the first of an earlier reply that has the relative dead, or alive."""
    died: dict[str, Sentence] = {}
    acted: dict[str, Sentence] = {}
    said = [one for reply in visit.replies for one in reply.sentences] if not visit.persona.confused else []
    for later in said:
        gone, there = dead(later.text), alive(later.text)
        for relative, earlier in [(one, acted.get(one)) for one in gone] + [(one, died.get(one)) for one in there]:
            if _before(earlier, later) and not _corrects(later):
                yield Clash(relative, earlier, later)
        died |= {one: later for one in gone if one not in died}
        acted |= {one: later for one in there if one not in acted}


def _retold(visit: Consultation) -> Iterator[Clash]:
    """Every account of an injury with the first of an earlier reply that gives another cause for it."""
    told: list[tuple[frozenset[str], Sentence]] = []
    for later, claim in claims(visit) if not visit.persona.confused else ():
        causes = account(claim)
        earlier = next((sentence for others, sentence in told if causes and not causes & others), None)
        if _before(earlier, later) and not _corrects(later):
            yield Clash("how it happened", earlier, later)
        if causes:
            told.append((causes, later))


def _before(earlier: Sentence | None, later: Sentence) -> TypeGuard[Sentence]:
    """Whether the one sentence stands in a reply before that of the other."""
    return earlier is not None and earlier.turn != later.turn


def _stays(visit: Consultation, item: str) -> bool:
    """Whether an item is a fact of life with one value."""
    lasts = group_of(item) == SOCIAL or item in LASTING
    return lasts and SEPARATOR.strip() not in visit.profile[item]


def _corrects(sentence: Sentence) -> bool:
    """Whether a sentence takes something back, or answers a doctor who asked which statement is right."""
    doubted = pattern("asks_which").search(plain(sentence.asked)) is not None
    return doubted or pattern("corrects").search(plain(sentence.text)) is not None
