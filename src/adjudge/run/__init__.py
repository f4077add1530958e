"""The run folder: a manifest, the records as they were read, and their scores, all as JSON."""

from adjudge.run.folder import Run, read_manifest
from adjudge.run.manifest import InputFile, Manifest
from adjudge.run.names import MANIFEST, RECORDS, SCORES
from adjudge.run.summary import ScoreSummary, SummaryRow
from adjudge.run.whole_file import whole_file, write_whole
from adjudge.run.writer import RunWriter

__all__ = [
    "MANIFEST",
    "RECORDS",
    "SCORES",
    "InputFile",
    "Manifest",
    "Run",
    "RunWriter",
    "ScoreSummary",
    "SummaryRow",
    "read_manifest",
    "whole_file",
    "write_whole",
]
