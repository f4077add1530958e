"""The report of a run: in the terminal, as files, as a page and as a figure."""
