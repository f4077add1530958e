"""The metrics of the team suite."""
