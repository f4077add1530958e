"""Text functions that the suites share for English: spelling, words, numbers, negation, clauses, phrase patterns.

All functions are pure and take time linear in the length of the text. Vocabulary that belongs to one domain stays in
the lexicon of its suite.
"""
