"""The report of a comparison: in the terminal, as files, as a page and as a figure."""
