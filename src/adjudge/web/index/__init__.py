"""The index of a run: where each conversation stands in its files, and a column of numbers for each metric."""

from adjudge.web.index.reader import Index
from adjudge.web.index.store import open_index

__all__ = ["Index", "open_index"]
