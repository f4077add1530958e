"""What rules about free English text share: spelling, words, numbers, negation, clauses and phrase patterns.

All functions are pure and take time linear in the length of the text. Vocabulary that belongs to one domain stays in
the lexicon of its suite.
"""
