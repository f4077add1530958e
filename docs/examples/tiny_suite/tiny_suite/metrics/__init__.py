"""The metrics of the suite: every function under @metric in this folder."""
