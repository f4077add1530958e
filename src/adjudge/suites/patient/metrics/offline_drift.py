"""Whether the patient stays with what it said before, without a judge: held against what its profile says about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from adjudge.core.ask import Embedder
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


class Told(Struct, frozen=True):
    """What a sentence tells about something that stays as it is: an item, a relative, or how an injury happened.

    `stance` is what it says; two sentences about the same whose stances have nothing in common cannot both be true.
    """

    about: str
    stance: frozenset[str]
    sentence: Sentence


@metric(
    "SelfContra (rules)",
    formula="replies that cannot be true beside an earlier one / replies about something that an earlier one told",
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
    and where no reply comes back to such a fact.
    """
    found: dict[str, list[str]] = {}
    told: dict[str, dict[frozenset[str], Told]] = {}
    for one in _told(visit, readings(visit, embed, thresholds)):
        known = told.setdefault(one.about, {})
        before = [other for other in known.values() if other.sentence.turn != one.sentence.turn]
        if before:
            found.setdefault(one.sentence.turn, []).extend(_clashes(visit, one, before))
        known.setdefault(one.stance, one)
    for reply in visit.replies:
        if reply.turn in found:
            why = next(iter(found[reply.turn]), "nothing against an earlier reply")
            yield Mark(float(found[reply.turn] != []), opening(reply.text), reply.turn, why)


def _told(visit: Consultation, read: Sequence[Reading]) -> Iterator[Told]:
    """What the patient tells that can be held against it later, for each thing in order; nothing without a profile."""
    for reading in read:
        for item, found in reading.findings.items():
            if _stays(visit, item):
                yield Told(item, frozenset({found.relation}), reading.sentence)
    if not read or visit.persona.confused:
        return
    for sentence in (one for reply in visit.replies for one in reply.sentences):
        yield from (Told(relative, frozenset({"dead"}), sentence) for relative in dead(sentence.text))
        yield from (Told(relative, frozenset({"alive"}), sentence) for relative in alive(sentence.text))
    for sentence, claim in claims(visit):
        if causes := account(claim):
            yield Told("how it happened", causes, sentence)


def _clashes(visit: Consultation, later: Told, before: Sequence[Told]) -> Iterator[str]:
    """Why a sentence cannot be true beside earlier ones; a confused patient may get clearer, and anybody correct it."""
    cleared = visit.persona.confused and "entail" in later.stance
    if cleared or _corrects(later.sentence):
        return
    for earlier in before:
        if not earlier.stance & later.stance:
            said = f"{earlier.sentence.text!r} in turn {earlier.sentence.turn} ({later.about})"
            yield f"says {later.sentence.text!r}, having said {said}"


def _stays(visit: Consultation, item: str) -> bool:
    """Whether an item is a fact of life with one value."""
    lasts = group_of(item) == SOCIAL or item in LASTING
    return lasts and SEPARATOR.strip() not in visit.profile[item]


def _corrects(sentence: Sentence) -> bool:
    """Whether a sentence takes something back, or answers a doctor who asked which statement is right."""
    doubted = pattern("asks_which").search(plain(sentence.asked)) is not None
    return doubted or pattern("corrects").search(plain(sentence.text)) is not None
