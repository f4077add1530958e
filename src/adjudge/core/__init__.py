"""The nouns: record, mark, score, card, metric, tally, suite. Standard library and msgspec only."""
