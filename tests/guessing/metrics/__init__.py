"""The metrics of the guessing game."""
