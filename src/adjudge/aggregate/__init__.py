"""From scores to tables: one row per metric and arm, with its interval and its counts of missing scores."""

from adjudge.aggregate.rows import Row, row
from adjudge.aggregate.tables import (
    MarkReader,
    RunTables,
    TableTallies,
    Voice,
    breakdown,
    read_once,
    store_tables,
    stored_tables,
    table,
    table_rows,
    tables_of,
)
from adjudge.aggregate.tallies import (
    Accumulator,
    NumberedChunk,
    SplitScores,
    Tallies,
    accumulate,
    tally,
    tally_bases,
    tally_groups,
    tally_misses,
    tally_values,
)

__all__ = [
    "Accumulator",
    "MarkReader",
    "NumberedChunk",
    "Row",
    "RunTables",
    "SplitScores",
    "TableTallies",
    "Tallies",
    "Voice",
    "accumulate",
    "breakdown",
    "read_once",
    "row",
    "store_tables",
    "stored_tables",
    "table",
    "table_rows",
    "tables_of",
    "tally",
    "tally_bases",
    "tally_groups",
    "tally_misses",
    "tally_values",
]
