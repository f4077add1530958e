"""Comparison of arms: the scores of runs side by side, and what `adjudge compare` says of them; see `adjudge.stats`."""
