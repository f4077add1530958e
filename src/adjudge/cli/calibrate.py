"""`adjudge calibrate`: how far a judge, or any metric, agrees with people."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from adjudge.cli.console import console_for
from adjudge.cli.options import parser
from adjudge.cli.output import add_output, output_files, write_files

EPILOG = """\
examples:
  adjudge calibrate runs/mine --labels human.csv
  adjudge calibrate runs/mine --labels human.jsonl --metric response_quality -o calibration.md -o calibration.json

Labels are rows of a table (.csv, .tsv) or objects (.json, .jsonl) with case, label and metric (or --metric), and where
needed arm, trial, turn, at and rater. A label with turn or at is about one mark, any other about the conversation.
A label is a number on the metric's scale, yes or no if the scale is 0 to 1, or the name of a band of the metric."""


def run(arguments: list[str]) -> int:
    """Compare a run's scores with people's labels, and print or write the calibration."""
    given = _parser().parse_args(arguments)

    from adjudge.api.runs import load
    from adjudge.calibrate.calibration import calibrate_run
    from adjudge.calibrate.items import join
    from adjudge.core.selection import check_metric
    from adjudge.read.labels import Layout, read_labels
    from adjudge.report.calibration.files import FORMATS, write_calibration
    from adjudge.report.calibration.terminal import print_calibration
    from adjudge.report.calibration.words import remark_on_retired

    files, opened = output_files(given, FORMATS), load(given.run)
    if given.metric:
        check_metric(given.metric, opened.manifest.cards, "--metric")
    labels = read_labels(Path(given.labels), Layout(given.metric, given.delimiter, given.encoding))
    calibration = remark_on_retired(calibrate_run(opened, given.labels, labels, join(opened, labels.entries)), opened)
    write_files(files, partial(write_calibration, calibration, opened), given.quiet)
    if not files:
        print_calibration(calibration, console_for(given.quiet))
    return 0


def _parser() -> argparse.ArgumentParser:
    options = parser("calibrate", "Measure how well a judge, or any metric, agrees with labels by people.", EPILOG)
    options.add_argument("run", metavar="RUN", help="a run folder")
    options.add_argument("--labels", required=True, metavar="FILE", help="the labels: .csv, .tsv, .json or .jsonl")
    options.add_argument(
        "--metric",
        default="",
        metavar="NAME",
        help="the metric of labels that name none; labels of other metrics are ignored",
    )
    options.add_argument("--delimiter", metavar="CHAR", help="the delimiter of a table (default: comma; tab for .tsv)")
    options.add_argument("--encoding", default="utf-8", help="the encoding of a table (default: utf-8)")
    add_output(options, ".html, .md, .csv or .json")
    return options
