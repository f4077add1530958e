"""What we claim about the speed of embedding.

    python benchmarks/embed.py                        # minilm: about two minutes on one core
    python benchmarks/embed.py --embedder wordllama
    python benchmarks/embed.py --pairs 10000 --distinct 2000
    python benchmarks/embed.py --cores-only           # one core against all; needs an idle machine

Texts per second for short and long texts; then the time to score 100,000 pairs with 20,000 distinct texts through the
answering side of the engine, each distinct text embedded once; and the time if both texts of every pair were embedded
(also in bulk), from a sample.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median

import msgspec
import numpy as np
from numpy.typing import NDArray

from adjudge.tools.embed import Encoder, embedder
from adjudge.tools.embed.answerer import EmbedAnswerer

PAIRS = Path(__file__).parent / "calibration" / "pairs.jsonl"
SHORT, LONG = 10, 120
SAMPLE = 1000
ROUNDS = 3
SEED = 20261115


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--distinct", type=int, default=20_000)
    parser.add_argument("--scaling", type=int, default=2_000, help="texts for one core against all")
    parser.add_argument("--cores-only", action="store_true", help="only compare one core with all")
    asked = parser.parse_args()
    encoder, clock = embedder(asked.embedder), Clock()
    encoder.embed(["the first text loads the model"])
    print(f"{encoder.name} {encoder.revision}: loaded in {clock.wall:.2f} s")
    random = Random(SEED)
    if asked.cores_only:
        _report_cores(encoder, texts(random, asked.scaling, SHORT))
        return
    _report_rate(encoder, f"short ({SHORT} words)", texts(random, 1000, SHORT))
    _report_rate(encoder, f"long ({LONG} words)", texts(random, 200, LONG))
    _report_cores(encoder, texts(random, asked.scaling, SHORT))
    _report_pairs(encoder, random, asked.pairs, asked.distinct)


def texts(random: Random, count: int, length: int) -> list[str]:
    """Different texts of about so many words, drawn from sentences of our own."""
    words = sorted({word for line in PAIRS.read_bytes().splitlines() for word in _words(line)})
    texts: dict[str, None] = {}
    while len(texts) < count:
        texts[" ".join(random.choices(words, k=random.randint(length - length // 3, length + length // 3)))] = None
    return list(texts)


def _words(line: bytes) -> list[str]:
    pair = msgspec.json.decode(line, type=dict[str, str | bool])
    return f"{pair['first']} {pair['second']}".split()


class Clock:
    """Seconds since it was made, by the clock on the wall and of the processor (which other programs do not slow)."""

    def __init__(self) -> None:
        self.started = time.perf_counter(), time.process_time()

    @property
    def wall(self) -> float:
        """Seconds that passed."""
        return time.perf_counter() - self.started[0]

    @property
    def cpu(self) -> float:
        """Seconds of computing."""
        return time.process_time() - self.started[1]


def _report_rate(encoder: Encoder, kind: str, of: Sequence[str]) -> None:
    clock = Clock()
    encoder.embed(of)
    print(f"{kind} texts: {len(of) / clock.wall:,.0f} texts/s ({len(of) / clock.cpu:,.0f} per second of one core)")


def _report_cores(encoder: Encoder, of: Sequence[str]) -> None:
    """The same texts on one core and on all, three times in turn; the vectors must be the same."""
    all_cores = os.sched_getaffinity(0)
    ratios = []
    for _ in range(ROUNDS):
        alone, vectors = _embed_on(encoder, of, {min(all_cores)})
        together, same = _embed_on(encoder, of, all_cores)
        assert np.array_equal(vectors, same), "vectors depend on the number of cores"
        ratios.append(alone / together)
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"{len(all_cores)} cores against one: {median(ratios):.2f} times as fast (median of {shown}), same vectors")


def _embed_on(encoder: Encoder, of: Sequence[str], cores: set[int]) -> tuple[float, NDArray[np.float32]]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        clock = Clock()
        vectors = encoder.embed(of)
        return clock.wall, vectors
    finally:
        os.sched_setaffinity(0, before)


def score_pairs(answerer: EmbedAnswerer, pairs: Sequence[tuple[str, str]]) -> float:
    """The mean cosine of pairs whose distinct texts are embedded once."""
    for first, second in pairs:
        answerer.ask((first, second))
    answers = list(answerer.wait())
    place = {text: row for row, (text, _) in enumerate(answers)}
    rows = np.asarray([reply.answer for _, reply in answers], dtype=np.float32)
    left = np.array([place[first] for first, _ in pairs])
    right = np.array([place[second] for _, second in pairs])
    chunks = [slice(start, start + 10_000) for start in range(0, len(pairs), 10_000)]
    return float(sum(np.einsum("ij,ij->", rows[left[chunk]], rows[right[chunk]]) for chunk in chunks) / len(pairs))


def _report_pairs(encoder: Encoder, random: Random, count: int, distinct: int) -> None:
    pool = texts(random, distinct, SHORT)
    pairs = [(pool[at % distinct], random.choice(pool)) for at in range(count)]
    answerer, clock = EmbedAnswerer(encoder), Clock()
    mean, wall, cpu = score_pairs(answerer, pairs), clock.wall, clock.cpu
    print(f"{count:,} pairs, {answerer.embedded:,} distinct texts embedded once: {wall:.1f} s (cpu {cpu:.1f} s)")
    clock = Clock()
    encoder.embed([text for pair in pairs[:SAMPLE] for text in pair])
    every = clock.cpu / SAMPLE * count
    print(f"both texts of every pair: cpu {every:.0f} s (from {SAMPLE:,} pairs), {every / cpu:.1f} times as long")
    clock = Clock()
    again = score_pairs(answerer, pairs)
    print(f"again with all vectors known: {clock.wall:.2f} s (mean cosine {mean:.4f} = {again:.4f})")


if __name__ == "__main__":
    main()
