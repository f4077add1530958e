"""Comparison of arms: the scores of runs side by side, and the results of `adjudge compare`; see `adjudge.stats`."""
