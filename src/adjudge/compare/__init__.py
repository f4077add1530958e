"""Comparison of arms: the statistics behind `adjudge compare`, pure functions on arrays.

Every value is a ratio of sums over cases, sum(t) / sum(w). Pool "marks": t is the weighted sum of a case's mark values
and w the sum of their weights. Pool "conversations": t is the case's value and w is 1. A case is the cluster: all that
happened in it moves together, in tests, intervals and resamples alike.
"""
