"""Logs of other tools, read as conversations: one module for each format, listed in `registry`."""
