"""Rules that several metrics of the team suite share."""
