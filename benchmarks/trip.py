"""What we claim about the speed of scoring trips with embeddings.

    python benchmarks/trip.py                       # minilm, 1,000 dialogues: several minutes on one core
    python benchmarks/trip.py --dialogues 100
    python benchmarks/trip.py --embedder wordllama

Dialogues are made from the sample: its scenarios under all conditions, every wish, explanation and description of a
place with words of its own, so that texts are as different as in real data. All metrics of the suite are scored, each
distinct text embedded once; beside it, in the same run and in turns, the same texts are embedded in one bare batch.
The ratio is the share of the bare rate that the whole scoring reaches.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median

import msgspec
from msgspec import structs

from adjudge.score import Scorer
from adjudge.suites.trip import suite
from adjudge.suites.trip.data import CatalogueEntry, Plan, Trip, TripTurn
from adjudge.tools.embed import Encoder, embedder
from adjudge.tools.embed.answerer import EmbedAnswerer

SEED = 20261116
FIELDS = ("a dialogue", "a synthesis", "a plan", "a catalogue", "members", "ballots", "feedback", "acceptance")
WORDS = (
    "harbour quiet garden rooftop music lantern market river old castle sunny narrow spicy fresh wooden hidden".split()
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--dialogues", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    encoder = embedder(asked.embedder)
    encoder.embed(["the first text loads the model"])
    trips = list(generate_trips(asked.dialogues))
    ratios = []
    for number in range(asked.rounds):
        texts, seconds = score_trips(trips, encoder)
        bare = batch(texts, encoder)
        ratios.append(bare / seconds)
        print(
            f"round {number + 1}: {len(trips):,} dialogues, {len(texts):,} distinct texts; scored in {seconds:.1f} s "
            f"({len(texts) / seconds:,.0f} texts a second), bare batch {bare:.1f} s "
            f"({len(texts) / bare:,.0f} texts a second), ratio {ratios[-1]:.2f}",
            flush=True,
        )
    print(f"{encoder.name}: median ratio {median(ratios):.2f}")


class Noted(EmbedAnswerer):
    """An answerer that notes which texts it embeds."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(encoder)
        self.texts: list[str] = []

    def _embed_portion(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
        self.texts += texts
        return super()._embed_portion(texts)


def score_trips(trips: list[Trip], encoder: Encoder) -> tuple[list[str], float]:
    """The texts that scoring embeds, and how long scoring takes."""
    answerer = Noted(encoder)
    scorer = Scorer(suite.metrics(), {"embed": answerer, "thresholds": encoder.thresholds}, {"C": FIELDS})
    fresh = [structs.replace(trip) for trip in trips]
    started = time.perf_counter()
    for _ in scorer.score(fresh):
        pass
    seconds = time.perf_counter() - started
    assert len(answerer.texts) == len(set(answerer.texts)), "a text was embedded twice"
    return answerer.texts, seconds


def batch(texts: list[str], encoder: Encoder) -> float:
    """How long the same texts take in one batch, in the same order of lengths."""
    ordered = sorted(texts, key=lambda text: (len(text), text))
    started = time.perf_counter()
    encoder.embed(ordered)
    return time.perf_counter() - started


def generate_trips(count: int) -> Iterator[Trip]:
    """Dialogues like those of the sample, each with words of its own."""
    sample = [msgspec.json.decode(line, type=Trip) for line in suite.sample.read_bytes().splitlines()]
    random = Random(SEED)
    for number in range(count):
        trip = sample[number % len(sample)]
        tail = " ".join(random.sample(WORDS, 4))
        yield structs.replace(
            trip,
            id=str(number),
            case=str(number),
            arm="C",
            turns=tuple(_turn(turn, tail) for turn in trip.turns),
            members=tuple(
                structs.replace(
                    member,
                    hidden=tuple(structs.replace(wish, text=f"{wish.text}, {tail}") for wish in member.hidden),
                )
                for member in trip.members
            ),
            catalogue=tuple(_entry(entry, tail) for entry in trip.catalogue),
            plan=structs.replace(trip.plan, raw=f"{trip.plan.raw} {tail}") if isinstance(trip.plan, Plan) else None,
        )


def _turn(turn: TripTurn, tail: str) -> TripTurn:
    synthesis = turn.synthesis
    if synthesis is not None:
        synthesis = structs.replace(synthesis, resolution_explanation=f"{synthesis.resolution_explanation} {tail}")
    speaks = turn.intent.startswith(("user_provide_", "sys_synthesize_"))
    return structs.replace(turn, text=f"{turn.text} {tail}" if speaks else turn.text, synthesis=synthesis)


def _entry(entry: CatalogueEntry, tail: str) -> CatalogueEntry:
    return structs.replace(entry, about=f"{entry.about} {tail}".strip())


if __name__ == "__main__":
    main()
