"""Judges: language models that answer typed questions, over HTTP or through a provider's own library."""
