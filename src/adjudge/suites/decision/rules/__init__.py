"""What the metrics of decisions share: satisfaction, preferences, beliefs, effort."""
