"""Calibration: the scores of a run compared with labels that people gave to the same items."""
