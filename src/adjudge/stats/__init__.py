"""Statistics: functions from arrays to numbers. Nothing here knows runs, cards or suites.

Every mean is a ratio of sums over cases, sum(t) / sum(w). Pool "marks": t is the weighted sum of a case's mark values
and w the sum of their weights. Pool "conversations": t is the sum of the case's values and w their number. The case is
the cluster: tests, intervals and resamples keep everything that happened in one case together.

- a value with its interval: `estimate`, `interval`, `variance`
- two arms: `cases`, `difference`, `effect`, `power`, `bootstrap`; several: `correction`, `friedman`
- repeated trials: `trials`; how unequal shares are: `inequality`
- raters: `ratings`, `confusion`, `kappa`, `alpha`, `judged`, `correlation`, `bias`; people's mean: `ppi`, `selection`
"""
