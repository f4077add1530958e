"""The outside world: databases, judges, embedders; the only package that may open a socket."""
