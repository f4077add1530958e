"""The report of a gate: in the terminal, as files, and to GitHub."""
