"""The columns of cases: a number for each case, and the alphabetical order of conversations by case."""

from __future__ import annotations

import sqlite3
from array import array

import numpy as np

from adjudge.web.index.columns import write_piece


def number_cases(connection: sqlite3.Connection) -> None:
    """Write both columns, from the table of conversations.

    A dictionary of the cases would be far larger than the columns, so they are read in their order. Cases are numbered
    by their first conversation, as tables of a run number them.
    """
    places, groups, firsts = array("i"), array("i"), array("i")
    last = None
    for place, case in connection.execute('SELECT place, "case" FROM conversation ORDER BY "case", place'):
        if case != last:
            firsts.append(place)
            last = case
        places.append(place)
        groups.append(len(firsts) - 1)
    order = np.frombuffer(places, dtype=np.intc)
    numbers = np.empty(len(firsts), dtype="i4")
    numbers[np.argsort(np.frombuffer(firsts, dtype=np.intc))] = np.arange(1, len(firsts) + 1)
    for name, column in (("case_rank", np.arange(len(order))), ("case", numbers[np.frombuffer(groups, np.intc)])):
        by_place = np.empty(len(order), dtype="i4")
        by_place[order] = column
        connection.execute("DELETE FROM piece WHERE name = ?", (name,))
        write_piece(connection, name, 0, by_place, "i4")
