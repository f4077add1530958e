"""Whether replies are as short as the persona talks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.lexicon.speech import opening
from adjudge.suites.patient.rules.personas import limits

limit = partial(
    metric,
    better="higher",
    probes=("role-play",),
    predicts=("a conversation", "a persona"),
    source="our own; the limits are those of the personas",
    english=True,
)


@limit("Sentences", formula="replies of at most 3 sentences (verbose: 8) / replies", unit="reply")
def sentence_limit(visit: Consultation) -> Iterator[Mark]:
    """Does each reply keep to the persona's limit of sentences?

    Asides and stage directions are not counted. Undefined if the personality is not known.
    """
    most = limits(visit.persona)
    if most is None:
        return
    for reply in visit.replies:
        count = len(reply.sentences)
        why = f"{_number_of(count, 'sentence')}; at most {most.sentences} expected"
        yield Mark(float(count <= most.sentences), opening(reply.text), reply.turn, why)


@limit("Words", formula="sentences of at most 20 words / sentences", unit="sentence")
def word_limit(visit: Consultation) -> Iterator[Mark]:
    """Does each sentence keep to the limit of words?

    A word is anything between spaces that has a letter or digit. Undefined if the personality is not known.
    """
    most = limits(visit.persona)
    if most is None:
        return
    for reply in visit.replies:
        for sentence in reply.sentences:
            count = sum(any(map(str.isalnum, word)) for word in sentence.text.split())
            why = f"{_number_of(count, 'word')}; at most {most.words} expected"
            yield Mark(float(count <= most.words), sentence.text, reply.turn, why)


def _number_of(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
