"""Readers: from tables, JSON and plans of other projects to trips."""
