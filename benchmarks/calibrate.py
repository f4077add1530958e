"""Calibrate the thresholds of embedders on pairs of our own.

    python benchmarks/calibrate.py                      # prints what it finds for minilm and wordllama
    python benchmarks/calibrate.py --write              # and keeps it in src/adjudge/tools/embed/thresholds.toml
    python benchmarks/calibrate.py --embedder NAME --url http://127.0.0.1:8000/v1

The threshold is the one with the best balanced accuracy over all pairs of a use. The accuracy shown is that of
thresholds found without the pairs they are tried on (ten folds; all pairs of one wish are in the same fold).
Intervals are percentiles over 2,000 draws of wishes with replacement.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from adjudge.tools.embed import Encoder, embedder
from adjudge.tools.embed.calibrated import known_calibrations

PAIRS = Path(__file__).parent / "calibration" / "pairs.jsonl"
KEPT = Path(__file__).parents[1] / "src" / "adjudge" / "tools" / "embed" / "thresholds.toml"
FOLDS = 10
DRAWS = 2000
SEED = 20261115

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_HEAD = """\
# Thresholds of embedders: the cosine from which two texts count as a match, by use.
# Written by benchmarks/calibrate.py --write from benchmarks/calibration/pairs.jsonl. `used` says whose thresholds
# are in force where there are several. balanced_accuracy is cross-validated, intervals are 95 %; for minilm,
# at_source is the balanced accuracy of the source's threshold on the same pairs.
"""
_WHY = (
    "The trip metrics are defined with these thresholds for this model, so values can be compared with published "
    "ones; ours, from pairs that we wrote ourselves, stand beside them for uses the source has none for."
)


class Labelled(msgspec.Struct, frozen=True):
    """Two texts, what they are compared for, and whether they match."""

    use: str
    domain: str
    first: str
    second: str
    match: bool


class Sample(msgspec.Struct, frozen=True):
    """The pairs of one use: their cosines, their labels, and the wish each belongs to."""

    cosines: Floats
    matches: Bools
    wishes: NDArray[np.int64]

    def where(self, rows: NDArray[Any]) -> Sample:
        """The pairs in these rows."""
        return Sample(self.cosines[rows], self.matches[rows], self.wishes[rows])


def main() -> None:
    """Calibrate and print; with --write also keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", action="append", help="minilm and wordllama by default")
    parser.add_argument("--url", default="", help="the endpoint that serves the embedder")
    parser.add_argument("--write", action="store_true", help=f"keep the results in {KEPT.name}")
    asked = parser.parse_args()
    if asked.write and asked.embedder:
        parser.error(f"--write replaces all of {KEPT.name}; leave --embedder out")
    names = asked.embedder or ["minilm", "wordllama"]
    sections = [_section(embedder(name, asked.url)) for name in names]
    print("\n".join(sections))
    if asked.write:
        KEPT.write_text("\n".join([_HEAD, *sections]), "utf-8")


def read_pairs() -> list[Labelled]:
    """The pairs of our own."""
    return [msgspec.json.decode(line, type=Labelled) for line in PAIRS.read_bytes().splitlines()]


def samples(encoder: Encoder) -> dict[str, Sample]:
    """The pairs as an embedder sees them, by use."""
    pairs = read_pairs()
    return {use: _sample(encoder, [pair for pair in pairs if pair.use == use]) for use in _uses(pairs)}


def _uses(pairs: Sequence[Labelled]) -> list[str]:
    return list(dict.fromkeys(pair.use for pair in pairs))


def _sample(encoder: Encoder, pairs: Sequence[Labelled]) -> Sample:
    first = encoder.embed([pair.first for pair in pairs])
    second = encoder.embed([pair.second for pair in pairs])
    numbers = {wish: number for number, wish in enumerate(dict.fromkeys(pair.first for pair in pairs))}
    return Sample(
        np.einsum("ij,ij->i", first, second).astype(np.float64),
        np.array([pair.match for pair in pairs]),
        np.array([numbers[pair.first] for pair in pairs]),
    )


