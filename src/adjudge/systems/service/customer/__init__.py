"""The simulated customer: what it wants, how it reads replies, what it says next, and its words.

Nothing here is shared with the system's own triage and replies: no lexicon, no templates.
"""
