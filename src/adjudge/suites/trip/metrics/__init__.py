"""The metrics of the trip suite."""