def balanced_accuracy(predicted: Bools, matches: Bools) -> float:
    """The mean of the shares of matches and of others that were recognised."""
    return float((predicted[matches].mean() + (~predicted[~matches]).mean()) / 2)


def best_threshold(sample: Sample) -> float:
    """The threshold with the best balanced accuracy; the middle one of several."""
    cuts = np.unique(sample.cosines)
    tried = np.concatenate([cuts[:1] - 0.01, (cuts[1:] + cuts[:-1]) / 2])
    reached = np.array([balanced_accuracy(sample.cosines >= cut, sample.matches) for cut in tried])
    best = tried[reached >= reached.max() - 1e-12]
    return float(best[len(best) // 2])


def held_out(sample: Sample) -> Bools:
    """What thresholds say on pairs that had no part in finding them."""
    predicted = np.zeros(len(sample.matches), dtype=bool)
    folds = np.random.default_rng(SEED).permutation(sample.wishes.max() + 1) % FOLDS
    for fold in range(FOLDS):
        out = folds[sample.wishes] == fold
        predicted[out] = sample.cosines[out] >= best_threshold(sample.where(~out))
    return predicted


def auc(cosines: Floats, matches: Bools) -> float:
    """How often a match has a higher cosine than another pair."""
    higher = cosines[matches][:, None] - cosines[~matches][None, :]
    return float((higher > 0).mean() + (higher == 0).mean() / 2)


def interval(sample: Sample, statistic: Callable[[NDArray[np.int64]], float]) -> tuple[float, float]:
    """The middle 95 % of a statistic over draws of wishes with replacement."""
    random = np.random.default_rng(SEED)
    members = [np.flatnonzero(sample.wishes == wish) for wish in range(sample.wishes.max() + 1)]
    drawn = (random.integers(len(members), size=len(members)) for _ in range(DRAWS))
    values = [statistic(np.concatenate([members[wish] for wish in wishes])) for wishes in drawn]
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _section(encoder: Encoder) -> str:
    """What was found for an embedder, as TOML."""
    source: dict[str, float] = known_calibrations().get(encoder.name, {}).get("source", {})
    name = f'"{encoder.name}"' if not encoder.name.isalnum() else encoder.name
    lines = [f"[{name}]", f'revision = "{encoder.revision}"', f'date = "{datetime.date.today()}"']
    if source:
        lines += ['used = "source"', f'why = "{_WHY}"', f"source = {_inline(source)}"]
    else:
        lines += ['used = "calibrated"']
    for use, sample in samples(encoder).items():
        lines += ["", f"[{name}.calibrated.{use}]"]
        lines += [f"{key} = {value}" for key, value in _figures(sample, source.get(use)).items()]
    return "\n".join(lines) + "\n"


def _figures(sample: Sample, source: float | None) -> dict[str, str]:
    predicted, matches, cosines = held_out(sample), sample.matches, sample.cosines
    accuracy = interval(sample, lambda rows: balanced_accuracy(predicted[rows], matches[rows]))
    area = interval(sample, lambda rows: auc(cosines[rows], matches[rows]))
    measures = {
        "threshold": f"{best_threshold(sample):.2f}",
        "balanced_accuracy": f"{balanced_accuracy(predicted, matches):.3f}",
        "balanced_accuracy_interval": f"[{accuracy[0]:.3f}, {accuracy[1]:.3f}]",
        "auc": f"{auc(cosines, matches):.3f}",
        "auc_interval": f"[{area[0]:.3f}, {area[1]:.3f}]",
        "pairs": str(len(matches)),
    }
    if source is not None:
        measures["at_source"] = f"{balanced_accuracy(cosines >= source, matches):.3f}"
    return measures


def _inline(table: dict[str, float]) -> str:
    return "{ " + ", ".join(f"{key} = {value:.2f}" for key, value in table.items()) + " }"


if __name__ == "__main__":
    main()
