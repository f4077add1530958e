"""What the metrics rest on: rules about what is said, and the questions that a judge is asked."""
