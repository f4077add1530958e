"""The vocabulary of the team suite, as data."""
