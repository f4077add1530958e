"""The outside world: judges, embedders, entailment; the only package that may open a socket."""
