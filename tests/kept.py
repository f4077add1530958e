"""Runs of the samples of all suites, kept and stored in every way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from adjudge.aggregate import store_tables
from adjudge.api.runs import Run
from adjudge.api.scoring import Scoring
from adjudge.run import RunWriter
from adjudge.run.keep import Keep, KeepColumns
from adjudge.score import Plan, find_suite, suite_names
from adjudge.tools.settings import LABELS, ToolSettings
from adjudge.tools.toolbox import Toolbox

# Two suites in every run of the tests, the others in trials.
OFTEN = ("service", "team")
SUITES = [
    pytest.param(name, marks=() if name in OFTEN else pytest.mark.trial)
    for name in suite_names()
    if find_suite(name).sample is not None
]
# Small chunks, so that a sample has several.
CHUNK = 5


class SampleRuns(dict[tuple[str, str], Run]):
    """Runs of samples by suite and by how they are kept or stored, made when they are first looked up."""

    def __init__(self, folder: Path, make: Callable[[SampleRuns, str, str, Path], Run]) -> None:
        super().__init__()
        self.folder = folder
        self.make = make

    def __missing__(self, key: tuple[str, str]) -> Run:
        suite, kind = key
        self[key] = self.make(self, suite, kind, self.folder / kind / suite / "run")
        return self[key]


def score_sample(suite: str, folder: Path, keep: str = "all") -> Run:
    """The sample of a suite, people's labels being the judge; metrics that embed, which take long, are left out."""
    found_suite = find_suite(suite)
    metrics = tuple(metric.card.name for metric in found_suite.metrics() if "embed" not in metric.card.needs)
    plan = Plan(suite=suite, files=(str(found_suite.sample),), metrics=metrics, keep=keep)
    labels = found_suite.sample_labels
    settings = ToolSettings(judge=(f"{LABELS}{labels}",) if labels else ())
    return Scoring.open(plan, Toolbox(settings, {})).run(folder)


def keep_part(whole: Run, folder: Path, keep: str) -> Run:
    """What a run would be if it had been scored with another `--keep`."""
    cards = whole.manifest.cards
    keeper = KeepColumns(Keep.parse(keep), list(cards.values()))
    lines = [(record.rstrip(), row) for record, row in zip(whole.records(), whole.rows(), strict=True)]
    manifest = structs.replace(whole.manifest, keep=keep, status="running", counts={})
    with RunWriter(folder, manifest) as writer:
        for start in range(0, len(lines), CHUNK):
            writer.append(keeper.reduce(lines[start : start + CHUNK]))
        manifest = structs.replace(manifest, status="complete", counts=whole.manifest.counts)
        if keep == "tallies":
            store_tables(folder, manifest)
        writer.finish(manifest)
    return Run(folder)
