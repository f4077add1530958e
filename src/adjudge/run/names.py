"""The names of the files in a run folder."""

from __future__ import annotations

MANIFEST = "run.json"
RECORDS = "records.jsonl"
SCORES = "scores.jsonl"
# Of runs that keep a few records only: the values of all of them in columns.
COLUMNS = "columns.jsonl.gz"
# Of runs that keep tallies: the rows of all tables.
TABLES = "tables.json"
# Of runs that are stored as Parquet: a folder of parts in place of the lines of scores.
PARTS = "scores.parquet"
# The manifest of a play, whose conversations may be scored in the same folder.
PLAY = "play.json"
