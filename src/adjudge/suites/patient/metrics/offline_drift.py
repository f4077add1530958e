"""Whether the patient stays with what it said before, without a judge: held against what its profile says about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from adjudge.core.ask import Embedder, Relation
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.fields import SEPARATOR
from adjudge.suites.patient.offline import Reading, quality, readings
from adjudge.suites.patient.phrases import last_question, pattern, plain
from adjudge.suites.patient.speech import opening

# Pain comes and goes, so that two statements about it may both be true.
CHANGES = ("pain",)
OPPOSITE: Mapping[Relation, Relation] = {"entail": "contradict", "contradict": "entail"}


class Clash(Struct, frozen=True):
    """Two sentences of which the profile's item says that one is true and the other is not."""

    item: str
    earlier: Sentence
    later: Sentence

    @property
    def why(self) -> str:
        """What was said, against what."""
        return f"says {self.later.text!r}, having said {self.earlier.text!r} in turn {self.earlier.turn} ({self.item})"


@metric(
    "SelfContra (rules)",
    formula="replies after the first with a sentence that an item of the profile supports while it contradicts one of an "
    "earlier reply, or the other way round / replies after the first",
    unit="reply",
    better="lower",
    probes=("drift",),
    predicts=("a conversation", "a profile"),
    source="our own",
    departs=quality(),
)
def self_contradiction_offline(visit: Consultation, embed: Embedder, thresholds: Mapping[str, float]) -> Iterator[Mark]:
    """Does the patient contradict what it said before about an item of its profile, as far as rules and cosines see?

    Where an item supports one of two sentences and contradicts the other, not both can be true. Items with several
    values are left out, since the sentences may be about different ones, and so is pain, which changes. A patient that
    corrects itself, or gets clearer after it was confused, contradicts nothing. What the profile does not hold is for
    the judged metric to find. Undefined without a profile, and where the patient tells nothing or replies only once.
    """
    read = readings(visit, embed, thresholds)
    clashes = {clash.later.turn: clash for clash in reversed(list(_clashes(visit, read)))}
    for reply in visit.replies[1:] if read else ():
        clash = clashes.get(reply.turn)
        why = clash.why if clash else "nothing against an earlier reply"
        yield Mark(float(clash is not None), opening(reply.text), reply.turn, why)


def _clashes(visit: Consultation, read: list[Reading]) -> Iterator[Clash]:
    """Every sentence with the first of an earlier reply that cannot be true beside it."""
    for at, later in enumerate(read):
        for item, found in later.findings.items():
            earlier = next((one for one in read[:at] if _opposes(one, later, item)), None)
            cleared = visit.persona.confused and found.relation == "entail"
            if earlier and not cleared and _stays(visit, item) and not _corrects(later.sentence):
                yield Clash(item, earlier.sentence, later.sentence)


def _opposes(earlier: Reading, later: Reading, item: str) -> bool:
    found = earlier.findings.get(item)
    opposite = OPPOSITE.get(later.findings[item].relation)
    return found is not None and found.relation == opposite and earlier.sentence.turn != later.sentence.turn


def _stays(visit: Consultation, item: str) -> bool:
    """Whether an item has one value, and the same during a visit."""
    return item not in CHANGES and SEPARATOR.strip() not in visit.profile[item]


def _corrects(sentence: Sentence) -> bool:
    """Whether a sentence takes something back, or answers a doctor who asked which statement is right."""
    asked = pattern("asks_which").search(last_question(sentence.asked)) or pattern("asks_which").search(
        plain(sentence.asked)
    )
    return asked is not None or pattern("corrects").search(plain(sentence.text)) is not None
