"""Reads consultations from files: formats, transcripts, profiles and speakers."""
