"""Whether parties say again what was said before."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.suites.team.rules.parties import speeches
from adjudge.suites.team.rules.repeats import FEWEST_WORDS, LOOK_BACK, repeats
from adjudge.suites.team.rules.wording import wordings


@metric(
    "Repeat",
    formula="turns that repeat an earlier turn, exactly or nearly / turns of at least five words after the first",
    unit="turn",
    better="lower",
    probes=("repetition",),
    source="our own; step repetition in MAST (arXiv 2503.13657) is the judged counterpart",
    primary=True,
)
def repeated_turns(conversation: Conversation) -> Iterator[Mark]:
    """Does a party repeat what was said before, exactly or nearly?

    It does not matter who said it before. A turn is nearly the same if it has a ratio of 90 (rapidfuzz) to one of the
    30 turns before and the same numbers. Compared with earlier turns, only the same words count. Turns of fewer than
    five words are not judged. Repetition in other words is missed (see repetition_by_meaning), and a deliberate
    quotation is mistaken for a repetition. The group of a mark is its speaker.
    """
    turns = conversation.turns
    for repeat in repeats(conversation)[1:]:
        turn = turns[repeat.place]
        why = f"as in turn {turns[repeat.earlier].id}" if repeat.earlier is not None else ""
        yield Mark(float(repeat.earlier is not None), turn.speaker, turn.id, why, turn.speaker)


@metric(
    "RepeatSem",
    formula="mean over turns of the highest cosine of a turn with one of the 30 turns before",
    unit="turn",
    better="neither",
    scale=(-1.0, 1.0),
    probes=("repetition",),
    source="our own",
)
def repetition_by_meaning(conversation: Conversation, embed: Embedder) -> Iterator[Mark]:
    """How close in meaning is a turn to what was said before?

    Turns of at least five words after the first are judged. The values depend on the embedder and have no threshold;
    compare arms with the same embedder. Turns about one subject are close without being repetitions, so neither
    direction is better.
    """
    words = wordings(conversation)
    turns = [turn for place, turn in speeches(conversation) if len(words[place]) >= FEWEST_WORDS]
    if len(turns) < 2:
        return
    import numpy as np

    vectors = np.asarray(embed([turn.text for turn in turns]), dtype=float)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors / np.where(lengths == 0, 1.0, lengths)
    for number, turn in enumerate(turns[1:], 1):
        start = max(0, number - LOOK_BACK)
        cosines = vectors[start:number] @ vectors[number]
        nearest = int(cosines.argmax())
        value = float(min(1.0, max(-1.0, cosines[nearest])))
        yield Mark(value, turn.speaker, turn.id, f"closest to turn {turns[start + nearest].id}", turn.speaker)
