"""The vocabulary of the suite as data, and the functions that load it."""
