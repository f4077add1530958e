"""Where scoring runs."""
