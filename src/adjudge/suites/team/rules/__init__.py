"""The rules that the metrics of the team suite share."""
